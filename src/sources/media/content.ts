import { fileTypeFromBuffer } from 'file-type'
import { MediaFailure } from './failure.ts'

/** A picture or video as it arrives. */
export interface Medium {
  /** Recognised by content: never by a name or by the server's headers. */
  contentType: string
  /** A stream to be read once, to its end or not at all; throws MediaFailure. */
  content: AsyncIterable<Uint8Array>
}

/** Types that may be stored and served. Active content, such as SVG and HTML, is not among them. */
const kept = new Map([
  ['image/jpeg', 'image/jpeg'],
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/webp', 'image/webp'],
  ['image/gif', 'image/gif'],
  ['image/avif', 'image/avif'],
  ['video/mp4', 'video/mp4'],
  ['video/x-m4v', 'video/mp4'],
  ['video/webm', 'video/webm'],
  ['video/quicktime', 'video/quicktime'],
])

/** Bytes needed to recognise a type. */
const signatureBytes = 4_100

/**
 * Recognises the type of a content by its first bytes, and counts its bytes as they are streamed.
 * @throws MediaFailure when it is empty, or neither a picture nor a video
 */
export async function recogniseMedium(arriving: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Medium> {
  const chunks = limited(arriving, maxBytes)
  const beginning: Uint8Array[] = []
  let size = 0
  while (size < signatureBytes) {
    const { value, done } = await chunks.next()
    if (done) break
    beginning.push(value)
    size += value.byteLength
  }
  const head = Buffer.concat(beginning)
  try {
    return { contentType: await typeOf(head), content: from(head, chunks) }
  } catch (error) {
    await chunks.return(undefined)
    throw error
  }
}

async function typeOf(head: Buffer): Promise<string> {
  if (head.length === 0) throw new MediaFailure('refused', 'The source sent nothing.')
  // Bytes crafted to confuse the recognition have no type.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  const contentType = kept.get(found?.mime ?? '') ?? (isAvif(head) ? 'image/avif' : undefined)
  // Three letters are recognised as a GIF, and any text may begin with them.
  const isText = contentType === 'image/gif' && !/^GIF8[79]a/.test(head.toString('latin1', 0, 6))
  if (contentType && !isText) return contentType
  const description = found ? `of type ${found.mime}` : 'nothing that is known by its content'
  throw new MediaFailure(
    'refused',
    `What the source sent is no picture or video that is kept: it is ${description}.`,
  )
}

/**
 * Whether a picture lists AVIF among its compatible brands: its major brand may be `mif1`, that of every HEIF. Source:
 * ISO/IEC 14496-12, "File Type Box"; AV1 Image File Format, "Brands".
 */
function isAvif(head: Buffer): boolean {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return false
  const box = head.toString('latin1', 8, Math.min(head.length, head.readUInt32BE(0)))
  return (box.match(/[\s\S]{4}/g) ?? []).some((brand, at) => at !== 1 && brand === 'avif')
}

async function* limited(
  arriving: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, undefined> {
  let size = 0
  for await (const chunk of arriving) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLargeFailure(maxBytes)
    yield chunk
  }
}

export const tooLargeFailure = (maxBytes: number) =>
  new MediaFailure(
    'refused',
    `It has more than ${maxBytes} bytes, the most that is kept of one picture or video.`,
  )

async function* from(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  yield* rest
}
