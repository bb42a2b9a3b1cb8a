import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib'

/** A payload as it is stored, with the one it was compressed with. */
export interface PackedPayload {
  content: Uint8Array
  dictionary?: PackedPayload | undefined
}

/** A raw upstream answer, ready to be stored. */
export interface Payload {
  /** SHA-256 of the bytes, in hex. */
  hash: string
  /** The bytes, compressed. */
  content: Uint8Array
  /** Size before compression. */
  bytes: number
  /** What it was compressed with: a payload of the same month. */
  dictionary?: Pick<Dictionary, 'hash' | 'month'> | undefined
}

/** Another payload of the same subject, to compress with. */
export interface Dictionary {
  hash: string
  /** `YYYY-MM`. */
  month: string
  raw: Uint8Array
}

export function payloadHash(raw: Uint8Array): string {
  return hash('sha256', raw, 'hex')
}

const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = constants

/** Level 1: payloads are repetitive text, and imports wait for this. */
const alone = { params: { [ZSTD_c_compressionLevel]: 1 } }
/** What a window of zstd may have without the reader being told: 128 MiB, and the least there is. */
const [widest, narrowest] = [27, 10]

/**
 * Level 3, and a window of both, since a page is mostly that of yesterday, in another order. Where the size is told, zstd makes
 * tables of that size: with those for an unknown size a page takes ten times as long.
 */
function settingsWith(dictionary: Uint8Array, raw: Uint8Array) {
  const reach = Math.ceil(Math.log2(dictionary.byteLength + raw.byteLength))
  return {
    params: {
      [ZSTD_c_compressionLevel]: 3,
      [ZSTD_c_windowLog]: Math.min(widest, Math.max(narrowest, reach)),
    },
    pledgedSrcSize: raw.byteLength,
    dictionary,
  }
}

/** Payloads up to this size are compressed in a third of a millisecond, less than handing them to another thread takes. */
const smallBytes = 128 * 1024

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * @param hash of the bytes, where it is known
 * @param dictionary what to compress with, instead of alone
 */
export async function compressPayload(
  raw: Uint8Array,
  hash = payloadHash(raw),
  dictionary?: Dictionary,
): Promise<Payload> {
  const settings = dictionary ? settingsWith(dictionary.raw, raw) : alone
  const content = raw.byteLength <= smallBytes ? zstdCompressSync(raw, settings) : await compress(raw, settings)
  return { hash, content, bytes: raw.byteLength, dictionary }
}

/** @param most bytes after decompression, for untrusted content @throws when there are more */
export function decompressPayload(content: Uint8Array, most?: number): Promise<Uint8Array> {
  return decompress(content, most === undefined ? {} : { maxOutputLength: most })
}

/** Many payloads have the same dictionary, which is unpacked once for as long as one of them is in use. */
const unpacked = new WeakMap<PackedPayload, Promise<Uint8Array>>()

/** The bytes of a stored payload. @throws where some of it, or of its dictionary, were lost */
export async function rawPayload({ content, dictionary }: PackedPayload): Promise<Uint8Array> {
  if (!dictionary) return decompress(content)
  const raw = unpacked.get(dictionary) ?? rawPayload(dictionary)
  unpacked.set(dictionary, raw)
  return decompress(content, { dictionary: await raw })
}
