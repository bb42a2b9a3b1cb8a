import type { z } from 'zod'
import { storableValue } from '../text/control-characters.ts'
import { hasExcessMarks, normalForm } from '../text/normal-form.ts'

/**
 * Parses and normalises input for all doors. Addresses carry only text, and people write `US` or full-width letters: how
 * both are read is decided here once for each field, so that shapes stay plain JSON (no coercion, no transform) and every
 * door reads the same. Nothing is refused here: a value that does not fit stays unchanged, for the schema to refuse by name.
 */
type Normalise = (value: unknown) => unknown

/** Text parameters from a door: a name given several times has a list. */
export type TextParameters = Record<string, string | string[]>

/**
 * Compiles a function that turns text parameters into values ready for `schema.safeParse`: numbers, booleans, lists (one
 * value or several), and text normalised by `compileNormaliser`. Unknown names and repeated single values pass unchanged.
 * @throws for a field that text cannot express, such as an object
 */
export function compileQueryReader(schema: z.ZodObject): (given: TextParameters) => Record<string, unknown> {
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
 * Compiles a function that trims and NFKC-normalises every text of a JSON value that is not far too long, and converts
 * UUIDs, and enums whose values are all lower case, to lower case. Values of `z.unknown()` are evidence in the words of
 * others and stay unchanged, except for characters that texts may not hold.
 * @throws for a kind of schema that no operation uses so far
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
      if (definition(def.valueType).type === 'unknown') return storableValue
      const normalise = compileNormaliser(def.valueType as z.ZodType)
      return (value) => mapProperties(value, (_name, property) => normalise(property))
    }
    case 'number':
    case 'boolean':
    case 'null':
      return (value) => value
    case 'unknown':
      return storableValue
    default:
      throw new TypeError(`No normal form is decided for a field of the kind "${def.type}".`)
  }
}

type Definition = z.core.$ZodTypes['_zod']['def']

/** The definition of a schema without optional and nullable wrappers, which do not change how it is read. */
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

/** A number in JSON's notation: no hexadecimal, no plus sign, no leading zero, no `Infinity`. */
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

/** Most code units of a text without a stated maximum length. */
const defaultLongest = 2_000
/** Code units allowed for each character: enough for letters with several separate marks. */
const unitsOfOne = 8

/** A text that is too long stays unchanged and is refused: normalising it would cost more than refusing it. */
function textNormaliser(def: Definition): (text: string) => string {
  const longest = unitsOfOne * (longestOf(def) ?? defaultLongest)
  const normalise = wordNormaliser(def)
  return (text) => (text.length > longest || hasExcessMarks(text) ? text : normalise(text))
}

function longestOf(def: Definition): number | undefined {
  const checks = (def.checks ?? []).map((check) => check._zod.def as { check: string; maximum?: number })
  return checks.find(({ check }) => check === 'max_length')?.maximum
}

function wordNormaliser(def: Definition): (text: string) => string {
  const words = def.type === 'enum' ? Object.values(def.entries) : def.type === 'literal' ? def.values : []
  const lowerCase =
    isUuid(def) || (words.length > 0 && words.every((word) => String(word) === String(word).toLowerCase()))
  return lowerCase ? (text) => normalText(text).toLowerCase() : normalText
}

/** UUIDs have one form wherever they are compared. */
const isUuid = (def: Definition) => def.type === 'string' && 'format' in def && def.format === 'uuid'

/** The normalised form of a number or an enum value; a longer text is neither. */
const plainForm = (text: string) => (text.length > defaultLongest ? text : normalText(text))

/** Trimmed last: some compatibility forms begin with a space. */
const normalText = (text: string) => normalForm(text, 'NFKC').trim()

/** Keeps a property called `__proto__` a property, so that the schema can refuse it. */
function mapProperties(value: unknown, map: (name: string, property: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, map(name, property)]))
}
