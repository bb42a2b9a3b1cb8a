import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import {
  bodyProblems,
  commonProblems,
  idempotencyProblems,
  type ProblemCode,
  problems,
} from '../contract/problems.ts'
import { type Problem, problemAddress } from '../contract/shapes/problem.ts'
import { headerReferences, usualHeaders } from './openapi-headers.ts'
import type { Schema } from './openapi-shapes.ts'

const codesInOrder = Object.keys(problems) as ProblemCode[]

/** Every problem that an operation can return, in the order of the table. */
export function problemsOf(row: Operation): ProblemCode[] {
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
export function problemReferences(row: Operation): Record<string, { $ref: string }> {
  return Object.fromEntries(
    byStatus(problemsOf(row)).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${nameOf(codes)}` },
    ]),
  )
}

/** All problem replies that operations refer to. Most are shared, which keeps the document and generated clients small. */
export function problemReplies(rows: Operation[]): Record<string, unknown> {
  const groups = rows.flatMap((row) => byStatus(problemsOf(row)))
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
  if (status === 403) return ['WWW-Authenticate', ...usualHeaders] as const
  return repeatableLater.has(status) ? (['Retry-After', ...usualHeaders] as const) : usualHeaders
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
