import { z } from 'zod'
import { flatShape } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'

/** A part of a JSON Schema, as far as it is read here. */
interface SchemaPart {
  $ref?: string
  $defs?: Record<string, SchemaPart>
  type?: unknown
  description?: string
  enum?: unknown[]
  properties?: Record<string, SchemaPart>
  items?: SchemaPart
  anyOf?: SchemaPart[]
  [keyword: string]: unknown
}

export interface ArgumentSchema {
  type: 'object'
  properties: Record<string, SchemaPart>
  required?: string[]
  additionalProperties: false
}

/**
 * The flat arguments of an operation as a JSON Schema that is cheap to read: agents pay for every listing by the word.
 * It takes all that the operation takes, and more: patterns, bounds and long lists of values are left to the door, which
 * refuses in words. No references, no unknown arguments.
 */
export function argumentSchema(operation: Operation): ArgumentSchema {
  const whole = z.toJSONSchema(flatShape(operation), { io: 'input' }) as SchemaPart
  const properties = Object.entries(whole.properties ?? {}).map(([name, part]) => {
    const schema = slim(part, whole.$defs ?? {})
    return [name, evidentNames.test(name) ? withoutWords(schema) : schema] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(Array.isArray(whole.required) ? { required: whole.required as string[] } : {}),
    additionalProperties: false,
  }
}

/** What the instructions say once for all tools: pages, ranges of dates, least values. */
const evidentNames = /^(?:limit|cursor|from|to|\w+From|\w+To|min[A-Z]\w+)$/

/** Shapes that the name of their argument explains; listed values explain themselves. */
const evidentShapes = new Set([
  'ArchiveId',
  'AdPlatform',
  'ChartKind',
  'Country',
  'Day',
  'Device',
  'Language',
  'Platform',
  'StoreId',
  'Uuid',
])

/** Values a listing spells out at most; the 175 storefronts are known by their rule. */
const mostValues = 20

/** What the door says better, in words, when it refuses. */
const leftToTheDoor = new Set([
  '$ref',
  'pattern',
  'allOf',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'propertyNames',
  'additionalProperties',
])

function slim(part: SchemaPart, named: Record<string, SchemaPart>): SchemaPart {
  const shapeName = part.$ref?.replace('#/$defs/', '') ?? ''
  const shape = named[shapeName] ?? {}
  const { description: _words, default: preset, enum: values, items, anyOf, ...rest } = { ...shape, ...part }
  const kept = Object.entries(rest).filter(
    ([keyword, value]) => !leftToTheDoor.has(keyword) && value !== Number.MAX_SAFE_INTEGER,
  )
  const entry = items && slim(items, named)
  const ofShape = evidentShapes.has(shapeName) || values ? undefined : shape.description
  const words = shortWords(part.description) ?? shortWords(ofShape) ?? entry?.description
  return {
    ...Object.fromEntries(kept),
    ...(anyOf ? { type: anyOf.map(({ type }) => type) } : {}),
    ...(values && values.length <= mostValues ? { enum: values } : {}),
    ...(entry ? { items: withoutWords(entry) } : {}),
    ...(preset !== undefined && values?.length !== 1 ? { default: preset } : {}),
    ...(words ? { description: words } : {}),
  }
}

function withoutWords(schema: SchemaPart): SchemaPart {
  const { description: _words, ...others } = schema
  return others
}

/** Letters from which on a sentence ends at its first semicolon. */
const longWords = 50

/**
 * The first sentence, or its beginning where it is long. Nothing where it only says that an argument chooses or may be
 * left out, or where a part of it would be an explanation of some values and not of others.
 */
function shortWords(text: string | undefined): string | undefined {
  const sentence = text?.replace(/\.(?: .*)?$/s, '').replace(/; \w+( \w+)? when left out$/, '')
  if (!sentence || saysNothing.test(sentence)) return undefined
  if (sentence.length <= longWords) return sentence
  return sentence.startsWith('`') && sentence.includes(';') ? undefined : sentence.replace(/;.*$/s, '')
}

const saysNothing =
  /^(?:(?:\w+ in )?any of these(?: \w+)?|Only (?:this|these)(?: \w+)?|(?:All|Both)(?: \w+)? when left out|`own`: .*)$/i
