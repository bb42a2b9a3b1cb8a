import type { Block } from './blocks.ts'
import { cellOf, evidenceWords, isObject, type Json, type JsonObject, labelOf } from './cells.ts'

/**
 * Any object, its properties by name or path, in sections: what has one line beside its label, then what is nested, then
 * lists as tables.
 */
export function recordBlocks(record: JsonObject): Block[] {
  const lines: Block[] = []
  const sections: Block[] = []
  const pairs: { label: string; cells: ReturnType<typeof cellOf>[] }[] = []
  for (const [name, value] of Object.entries(record)) {
    if (value === null || quietNames.has(name)) continue
    if (isListOfObjects(value)) {
      if (value.length > 0)
        sections.push({ kind: 'section', text: titleOf(name), aside: String(value.length) }, tableOf(value))
    } else if (isObject(value) && !isOneLine(value)) {
      sections.push({ kind: 'section', text: titleOf(name) }, ...recordBlocks(value))
    } else pairs.push({ label: labelOf(name), cells: [cellOf(value, name.split('.').at(-1))] })
  }
  if (pairs.length > 0) lines.push({ kind: 'pairs', pairs })
  return [...lines, ...sections]
}

/** Said once at the foot of an answer, or only of use to programs. */
const quietNames = new Set(['evidence', 'trouble', 'nextCursor', 'platform', 'iconUrl'])

const titleOf = (name: string) => {
  const label = labelOf(name)
  return label.charAt(0).toUpperCase() + label.slice(1)
}

const isListOfObjects = (value: Json): value is JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one) && !('state' in one))

/** Objects that `cellOf` says in a few words. */
const isOneLine = (value: JsonObject) =>
  'state' in value ||
  'amount' in value ||
  'relation' in value ||
  ('surface' in value && 'observedAt' in value) ||
  ('storeId' in value && 'catalogued' in value) ||
  ('rank' in value && 'date' in value)

/** Everything of each item that has one line, in the order of the first one that names it. */
function tableOf(items: readonly JsonObject[]): Block {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter(
    (name) =>
      !quietNames.has(name) &&
      items.some((item) => item[name] !== null && item[name] !== undefined) &&
      items.every((item) => !isObject(item[name]) || isOneLine(item[name])),
  )
  return {
    kind: 'table',
    columns: names.map((name) => ({ title: columnTitle(name) })),
    rows: items.map((item) => names.map((name) => cellOf(item[name], name))),
  }
}

/** `app.name` is the app, `primaryCategory.value.name` the category. */
export function columnTitle(path: string): string {
  const parts = path.split('.').filter((part) => part !== 'value')
  const last = parts.at(-1) ?? path
  const before = parts.at(-2)
  if (last === 'name' && before) return labelOf(before).replace(/^primary /, '')
  if (last === 'share' && before) return labelOf(before)
  return labelOf(last)
}

/** Where an answer was read, each surface once, newest first as the list is. */
export function sourceLine(evidence: Json): Block[] {
  const list = Array.isArray(evidence) ? evidence.filter(isObject) : isObject(evidence) ? [evidence] : []
  const words = [...new Set(list.map(evidenceWords))]
  if (words.length === 0) return []
  const more = words.length > 3 ? ` and ${words.length - 3} more` : ''
  return [{ kind: 'text', tone: 'quiet', text: `Seen: ${words.slice(0, 3).join('; ')}${more}` }]
}

/** What is not well with the sources behind an answer. */
export function troubleLines(trouble: Json): Block[] {
  return (Array.isArray(trouble) ? trouble : [])
    .filter(isObject)
    .map((one) => ({ kind: 'text', tone: 'warning', text: `! ${one.text}` }))
}
