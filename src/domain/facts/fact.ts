import type { Fact, NotMeasured, NotMeasuredReason } from '../../vocabulary/facts.ts'
import type { Known, Stated } from './merge.ts'

export const notMeasured = <Reason extends NotMeasuredReason>(reason: Reason): NotMeasured<Reason> => ({
  state: 'not-measured',
  reason,
})

/** The reason why a field was not measured by any observation. */
export const whyNotMeasured = <F extends string>(
  { unreadable }: { unreadable?: readonly F[] | null },
  field: F,
) => (unreadable?.includes(field) ? 'unreadable' : 'not-carried')

type Present<V> = Exclude<V, null | undefined>

/**
 * A value as a fact in its three states. Undefined is not carried by its source; null and an empty list were looked for and
 * are absent.
 * @param evidence position of the observation in the nearest list of evidence
 * @param missing another reason why it is undefined
 */
export function factOf<V>(value: V, evidence: number): Fact<Present<V>, 'not-carried'>
export function factOf<V, Reason extends NotMeasuredReason>(
  value: V,
  evidence: number,
  missing: Reason,
): Fact<Present<V>, Reason>
export function factOf<V>(
  value: V,
  evidence: number,
  missing: NotMeasuredReason = 'not-carried',
): Fact<Present<V>, NotMeasuredReason> {
  if (value === undefined) return notMeasured(missing)
  return value === null || (Array.isArray(value) && value.length === 0)
    ? { state: 'absent', evidence }
    : { state: 'measured', value: value as Present<V>, evidence }
}

/** Formats a value; null where there is nothing to show. */
type Shape<Fields, F extends keyof Fields, V> = (value: Present<Fields[F]>, facts: Stated<Fields>) => V | null

/**
 * A field as a fact: with the entry of evidence that provides it, or not carried by any observation, or unreadable in all.
 * @param known the merged record, or the reason why there is none
 */
export function fieldFact<Fields, F extends keyof Fields & string, V = Present<Fields[F]>>(
  known: Known<Fields>,
  field: F,
  shape?: Shape<Fields, F, V>,
): Fact<NoInfer<V>, 'not-carried' | 'unreadable'>
export function fieldFact<
  Fields,
  F extends keyof Fields & string,
  Reason extends NotMeasuredReason,
  V = Present<Fields[F]>,
>(
  known: Known<Fields> | Reason,
  field: F,
  shape?: Shape<Fields, F, V>,
): Fact<NoInfer<V>, 'not-carried' | 'unreadable' | NoInfer<Reason>>
export function fieldFact<Fields, F extends keyof Fields & string>(
  known: Known<Fields> | NotMeasuredReason,
  field: F,
  shape: Shape<Fields, F, unknown> = (value) => value,
): Fact<unknown, NotMeasuredReason> {
  if (typeof known === 'string') return notMeasured(known)
  const { facts, evidence } = known
  const at = evidence.findIndex((entry) => entry.fields.includes(field))
  if (at === -1) return notMeasured(whyNotMeasured(known, field))
  const value = facts[field] ?? null
  return factOf(value === null ? null : shape(value as Present<Fields[F]>, facts), at)
}

/** A rank as a fact; null is absent from all observed places. @param depth number of observed places */
export function rankFact(rank: number | null | undefined, depth: number) {
  return rank === null || rank === undefined
    ? ({ state: 'absent', depth } as const)
    : ({ state: 'measured', value: rank, depth } as const)
}
