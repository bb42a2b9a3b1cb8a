import { Parser } from 'htmlparser2'
import { UnfitPayload } from '../unfit-payload.ts'

/** What a property list can hold, as far as it is read here; anything else is null. */
export type PlistValue = string | number | null | PlistValue[] | Map<string, PlistValue>

/**
 * An XML property list. Entities are decoded once; a document type is skipped, so that no entity it declares is expanded and
 * nothing is fetched; values nested too deep, or under an unknown tag, are null.
 * @returns `complete` when the list was closed
 * @throws UnfitPayload when elements are nested by the thousand, which would take the parser for ever
 */
export function readPlist(xml: string): { root: PlistValue; complete: boolean } {
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

/** An element that is not closed yet. */
interface Open {
  tag: string
  text: string
  /** In a dictionary, the key whose value comes next. */
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
