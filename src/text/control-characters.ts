import { hasExcessMarks, withoutExcessMarks } from './normal-form.ts'

/**
 * The first 20 places, in document order, where a text or a property name in a value holds control characters (C0, DEL, C1)
 * or lone surrogates, which UTF-8 cannot represent. Walks without recursion and stops early: a hostile body may be nested
 * deeper than the stack, and listing all of its places would take quadratic time.
 * @param options.multiline allows line feeds, carriage returns and tabs, as in texts of bodies
 */
export function controlCharacterPaths(
  value: unknown,
  options: { multiline?: boolean } = {},
): (string | number)[][] {
  const control = options.multiline ? controlInLines : /[\p{Cc}\p{Cs}]/u
  return pathsOf(value, (text) => control.test(text))
}

/** Whether a text holds characters that no line may have: control characters, lone surrogates, too many marks on a letter. */
export const holdsUnprintable = (text: string): boolean => /[\p{Cc}\p{Cs}]/u.test(text) || hasExcessMarks(text)

/** The first 20 places where a value holds more marks on a letter than any language writes. */
export const pathsOfExcessMarks = (value: unknown): (string | number)[][] => pathsOf(value, hasExcessMarks)

function pathsOf(value: unknown, isBad: (text: string) => boolean): (string | number)[][] {
  const found: (string | number)[][] = []
  const waiting: Place[] = [{ value }]
  for (let place = waiting.pop(); place && found.length < 20; place = waiting.pop()) {
    const inName = typeof place.key === 'string' && isBad(place.key)
    if (inName || (typeof place.value === 'string' && isBad(place.value))) found.push(pathOf(place))
    if (typeof place.value !== 'object' || place.value === null) continue
    const inside = Array.isArray(place.value) ? [...place.value.entries()] : Object.entries(place.value)
    for (const [key, child] of inside.reverse()) waiting.push({ value: child, key, parent: place })
  }
  return found
}

/** Also lone surrogates, which only the `u` flag matches. */
const controlInLines = /\p{Cs}|[^\P{Cc}\n\r\t]/u

/** Removes characters that cannot be stored or read, so that one of them does not refuse a thousand records. */
export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return held(value)
  if (Array.isArray(value)) return value.map(storableValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [held(name), storableValue(inside)]))
}

const held = (text: string) =>
  withoutExcessMarks(controlInLines.test(text) ? text.toWellFormed().replaceAll(/[^\P{Cc}\n\r\t]/gu, '') : text)

interface Place {
  value: unknown
  key?: string | number
  parent?: Place
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = []
  for (let at: Place | undefined = place; at; at = at.parent) if (at.key !== undefined) path.push(at.key)
  return path.reverse()
}
