import manifest from 'rivalscope/package.json' with { type: 'json' }
import { areas, contract, type Tool } from '../contract/contract.ts'
import { parameterExamples } from '../contract/examples/parameters.ts'
import type { Operation } from '../contract/operation.ts'
import { scopes } from '../contract/scopes.ts'
import { guides } from './openapi-guides.ts'
import { callHeaders, replyHeaders } from './openapi-headers.ts'
import { introduction } from './openapi-introduction.ts'
import { problemReplies } from './openapi-problems.ts'
import { repliesOf } from './openapi-replies.ts'
import { type CodeSample, samplesOf } from './openapi-samples.ts'
import { renderShapes, type Schema, type Shapes } from './openapi-shapes.ts'

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, Schema>; [kind: string]: Record<string, unknown> }
}

export interface OpenApiOperation {
  operationId: Tool
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: (OpenApiParameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example: unknown }> }
  responses: Record<string, Record<string, unknown>>
  'x-codeSamples': CodeSample[]
}

export interface OpenApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  required: boolean
  schema: Schema
  [property: string]: unknown
}

/** The contract as an OpenAPI 3.1 document: plain JSON, and deterministic. */
export function openApiDocument(): OpenApiDocument {
  const shapes = renderShapes()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Rivalscope',
      version: manifest.version,
      summary: manifest.description,
      description: [introduction, ...guides.map(({ title, text }) => `## ${title}\n\n${text}`)].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(areas).map(([name, { description }]) => ({ name, description })),
    paths: pathsOf(shapes),
    components: {
      schemas: shapes.named,
      responses: problemReplies(Object.values(contract)),
      parameters: callHeaders,
      headers: replyHeaders,
      securitySchemes,
    },
  }
}

function pathsOf(shapes: Shapes): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  for (const [area, { operations }] of Object.entries(areas))
    for (const [tool, row] of Object.entries<Operation>(operations)) {
      paths[row.path] ??= {}
      Object.assign(paths[row.path] ?? {}, {
        [row.method.toLowerCase()]: operationOf(area, tool as Tool, row, shapes),
      })
    }
  return paths
}

function operationOf(area: string, tool: Tool, row: Operation, shapes: Shapes): OpenApiOperation {
  const body = shapes.of(tool, 'body')
  return {
    operationId: tool,
    tags: [area],
    summary: row.summary,
    description: row.description,
    security: Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [row.scope] })),
    parameters: [
      ...parametersIn('path', shapes, shapes.of(tool, 'params'), row.example.params),
      ...parametersIn('query', shapes, shapes.of(tool, 'query'), row.example.query),
      ...(row.method === 'GET' ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ],
    ...(body && {
      requestBody: {
        required: isNeeded(body),
        content: { 'application/json': { schema: body, example: row.example.body } },
      },
    }),
    responses: repliesOf(row, shapes.of(tool, 'reply')),
    'x-codeSamples': samplesOf(tool, row),
  }
}

/** Whether a body without any property is refused. */
const isNeeded = ({ required = [], anyOf }: Schema) => required.length > 0 || anyOf !== undefined

function parametersIn(
  place: 'path' | 'query',
  shapes: Shapes,
  whole: Schema | undefined,
  example: Record<string, unknown> = {},
): OpenApiParameter[] {
  return Object.entries(whole?.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    description: description ?? shapes.named[schema.$ref?.split('/').at(-1) ?? '']?.description ?? '',
    required: whole?.required?.includes(name) ?? false,
    ...(schema.type === 'array' && { style: 'form', explode: true }),
    schema,
    ...exampleOf(name in example ? example[name] : usualOf(name, schema, shapes), name in example),
  }))
}

/** Postman takes an empty text only from `example`, not from `examples`. */
function exampleOf(value: unknown, isOfCall: boolean) {
  return isOfCall || value === '' ? { example: value } : { examples: { usual: { value } } }
}

function usualOf(name: string, schema: Schema, shapes: Shapes): unknown {
  return schema.default ?? wordOf(schema, shapes) ?? parameterExamples[name]
}

/** The first value of a parameter with an enum. */
function wordOf(schema: Schema, { named }: Shapes): unknown {
  const { enum: words, items } = named[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  const ofList = items?.enum ?? named[items?.$ref?.split('/').at(-1) ?? '']?.enum
  return ofList ? ofList.slice(0, 1) : words?.[0]
}

const scopeList = Object.entries(scopes)
  .map(([scope, meaning]) => `- \`${scope}\`: ${meaning}`)
  .join('\n')

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: `An API key. An operator makes it with \`rivalscope keys create\`. Scopes:\n\n${scopeList}`,
  },
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `A token of the OpenID provider, where the operator has configured issuer and audience. Scopes:\n\n${scopeList}`,
  },
}
