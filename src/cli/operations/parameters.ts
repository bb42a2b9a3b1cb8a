import { z } from 'zod'
import { flatArgumentsShape } from '../../contract/flat-arguments.ts'
import type { Operation } from '../../contract/operation.ts'

/** One argument of an operation, as a command line needs to know it. */
export interface Parameter {
  /** Its name in the contract, such as `minRating`. */
  name: string
  /** Part of the path: given by its place rather than by an option. */
  positional: boolean
  /** `json`: a value too complex for an option's text, given as JSON. */
  kind: 'text' | 'number' | 'boolean' | 'json'
  /** Takes several values. */
  list: boolean
  /** Whether values are free text, which may contain commas. */
  freeText: boolean
  /** A calendar date. */
  date: boolean
  choices: readonly string[]
  required: boolean
  /** The value that clears a stored one, if there is one. */
  cleared: null | [] | undefined
  default: unknown
  /** How many values a list takes. */
  most: number | undefined
  /** The range of a number, inclusive. */
  range: { least: number | undefined; most: number | undefined }
  description: string
}

/** The arguments of an operation, those of its path first. One with a single possible value is left out. */
export function parametersOf(operation: Operation): Parameter[] {
  const flat = flatArgumentsShape(operation)
  const { properties = {}, required = [], $defs = {} } = z.toJSONSchema(flat, { io: 'input' }) as Schema
  const resolved = (schema: Schema): Schema => {
    const { $ref, ...own } = schema
    return $ref === undefined ? schema : { ...$defs[$ref.replace('#/$defs/', '')], ...own }
  }
  const positional = new Set(Object.keys(operation.params?.shape ?? {}))
  return Object.entries(properties)
    .map(([name, schema]) =>
      parameterOf(name, resolved(schema), resolved, {
        positional: positional.has(name),
        required: required.includes(name),
        date: isDate(flat.shape[name]),
      }),
    )
    .filter(({ choices, list }) => list || choices.length !== 1)
}

/** The parts of JSON Schema that the contract's arguments use. */
interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: string[]
  pattern?: string
  format?: string
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  default?: unknown
  description?: string
}

function parameterOf(
  name: string,
  schema: Schema,
  resolved: (schema: Schema) => Schema,
  known: Pick<Parameter, 'positional' | 'required' | 'date'>,
): Parameter {
  const nullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false
  const whole = resolved(schema.anyOf?.find(({ type }) => type !== 'null') ?? schema)
  const list = whole.type === 'array'
  const one = list ? resolved(whole.items ?? {}) : whole
  const kind = kindOf(one)
  return {
    name,
    ...known,
    kind,
    list: list && kind !== 'json',
    freeText: one.type === 'string' && !one.enum && !one.pattern && !one.format && !one.allOf,
    choices: one.enum ?? [],
    cleared: nullable ? null : list && !known.required && !whole.minItems ? [] : undefined,
    default: schema.default,
    most: whole.maxItems,
    range: {
      least: one.minimum,
      most: one.maximum === Number.MAX_SAFE_INTEGER ? undefined : one.maximum,
    },
    description: schema.description ?? whole.description ?? one.description ?? '',
  }
}

function kindOf({ type, enum: words }: Schema): Parameter['kind'] {
  if (words || type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : 'json'
}

/** For a date with a further pattern, the JSON Schema contains only the patterns. */
function isDate(field: z.core.$ZodType | undefined): boolean {
  let inner = field
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap()
  return inner instanceof z.ZodISODate
}
