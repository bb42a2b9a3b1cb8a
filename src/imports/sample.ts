import type { Sample } from '../ingest/format.ts'
import { parseDocument } from '../ingest/json.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { delimiterOf, rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { firstBytesOf, type Input } from './input-file.ts'
import { fileLayoutOf, largestDocument } from './pieces.ts'

/** Bytes of a file that are looked at to recognise it, unpacked. */
const looked = 512 * 1024
/** Records that are looked at. */
const mostRecords = 50
/** Lines of a text that are looked at as a list. */
const mostLines = 200

/** The beginning of a file, with its first lines as text. */
export interface Beginning extends Omit<Sample, 'namesSearch'> {
  lines: readonly string[]
}

/**
 * The beginning of a file as recognition looks at it: never more than `looked` bytes, whatever its size, save for a page. A document that is longer, or
 * cut off, ends with its last whole value there.
 * @throws UnfitFileError, TruncatedError for what is no text
 * @throws UnfitPayload for what is empty, or neither JSON nor a text of lines
 */
export async function beginningIn(input: Input, encoding: string | undefined): Promise<Beginning> {
  const { bytes, isWhole } = await firstBytesOf(input, looked, encoding)
  const text = bytes.toString('utf8')
  if (text.trim() === '') throw new UnfitPayload('the file is empty')
  const none = { columns: [], records: [], document: undefined, lines: [] }
  if (text.trimStart().startsWith('<')) {
    // What a page holds for its scripts stands at its end.
    const page = isWhole ? bytes : (await firstBytesOf(input, largestDocument, encoding)).bytes
    return { ...none, layout: 'document', html: page.toString('utf8') }
  }
  const layout = fileLayoutOf(bytes)
  if (layout === 'document') {
    const document = documentIn(text)
    const records = Array.isArray(document) ? document.slice(0, mostRecords) : [document]
    return { ...none, layout, document, records }
  }
  const whole = isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
  const lines = text.split(/\r?\n/, mostLines).filter((line) => line.trim() !== '')
  const records = rowsIn(whole, layout)
  if (layout === 'lines') return { ...none, layout, records, lines }
  const columns = Object.keys(records[0] ?? {})
  return { ...none, layout, records, lines, columns: columns.length > 0 ? columns : headerIn(bytes) }
}

function rowsIn(bytes: Buffer, layout: 'lines' | 'csv'): unknown[] {
  try {
    const { rows } = rowsOf(new RawPayload(bytes), { layout, country: null }, 1)
    return rows.slice(0, mostRecords).map(({ record }) => record)
  } catch (error) {
    if (error instanceof UnfitPayload) return []
    throw error
  }
}

/** The names in the first line of a table without rows. */
const headerIn = (bytes: Buffer) =>
  (bytes.toString('utf8').trimStart().split('\n', 1)[0] ?? '')
    .split(delimiterOf(bytes))
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))

/** @throws UnfitPayload */
function documentIn(text: string): unknown {
  try {
    return parseDocument(Buffer.from(text))
  } catch (error) {
    if (!(error instanceof UnfitPayload)) throw error
    // What stops in the middle, or is broken at some place, is still told by its beginning.
    for (let length = text.length; length > shortestBeginning; length = Math.floor(length / 4)) {
      const closed = closedEarly(text.slice(0, length))
      if (closed !== undefined && isDocument(closed)) return parseDocument(Buffer.from(closed))
    }
    throw error
  }
}

/** Characters of the shortest beginning of a broken document that is looked at. */
const shortestBeginning = 20

function isDocument(text: string): boolean {
  try {
    parseDocument(Buffer.from(text))
    return true
  } catch {
    return false
  }
}

/** A JSON text that stops in the middle, ended after its last whole value; undefined where it has none. */
function closedEarly(text: string): string | undefined {
  const open: string[] = []
  let inText = false
  let last: { at: number; ends: string } | undefined
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (inText) {
      if (letter === '\\') at++
      else if (letter === '"') inText = false
    } else if (letter === '"') inText = true
    else if (letter === '{') open.push('}')
    else if (letter === '[') open.push(']')
    else if (letter === '}' || letter === ']') open.pop()
    else if (letter === ',') last = { at, ends: open.toReversed().join('') }
  }
  return last && `${text.slice(0, last.at)}${last.ends}`
}
