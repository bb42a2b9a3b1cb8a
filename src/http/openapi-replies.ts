import type { z } from 'zod'
import type { Operation, OperationEnding } from '../contract/operation.ts'
import {
  bodyProblems,
  commonProblems,
  idempotencyProblems,
  type ProblemCode,
  problems,
} from '../contract/problems.ts'
import { type Problem, problemAddress } from '../contract/shapes/problem.ts'
import type { Schema } from './openapi-shapes.ts'

type Reply = Record<string, unknown>

/** The replies of one operation by status: its success, then its failures. */
export function openApiRepliesOf(row: Operation, shape: Schema | undefined): Record<string, Reply> {
  return { ...endings[row.ending](row, shape), ...problemReferences(row) }
}

const endings: Record<OperationEnding, (row: Operation, shape: Schema | undefined) => Record<string, Reply>> = {
  read: (row, shape) => {
    if (row.method !== 'GET') return { '200': answer('The answer.', row, shape) }
    const headers = headerReferences(['ETag', ...commonHeaders])
    return {
      '200': { ...answer('The answer.', row, shape), headers },
      '304': { description: 'Not modified: what the caller holds under this `ETag` still stands.', headers },
    }
  },
  record: (row, shape) => ({
    '200': answer(
      row.overwrites
        ? 'Known already: the same resource as the first time; or what the call withdrew.'
        : 'Known already: the same resource as the first time.',
      row,
      shape,
    ),
    '201': answer('New: it was recorded now.', row, shape),
  }),
  accept: (row, shape) => ({
    '200': answer('The work had ended before: `status` says how, and no new work was asked for.', row, shape),
    '202': answer('The work is queued or under way; `status` says which.', row, shape),
  }),
  remove: () => ({
    '204': {
      description: 'Removed, or there was nothing left to remove.',
      headers: headerReferences(commonHeaders),
    },
  }),
}

function answer(description: string, row: Operation, schema: Schema | undefined): Reply {
  const content = { 'application/json': { schema, example: row.example.reply } }
  const headers = row.method === 'POST' ? (['Idempotency-Replayed', ...commonHeaders] as const) : commonHeaders
  return { description, headers: headerReferences(headers), content }
}

const codesInOrder = Object.keys(problems) as ProblemCode[]

/** Every problem that an operation can return, in the order of the table. */
export function possibleProblemsOf(row: Operation): ProblemCode[] {
  const isPost = row.method === 'POST'
  const possible = new Set<ProblemCode>([
    ...row.problems,
    ...commonProblems,
    ...(isPost ? idempotencyProblems : []),
    // Operations without a body can be sent one by mistake; only that of a GET is ignored.
    ...(row.method === 'GET' ? [] : bodyProblems),
  ])
  return codesInOrder.filter((code) => possible.has(code))
}

/** The problem replies of one operation by status; problems with the same status are one reply. */
function problemReferences(row: Operation): Record<string, { $ref: string }> {
  return Object.fromEntries(
    byStatus(possibleProblemsOf(row)).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(codes)}` },
    ]),
  )
}

/** All problem replies that operations refer to. Most are shared, which keeps the document and generated clients small. */
export function problemReplies(rows: Operation[]): Record<string, unknown> {
  const groups = rows.flatMap((row) => byStatus(possibleProblemsOf(row)))
  const named = groups.map(([status, codes]) => [nameOf(codes), problemReply(Number(status), codes)] as const)
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function byStatus(codes: ProblemCode[]): [status: string, codes: ProblemCode[]][] {
  const groups = Object.groupBy(codes, (code) => String(problems[code].status))
  return Object.entries(groups) as [string, ProblemCode[]][]
}

function nameOf(codes: ProblemCode[]): string {
  return codes.join('.')
}

function problemReply(status: number, codes: ProblemCode[]) {
  const kind: Schema = {
    type: 'object',
    properties: { status: { const: status }, code: codes.length === 1 ? { const: codes[0] } : { enum: codes } },
    required: ['status', 'code'],
  }
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
    headers: headerReferences(headersWith(status)),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, kind] },
        examples: Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }])),
      },
    },
  }
}

/** Statuses that may come with `Retry-After`. */
const repeatableLater = new Set([429, 502, 503, 504])

function headersWith(status: number) {
  if (status === 401) return ['WWW-Authenticate', 'X-Request-Id'] as const
  if (status === 403) return ['WWW-Authenticate', ...commonHeaders] as const
  return repeatableLater.has(status) ? (['Retry-After', ...commonHeaders] as const) : commonHeaders
}

/** An example of a problem, with the first sentence of its explanation as the detail. */
export function problemExample(code: ProblemCode): z.output<typeof Problem> {
  const { title, status, explanation } = problems[code]
  return {
    type: problemAddress(code),
    title,
    status,
    detail: `${explanation.replaceAll('`', '').split('. ')[0]?.replace(/\.$/, '')}.`,
    instance: '/v1/…',
    code,
    requestId: '0195806f-3a00-7c41-8d2e-5b7f0a1c9e31',
    ...particulars[code],
  }
}

const particulars: Partial<Record<ProblemCode, Partial<z.output<typeof Problem>>>> = {
  'invalid-request': { errors: [{ pointer: '/query/country', message: 'must be an App Store storefront' }] },
  'scope-missing': { detail: 'This operation needs the scope content:write.', scope: 'content:write' },
  'chart-not-found': {
    storedCharts: [
      {
        country: 'us',
        chart: 'top-free',
        categoryId: '6000',
        categoryName: 'Business',
        device: 'iphone',
      },
    ],
  },
  'competitor-not-found': { intake: { state: 'none', intakeId: null, country: 'us' } },
}

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

/** The headers of replies, under their names in the document. */
export const replyHeaders = {
  'Idempotency-Replayed': header(
    'Present and `true` when this is the reply of an earlier call under the same `Idempotency-Key`.',
    'true',
  ),
  ETag: header('Names this state of the answer; send it back in `If-None-Match`.', '"5f0c9b2e"'),
  RateLimit: header('Requests left in this window, and seconds until it ends.', '"default";r=118;t=42'),
  'RateLimit-Policy': header('Requests a window holds, and its seconds.', '"default";q=120;w=60'),
  'Retry-After': header('Seconds to wait before the next request.', '42'),
  'WWW-Authenticate': header('How to authenticate, or the scope that is missing.', 'Bearer realm="rivalscope"'),
  'X-Request-Id': header(
    'Names the request in the log of the service.',
    '0195806f-3a00-7c41-8d2e-5b7f0a1c9e31',
  ),
}

type HeaderName = keyof typeof replyHeaders

/** Headers of every reply to an authenticated caller whose requests are counted. */
const commonHeaders = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id'] as const satisfies HeaderName[]

function headerReferences(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/**
 * The headers of calls besides `Authorization`, which the security schemes describe, and `Idempotency-Key`, which the guide does:
 * for a parameter that needs a new value in each call, Postman generates one for all calls, so that only the first is performed.
 */
export const callHeaders = {
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer: the reply is 304 without a body while it still stands.',
    required: false,
    schema: { type: 'string' },
    example: '"5f0c9b2e"',
  },
}
