import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { parseJson } from './json.ts'
import { valueAt } from './mapping/mapping.ts'
import type { ReadingContext, Rejection } from './parsed-payload.ts'
import type { RawPayload } from './raw-payload.ts'
import { isSalesReport } from './sales-days.ts'
import { UnfitPayload } from './unfit-payload.ts'
import { isDropped, namesShown } from './unreadable.ts'

/** A row of a payload and its position. */
export interface Row {
  position: string
  record: unknown
}

/**
 * The rows of a payload, in order, and those that cannot be read.
 * @param from number of the first line or element in the file
 * @throws UnfitPayload when the whole payload is not what it should be
 */
export function rowsOf(
  payload: RawPayload,
  context: ReadingContext,
  from: number,
): { rows: Row[]; rejected: Rejection[] } {
  if (context.layout === 'document') return { rows: documentRows(payload.document(), context), rejected: [] }
  return context.layout === 'lines'
    ? lineRows(payload.bytes, from)
    : csvRows(payload.bytes, from, context.fields ?? {})
}

function documentRows(document: unknown, { list, fields }: ReadingContext): Row[] {
  const found = list ? valueAt(document, list) : document
  const records = Array.isArray(found) ? found : !list && isRecord(found, fields) ? [found] : undefined
  if (!records) throw new UnfitPayload(whyNoRows(document, list, fields))
  return records.map((record, index) => ({ position: `record ${index + 1}`, record }))
}

/** Whether a document is a single record: it has a mapped field, or, without a mapping, contains no list. */
function isRecord(document: unknown, fields: ReadingContext['fields']): boolean {
  if (typeof document !== 'object' || document === null) return false
  const paths = Object.values(fields ?? {})
  return paths.length > 0
    ? paths.some((path) => valueAt(document, path) !== undefined)
    : listsIn(document).length === 0
}

function whyNoRows(document: unknown, list: string | undefined, fields: ReadingContext['fields']): string {
  const lists = listsIn(document)
  const where =
    lists.length > 0
      ? `; it has lists at ${namesShown(
          lists.map((path) => `"${path}"`),
          10,
        )}: name one with "list" in a mapping, and pass it with --map FILE`
      : Array.isArray(document)
        ? '; the document is a list itself: leave "list" out'
        : `; it has ${namesShown(Object.keys(Object(document)), 12)}`
  if (list) return `no list at "${list}"${where}`
  return `the document is neither a list nor ${fields ? 'a record with a field that the mapping names' : 'one record'}${where}`
}

/** Paths of lists of records in a document, two levels deep. */
function listsIn(document: unknown, before = '', depth = 2): string[] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return []
  return Object.entries(document).flatMap(([name, value]) => {
    const path = `${before}${name}`
    if (Array.isArray(value)) return value.some((one) => typeof one === 'object' && one !== null) ? [path] : []
    return depth > 1 ? listsIn(value, `${path}.`, depth - 1) : []
  })
}

function lineRows(bytes: Uint8Array, from: number) {
  const rows: Row[] = []
  const rejected: Rejection[] = []
  const { text, isText, read } = textOf(bytes)
  for (const [index, part] of text.split('\n').entries()) {
    const line = read(part)
    if (line.trim() === '') continue
    const position = `line ${from + index}`
    if (!isText(part)) {
      rejected.push({ position, reason: 'not UTF-8', record: line })
      continue
    }
    try {
      rows.push({ position, record: parseJson(line) })
    } catch (error) {
      rejected.push({
        position,
        reason: `broken JSON: ${error instanceof Error ? error.message : ''}`,
        record: line.slice(0, 2000),
      })
    }
  }
  return { rows, rejected }
}

function csvRows(bytes: Uint8Array, from: number, fields: Record<string, string>) {
  const rows: Row[] = []
  const rejected: Rejection[] = []
  const { text, isText, read } = textOf(bytes.subarray(separatorLine(bytes)?.length ?? 0))
  const parsed = parseTable(text, delimiterOf(bytes), hasQuotes(bytes))
  if (parsed.length < 2) throw new UnfitPayload('the table has no rows')
  const header = parsed[0]?.record.map(read) ?? []
  if (header.length > mostColumns)
    throw new UnfitPayload(`a table of ${header.length} columns; at most ${mostColumns} are read`)
  const lacking = Object.entries(fields).find(([, column]) => !header.includes(column))
  if (lacking)
    throw new UnfitPayload(
      `the table has no column "${lacking[1]}", which the mapping names for ${lacking[0]}; it has ${namesShown(header, 40)}`,
    )
  const headerLines = parsed[0]?.info.lines ?? 1
  // If the number of cells does not match the columns, a cell may belong to a column that must not be stored.
  const cells = (record: string[]) => (header.some(isDropped) ? {} : { record: record.map(read) })
  for (const [index, { record }] of parsed.slice(1).entries()) {
    const position = `line ${from + (parsed[index]?.info.lines ?? headerLines) - headerLines}`
    if (record.length !== header.length) {
      rejected.push({
        position,
        reason: `${record.length} columns where the header has ${header.length}`,
        ...cells(record),
      })
    } else if (!record.every(isText)) {
      rejected.push({ position, reason: 'not UTF-8', ...cells(record) })
    } else {
      rows.push({
        position,
        record: Object.fromEntries(
          header.map((name, index) => [name, read(record[index] ?? '').replaceAll('\0', '')]),
        ),
      })
    }
  }
  return { rows, rejected }
}

