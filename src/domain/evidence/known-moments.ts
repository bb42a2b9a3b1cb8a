import { isDeepStrictEqual } from 'node:util'

/** What is known of things at moments, by `momentKey`: of each field its value. */
export type KnownMoments = Map<string, Record<string, unknown>>

export const momentKey = (thing: string, at: Date): string => `${thing} ${at.toISOString()}`

/** What one record says of a thing at a moment. */
export interface Statement {
  key: string
  fields: Record<string, unknown>
}

/**
 * What becomes of a record. `stored`: it says something new of its moment, and nothing that was said otherwise. `repeated`: all of it
 * was said before of that moment. `merged`: of some field something else was said of that moment; one of the two stands.
 * `superseded`: another capture stands in its place.
 */
export type RecordOutcome = 'stored' | 'repeated' | 'merged' | 'superseded'

/** The outcome of a statement; what it says is known from then on. @param isSame whether two values of a field agree */
export function outcomeOf(
  known: KnownMoments,
  { key, fields }: Statement,
  isSame: (one: unknown, other: unknown, field: string) => boolean = (one, other) =>
    isDeepStrictEqual(one, other),
): Extract<RecordOutcome, 'stored' | 'repeated' | 'merged'> {
  const before = known.get(key)
  known.set(key, { ...fields, ...before })
  if (!before) return 'stored'
  const names = Object.keys(fields)
  if (names.some((name) => name in before && !isSame(before[name], fields[name], name))) return 'merged'
  return names.every((name) => name in before) ? 'repeated' : 'stored'
}

/** The fields whose newest statement was made at a moment. */
export function statedAt<Fields extends object>(
  facts: Fields,
  evidence: readonly { observedAt: string; fields: readonly string[] }[],
  at: Date,
): Record<string, unknown> {
  const fields = evidence
    .filter((entry) => entry.observedAt === at.toISOString())
    .flatMap((entry) => entry.fields)
  return Object.fromEntries(fields.map((field) => [field, (facts as Record<string, unknown>)[field]]))
}
