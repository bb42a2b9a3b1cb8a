import { Readable } from 'node:stream'
import chain from 'stream-chain'
import parser from 'stream-json'
import pick from 'stream-json/filters/pick.js'
import streamArray from 'stream-json/streamers/stream-array.js'
import { UnfitFileError, withinJsonLimits } from './json-limits.ts'
import { type DamagedPart, type FilePiece, pieceBytes } from './piece.ts'

/** The parser creates many small objects for each chunk, so chunks are small. */
const parsedBytes = 64 * 1024

/** The elements of the array of a long JSON document as JSON lines, streamed. */
export async function* elementPieces(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  path: string,
): AsyncGenerator<FilePiece | DamagedPart> {
  const walked = path === '' ? [] : [pick({ filter: path })]
  const steps = [parser(), exactly, ...walked, streamArray()]
  const levels = path === '' ? 1 : path.split('.').length + 1
  const elements = Readable.from(decoded(withinJsonLimits(bytes, levels))).compose(
    chain(steps as Parameters<typeof chain>[0]),
  ) as AsyncIterable<{
    value: unknown
  }>
  let lines: string[] = []
  let size = 0
  let count = 0
  let parts = 0
  const piece = (): FilePiece => {
    const gathered: FilePiece = {
      layout: 'lines',
      bytes: Buffer.from(`${lines.join('\n')}\n`),
      from: count - lines.length + 1,
      part: ++parts,
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
    const reason =
      error instanceof UnfitFileError
        ? error.message
        : `the JSON breaks off: ${error instanceof Error ? error.message : String(error)}`
    if (lines.length > 0) yield piece()
    yield { position: `after element ${count}`, reason }
    return
  }
  if (lines.length > 0) yield piece()
  if (count === 0) yield { position: 'document', reason: `no list at "${path || 'the root'}"` }
}

/** Numbers that JavaScript cannot represent are passed on as written, as in `parseJson`. */
function exactly(token: { name: string; value?: unknown }): { name: string; value?: unknown } {
  const { name, value } = token
  const isLarge = name === 'numberValue' && typeof value === 'string' && /^-?\d{16,}$/.test(value)
  return isLarge && String(Number(value)) !== value ? { name: 'stringValue', value } : token
}

/** @throws TypeError at the first byte that is not UTF-8 */
async function* decoded(bytes: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += parsedBytes)
      yield decoder.decode(chunk.subarray(at, at + parsedBytes), { stream: true })
  }
  yield decoder.decode()
}
