import { deepestJson } from '../ingest/json.ts'

/** Reading the file would take more memory or time than any real one. */
export class UnfitFileError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnfitFileError'
  }
}

/** Maximum bytes of one element of the list. */
const longestElement = 8 * 1024 * 1024

const [quote, backslash, openObject, closeObject, openList, closeList, comma] = Buffer.from('"\\{}[],')

/**
 * Passes the bytes of a long JSON document through to a parser, in chunks, as long as no value of the list is too large for
 * the memory.
 * @param listDepth nesting depth of the elements of the list
 * @throws UnfitFileError at the first byte that is nested too deep, or of an element that is too long
 */
export async function* withinJsonLimits(
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>,
  listDepth: number,
): AsyncGenerator<Buffer> {
  let depth = 0
  let inText = false
  let escaped = false
  /** Bytes since the last comma of the list. */
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
