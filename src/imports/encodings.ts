import { isAscii, isUtf8 } from 'node:buffer'
import { UnfitFileError } from './json-limits.ts'

/** The encoding named by a byte order mark; undefined without one, and for UTF-8. @throws UnfitFileError */
function markedEncoding(head: Buffer): string | undefined {
  const isWide = head.length >= 4 && head[2] === 0 && head[3] === 0
  if (head[0] === 0xff && head[1] === 0xfe) {
    if (isWide) throw new UnfitFileError('in UTF-32: save it in UTF-8, and import that')
    return 'utf-16le'
  }
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined
}

/** The byte order of UTF-16 without a mark: every other byte of plain words is 0. */
function unmarkedUtf16(head: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const words = head.subarray(0, 256)
  if (words.length < 8) return undefined
  const zeros = [0, 1].map((odd) => words.filter((byte, at) => at % 2 === odd && byte === 0).length)
  const [even = 0, odd = 0] = zeros
  const most = words.length / 4
  return even === 0 && odd > most ? 'utf-16le' : odd === 0 && even > most ? 'utf-16be' : undefined
}

/**
 * The text of a file as UTF-8, with newlines: of another encoding where `stated` or its mark names one, else as it is.
 * @param stated as `--encoding` names it
 * @throws UnfitFileError for what is not of its encoding
 */
export async function* decodeToUtf8(
  chunks: AsyncGenerator<Buffer>,
  head: Buffer,
  stated: string | undefined,
): AsyncGenerator<Buffer> {
  const label = markedEncoding(head) ?? stated
  const unmarked = label ? undefined : unmarkedUtf16(head)
  if (unmarked) throw new UnfitFileError(`in UTF-16 without a mark: name it with --encoding ${unmarked}`)
  const encoding = label && new TextDecoder(label).encoding
  yield* withNewlines(encoding && encoding !== 'utf-8' ? decoded(chunks, encoding) : withoutMark(chunks))
}

async function* withoutMark(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { value: first } = await chunks.next()
  if (first) yield first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf ? first.subarray(3) : first
  yield* chunks
}

async function* decoded(chunks: AsyncGenerator<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const text = (chunk?: Buffer) => {
    try {
      return Buffer.from(chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode())
    } catch {
      throw new UnfitFileError(`not in ${encoding}: another --encoding is meant, or the file is damaged`)
    }
  }
  for await (const chunk of chunks) yield text(chunk)
  yield text()
}

const cr = 0x0d
const lf = 0x0a

/** Converts line ends of old Macs (a carriage return alone) to newlines, where the first line has one. */
async function* withNewlines(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let isMac: boolean | undefined
  let held = false
  for await (const read of chunks) {
    const chunk: Buffer = held ? Buffer.concat([Buffer.of(cr), read]) : read
    held = isMac !== false && chunk.at(-1) === cr
    const shown = held ? chunk.subarray(0, -1) : chunk
    if (isMac === undefined) {
      const [first, newline] = [shown.indexOf(cr), shown.indexOf(lf)]
      if (first !== -1 || newline !== -1) isMac = first !== -1 && (newline === -1 || first < newline - 1)
    }
    if (shown.byteLength > 0) yield isMac ? withLoneReplaced(shown) : shown
  }
  if (held) yield Buffer.of(lf)
}

function withLoneReplaced(chunk: Buffer): Buffer {
  const replaced = Buffer.from(chunk)
  for (let at = replaced.indexOf(cr); at !== -1; at = replaced.indexOf(cr, at + 1))
    if (replaced[at + 1] !== lf) replaced[at] = lf
  return replaced
}

/** Counts bytes that are not UTF-8, and non-ASCII characters that are. */
class Utf8Count {
  good = 0
  bad = 0
  #carried = Buffer.alloc(0)

  /** @returns whether all of it is UTF-8 so far */
  add(chunk: Buffer): boolean {
    const bytes = this.#carried.byteLength > 0 ? Buffer.concat([this.#carried, chunk]) : chunk
    const whole = wholeLetters(bytes)
    this.#carried = Buffer.from(bytes.subarray(whole))
    this.#count(bytes.subarray(0, whole))
    return this.bad === 0
  }

  end(): boolean {
    this.#count(this.#carried)
    return this.bad === 0
  }

  #count(bytes: Buffer): void {
    if (isAscii(bytes)) return
    if (isUtf8(bytes)) {
      // Characters of two and of three bytes are one UTF-16 unit.
      this.good += Math.ceil((bytes.byteLength - bytes.toString('utf8').length) / 2)
      return
    }
    for (let at = 0; at < bytes.length; ) {
      const first = bytes[at] ?? 0
      const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
      const isOne = first < 0x80 || isUtf8(bytes.subarray(at, at + length))
      if (!isOne) this.bad++
      else if (first >= 0x80) this.good++
      at += isOne ? length : 1
    }
  }
}

/** The index at which an incomplete last character begins; the length where there is none. */
function wholeLetters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0)
      return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const otherEncoding =
  'not UTF-8, and no mark tells what else: name its encoding, as in --encoding windows-1252 (Latin-1) or --encoding shift_jis; with --encoding utf-8 only rows that are damaged are refused'

/** Whether a text is in UTF-8; in damaged UTF-8 most letters beyond ASCII are still whole. */
export async function detectEncoding(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<'ascii' | 'utf-8' | 'other'> {
  const count = new Utf8Count()
  for await (const chunk of chunks) count.add(chunk)
  count.end()
  return count.bad > count.good ? 'other' : count.good > 0 ? 'utf-8' : 'ascii'
}

/**
 * Refuses text of another encoding as a whole: row by row, those without an accent would be taken and all others lost.
 * @throws UnfitFileError
 */
export async function refuseOtherEncoding(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  if ((await detectEncoding(chunks)) === 'other') throw new UnfitFileError(otherEncoding)
}

/** The same for a stream that can be read only once: it fails at the first such byte. */
export async function* refuseOtherEncodingInStream(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const count = new Utf8Count()
  for await (const chunk of chunks) {
    if (!count.add(chunk) && count.bad > count.good) throw new UnfitFileError(otherEncoding)
    yield chunk
  }
  if (!count.end() && count.bad > count.good) throw new UnfitFileError(otherEncoding)
}
