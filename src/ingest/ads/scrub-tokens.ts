/** How `access_token=` can be written in JSON, in an address, or in an address within one. */
const assignment =
  /(access(?:_|%(?:25)*5f|\\u005f)?token(?:=|%(?:25)*3d|\\u003d|\\*"\s*:\s*\\*"))[^&"'\\\s<>#%]+(?:%(?!(?:25)*26)[^&"'\\\s<>#%]*)*/gi

/** Tokens of Meta and TikTok by their own looks, wherever they stand. */
const looks = /(?<![A-Za-z0-9])EAA[A-Za-z0-9]{40,}|\bclt\.[A-Za-z0-9._-]{20,}/g

const removed = 'removed'

/**
 * Bytes without access tokens: Meta puts the caller's own into addresses of its answers. Everything is run through this
 * before it is stored, told or written to a file; bytes without a token come back as they are.
 */
export function scrubTokens<Bytes extends Uint8Array>(bytes: Bytes): Bytes | Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Tokens are plain ASCII, and Latin-1 gives every byte back as it was.
  const text = buffer.toString('latin1')
  const clean = text.replaceAll(assignment, `$1${removed}`).replaceAll(looks, removed)
  return clean === text ? bytes : Buffer.from(clean, 'latin1')
}
