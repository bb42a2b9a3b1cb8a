import { delimiterOf, hasQuotes, separatorLine } from '../ingest/rows.ts'
import { type DamagedPart, type FileLayout, type FilePiece, pieceBytes } from './piece.ts'

/** Documents up to this size are read whole: Apple's answers have at most 2 MB. */
export const largestDocument = 8 * 1024 * 1024
/** Far above any real record; a longer one means that a quote was never closed. */
const longestRecord = 8 * 1024 * 1024

/** The header of a table is repeated in each of its pieces. */
const longestHeader = 64 * 1024

const newline = 0x0a
const quote = 0x22
const comma = 0x2c

/**
 * Splits the bytes of a file into pieces, in order, with one at a time in memory.
 * @param list in a long JSON document, the path of the array to stream; or several possible paths, of which the first to
 * appear counts
 * @param wholeRecords bytes of lines or rows that must stay in one piece
 */
export async function* splitIntoPieces(
  bytes: AsyncIterable<Buffer>,
  layout: FileLayout | undefined,
  list: string | readonly string[] | undefined,
  wholeRecords = pieceBytes,
): AsyncGenerator<FilePiece | DamagedPart> {
  const source = bytes[Symbol.asyncIterator]()
  try {
    yield* cut(source, layout, list, wholeRecords)
  } finally {
    // An unfinished source would keep its file open.
    await source.return?.()
  }
}

async function* cut(
  source: AsyncIterator<Buffer>,
  layout: FileLayout | undefined,
  list: string | readonly string[] | undefined,
  wholeRecords: number,
): AsyncGenerator<FilePiece | DamagedPart> {
  const head = await readUpTo(source, largestDocument, layout)
  const known = layout ?? fileLayoutOf(head.bytes)
  const rest = head.ended ? [head.bytes] : resumed(head.bytes, source)
  if (head.ended && head.bytes.toString('utf8').trim() === '')
    yield { position: 'document', reason: 'the file is empty' }
  else if (known !== 'document') yield* recordPieces(rest, known, wholeRecords)
  else if (head.ended) yield { layout: 'document', bytes: head.bytes, from: 1, part: 1 }
  else {
    // Few imports hold a document of that length, and all would load what walks through it.
    const { elementPieces } = await import('./element-pieces.ts')
    yield* elementPieces(rest, startsWithList(head.bytes) ? '' : longList(head.bytes, list))
  }
}

/** Reads until the layout can be detected: all of a document, the first part of anything else. */
async function readUpTo(source: AsyncIterator<Buffer>, limit: number, layout: FileLayout | undefined) {
  const chunks: Buffer[] = []
  let settled = layout
  let size = 0
  for (;;) {
    const next = await source.next()
    if (next.done) return { bytes: Buffer.concat(chunks), ended: true }
    chunks.push(next.value)
    size += next.value.byteLength
    if (!settled && size >= pieceBytes) settled = fileLayoutOf(Buffer.concat(chunks))
    if ((settled && settled !== 'document') || size > limit)
      return { bytes: Buffer.concat(chunks), ended: false }
  }
}

async function* resumed(head: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
}

/**
 * JSON lines when the first line is a whole object and more follows, or when the second line begins as no document
 * continues; any other JSON is a document; otherwise CSV.
 */
export function fileLayoutOf(head: Buffer): FileLayout {
  const text = head.toString('utf8').trimStart()
  if (text.startsWith('<')) return 'document'
  if (!text.startsWith('{') && !text.startsWith('[')) return 'csv'
  const end = text.indexOf('\n')
  if (end === -1 || text.slice(end).trim() === '') return 'document'
  if (/^\{.*\}$/.test(text.slice(0, end).trimEnd()) && text.slice(end).trimStart().startsWith('{'))
    return 'lines'
  try {
    return typeof JSON.parse(text.slice(0, end)) === 'object' ? 'lines' : 'document'
  } catch {
    return 'document'
  }
}

function startsWithList(head: Buffer): boolean {
  return head.subarray(0, 1024).toString('utf8').trimStart().startsWith('[')
}

