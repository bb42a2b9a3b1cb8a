/** How `access_token=` can be written in JSON, in an address, or in an address within one. */
const assignment =
  /(access(?:_|%(?:25)*5f|\\u005f)?token(?:=|%(?:25)*3d|\\u003d|\\*"\s*:\s*\\*"))[^&"'\\\s<>#%]+(?:%(?!(?:25)*26)[^&"'\\\s<>#%]*)*/gi

/** Tokens of Meta and TikTok, recognised by their form anywhere in the text. */
const looks = /(?<![A-Za-z0-9])EAA[A-Za-z0-9]{40,}|\bclt\.[A-Za-z0-9._-]{20,}/g

const removed = 'removed'

/**
 * Removes access tokens: Meta puts the caller's own into addresses of its answers. Everything passes through this before it
 * is stored, reported or written to a file; bytes without a token are returned unchanged.
 */
export function scrubTokens<Bytes extends Uint8Array>(bytes: Bytes): Bytes | Buffer {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Tokens are plain ASCII, and Latin-1 preserves every byte.
  const text = buffer.toString('latin1')
  const clean = text.replaceAll(assignment, `$1${removed}`).replaceAll(looks, removed)
  return clean === text ? bytes : Buffer.from(clean, 'latin1')
}
