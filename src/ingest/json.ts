import { isUtf8 } from 'node:buffer'
import { UnfitPayload } from './unfit-payload.ts'

/**
 * Parses the JSON document of a payload. Apple puts blank lines around some.
 * @throws UnfitPayload: `cut-off` when the document stops in the middle, `not-json` when it is something else
 */
export function parseDocument(bytes: Uint8Array): unknown {
  const text = readText(bytes)
  if (text.startsWith('<')) throw new UnfitPayload('HTML or XML where JSON was expected', 'not-json')
  try {
    return parseJson(text, mostDocumentValues)
  } catch (error) {
    const broken = 'broken or truncated JSON'
    if (error instanceof BeyondLimits) throw new UnfitPayload(`${broken}: ${error.message}`, 'not-json')
    if (stopsInside(text)) throw new UnfitPayload(`${broken}: it stops in the middle`, 'cut-off')
    throw new UnfitPayload(
      `${broken}: ${error instanceof Error ? error.message : String(error)}`,
      'not-json',
      'something that is not JSON',
    )
  }
}

/** Maximum number of values in a document of 8 MiB. */
const mostDocumentValues = 2_000_000

/**
 * JSON can contain escaped characters that no database text can hold, NUL and lone surrogates; both are removed. An integer
 * that JavaScript cannot hold exactly, as ids of some networks are, becomes the text of its digits.
 * @param most values it may hold
 * @throws SyntaxError, also for what is nested so deep that code which recurses could not end, and for what holds so many
 * values that they take far more memory than the text
 */
export function parseJson(text: string, most = mostValues): unknown {
  const hasLongNumber = refuseShape(text, most)
  const hasEscapes = text.includes('\\u') && /\\u(?:0000|[dD][89a-fA-F])/.test(text)
  if (!hasEscapes && !hasLongNumber) return JSON.parse(text)
  return JSON.parse(text, exactly as Parameters<typeof JSON.parse>[1])
}

/** The types of TypeScript 5 lack the reviver's third parameter, with the source text of a value. */
function exactly(_key: string, value: unknown, written?: { source?: string }): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (typeof value !== 'number' || written?.source === undefined) return value
  return /^-?\d{16,}$/.test(written.source) && String(value) !== written.source ? written.source : value
}

/** Maximum nesting of a document; Apple's have about ten levels. */
export const deepestJson = 200

/** Maximum values of one record, or of the data in an HTML page; Apple's have 30,000 per megabyte. */
const mostValues = 500_000

/** The text exceeds the limits and is not parsed, whether it is JSON or not. */
class BeyondLimits extends SyntaxError {}

/** Digits from which on a number may be one that JavaScript does not hold exactly. */
const longNumber = 16

/** Does not validate the JSON. @returns whether it holds a long number @throws BeyondLimits */
function refuseShape(text: string, most: number): boolean {
  let depth = 0
  let values = 1
  let digits = 0
  let hasLongNumber = false
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter >= zero && letter <= nine) {
      if (++digits === longNumber) hasLongNumber = true
      continue
    }
    digits = 0
    if (letter === quote) {
      at = endOfText(text, at)
      // It is not closed, and no JSON.
      if (at === -1) return hasLongNumber
    } else if (letter === comma) values++
    else if (letter === openObject || letter === openList) {
      values++
      if (++depth > deepestJson) throw new BeyondLimits(`nested deeper than ${deepestJson} levels`)
    } else if (letter === closeObject || letter === closeList) depth--
    if (values > most) throw new BeyondLimits(`more than ${most.toLocaleString('en')} values`)
  }
  return hasLongNumber
}

/** The end of the string that begins here; -1 where it is not closed. Searching for quotes is far faster than a walk over characters. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return -1
}

const [quote, backslash, openObject, closeObject, openList, closeList, comma, zero = 0, nine = 0] =
  Buffer.from('"\\{}[],09')

/** The text of a payload, trimmed. @throws UnfitPayload when there is none or it is no text */
export function readText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new UnfitPayload('not UTF-8', 'not-json')
  // The byte order mark counts as white space too.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').trim()
  if (text === '') throw new UnfitPayload('it is empty', 'cut-off')
  return text
}

/** Whether a document that begins as JSON ends with a list, an object or a text still open. */
function stopsInside(text: string): boolean {
  if (!/^[[{"]/.test(text)) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (quoted) {
      if (letter === '\\') at++
      else if (letter === '"') quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === '{' || letter === '[') depth++
    else if (letter === '}' || letter === ']') depth--
  }
  return quoted || depth > 0
}