function longList(head: Buffer, list: string | readonly string[] = 'results'): string {
  if (typeof list === 'string') return list
  const start = head.subarray(0, 64 * 1024).toString('utf8')
  const places = list
    .map((path) => {
      const steps = path.split('.').map((name) => `"${name}"\\s*:\\s*`)
      return { path, at: start.search(new RegExp(`${steps.join('\\{[^]*?')}\\[`)) }
    })
    .filter(({ at }) => at !== -1)
  return places.sort((one, other) => one.at - other.at)[0]?.path ?? list[0] ?? ''
}

/** State of the CSV reader: quotes are only special at the ends of a cell. */
type Cell = 'start' | 'plain' | 'quoted' | 'closing'

function cellAfter(cell: Cell, byte: number | undefined, delimiter: number): Cell {
  if (cell === 'quoted') return byte === quote ? 'closing' : 'quoted'
  if (byte === delimiter || byte === newline) return 'start'
  return byte === quote && cell !== 'plain' ? 'quoted' : 'plain'
}

/**
 * Whole records combined into pieces. A record ends at a newline; in CSV only at one outside quotes. Every CSV piece begins
 * with the header line, so that it can be parsed on its own.
 */
async function* recordPieces(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  layout: 'lines' | 'csv',
  size: number,
): AsyncGenerator<FilePiece | DamagedPart> {
  let header: Buffer | undefined
  let separator: Buffer = Buffer.alloc(0)
  let delimiter = comma
  let quotes = layout === 'csv'
  let pending = Buffer.alloc(0)
  let scanned = 0
  let boundary = 0
  let cell: Cell = 'start'
  let line = 1
  let recordLine = 1
  let from = 1
  let parts = 0
  let skipping = false

  const taken = () => {
    const records = pending.subarray(0, boundary)
    pending = pending.subarray(boundary)
    scanned = -1
    boundary = 0
    return records
  }
  const piece = (records: Buffer): FilePiece => ({
    layout,
    bytes: header ? Buffer.concat([header, records]) : Buffer.from(records),
    from,
    part: ++parts,
  })

  for await (const chunk of bytes) {
    pending = Buffer.concat([pending, chunk])
    for (; scanned < pending.length; scanned++) {
      if (quotes) cell = cellAfter(cell, pending[scanned], delimiter)
      if (pending[scanned] !== newline) continue
      line++
      if (cell === 'quoted') continue
      boundary = scanned + 1
      if (skipping) {
        skipping = false
        taken()
        from = line
        continue
      }
      recordLine = line
      if (layout === 'csv' && !header) {
        const first: Buffer = Buffer.concat([separator, taken()])
        from = line
        if (first.toString('utf8').trim() === '') continue
        delimiter = delimiterOf(first).charCodeAt(0)
        if (separator.length === 0 && separatorLine(first)) {
          separator = first
          continue
        }
        if (first.length > longestHeader) {
          yield { position: `line ${line - 1}`, reason: 'a header of over 64 kB' }
          return
        }
        header = first
        quotes = hasQuotes(header)
      } else if (boundary >= size) {
        yield piece(taken())
        from = line
      }
    }
    if (pending.length - boundary > longestRecord) {
      if (boundary > 0) yield piece(taken())
      if (layout === 'csv') {
        yield {
          position: `line ${recordLine}`,
          reason: 'a record of over 8 MiB; a quote is probably not closed',
        }
        return
      }
      // Only a newline ends the skipped line: the lines after it can be parsed.
      if (!skipping) yield { position: `line ${line}`, reason: 'a line of over 8 MiB' }
      skipping = true
      pending = Buffer.alloc(0)
      scanned = 0
    }
  }
  if (skipping) return
  const last = cell === 'quoted' ? pending.subarray(0, boundary) : pending
  if (last.toString('utf8').trim() !== '' || (header && parts === 0)) yield piece(last)
  if (cell === 'quoted')
    yield {
      position: `line ${recordLine}`,
      reason: 'a quote is opened here and the file ends before it is closed',
    }
}
