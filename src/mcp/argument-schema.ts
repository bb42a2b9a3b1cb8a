import { z } from 'zod'
import { flatShape } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'

/** A part of a JSON Schema, as far as it is read here. */
interface SchemaPart {
  $ref?: string
  $defs?: Record<string, SchemaPart>
  type?: string
  description?: string
  enum?: unknown[]
  properties?: Record<string, SchemaPart>
  items?: SchemaPart
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
 * It takes all that the operation takes, and more: patterns and long lists of values are left to the door, which
 * refuses in words. No references, no unknown arguments.
 */
export function argumentSchema(operation: Operation): ArgumentSchema {
  const whole = z.toJSONSchema(flatShape(operation), { io: 'input' }) as SchemaPart
  const properties = Object.entries(whole.properties ?? {}).map(
    ([name, part]) => [name, slim(part, whole.$defs ?? {})] as const,
  )
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(Array.isArray(whole.required) ? { required: whole.required as string[] } : {}),
    additionalProperties: false,
  }
}

/** Values a listing spells out at most; the 175 storefronts are known by their rule. */
const mostValues = 20

/** What says nothing to a reader that its description, or the door, does not say better. */
const unread = new Set([
  '$ref',
  'pattern',
  'allOf',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'propertyNames',
  'additionalProperties',
])

function slim(part: SchemaPart, named: Record<string, SchemaPart>): SchemaPart {
  const shape = named[part.$ref?.replace('#/$defs/', '') ?? ''] ?? {}
  const { description, enum: values, items, ...rest } = { ...shape, ...part }
  const kept = Object.entries(rest).filter(
    ([keyword, value]) => !unread.has(keyword) && value !== Number.MAX_SAFE_INTEGER,
  )
  const words = part.description ?? firstSentence(shape.description)
  return {
    ...Object.fromEntries(kept),
    ...(values && values.length <= mostValues ? { enum: values } : {}),
    ...(items ? { items: slim(items, named) } : {}),
    ...(words ? { description: words } : {}),
  }
}

const firstSentence = (text: string | undefined) => text?.replace(/(?<=\.) .*$/s, '')
