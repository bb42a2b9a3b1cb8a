import { readFileSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { compressionOf, decompressed, TruncatedError } from './decompress.ts'
import { decodeToUtf8, detectEncoding, refuseOtherEncoding, refuseOtherEncodingInStream } from './encodings.ts'
import { UnfitFileError } from './json-limits.ts'
import { withoutAssignment } from './scripts.ts'

/** An input of an import: a file or standard input. */
export interface Input {
  /** Name for messages and for the facts in a file name. */
  name: string
  /** Size on disk, for the progress bar; 0 when unknown. */
  bytes: number
  /** Modification time; undefined for standard input. */
  modifiedAt: Date | undefined
  /** Most bytes that it may have when it is unpacked; as many as it has when left out. */
  mostUnpacked?: number
  /** Whether it can be read a second time, as a file can and a pipe cannot. */
  isKept: boolean
  open(): Promise<Readable>
  /** All of it at once; undefined for what is too large, or does not say how large it is. */
  whole?: () => Buffer
}

/** The files to read; directories are replaced by their files, sorted by name; `-` is standard input. */
export async function inputsOf(
  paths: readonly string[],
  directory: string,
  stdin: Readable | undefined,
): Promise<Input[]> {
  const inputs: Input[] = []
  for (const path of paths) {
    if (path === '-') inputs.push(standardInput(stdin))
    else inputs.push(...(await filesAt(resolve(directory, path))))
  }
  return inputs
}

function standardInput(stdin: Readable | undefined): Input {
  if (!stdin) throw new Error('Nothing comes in on standard input here.')
  return { name: '-', bytes: 0, modifiedAt: undefined, isKept: false, open: async () => stdin }
}

async function filesAt(path: string): Promise<Input[]> {
  const found = await stat(path)
  if (found.isDirectory()) {
    const names = (await readdir(path)).filter((name) => !name.startsWith('.')).sort()
    return (await Promise.all(names.map((name) => filesAt(join(path, name))))).flat()
  }
  const open_ = async () => (await open(path)).createReadStream({ highWaterMark: smallFile })
  const whole = () => readFileSync(path)
  return [
    {
      name: path,
      bytes: found.size,
      modifiedAt: found.mtime,
      isKept: found.isFile(),
      open: open_,
      ...(found.isFile() && found.size <= smallFile ? { whole } : {}),
    },
  ]
}

/**
 * Files up to this size are read at once. Streaming took twenty times as long: 0.6 of the 6 seconds in which 1,000 charts
 * are imported.
 */
const smallFile = 256 * 1024

/**
 * The bytes of an input as UTF-8: decompressed when they are gzip or zstd, whatever its name, and decoded where `encoding`, as
 * `--encoding` names it, or a byte order mark says from what.
 * @param onRead receives the number of bytes read from disk
 * @throws TruncatedError, UnfitFileError for what is no text, or of another encoding
 */
export async function* utf8BytesOf(
  input: Input,
  onRead: (bytes: number) => void,
  encoding?: string,
): AsyncGenerator<Buffer> {
  if (encoding) return yield* textOf(input, onRead, await encodingOf(input, encoding))
  if (!input.isKept) return yield* refuseOtherEncodingInStream(textOf(input, onRead, undefined))
  const small = input.bytes <= smallFile ? await Array.fromAsync(textOf(input, onRead, undefined)) : undefined
  if (small && sizeOf(small) <= smallFile) {
    await refuseOtherEncoding(small)
    return yield* small
  }
  await refuseOtherEncoding(textOf(input, () => {}, undefined))
  yield* textOf(input, onRead, undefined)
}

/** With one stated encoding for several files, some may still be UTF-8, such as Apple's responses beside a table. */
async function encodingOf(input: Input, stated: string): Promise<string> {
  if (!input.isKept) return stated
  return (await detectEncoding(textOf(input, () => {}, 'utf-8'))) === 'utf-8' ? 'utf-8' : stated
}

/**
 * The first bytes of an input as UTF-8, and whether they are all of it. What is behind them is not looked at.
 * @throws TruncatedError where they cannot be unpacked, UnfitFileError for what is no text
 */
export async function firstBytesOf(
  input: Input,
  most: number,
  encoding?: string,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  const text = textOf(input, () => {}, encoding)
  try {
    for (let next = await text.next(); ; next = await text.next()) {
      if (next.done) return { bytes: Buffer.concat(chunks), isWhole: true }
      chunks.push(next.value)
      size += next.value.byteLength
      if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), isWhole: false }
    }
  } catch (error) {
    // What was unpacked before it stops tells what it was.
    if (!(error instanceof TruncatedError) || size === 0) throw error
    return { bytes: Buffer.concat(chunks), isWhole: false }
  } finally {
    await text.return(undefined)
  }
}

const sizeOf = (chunks: readonly Buffer[]) => chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)

