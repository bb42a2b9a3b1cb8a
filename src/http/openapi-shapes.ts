import { z } from 'zod'
import { contract, type Tool } from '../contract/contract.ts'
import type { Operation } from '../contract/operation.ts'
import { Problem } from '../contract/shapes/problem.ts'

/** A JSON Schema in the OpenAPI document. */
export interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  [keyword: string]: unknown
}

/** The parts of an operation that have a shape. */
type Part = 'params' | 'query' | 'body' | 'reply'

export interface Shapes {
  /** The shapes with a name, by name, in alphabetical order. */
  named: Record<string, Schema>
  /** The shape of one part; a named shape is a reference. */
  of(tool: Tool, part: Part): Schema | undefined
}

/**
 * Renders all shapes of the contract: those of requests before defaults are filled in, those of replies after.
 * @throws when two shapes share a name, or one would differ between requests and replies
 */
export function renderShapes(): Shapes {
  const sent = render(partsOf(['params', 'query', 'body']), 'input')
  const answered = render({ ...partsOf(['reply']), Problem }, 'output')
  for (const [name, shape] of Object.entries(sent.named)) {
    const other = answered.named[name]
    if (other && JSON.stringify(other) !== JSON.stringify(shape))
      throw new Error(`The shape ${name} differs between requests and replies: give it two names.`)
  }
  const named = Object.entries({ ...sent.named, ...answered.named })
  const parts = { ...sent.parts, ...answered.parts }
  return {
    named: Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))),
    of: (tool, part) => parts[`${tool}.${part}`],
  }
}

function partsOf(wanted: Part[]): Record<string, z.ZodType> {
  const rows: [string, Operation][] = Object.entries(contract)
  return Object.fromEntries(
    rows.flatMap(([tool, row]) =>
      wanted.flatMap((part) => (row[part] ? [[`${tool}.${part}`, row[part]] as const] : [])),
    ),
  )
}

/** All parts in one go, so that zod itself refuses two different shapes of one name. */
function render(parts: Record<string, z.ZodType>, io: 'input' | 'output') {
  const whole = z.toJSONSchema(z.object(parts), { io, override: simplify })
  const moved: Schema & { $defs?: Record<string, Schema> } = JSON.parse(JSON.stringify(whole), (key, value) =>
    key === '$ref' ? value.replace('#/$defs/', '#/components/schemas/') : tidied(value),
  )
  return { parts: moved.properties ?? {}, named: moved.$defs ?? {} }
}

/** A list of types as an `anyOf`, since some client generators warn about lists; a reference without format and pattern. */
function tidied(value: unknown): unknown {
  const { type, ...schema } = Object(value) as Schema
  if (Array.isArray(type)) return { ...schema, anyOf: type.map((one) => ({ type: one })) }
  if (schema.$ref === undefined) return value
  const { format: _format, pattern: _pattern, ...reference } = schema
  return reference
}

/** Removes details of zod that confuse readers of the document. */
function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}) {
  const { def } = zodSchema._zod
  // Replies may gain properties without breaking clients that validate them; strict objects are for requests only.
  if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties
  // The limits of exact numbers in JavaScript say nothing about the field.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // `format` states date, date-time or uuid; the pattern beside it is how zod checks it.
  if (jsonSchema.format) delete jsonSchema.pattern
  // For a date with a further rule zod writes two patterns without a format, which programs do not recognise as text.
  if (def.type === 'string' && 'format' in def && def.format === 'date' && jsonSchema.allOf) {
    Object.assign(jsonSchema, { format: 'date', pattern: jsonSchema.allOf.at(-1)?.pattern })
    delete jsonSchema.allOf
  }
}
