/** Spend, impressions, and other fields that the product never stores. */
const dropped = /\b(?:spen[dt]|spends|impressions?|onboarding|budgets?|search ?volumes?)\b/

/** Whether a field of a foreign record is never stored, by its name in any spelling. */
export function isDropped(name: string): boolean {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return dropped.test(words.toLowerCase())
}

/** Names for a message, without those of fields that are never stored. */
export const namesShown = (names: readonly string[], most: number): string =>
  names
    .filter((name) => !isDropped(name))
    .slice(0, most)
    .join(', ')
    .slice(0, 500) || 'no fields'

/** Deeper than any known record; deeper values are not shown. */
const deepest = 40

/** A rejected record as it may be shown: without fields that are never stored, at any depth. */
export function withoutDropped(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return textWithoutDropped(value, depth)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return undefined
  if (Array.isArray(value)) return value.map((one) => withoutDropped(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isDropped(name))
      .map(([name, one]) => [name, withoutDropped(one, depth + 1)]),
  )
}

/** A string can contain JSON, and so can a broken line. Other text is left unchanged. */
function textWithoutDropped(text: string, depth: number): string {
  if (![...text.matchAll(/"([^"\\]{1,80})\\*"\s*:/g)].some(([, name = '']) => isDropped(name))) return text
  try {
    return JSON.stringify(withoutDropped(JSON.parse(text), depth + 1))
  } catch {
    return '(left out: it names fields that are not taken)'
  }
}
