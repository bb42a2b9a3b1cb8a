import type { z } from 'zod'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { Known } from '../domain/facts/merge.ts'
import type { Fact } from '../vocabulary/facts.ts'
import { evidenceOf } from './listing-facts.ts'

/** The three states of a field of a post or an ad; `evidence` is the place in `evidenceOfKnown`. */
export function statedFact<Fields, F extends keyof Fields & string>(
  { facts, evidence }: Known<Fields>,
  field: F,
): Fact<NonNullable<Fields[F]>, 'not-carried'> {
  const at = evidence.findIndex((entry) => entry.fields.includes(field))
  if (at === -1) return { state: 'not-measured', reason: 'not-carried' }
  const value = facts[field]
  const isNone = Array.isArray(value) && value.length === 0
  return value === null || value === undefined || isNone
    ? { state: 'absent', evidence: at }
    : { state: 'measured', value, evidence: at }
}

/** The readings behind a post or an ad, newest first. */
export function evidenceOfKnown<Fields>(
  { evidence }: Known<Fields>,
  accountId?: string,
): z.output<typeof Evidence>[] {
  return evidence.map((entry) => evidenceOf(entry, null, accountId))
}
