import { deepestJson } from '../ingest/json.ts'

/** The file would take more memory or time to read than any real one does. */
export class UnfitFileError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnfitFileError'
  }
}

/** Bytes between two commas of the list that is walked. */
const longestElement = 8 * 1024 * 1024

const [quote, backslash, openObject, closeObject, openList, closeList, comma] = Buffer.from('"\\{}[],')

/**
 * Passes the bytes of a long JSON document on to whoever makes values of them, piece by piece, as long as no value of
 * the list would fill the memory.
 * @param listDepth levels at which the elements of the list stand
 * @throws UnfitFileError at the first byte that is too deep, or of an element that is too long
 */
export async function* withinBounds(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  listDepth: number,
): AsyncGenerator<Buffer> {
  let depth = 0
  let inText = false
  let escaped = false
  /** Bytes since the list went on. */
  let element = 0
  for await (const chunk of bytes) {
    for (const letter of chunk) {
      element++
      if (escaped) escaped = false
      else if (inText) {
        if (letter === backslash) escaped = true
        else if (letter === quote) inText = false
      } else if (letter === quote) inText = true
      else if (letter === openObject || letter === openList) {
        if (++depth > deepestJson) throw new UnfitFileError(`nested deeper than ${deepestJson} levels`)
        if (depth <= listDepth) element = 0
      } else if (letter === closeObject || letter === closeList) {
        if (--depth <= listDepth) element = 0
      } else if (letter === comma && depth <= listDepth) element = 0
      if (element > longestElement) throw new UnfitFileError('a value of over 8 MiB')
    }
    yield chunk
  }
}
