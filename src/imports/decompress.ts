import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { UnfitFileError } from './json-limits.ts'

/** Real files compress to a twentieth; a file of zeros only can expand a thousandfold. */
const mostUnpackedTimes = 200
/** Below this size any ratio is harmless. */
const harmlessBytes = 64 * 1024 * 1024
const chunkSize = 256 * 1024

/** The compressed input is truncated. */
export class TruncatedError extends Error {
  constructor(by: string) {
    super(`the ${by} stream is truncated or damaged`)
    this.name = 'TruncatedError'
  }
}

export type Packing = 'gzip' | 'zstd' | 'xz'

/** The first bytes of a stream of xz. */
const xzMagic = Buffer.from('fd377a585a00', 'hex')

/** The compression of a file, from its first bytes; undefined for none or an unknown one. */
export function compressionOf(head: Buffer): Packing | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (head.subarray(0, xzMagic.length).equals(xzMagic)) return 'xz'
  const magic = head.length < 4 ? 0 : head.readUInt32LE(0)
  // A file of several frames can begin with one to be skipped, as that of pzstd does.
  return magic === 0xfd2fb528 || (magic & 0xfffffff0) >>> 0 === 0x184d2a50 ? 'zstd' : undefined
}

/**
 * The content of a compressed file.
 * @throws TruncatedError, UnfitFileError for one that would take far more memory or time than its size says
 */
export async function* decompressed(packed: AsyncGenerator<Buffer>, packing: Packing): AsyncGenerator<Buffer> {
  let read = 0
  let made = 0
  const counted = async function* () {
    for await (const chunk of packed) {
      read += chunk.byteLength
      yield chunk
    }
  }
  try {
    for await (const chunk of unpackers[packing](counted())) {
      made += chunk.byteLength
      if (made > harmlessBytes && made > mostUnpackedTimes * read)
        throw new UnfitFileError(`unpacked, over ${mostUnpackedTimes} times as large as the file`)
      yield chunk
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ZSTD_error_frameParameter_windowTooLarge')
      throw new UnfitFileError(
        'compressed by zstd with a window of over 128 MiB: unpack it with `zstd -d --long=31 FILE`, and import what that makes',
      )
    if (/^Z_|^ZSTD_/.test(code)) throw new TruncatedError(packing)
    throw error
  }
}

const unpackers: Readonly<Record<Packing, (packed: AsyncGenerator<Buffer>) => AsyncGenerator<Buffer>>> = {
  gzip: gunzipped,
  zstd: unzstd,
  xz: unxz,
}

async function* gunzipped(packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const decoder = createGunzip({ chunkSize })
  const copied = pipeline(packed, decoder)
  copied.catch(() => {})
  yield* decoder as AsyncIterable<Buffer>
  await copied
}

/**
 * Decompresses frame after frame: Node's decoder stops after the first frame that ends within a chunk, and ignores the rest.
 */
async function* unzstd(packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let left: Buffer | undefined
  const next = async () => {
    const chunk = left ?? (await packed.next()).value
    left = undefined
    return chunk
  }
  try {
    for (let first = await next(); first; first = await next()) {
      const decoder = createZstdDecompress({ chunkSize })
      const ended = once(decoder, 'end').catch(() => {})
      const feed = async (begin: Buffer) => {
        for (let chunk: Buffer | undefined = begin; chunk; chunk = await next()) {
          const before = decoder.bytesWritten
          await Promise.race([new Promise((written) => decoder.write(chunk, written)), ended])
          const taken = decoder.bytesWritten - before
          if (taken < chunk.byteLength) left = chunk.subarray(taken)
          if (left || decoder.destroyed) return
        }
        decoder.end()
      }
      const fed = feed(first).catch((error: Error) => decoder.destroy(error))
      yield* decoder as AsyncIterable<Buffer>
      await fed
    }
  } finally {
    await packed.return(undefined)
  }
}

/** The content of a file, all of its streams: instaloader, Python and xz itself write one. */
async function* unxz(packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  // Its types promise named exports, and Node finds only the default one of what is CommonJS.
  const library = (await import('xz-decompress')) as unknown as { default: typeof import('xz-decompress') }
  try {
    const unpacking = new library.default.XzReadableStream(ReadableStream.from(packed))
    for await (const chunk of unpacking) yield Buffer.from(chunk)
  } catch (error) {
    throw xzFailure(error)
  } finally {
    await packed.return(undefined)
  }
}

const unxzFirst = 'unpack it with `xz -dk FILE`, and import what that makes'

/** Errors of the decoder, which are numbers of xz-embedded. */
function xzFailure(error: unknown): unknown {
  const [, code] = /error code (\d)/.exec(error instanceof Error ? error.message : '') ?? []
  if (code === undefined) return error
  if ('34'.includes(code))
    return new UnfitFileError(`compressed by xz with a dictionary of over 64 MiB: ${unxzFirst}`)
  return '26'.includes(code)
    ? new UnfitFileError(`compressed by xz with a check or filter that is not read: ${unxzFirst}`)
    : new TruncatedError('xz')
}
