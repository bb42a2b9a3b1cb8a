import type { Ending, Operation } from '../contract/operation.ts'
import { headerReferences, usualHeaders } from './openapi-headers.ts'
import { problemReferences } from './openapi-problems.ts'
import type { Schema } from './openapi-shapes.ts'

type Reply = Record<string, unknown>

/** The replies of one operation by status: its success, then its failures. */
export function repliesOf(row: Operation, shape: Schema | undefined): Record<string, Reply> {
  return { ...endings[row.ending](row, shape), ...problemReferences(row) }
}

const endings: Record<Ending, (row: Operation, shape: Schema | undefined) => Record<string, Reply>> = {
  read: (row, shape) => {
    if (row.method !== 'GET') return { '200': answer('The answer.', row, shape) }
    const headers = headerReferences(['ETag', ...usualHeaders])
    return {
      '200': { ...answer('The answer.', row, shape), headers },
      '304': { description: 'Not modified: what the caller holds under this `ETag` still stands.', headers },
    }
  },
  record: (row, shape) => ({
    '200': answer('Known already: the same resource as the first time.', row, shape),
    '201': answer('New: it was recorded now.', row, shape),
  }),
  accept: (row, shape) => ({
    '200': answer('The work had ended before: `status` says how, and nothing new was asked for.', row, shape),
    '202': answer('The work is queued or under way; `status` says which.', row, shape),
  }),
  remove: () => ({
    '204': {
      description: 'Removed, or there was nothing left to remove.',
      headers: headerReferences(usualHeaders),
    },
  }),
}

function answer(description: string, row: Operation, schema: Schema | undefined): Reply {
  const content = { 'application/json': { schema, example: row.example.reply } }
  const headers = row.method === 'POST' ? (['Idempotency-Replayed', ...usualHeaders] as const) : usualHeaders
  return { description, headers: headerReferences(headers), content }
}
