/** What was paid, how often something was shown, and what else no part of the interface has a field for. */
const dropped = /\b(?:spen[dt]|spends|impressions?|onboarding|budgets?|search ?volumes?)\b/

/** Whether a field of a foreign record is one we never take, by its name in any spelling. */
export function isDropped(name: string): boolean {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return dropped.test(words.toLowerCase())
}

/** Names for a message, without those of fields we never take. */
export const namesShown = (names: readonly string[], most: number): string =>
  names
    .filter((name) => !isDropped(name))
    .slice(0, most)
    .join(', ')
    .slice(0, 500) || 'no fields'

/** Deeper than any record of ours; below, nothing is shown. */
const deepest = 40

/** A record as it may be shown to whoever asks why it was refused: without the fields we never take, however deep they stand. */
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

/** JSON can stand in a text, and a broken line is one. Words of people are left as they are. */
function textWithoutDropped(text: string, depth: number): string {
  if (![...text.matchAll(/"([^"\\]{1,80})\\*"\s*:/g)].some(([, name = '']) => isDropped(name))) return text
  try {
    return JSON.stringify(withoutDropped(JSON.parse(text), depth + 1))
  } catch {
    return '(left out: it names fields that are not taken)'
  }
}