async function* textOf(
  input: Input,
  onRead: (bytes: number) => void,
  encoding: string | undefined,
): AsyncGenerator<Buffer> {
  const raw = await headOf(readOf(input, onRead))
  const packing = compressionOf(raw.head)
  const found = packing ? await headOf(bounded(decompressed(raw.bytes, packing), input.mostUnpacked)) : raw
  try {
    const reason = whyForeign(found.head)
    if (reason) throw new UnfitFileError(reason)
    if (packing && compressionOf(found.head)) throw new UnfitFileError('compressed twice: unpack it once')
    yield* decodeToUtf8(withoutAssignment(found.bytes, found.head), found.head, encoding)
  } finally {
    await found.bytes.return(undefined)
  }
}

async function* bounded(
  chunks: AsyncGenerator<Buffer>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.byteLength
    if (size > most)
      throw new UnfitFileError(
        `unpacked, larger than the ${Math.round(most / (1024 * 1024))} MiB that are taken here: import it with the command`,
      )
    yield chunk
  }
}

async function* readOf(input: Input, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const whole = input.whole?.()
  if (whole) {
    onRead(whole.byteLength)
    if (whole.byteLength > 0) yield whole
    return
  }
  const source = await input.open()
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      onRead(chunk.byteLength)
      yield chunk
    }
  } finally {
    source.destroy()
  }
}

/** Reads the first bytes, which identify the kind of file, and returns the whole stream. */
async function headOf(chunks: AsyncGenerator<Buffer>) {
  let head: Buffer = Buffer.alloc(0)
  while (head.length < headBytes) {
    const next = await chunks.next()
    if (next.done) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  const bytes = async function* () {
    try {
      if (head.length > 0) yield head
      yield* chunks
    } finally {
      await chunks.return(undefined)
    }
  }
  return { head: head.subarray(0, headBytes), bytes: bytes() }
}

/** Files that no import reads, by the bytes they begin with, and what to do with them instead. */

interface ForeignFile {
  is(head: Buffer): boolean
  reason: string
}

const begins = (...bytes: (number | string)[]) => {
  const magic = Buffer.concat(
    bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))),
  )
  return (head: Buffer) => head.subarray(0, magic.length).equals(magic)
}
const isZip = begins('PK\u0003\u0004')
const holds = (head: Buffer, ...names: string[]) => names.some((name) => head.includes(name, 0, 'latin1'))

/** First bytes of a file that identify its kind. */
const headBytes = 1024

/** Specific signatures before general ones. */
const foreign: readonly ForeignFile[] = [
  {
    is: (head) => isZip(head) && holds(head, '[Content_Types].xml', '_rels/.rels', 'xl/workbook'),
    reason: 'an Excel workbook (.xlsx): save its sheet as "CSV UTF-8", and import that',
  },
  {
    is: (head) => isZip(head) && holds(head, 'vnd.oasis.opendocument', 'Index/Document.iwa', 'Index/Tables'),
    reason: 'a spreadsheet: save its sheet as CSV in UTF-8, and import that',
  },
  {
    is: (head) => isZip(head) || begins('PK\u0005\u0006')(head),
    reason:
      'a zip archive: unpack it, and import the files in it; of an export of ours posts.ndjson or ads.ndjson',
  },
  {
    is: begins(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    reason: 'an old Excel workbook (.xls): save its sheet as "CSV UTF-8", and import that',
  },
  {
    is: (head) => /^BZh[1-9]1AY&SY/.test(head.toString('latin1')),
    reason: 'compressed by bzip2: unpack it with `bzip2 -dk FILE`, and import what that makes',
  },
  {
    is: begins(0x04, 0x22, 0x4d, 0x18),
    reason: 'compressed by lz4: unpack it with `lz4 -dk FILE`, and import what that makes',
  },
  {
    is: (head) => begins('7z', 0xbc, 0xaf, 0x27, 0x1c)(head) || begins('Rar!', 0x1a, 0x07)(head),
    reason: 'an archive (7z or rar): unpack it, and import the files in it',
  },
  {
    is: (head) => head.subarray(257, 262).toString('latin1') === 'ustar',
    reason: 'a tar archive: unpack it with `tar -xf FILE`, and import the files in it',
  },
  {
    is: (head) => begins('PAR1')(head) || begins('ARROW1')(head) || begins('Obj', 1)(head),
    reason: 'a file of columns (Parquet, Arrow or Avro): write its rows as NDJSON or CSV, and import that',
  },
  {
    is: begins('SQLite format 3', 0),
    reason: 'an SQLite database: write the rows of its table as CSV or NDJSON, and import that',
  },
  {
    is: begins('bplist00'),
    reason: "a binary property list: it is none of the forms that are read; save the answer's JSON",
  },
  { is: begins('%PDF-'), reason: 'a PDF: its tables cannot be read; save them as CSV, and import that' },
]

/**
 * Why a file that begins like this cannot be read at all, and what to do; undefined for any other. Texts begin with none of
 * these.
 */
const whyForeign = (head: Buffer): string | undefined => foreign.find(({ is }) => is(head))?.reason
