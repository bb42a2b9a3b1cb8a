import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** A raw upstream answer as it is stored. */
export interface Payload {
  /** SHA-256 of the bytes, in hex. */
  hash: string
  /** The bytes, compressed. */
  content: Uint8Array
  /** Size before compression. */
  bytes: number
}

export function payloadHash(raw: Uint8Array): string {
  return hash('sha256', raw, 'hex')
}

/** Level 1: payloads are repetitive text, and imports wait for this. */
const settings = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Payloads up to this size are compressed in a third of a millisecond, less than handing them to another thread takes. */
const smallBytes = 128 * 1024

export async function pack(raw: Uint8Array): Promise<Payload> {
  const content = raw.byteLength <= smallBytes ? zstdCompressSync(raw, settings) : await compress(raw, settings)
  return { hash: payloadHash(raw), content, bytes: raw.byteLength }
}

/** @param most bytes after decompression, for untrusted content @throws when there are more */
export function unpack(content: Uint8Array, most?: number): Promise<Uint8Array> {
  return decompress(content, most === undefined ? {} : { maxOutputLength: most })
}
