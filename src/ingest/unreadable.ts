/** The value that a parser returns for an unreadable value; undefined means not carried, and null absent. */
export const unreadable: Unreadable = Symbol('unreadable')
export type Unreadable = symbol

export const isUnreadable = (value: unknown): value is Unreadable => value === unreadable

type ReadValue<V> = V extends undefined | Unreadable
  ? never
  : V extends readonly (infer Entry)[]
    ? Exclude<Entry, Unreadable>[]
    : V

type Read<T> = { [K in keyof T]: ReadValue<T[K]> } & { unreadable?: (keyof T & string)[] }

/**
 * The carried parts. Unreadable ones are removed and named, sorted. A list with an unreadable entry is unreadable as a
 * whole, since the others would look like the complete list.
 */
export function carried<T extends object>(parts: T): Read<T> {
  const read: Record<string, unknown> = {}
  const names: string[] = []
  for (const [name, value] of Object.entries(parts)) {
    if (isUnreadable(value) || (Array.isArray(value) && value.includes(unreadable))) names.push(name)
    else if (value !== undefined) read[name] = value
  }
  if (names.length > 0) read.unreadable = names.sort()
  return read as Read<T>
}

/**
 * The number of items in which each field is unreadable, including fields of their parts; undefined where there are none.
 */
export function unreadableIn(sightings: readonly object[]): { unreadable?: Record<string, number> } {
  const counts: Record<string, number> = {}
  const names = new Set<string>()
  for (const sighting of sightings) {
    addNames(sighting, names)
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1
    names.clear()
  }
  return Object.keys(counts).length > 0 ? { unreadable: counts } : {}
}

function addNames(part: object, names: Set<string>): void {
  for (const name in part) {
    const value: unknown = part[name as keyof typeof part]
    if (typeof value !== 'object' || value === null) continue
    if (name === 'unreadable') for (const field of value as string[]) names.add(field)
    else addNames(value, names)
  }
}

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

/** A rejected record for display, without fields that are never stored, at any depth. */
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

/** Removes such fields also from JSON inside a string or a broken line. Other text is left unchanged. */
function textWithoutDropped(text: string, depth: number): string {
  if (![...text.matchAll(/"([^"\\]{1,80})\\*"\s*:/g)].some(([, name = '']) => isDropped(name))) return text
  try {
    return JSON.stringify(withoutDropped(JSON.parse(text), depth + 1))
  } catch {
    return '(left out: it names fields that are not taken)'
  }
}
