import { isDeepStrictEqual } from 'node:util'

/** Known values of entities at instants, by `momentKey`: of each field its value. */
export type KnownMoments = Map<string, Record<string, unknown>>

export const momentKey = (thing: string, at: Date): string => `${thing} ${at.toISOString()}`

/** The statement of one record about an entity at an instant. */
export interface Statement {
  key: string
  fields: Record<string, unknown>
}

/**
 * The outcome of a record. `stored`: it adds something about its instant and contradicts nothing. `repeated`: everything in
 * it was already known of that instant. `merged`: it contradicts a known field of that instant; one of the two values was
 * chosen. `superseded`: another capture replaces it.
 */
export type RecordOutcome = 'stored' | 'repeated' | 'merged' | 'superseded'

/** The outcome of a statement, which is known from then on. @param isSame whether two values of a field agree */
export function outcomeOf(
  known: KnownMoments,
  { key, fields }: Statement,
  isSame: (one: unknown, other: unknown, field: string) => boolean = (one, other) =>
    isDeepStrictEqual(one, other),
): Extract<RecordOutcome, 'stored' | 'repeated' | 'merged'> {
  const before = known.get(key)
  if (!before) {
    known.set(key, { ...fields })
    return 'stored'
  }
  const names = Object.keys(fields)
  const added = names.filter((name) => !(name in before))
  const isMerged = names.some((name) => name in before && !isSame(before[name], fields[name], name))
  // In place: a capture of a chart has a statement for each of its places.
  for (const name of added) before[name] = fields[name]
  if (isMerged) return 'merged'
  return added.length === 0 ? 'repeated' : 'stored'
}

/** The fields whose newest statement was made at an instant. */
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
