import { isUtf8 } from 'node:buffer'
import { UnfitAnswer } from './unfit-answer.ts'

/**
 * The document an answer holds. Apple puts blank lines around some. An answer without anything ended before it began.
 * @throws UnfitAnswer: `cut-off` when the document stops in the middle, `not-json` when it is something else
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = readText(bytes)
  if (text.startsWith('<')) throw new UnfitAnswer('not-json', 'answers HTML or XML where JSON is expected')
  try {
    return parseJson(text)
  } catch {
    throw stopsInside(text)
      ? new UnfitAnswer('cut-off', 'the JSON stops in the middle')
      : new UnfitAnswer('not-json', 'answers something that is not JSON')
  }
}

/**
 * JSON can escape what no database text holds: NUL, and halves of letters. Both are taken out, where there are any. A whole
 * number that JavaScript cannot hold exactly, as ids of some networks are, comes as the text of its digits.
 * @param most values it may hold
 * @throws SyntaxError, also for what is nested so deep that code which recurses could not end, and for what holds so many
 * values that they take far more memory than the text
 */
export function parseJson(text: string, most = mostValues): unknown {
  refuseShape(text, most)
  if (!/\\u(?:0000|[dD][89a-fA-F])/.test(text) && !/[[:,\s]-?\d{16,}[\s,}\]]/.test(text))
    return JSON.parse(text)
  return JSON.parse(text, exactly as Parameters<typeof JSON.parse>[1])
}

/** The types of TypeScript 5 do not know yet that a reviver is told how a value was written. */
function exactly(_key: string, value: unknown, written?: { source?: string }): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (typeof value !== 'number' || written?.source === undefined) return value
  return /^-?\d{16,}$/.test(written.source) && String(value) !== written.source ? written.source : value
}

/** Levels a document may be nested: Apple's have about ten. */
export const deepestJson = 200

/** Values of an answer: those of Apple and of the libraries have 30,000 in a megabyte, and few megabytes. */
const mostValues = 500_000

/** Says nothing about text that is not JSON. */
function refuseShape(text: string, most: number): void {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === quote) {
      at = endOfText(text, at)
      if (at === -1) return
    } else if (letter === comma) values++
    else if (letter === openObject || letter === openList) {
      values++
      if (++depth > deepestJson) throw new SyntaxError(`nested deeper than ${deepestJson} levels`)
    } else if (letter === closeObject || letter === closeList) depth--
    if (values > most) throw new SyntaxError(`more than ${most.toLocaleString('en')} values`)
  }
}

/** Where a quoted text ends that begins here; -1 where it does not. Looking for quotes is far faster than for letters. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((end - before) % 2 === 1) return end
  }
  return -1
}

const [quote, backslash, openObject, closeObject, openList, closeList, comma] = Buffer.from('"\\{}[],')

/** The text of an answer, without blanks around it. @throws UnfitAnswer when there is none or it is no text */
export function readText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new UnfitAnswer('not-json', 'answers something that is not text in UTF-8')
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  if (text === '') throw new UnfitAnswer('cut-off', 'the answer is empty')
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
