import { Readable } from 'node:stream'
import chain from 'stream-chain'
import parser from 'stream-json'
import pick from 'stream-json/filters/pick.js'
import streamArray from 'stream-json/streamers/stream-array.js'

/** How a file is laid out. */
export type Layout = 'document' | 'lines' | 'csv'

/** A part of a file that is read, stored and repeated as a whole. */
export interface Piece {
  layout: Layout
  bytes: Buffer
  /** Line of the file at which the piece begins, 1-based; for elements of a long array, the element. */
  from: number
}

/** A part of the file that cannot be read at all. */
export interface Damage {
  position: string
  reason: string
}

/** Documents up to this size are read whole: Apple's answers have at most 2 MB. */
const largestDocument = 16 * 1024 * 1024
/** Lines are gathered into pieces of about this size: small enough for memory, large enough to compress well. */
const pieceBytes = 512 * 1024
/** No record of ours comes near; a longer one means that a quote was never closed. */
const longestRecord = 8 * 1024 * 1024

const newline = 0x0a
const quote = 0x22

/**
 * Cuts the bytes of a file into pieces, in order, holding one at a time.
 * @param list in a long JSON document, the path of the array to walk; the document itself when empty
 */
export async function* piecesOf(
  bytes: AsyncIterable<Buffer>,
  layout: Layout | undefined,
  list: string | undefined,
): AsyncGenerator<Piece | Damage> {
  const source = bytes[Symbol.asyncIterator]()
  const head = await readUpTo(source, largestDocument, layout)
  const known = layout ?? layoutOf(head.bytes)
  const rest = head.ended ? [head.bytes] : resumed(head.bytes, source)
  if (known !== 'document') yield* recordPieces(rest, known)
  else if (head.ended) yield { layout: 'document', bytes: withoutMark(head.bytes), from: 1 }
  else yield* elementPieces(rest, startsWithList(head.bytes) ? '' : (list ?? 'results'))
}

/** Reads until the layout can be told: everything of a document, the first part of anything else. */
async function readUpTo(source: AsyncIterator<Buffer>, limit: number, layout: Layout | undefined) {
  const chunks: Buffer[] = []
  let size = 0
  for (;;) {
    const next = await source.next()
    if (next.done) return { bytes: Buffer.concat(chunks), ended: true }
    chunks.push(next.value)
    size += next.value.byteLength
    const settled = layout ?? (chunks.length === 1 ? undefined : layoutOf(chunks[0] ?? next.value))
    if ((settled && settled !== 'document') || size > limit)
      return { bytes: Buffer.concat(chunks), ended: false }
  }
}

async function* resumed(head: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
}

/** JSON objects line by line when the first line is one and more follows; any other JSON is a document; else CSV. */
export function layoutOf(head: Buffer): Layout {
  const text = withoutMark(head).subarray(0, pieceBytes).toString('utf8').trimStart()
  if (text.startsWith('<')) return 'document'
  if (!text.startsWith('{') && !text.startsWith('[')) return 'csv'
  const end = text.indexOf('\n')
  if (end === -1 || text.slice(end).trim() === '') return 'document'
  try {
    return typeof JSON.parse(text.slice(0, end)) === 'object' ? 'lines' : 'document'
  } catch {
    return 'document'
  }
}

function startsWithList(head: Buffer): boolean {
  return withoutMark(head).subarray(0, 1024).toString('utf8').trimStart().startsWith('[')
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/**
 * Whole records gathered into pieces. A record ends at a newline; in CSV only at one outside quotes. Every CSV piece
 * begins with the header line, so that it can be read on its own.
 */
async function* recordPieces(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  layout: 'lines' | 'csv',
): AsyncGenerator<Piece | Damage> {
  let header: Buffer | undefined
  let pending = Buffer.alloc(0)
  let scanned = 0
  let boundary = 0
  let quoted = false
  let line = 1
  let from = 1
  let started = false

  const piece = (records: Buffer): Piece => ({
    layout,
    bytes: header ? Buffer.concat([header, records]) : Buffer.from(records),
    from,
  })

  for await (const chunk of bytes) {
    pending = Buffer.concat([pending, started ? chunk : withoutMark(chunk)])
    started = true
    for (; scanned < pending.length; scanned++) {
      if (layout === 'csv' && pending[scanned] === quote) quoted = !quoted
      if (pending[scanned] !== newline) continue
      line++
      if (quoted) continue
      boundary = scanned + 1
      if (layout === 'csv' && !header) {
        header = Buffer.from(pending.subarray(0, boundary))
        pending = pending.subarray(boundary)
        scanned = -1
        boundary = 0
        from = line
      } else if (boundary >= pieceBytes) {
        yield piece(pending.subarray(0, boundary))
        pending = pending.subarray(boundary)
        scanned = -1
        boundary = 0
        from = line
      }
    }
    if (pending.length - boundary > longestRecord) {
      if (boundary > 0) yield piece(pending.subarray(0, boundary))
      yield { position: `line ${from}`, reason: 'a record of over 8 MiB; a quote is probably not closed' }
      return
    }
  }
  const last = quoted ? pending.subarray(0, boundary) : pending
  if (last.toString('utf8').trim() !== '') yield piece(last)
  if (quoted) yield { position: `line ${line}`, reason: 'the file ends inside quotes: it is truncated' }
}

/** A long JSON document: the elements of its array, line by line, so that memory holds only a few. */
async function* elementPieces(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  path: string,
): AsyncGenerator<Piece | Damage> {
  const steps = path === '' ? [parser(), streamArray()] : [parser(), pick({ filter: path }), streamArray()]
  const elements = Readable.from(bytes).compose(chain(steps as Parameters<typeof chain>[0])) as AsyncIterable<{
    value: unknown
  }>
  let lines: string[] = []
  let size = 0
  let count = 0
  const piece = (): Piece => {
    const gathered: Piece = {
      layout: 'lines',
      bytes: Buffer.from(`${lines.join('\n')}\n`),
      from: count - lines.length + 1,
    }
    lines = []
    size = 0
    return gathered
  }
  try {
    for await (const { value } of elements) {
      const text = JSON.stringify(value)
      lines.push(text)
      size += text.length
      count++
      if (size >= pieceBytes) yield piece()
    }
  } catch (error) {
    const reason = `the JSON breaks off: ${error instanceof Error ? error.message : String(error)}`
    if (lines.length > 0) yield piece()
    yield { position: `after element ${count}`, reason }
    return
  }
  if (lines.length > 0) yield piece()
  if (count === 0) yield { position: 'document', reason: `no list at "${path || 'the root'}"` }
}
