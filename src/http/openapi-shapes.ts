import { z } from 'zod'
import { contract, type Tool } from '../contract/contract.ts'
import type { Example, Operation } from '../contract/operation.ts'
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

export interface CodeSample {
  lang: 'Shell' | 'TypeScript'
  label: string
  source: string
}

/** The example call of an operation, from a terminal and in a program. Both take server and key from the environment. */
export function codeSamplesOf(tool: string, row: Operation): CodeSample[] {
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(row) },
    { lang: 'TypeScript', label: 'rivalscope/client', source: clientCallOf(tool, row.example) },
  ]
}

function curlOf({ method, path, example: { params = {}, query = {}, body } }: Operation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  )
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$RIVALSCOPE_SERVER${filled}${search}"`,
    '  -H "Authorization: Bearer $RIVALSCOPE_KEY"',
  ]
  if (body) {
    lines.push("  -H 'Content-Type: application/json'")
    lines.push(`  -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`)
  }
  return lines.join(' \\\n')
}

function clientCallOf(tool: string, { params, query, body }: Example): string {
  const method = tool.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const given = { ...params, ...query, ...body }
  return `import { Rivalscope } from 'rivalscope/client'

const rivalscope = new Rivalscope({
  server: process.env.RIVALSCOPE_SERVER ?? 'http://127.0.0.1:8787',
  key: process.env.RIVALSCOPE_KEY ?? '',
})
console.log(await rivalscope.${method}(${Object.keys(given).length === 0 ? '' : literal(given)}))`
}

/** A value as a TypeScript literal. */
function literal(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, indent)).join(', ')}]`
  if (typeof value === 'string' && !/['\\\n]/.test(value)) return `'${value}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const within = `${indent}  `
  const lines = Object.entries(value).map(([name, one]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    return `${within}${key}: ${literal(one, within)},\n`
  })
  return `{\n${lines.join('')}${indent}}`
}
