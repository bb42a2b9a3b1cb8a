import { readText } from '../json.ts'
import { UnfitPayload } from '../unfit-payload.ts'
import { longestName } from './fields.ts'
import { type PlistValue, readPlist } from './plist.ts'

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
  // Entities were decoded by the parser of the list, and not again: `&amp;quot;` is a term with `&quot;` in it.
  const text = term.replaceAll('\0', '').trim().toWellFormed()
  if (text === '' || text.length > longestName) return `a term of ${text.length} letters`
  const priority = entry.get('priority')
  return { position, term: text, priority: typeof priority === 'number' ? priority : null }
}