/** The names of the columns of a table, in their order; a name may stand twice. @throws UnfitPayload */
export function tableHeader(bytes: Uint8Array): string[] {
  const { text, read } = textOf(bytes.subarray(separatorLine(bytes)?.length ?? 0))
  return parseTable(text, delimiterOf(bytes), hasQuotes(bytes), 1)[0]?.record.map(read) ?? []
}

/** Deeper columns of a table stay flat. */
const deepestColumn = 8

/**
 * A row whose columns are paths, such as `authorMeta.name` or `hashtags/0/name`, as the object that was flattened; and JSON in
 * cells as the list or object it is. Any other row stays as it is.
 */
export function nestedRow(row: unknown): unknown {
  const cells = Object.entries(row as Record<string, string>)
  if (!cells.some(([name, cell]) => isPath(name) || isWritten(cell))) return row
  return nested(cells.map(([name, cell]) => [name, isWritten(cell) ? unwritten(cell) : cell]))
}

const isPath = (name: string) => /^[\w$-]+(?:[./][\w$-]+)+$/.test(name)

/**
 * The object of which cells are the parts, each by its column as a path.
 * @param lacksCells empty cells are left out: places of a list can be missing
 */
export function nested(
  cells: readonly (readonly [name: string, value: unknown])[],
  lacksCells = false,
): Record<string, unknown> {
  const whole: Record<string, unknown> = {}
  for (const [name, value] of cells) {
    const path = isPath(name) ? name.split(/[./]/) : [name]
    if (path.length > deepestColumn || path.includes('__proto__')) continue
    const last = path.pop() ?? name
    let part: Record<string, unknown> = whole
    for (const step of path) {
      const known = Object.hasOwn(part, step) ? part[step] : undefined
      const next = typeof known === 'object' && known !== null ? known : {}
      part[step] = next
      part = next as Record<string, unknown>
    }
    if (!Object.hasOwn(part, last)) part[last] = value
  }
  return listed(whole, lacksCells) as Record<string, unknown>
}

const isWritten = (cell: string) => /^\[.*\]$|^\{.*\}$/s.test(cell)

/** An object, or a list of objects; a text in brackets, such as `[2024]`, stays the text. */
function unwritten(cell: string): unknown {
  try {
    const value = parseJson(cell)
    const isOfObjects = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)
    return isOfObjects || !Array.isArray(value) ? value : cell
  } catch {
    return cell
  }
}

/** Objects whose keys are 0, 1, 2 … as lists, without the empty places at their end that other rows need. */
function listed(value: unknown, lacksCells: boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([name, part]) => [name, listed(part, lacksCells)] as const)
  const isPlace = (name: string, index: number) => (lacksCells ? /^\d+$/.test(name) : name === String(index))
  if (entries.length === 0 || !entries.every(([name], index) => isPlace(name, index)))
    return Object.fromEntries(entries)
  const parts = entries.map(([, part]) => part)
  return parts.slice(0, parts.findLastIndex((part) => !isEmpty(part)) + 1)
}

const isEmpty = (part: unknown): boolean =>
  part === '' || (typeof part === 'object' && part !== null && Object.values(part).every(isEmpty))

/** Most columns of a table: each row object repeats their names. */
const mostColumns = 2_000

/** The rows of a table, the header among them, each with the line it ends at; the first ones up to `to`. @throws UnfitPayload */
function parseTable(
  text: string,
  delimiter: string,
  quotes: boolean,
  to = -1,
): { record: string[]; info: { lines: number } }[] {
  try {
    return parse(text, {
      delimiter,
      info: true,
      quote: quotes ? '"' : null,
      record_delimiter: ['\n', '\r\n'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to,
    }) as unknown as { record: string[]; info: { lines: number } }[]
  } catch (error) {
    throw new UnfitPayload(`not a table: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Bytes as a text that can be sliced; where they are not all UTF-8, each slice says whether it is valid. */
function textOf(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(buffer)) return { text: buffer.toString('utf8'), isText: () => true, read: (part: string) => part }
  return {
    text: buffer.toString('latin1'),
    isText: (part: string) => isUtf8(Buffer.from(part, 'latin1')),
    read: (part: string) => Buffer.from(part, 'latin1').toString('utf8'),
  }
}

/**
 * Whether quotes delimit cells in the table that begins with these bytes. In Apple's sales reports they do not: a title may
 * begin with one.
 */
export function hasQuotes(bytes: Uint8Array): boolean {
  return !isSalesReport(headerOf(bytes).trimEnd())
}

/** The line before the header that names the separator for Excel, such as `sep=;`, and its length in bytes. */
export function separatorLine(bytes: Uint8Array): { mark: string; length: number } | undefined {
  const [line, mark] =
    /^"?sep=([\t -~])"?\r?\n/i.exec(Buffer.from(bytes.subarray(0, 16)).toString('latin1')) ?? []
  return line && mark ? { mark, length: line.length } : undefined
}

/** The separator: named by a line before the header, otherwise the most frequent one in the header. */
export function delimiterOf(bytes: Uint8Array): string {
  const stated = separatorLine(bytes)
  if (stated) return stated.mark
  const header = headerOf(bytes)
  const counted = [',', ';', '\t'].map((mark) => ({ mark, count: header.split(mark).length }))
  return counted.sort((one, other) => other.count - one.count)[0]?.mark ?? ','
}

function headerOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 16 * 1024)).toString('utf8')
  return head.split('\n', 1)[0] ?? ''
}
