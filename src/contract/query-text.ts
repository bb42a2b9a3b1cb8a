import type { z } from 'zod'
import { hasMarkRun, withoutMarkRuns } from './mark-runs.ts'

/**
 * The one reader. Addresses carry only text, and people write `US` or full-width letters: what a schema makes of both
 * is decided here once for each field, so that shapes can stay plain JSON (no coercion, no transform) and every door
 * reads alike. Nothing is refused here: what does not fit is left as it came, for the schema to refuse by name.
 */
type Normalise = (value: unknown) => unknown

/** Text parameters as a door has them: a name given several times holds a list. */
export type TextParameters = Record<string, string | string[]>

/**
 * Compiles what turns text parameters into values ready for `schema.safeParse`: numbers, booleans, lists (one value or
 * several), and text as `compileNormaliser` leaves it. Unknown names and repeated single values pass unchanged.
 * @throws for a field that text cannot express, such as an object
 */
export function compileReader(schema: z.ZodObject): (given: TextParameters) => Record<string, unknown> {
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, fieldReader(field)]))
  return (given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, text]) => {
        const read = fields.get(name)
        return [name, read ? read(text) : text]
      }),
    )
}

/**
 * Compiles what trims and NFKC-normalises every text of a JSON value that is not far too long, and folds UUIDs, and the words of an enum where all
 * of them are, to lower case. Values of `z.unknown()` are evidence in somebody else's words and stay as they came, but for
 * what texts may not hold.
 * @throws for a kind of schema that no operation takes so far
 */
export function compileNormaliser(schema: z.ZodType): Normalise {
  const def = definition(schema)
  switch (def.type) {
    case 'string':
    case 'enum':
    case 'literal': {
      const normalise = textNormaliser(def)
      return (value) => (typeof value === 'string' ? normalise(value) : value)
    }
    case 'array': {
      const normalise = compileNormaliser(def.element as z.ZodType)
      return (value) => (Array.isArray(value) ? value.map(normalise) : value)
    }
    case 'object': {
      const fields = new Map(
        Object.entries(def.shape).map(([name, field]) => [name, compileNormaliser(field as z.ZodType)]),
      )
      return (value) =>
        mapProperties(value, (name, property) => {
          const normalise = fields.get(name)
          return normalise ? normalise(property) : property
        })
    }
    case 'record': {
      if (definition(def.valueType).type === 'unknown') return evidence
      const normalise = compileNormaliser(def.valueType as z.ZodType)
      return (value) => mapProperties(value, (_name, property) => normalise(property))
    }
    case 'number':
    case 'boolean':
    case 'null':
      return (value) => value
    case 'unknown':
      return evidence
    default:
      throw new TypeError(`No normal form is decided for a field of the kind "${def.type}".`)
  }
}

/**
 * The first 20 places where a value holds control characters (C0, DEL, C1), or halves of letters, which are no text in
 * UTF-8, in a text or a property name, in document order. Walks without recursion and stops early: a hostile body may be nested deeper than the stack, and naming each
 * of its places would take the square of its size.
 * @param options.multiline lets line feeds, carriage returns and tabs pass, as texts in bodies have them
 */
export function controlCharacterPaths(
  value: unknown,
  options: { multiline?: boolean } = {},
): (string | number)[][] {
  const control = options.multiline ? controlInLines : /[\p{Cc}\p{Cs}]/u
  return pathsOf(value, (text) => control.test(text))
}

/** The first 20 places where a value holds more marks on a letter than any language writes. */
export const markRunPaths = (value: unknown): (string | number)[][] => pathsOf(value, hasMarkRun)

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

/** With the halves of letters, which only `u` takes for such. */
const controlInLines = /\p{Cs}|[^\P{Cc}\n\r\t]/u

/** One character nobody can hold, or read, is no reason to refuse the thousand records around it: it is left out. */
function evidence(value: unknown): unknown {
  if (typeof value === 'string') return held(value)
  if (Array.isArray(value)) return value.map(evidence)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [held(name), evidence(inside)]))
}

const held = (text: string) =>
  withoutMarkRuns(controlInLines.test(text) ? text.toWellFormed().replaceAll(/[^\P{Cc}\n\r\t]/gu, '') : text)

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

type Definition = z.core.$ZodTypes['_zod']['def']

/** What a schema is underneath: whether it may be missing or null changes nothing about how it is read. */
function definition(schema: z.core.$ZodType): Definition {
  const def = (schema as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return definition(def.innerType)
    default:
      return def
  }
}

function fieldReader(field: z.core.$ZodType): (text: string | string[]) => unknown {
  const def = definition(field)
  if (def.type !== 'array') {
    const read = textReader(def)
    return (text) => (Array.isArray(text) ? text : read(text))
  }
  const read = textReader(definition(def.element))
  return (text) => (Array.isArray(text) ? text : [text]).map(read)
}

/** A number exactly as JSON writes it: no hexadecimal, no plus sign, no leading zero, no `Infinity`. */
const plainNumber = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

function textReader(def: Definition): (text: string) => unknown {
  switch (def.type) {
    case 'string':
    case 'enum':
    case 'literal':
      return textNormaliser(def)
    case 'number':
      return (text) => {
        const written = plainForm(text)
        const number = plainNumber.test(written) ? Number(written) : Number.NaN
        return Number.isFinite(number) ? number : text
      }
    case 'boolean':
      return (text) => {
        const written = plainForm(text)
        return written === 'true' ? true : written === 'false' ? false : text
      }
    default:
      throw new TypeError(`Text cannot express a parameter of the kind "${def.type}".`)
  }
}

/** Code units of a text for which no greatest length is said. */
const usualLongest = 2_000
/** How many code units one may be written with: those of letters whose marks stand apart, several times over. */
const unitsOfOne = 8

/** What is too long is refused as it came: its normal form would cost more than its refusal. */
function textNormaliser(def: Definition): (text: string) => string {
  const longest = unitsOfOne * (longestOf(def) ?? usualLongest)
  const normalise = wordNormaliser(def)
  return (text) => (text.length > longest || hasMarkRun(text) ? text : normalise(text))
}

function longestOf(def: Definition): number | undefined {
  const checks = (def.checks ?? []).map((check) => check._zod.def as { check: string; maximum?: number })
  return checks.find(({ check }) => check === 'max_length')?.maximum
}

function wordNormaliser(def: Definition): (text: string) => string {
  const words = def.type === 'enum' ? Object.values(def.entries) : def.type === 'literal' ? def.values : []
  const lowerCase =
    isUuid(def) || (words.length > 0 && words.every((word) => String(word) === String(word).toLowerCase()))
  return lowerCase ? (text) => normalForm(text).toLowerCase() : normalForm
}

/** One id has one form, whoever compares it. */
const isUuid = (def: Definition) => def.type === 'string' && 'format' in def && def.format === 'uuid'

/** Of a number or a word; anything longer is neither. */
const plainForm = (text: string) => (text.length > usualLongest ? text : normalForm(text))

/** Trimmed last: some compatibility forms begin with a space. */
function normalForm(text: string): string {
  return text.normalize('NFKC').trim()
}

/** Keeps a property called `__proto__` a property, so that the schema can refuse it. */
function mapProperties(value: unknown, map: (name: string, property: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, map(name, property)]))
}
