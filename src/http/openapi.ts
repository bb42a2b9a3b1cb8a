import manifest from 'rivalscope/package.json' with { type: 'json' }
import { areas, contract, type Tool } from '../contract/contract.ts'
import { parameterExamples } from '../contract/examples/parameters.ts'
import type { Operation } from '../contract/operation.ts'
import { scopes } from '../contract/scopes.ts'
import { callHeaders, openApiRepliesOf, problemReplies, replyHeaders } from './openapi-replies.ts'
import { type CodeSample, codeSamplesOf, renderShapes, type Schema, type Shapes } from './openapi-shapes.ts'

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
    responses: openApiRepliesOf(row, shapes.of(tool, 'reply')),
    'x-codeSamples': codeSamplesOf(tool, row),
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
  const shape = schema.$ref?.split('/').at(-1) ?? ''
  return schema.default ?? wordOf(schema, shapes) ?? parameterExamples[shape] ?? parameterExamples[name]
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

/** General rules for all operations, in Markdown: the first page of the document. */
const introduction = `**Values.** A value is *measured*, or *absent* (looked for and not there), or *not measured* (with the reason). A missing
value is never shown as zero. Facts point into a list of evidence: source, surface, country and time of observation.
Estimates are ranges made by a model and say which one.

**Reads** answer stored evidence only: no GET ever starts collecting. They carry an \`ETag\` and honour \`If-None-Match\`.

**Input** is strict: unknown parameters and properties are refused by name. Text is trimmed and NFKC-normalised;
a letter carries at most 30 combining marks. A body has at most 1 MiB, 50,000 values and 200 levels. Country
codes and other fixed words are taken in any case. A parameter that takes several values is repeated: \`?kind=a&kind=b\`.

**Lists** answer \`items\` and \`nextCursor\`; pass it as \`cursor\` for the next page and keep all other parameters.
Examples show the first two entries of most lists.

**Writes** can be repeated without harm: 201 the first time, 200 with the same resource after that, 204 for removals. Any
POST takes an \`Idempotency-Key\`. Work that takes time answers 202, and a GET shows how it goes.

**Failures** are RFC 9457 problems with a \`code\` to decide by; [all of them are explained](/docs/problems).`

interface Guide {
  title: string
  /** Markdown. */
  text: string
}

/** Guides for writing a program, each under a heading of the document. */
const guides: readonly Guide[] = [
  {
    title: 'Authentication',
    text: `Send \`Authorization: Bearer <credential>\` with every request. A credential is an API key, which an operator makes with
\`rivalscope keys create --name … --scopes context:read,content:write\` and which is shown once, or a JWT of the OpenID provider that
the operator has configured. It belongs to an account: evidence is shared by all accounts of an installation, and what is saved,
tracked and requested is seen by its account alone.

An operation needs the scope named in its \`security\`: \`context:read\` reads stored evidence, \`content:write\` changes what the account
keeps, asks for work, and searches through POST. Neither implies the other. Without a valid credential the answer is 401 with
\`WWW-Authenticate\`, without the scope 403 with the scope that is missing.`,
  },
  {
    title: 'Limits',
    text: `Requests are counted for each credential, and for all of an account where the operator limits it; the operator sets how many a minute
holds. \`RateLimit-Policy\` tells the limit of which less is left, \`RateLimit\` what is left of it, on every reply; above it the answer is 429 with \`Retry-After\` in seconds. Processes on one database count together.

A body holds at most 1 MiB (413) and is JSON in UTF-8 (415). A page holds 1 to 100 items, 25 when \`limit\` is left out; a chart up to 200
places. A window of days spans at most 1,100. Texts to look for have at most 200 characters. Every other bound stands in the schema of
its parameter.`,
  },
  {
    title: 'Pagination',
    text: `Lists answer \`items\` and \`nextCursor\`. Pass \`nextCursor\` as \`cursor\`, with all other parameters unchanged, until it is null. A cursor is
opaque and holds the place in the order, so nothing is shown twice or left out when items are added meanwhile; one that is damaged, or
that was made by another list, account or other parameters, is refused as \`invalid-cursor\`. Searches also answer \`total\`: exact, or \`at-least\` where counting
stopped early.`,
  },
  {
    title: 'Idempotency',
    text: `Any POST takes an \`Idempotency-Key\` of up to 200 visible ASCII characters. The same key, credential and request within 24 hours answer
the first reply again, marked with \`Idempotency-Replayed: true\`, also when the service died before it could be sent. Another request
under the key is 409 \`idempotency-mismatch\`; one that is still under way is 409 \`already-running\`. A failed call frees its key.

Without a key, saving, tracking, linking and requesting can be repeated too: 201 the first time, 200 with the same resource after that.
DELETE answers 204 each time. Work that takes time answers 202; asking again while it is under way answers the same work, by its
\`workId\`.`,
  },
  {
    title: 'Errors',
    text: `Every failure is an RFC 9457 problem, \`application/problem+json\`. Decide by \`code\`, which never changes its meaning; show people \`detail\`; quote
\`requestId\` to the operator. Bad input names each offending place in \`errors\`, as JSON pointers such as \`/query/country\` or
\`/body/kinds/0\`. 429 and 503 can be repeated after \`Retry-After\`; 400 to 415 cannot without a change. [All codes are explained](/docs/problems).`,
  },
  {
    title: 'Caching',
    text: `Every GET carries an \`ETag\`. Send it back as \`If-None-Match\`, and the answer is 304 without a body while nothing has changed. Replies
depend on evidence and not on the clock, so what has not changed keeps its tag.`,
  },
  {
    title: 'Versioning',
    text: `Paths begin with \`/v1\`. Within it nothing that is documented is taken away or changes its meaning. Operations, optional parameters,
properties of replies, headers and problem codes may be added: ignore what you do not know. A change that breaks callers would stand
at \`/v2\`, beside \`/v1\`. \`info.version\` of the document is the version of the installation that answers.`,
  },
]
