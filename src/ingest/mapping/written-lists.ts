import { UnfitPayload } from '../unfit-payload.ts'

const item =
  /\s*,?\s*(?:u?(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")|(None|null|nan|NaN)|(-?\d+(?:\.\d+)?))\s*/suy
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const unescaped = (text: string) =>
  text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gsu, (_, four, two, one: string) =>
    one === undefined ? String.fromCharCode(Number.parseInt(four ?? two, 16)) : (escapes[one] ?? one),
  )

/**
 * The parts of a list that Python, JSON or NumPy wrote into one text, such as `['EN', 'FR']`, without its empty ones.
 * @returns undefined for any other text, such as `[deleted]`
 */
export function writtenList(text: string): string[] | undefined {
  const [, inside] = /^\s*(?:\[(.*)\]|\((.*)\))\s*$/s.exec(text)?.filter((part) => part !== undefined) ?? []
  if (inside === undefined) return undefined
  const parts: string[] = []
  let at = 0
  while (at < inside.trimEnd().length) {
    item.lastIndex = at
    const found = item.exec(inside)
    if (!found) return /^\s*,\s*$/.test(inside.slice(at)) && at > 0 ? parts : undefined
    const [, single, double, , number] = found
    const part = single ?? double
    if (part !== undefined) parts.push(unescaped(part))
    else if (number !== undefined) parts.push(number)
    at = item.lastIndex
  }
  return parts
}

const quoted = String.raw`u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")`
/** A list or an object of a program that `writtenList` does not read: one that is cut off, or of other things than texts. */
const unreadList = new RegExp(
  String.raw`^\s*(?:[[(]\s*${quoted}\s*,\s*u?['"]|\[\s*\{\s*${quoted}\s*:|\{\s*${quoted}\s*:)`,
  's',
)

/**
 * The texts in a value of a field that holds texts: one; or those of a list, as JSON holds it or a program wrote it.
 * @returns null where there is none
 * @throws UnfitPayload for an object, a list of others than texts, and a list that breaks off
 */
export function textsOf(field: string, value: unknown): string[] | null {
  if (value === undefined || value === null || value === '') return null
  const written = typeof value === 'string' ? writtenList(value) : undefined
  const isBroken = typeof value === 'string' && !written && unreadList.test(value)
  const parts = isBroken ? undefined : [written ?? value].flat()
  const texts = parts?.filter((part) => part !== null && part !== undefined)
  if (!texts || texts.some((part) => typeof part === 'object')) {
    const said = typeof value === 'string' ? value : JSON.stringify(value)
    throw new UnfitPayload(
      `${field}: holds no text but ${said.slice(0, 100)}; a mapping names a path within it, such as "name.0"`,
    )
  }
  return texts.length > 0 ? texts.map(String) : null
}

/** The only text in a value. @throws UnfitPayload for several, and as `textsOf` does */
export function onlyTextOf(field: string, value: unknown): string | null {
  const texts = textsOf(field, value)
  if (texts && texts.length > 1)
    throw new UnfitPayload(
      `${field}: holds ${texts.length} texts, and takes one: ${JSON.stringify(texts).slice(0, 100)}; a mapping of NDJSON names one of them, such as "name.0"`,
    )
  return texts?.[0] ?? null
}
