import { Parser } from 'htmlparser2'
import { longestName } from '../../ingest/fields.ts'
import type { PayloadFormat } from '../../ingest/format.ts'
import { readText } from '../../ingest/json.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'

/** A term Apple suggests. */
interface SearchHint {
  /** Place in the answer, counted from 1. */
  position: number
  term: string
  /** Apple's own weight, which newer answers no longer carry. */
  priority: number | null
}

export interface SearchHints {
  /** In the order of the answer. */
  hints: SearchHint[]
  rejected: { position: number; reason: string }[]
}

/**
 * The answer of MZSearchHints, an XML property list: `plist > dict > array > dict` with `term`.
 * Source: an answer seen, and the clients of others.
 * @throws UnfitPayload
 */
export function readHints(bytes: Uint8Array): SearchHints {
  const text = readText(bytes)
  if (!/<plist[\s>]/.test(text))
    throw new UnfitPayload('answers something else than a property list', 'not-json')
  const { root, complete } = readPlist(text)
  if (!complete) throw new UnfitPayload('the property list stops in the middle', 'cut-off')
  const entries = listOf(root)
  if (!entries) throw new UnfitPayload('the property list holds no dictionary')
  const answer: SearchHints = { hints: [], rejected: [] }
  for (const [index, entry] of entries.entries()) {
    const position = index + 1
    const hint = readHint(entry, position)
    if (typeof hint === 'string') answer.rejected.push({ position, reason: hint })
    else answer.hints.push(hint)
  }
  return answer
}

/** The list under `hints`, else the first list; none when there is nothing to suggest. */
function listOf(root: PlistValue): PlistValue[] | undefined {
  if (Array.isArray(root)) return root
  if (!(root instanceof Map)) return undefined
  const hints = root.get('hints')
  return Array.isArray(hints) ? hints : ([...root.values()].find(Array.isArray) ?? [])
}

function readHint(entry: PlistValue, position: number): SearchHint | string {
  if (!(entry instanceof Map)) return 'not a dictionary'
  const term = entry.get('term')
  if (typeof term !== 'string') return 'no term'
  // The list parser has decoded entities once; they are not decoded again: `&amp;quot;` is a term that contains `&quot;`.
  const text = term.replaceAll('\0', '').trim().toWellFormed()
  if (text === '' || text.length > longestName) return `a term of ${text.length} letters`
  const priority = entry.get('priority')
  return { position, term: text, priority: typeof priority === 'number' ? priority : null }
}

/** Apple's hints for a typed prefix, where the prefix is known. */
export const hintsFormat: PayloadFormat = {
  isMappable: false,
  recognise: null,
  parse({ bytes }, { term: typed }) {
    const { hints, rejected } = readHints(bytes)
    return {
      source: 'apple-search-hints',
      sightings: [],
      charts: [],
      ...(typed === undefined ? {} : { hints: { typed, terms: hints.map(({ term }) => term) } }),
      rejected: rejected.map(({ position, reason }) => ({ position: `hint ${position}`, reason })),
      records: hints.length + rejected.length,
    }
  },
}

/** A value of a property list, as far as it is read here; anything else is null. */
type PlistValue = string | number | null | PlistValue[] | Map<string, PlistValue>

/**
 * An XML property list. Entities are decoded once; a document type is skipped, so that no entity it declares is expanded and
 * nothing is fetched; values nested too deep, or under an unknown tag, are null.
 * @returns `complete` when the list was closed
 * @throws UnfitPayload when elements are nested by the thousand, which would take the parser for ever
 */
function readPlist(xml: string): { root: PlistValue; complete: boolean } {
  const open: Open[] = []
  let root: PlistValue = null
  let complete = false
  const parser = new Parser(
    {
      onopentagname(tag) {
        if (open.length >= deepestTag) throw new UnfitPayload('the list is nested too deep')
        open.push({ tag, text: '', key: undefined, value: emptyOf(tag, open.length) })
      },
      ontext(text) {
        const top = open.at(-1)
        if (top) top.text += text
      },
      onclosetag(tag, isImplied) {
        const closed = open.pop()
        if (!closed) return
        if (tag === 'plist') complete = !isImplied
        const parent = open.at(-1)
        if (parent?.tag === 'plist') root ??= contentOf(closed)
        else if (parent) put(parent, closed)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return { root, complete }
}

/** An open element. */
interface Open {
  tag: string
  text: string
  /** In a dictionary, the key of the next value. */
  key: string | undefined
  value: PlistValue
}

const deepest = 16
const deepestTag = 1_000

function emptyOf(tag: string, depth: number): PlistValue {
  if (depth > deepest) return null
  if (tag === 'dict') return new Map()
  return tag === 'array' ? [] : null
}

function put(parent: Open, child: Open): void {
  if (Array.isArray(parent.value)) parent.value.push(contentOf(child))
  else if (!(parent.value instanceof Map)) return
  else if (child.tag === 'key') parent.key = child.text.trim()
  else if (parent.key !== undefined) {
    parent.value.set(parent.key, contentOf(child))
    parent.key = undefined
  }
}

function contentOf({ tag, text, value }: Open): PlistValue {
  if (tag === 'string') return text
  if (tag !== 'integer' && tag !== 'real') return value
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : null
}
