import type { Block, Cell } from './blocks.ts'
import { cellOf, evidenceText, fieldLabelOf, isObject, isTime, type Json, type JsonObject } from './cells.ts'
import { defaultColumn } from './default-columns.ts'
import { minute } from './numbers.ts'
import { coverageLines, type Note, type WorkShown, workPairs } from './views/parts.ts'

/** Shows any object: first the properties that fit on one line, with labels, then nested ones as sections. */
export function recordBlocks(record: JsonObject): Block[] {
  const { lines, sections } = recordSections(record)
  return [...lines, ...sections]
}

/** One-line values, and sections: nested objects, and lists as tables. */
export function recordSections(record: JsonObject): { lines: Block[]; sections: Block[] } {
  const sections: Block[] = []
  const work = isWork(record) ? workPairs(record, 'state') : []
  const pairs = [...work]
  for (const [name, value] of Object.entries(record)) {
    if (value === null || quietNames.has(name) || (work.length > 0 && saidByWork.has(name))) continue
    if (isListOfObjects(value)) {
      sections.push({ kind: 'section', text: titleOf(name), aside: String(value.length) }, ...listBlocks(value))
    } else if (isObject(value) && !isOneLine(value)) {
      const inside =
        isObject(value) && Array.isArray(value.notes)
          ? coverageLines(value as { notes: Note[] })
          : recordBlocks(value)
      if (inside.length > 0) sections.push({ kind: 'section', text: titleOf(name) }, ...inside)
    } else {
      const cell = oneLine(value, name.split('.').at(-1))
      if (cell.text !== '') pairs.push({ label: fieldLabelOf(name), cells: [cell] })
    }
  }
  return { lines: pairs.length > 0 ? [{ kind: 'pairs', pairs }] : [], sections }
}

/** Times beside a label are shown to the minute. */
const oneLine = (value: Json, name: string | undefined): Cell =>
  typeof value === 'string' && isTime(value) ? { text: minute(value) } : cellOf(value, name)

const isWork = (record: JsonObject): record is JsonObject & WorkShown =>
  workNames.every((name) => name in record)

const workNames: readonly (keyof WorkShown | 'workId')[] = [
  'workId',
  'status',
  'progress',
  'attempts',
  'lastError',
  'createdAt',
  'startedAt',
  'finishedAt',
]

const saidByWork: ReadonlySet<string> = new Set([...workNames, 'expectedSeconds'])

/** Properties that are shown once below an answer, or are only useful to programs. */
const quietNames = new Set(['evidence', 'trouble', 'nextCursor', 'iconUrl'])

const titleOf = (name: string) => {
  const label = fieldLabelOf(name)
  return label.charAt(0).toUpperCase() + label.slice(1)
}

const isListOfObjects = (value: Json): value is JsonObject[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => isObject(one) && (!('state' in one) || 'kind' in one))

/** Objects that `cellOf` says in a few words. */
const isOneLine = (value: JsonObject) =>
  isApp(value) ||
  Object.values(value).every((inside) => inside === null || typeof inside === 'number') ||
  'state' in value ||
  'amount' in value ||
  'relation' in value ||
  ('surface' in value && 'observedAt' in value) ||
  ('rank' in value && 'date' in value)

/** Work is shown with its progress in words instead of columns. */
const listBlocks = (items: readonly JsonObject[]): Block[] =>
  items.every(isWork) ? items.flatMap(recordBlocks) : [tableOf(items)]

/** The one-line properties of all items, in the order in which they first occur. */
function tableOf(items: readonly JsonObject[]): Block {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))].filter(
    (name) =>
      !quietNames.has(name) &&
      items.some((item) => item[name] !== null && item[name] !== undefined) &&
      items.every((item) => !isObject(item[name]) || isOneLine(item[name])),
  )
  return {
    kind: 'table',
    columns: names.map((name, place) => {
      const { stays, wraps } = defaultColumn(name, place)
      return { title: columnTitle(name), ...(stays ? { stays } : {}), ...(wraps ? { wraps } : {}) }
    }),
    rows: items.map((item) => names.map((name) => cellOf(item[name], name))),
  }
}

/** `app.name` is the app, `primaryCategory.value.name` the category. */
export function columnTitle(path: string): string {
  const parts = path.split('.').filter((part) => part !== 'value')
  const last = parts.at(-1) ?? path
  const before = parts.at(-2)
  if (last === 'name' && before) return fieldLabelOf(before).replace(/^primary /, '')
  if (last === 'share' && before) return fieldLabelOf(before)
  return fieldLabelOf(last)
}

/** An app as it stands in replies about something else. */
export const isApp = (value: Json): value is JsonObject & { storeId: string; name: string | null } =>
  isObject(value) && 'storeId' in value && 'name' in value && 'catalogued' in value

/** The sources of an answer: each surface once, newest first. */
export function sourceLine(evidence: Json): Block[] {
  const list = Array.isArray(evidence) ? evidence.filter(isObject) : isObject(evidence) ? [evidence] : []
  const words = [...new Set(list.map(evidenceText))]
  if (words.length === 0) return []
  const more = words.length > 3 ? ` and ${words.length - 3} more` : ''
  return [{ kind: 'text', tone: 'quiet', text: `Seen: ${words.slice(0, 3).join('; ')}${more}` }]
}

/** The source issues of an answer. */
export function sourceIssueLines(trouble: Json): Block[] {
  return (Array.isArray(trouble) ? trouble : [])
    .filter(isObject)
    .map((one) => ({ kind: 'text', tone: 'warning', text: `! ${one.text}` }))
}
