import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { flatArgumentsShape } from '../contract/flat-arguments.ts'
import { effectHintsOf } from '../contract/hints.ts'
import type { Contract, Operation } from '../contract/operation.ts'
import type { Scope } from '../contract/scopes.ts'
import { fieldsArgument, takesFields } from './reply-form.ts'

/**
 * The tools of a contract, in its order, with its names and arguments; only those that a caller with these scopes may call.
 * Cached for each set of scopes. Schemas are made at the first request, so that they do not slow the start of a service.
 */
export function toolListing(contract: Contract): (scopes: ReadonlySet<Scope>) => Tool[] {
  let all: { scope: Scope; tool: Tool }[] | undefined
  const listings = new Map<string, Tool[]>()
  return (scopes) => {
    all ??= Object.entries(contract).map(([name, operation]) => ({
      scope: operation.scope,
      tool: toolOf(name, operation),
    }))
    const key = [...scopes].sort().join(' ')
    const listing = listings.get(key) ?? all.filter(({ scope }) => scopes.has(scope)).map(({ tool }) => tool)
    listings.set(key, listing)
    return listing
  }
}

/** Explained in full by the instructions. Names with commas take half the room of a list, which is accepted too. */
const fieldsSchema = { type: 'string' }

function toolOf(name: string, operation: Operation): Tool {
  const { properties, ...schema } = argumentSchema(operation)
  const fields = takesFields(operation) ? { [fieldsArgument]: fieldsSchema } : {}
  return {
    name,
    title: operation.title,
    description: [operation.summary, ...(operation.use ? [operation.use] : [])].join(' '),
    inputSchema: { ...schema, properties: { ...properties, ...fields } } as Tool['inputSchema'],
    annotations: annotationsOf(operation),
  }
}

/**
 * Where they differ from what the protocol has clients assume: that a tool writes, removes or replaces, has another effect when
 * repeated, and asks the outside world.
 */
function annotationsOf(operation: Operation): ToolAnnotations {
  const { readOnly, destructive, idempotent, openWorld } = effectHintsOf(operation)
  return {
    ...(readOnly ? { readOnlyHint: true } : {}),
    ...(readOnly || destructive ? {} : { destructiveHint: false }),
    ...(!readOnly && idempotent ? { idempotentHint: true } : {}),
    ...(openWorld ? {} : { openWorldHint: false }),
  }
}

/** The parts of a JSON Schema that are used here. */
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
}

/**
 * The flat arguments of an operation as a short JSON Schema: agents pay for every listing by the token. It accepts
 * everything the operation accepts, and more: patterns, bounds, long enums and unknown arguments are left to validation by the
 * door, which explains refusals. No references. An argument with a single possible value, which may be left out, is not listed.
 */
function argumentSchema(operation: Operation): ArgumentSchema {
  const whole = z.toJSONSchema(flatArgumentsShape(operation), { io: 'input' }) as SchemaPart
  const several = Object.entries(whole.properties ?? {}).filter(([, part]) => !hasOneValue(part, whole.$defs))
  const properties = several.map(([name, part]) => {
    const { enum: values, ...schema } = slim(part, whole.$defs ?? {})
    // Whoever names an ad or an advertiser has read where it is.
    const isRead =
      name === 'platform' && ['archiveId', 'advertiserId'].some((id) => id in (whole.properties ?? {}))
    if (values && !isRead) Object.assign(schema, { enum: values })
    return [name, evidentNames.test(name) ? withoutWords(schema) : schema] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(Array.isArray(whole.required) ? { required: whole.required as string[] } : {}),
  }
}

function hasOneValue(part: SchemaPart, named: Record<string, SchemaPart> = {}): boolean {
  const { enum: values } = { ...named[part.$ref?.replace('#/$defs/', '') ?? ''], ...part }
  return values?.length === 1
}

/** Arguments explained once in the instructions for all tools: ids of the account, pages, ranges of dates, minimum values. */
const evidentNames =
  /^(?:appId|limit|cursor|from|to|\w+From|\w+To|min[A-Z]\w+|advertiserIds|terms|has[A-Z]\w+)$/

/** Formats evident from the name of the argument; enums explain themselves. */
const evidentShapes = new Set([
  'ArchiveId',
  'AdPlatform',
  'ChartKind',
  'Country',
  'Day',
  'Device',
  'Language',
  'ListingLanguage',
  'Platform',
  'StoreId',
  'Uuid',
])

/** Maximum number of enum values in a listing; the 175 storefronts are described by their rule. */
const mostValues = 20

/** The length of a page that the instructions tell for all tools. */
const usualLimit = 25

/** Keywords that validation by the door explains better when it refuses. */
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
  'maximum',
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
    ...(preset !== undefined && preset !== usualLimit ? { default: preset } : {}),
    ...(words ? { description: words } : {}),
  }
}

function withoutWords(schema: SchemaPart): SchemaPart {
  const { description: _words, ...others } = schema
  return others
}

/** From this length on, a sentence is cut at its first semicolon. */
const longWords = 50

/**
 * The first sentence, or its beginning where it is long. Empty where it only says that an argument chooses or is optional,
 * or where a part of it would explain only some of the values.
 */
function shortWords(text: string | undefined): string | undefined {
  const sentence = text?.replace(/\.(?: .*)?$/s, '').replace(/; \w+( \w+)? when left out$/, '') ?? ''
  const isLong = sentence.length > longWords
  if (isLong && sentence.startsWith('`') && sentence.includes(';')) return undefined
  const words = isLong ? sentence.replace(/;.*$/s, '') : sentence
  return words && !saysNothing.test(words) ? words : undefined
}

const saysNothing =
  /^(?:(?:\w+ in )?any of these(?: \w+)?|Only (?:this|these)(?: \w+)?|(?:All|Both)(?: \w+)? when left out|`own`: .*)$/i
