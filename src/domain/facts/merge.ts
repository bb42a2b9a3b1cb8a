import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import { type BroughtBy, compareReadings, type Reading } from '../evidence/reading.ts'
import { canonicalJson } from '../repeats/canonical.ts'

/** What one observation says: a field left out is not carried by its source; null was looked for and is not there. */
export type Stated<Fields> = { [F in keyof Fields]?: Fields[F] | null }

/** A reading and the fields that rest on it. */
export interface StatedBy<Field extends string> {
  readingId: string
  /** `Reading.key`. */
  key: string
  source: SourceName
  origin: Origin
  /** RFC 3339. */
  observedAt: string
  timeBasis: TimeBasis
  fields: Field[]
  /** The account that brought it itself. */
  broughtBy?: BroughtBy
}

/** What is known: for each field the newest statement, and which reading made it, in the order of `newestFirst`. */
export interface Known<Fields> {
  facts: Stated<Fields>
  evidence: StatedBy<keyof Fields & string>[]
}

/**
 * Adds what one reading states. What a source says wins over what an account brought, whenever either did; else the newest
 * statement of each field wins, whatever the order of arrival; of two with the same time the later text does, and where
 * they are equal the one of the reading with the greater key, so that every order gives the same.
 */
export function withStatement<Fields>(
  known: Known<Fields> | undefined,
  stated: Stated<Fields>,
  reading: Reading,
): Known<Fields> {
  type Field = keyof Fields & string
  const { readingId, key, source, origin, timeBasis, broughtBy } = reading
  const observedAt = reading.observedAt.toISOString()
  const facts: Stated<Fields> = known?.facts ?? {}
  const evidence = known?.evidence ?? []
  const won = (Object.keys(stated) as Field[]).filter((field) => {
    const before = evidence.find((entry) => entry.fields.includes(field))
    if (!before) return true
    if (Boolean(before.broughtBy) !== Boolean(broughtBy)) return !broughtBy
    if (before.observedAt !== observedAt) return before.observedAt < observedAt
    // The store gives objects back with their properties in an order of its own.
    const [then, now] = [canonicalJson(facts[field] ?? null), canonicalJson(stated[field] ?? null)]
    return then === now ? compareReadings(reading, before) > 0 : then < now
  })
  if (won.length === 0) return { facts, evidence }
  const isOwn = (entry: StatedBy<Field>) => entry.readingId === readingId && entry.observedAt === observedAt
  const own = evidence.find(isOwn)?.fields ?? []
  const others = evidence
    .filter((entry) => !isOwn(entry))
    .map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !won.includes(field)) }))
    .filter((entry) => entry.fields.length > 0)
  const fields = [...new Set([...own, ...won])].sort()
  const entry = {
    ...{ readingId, key, source, origin, observedAt, timeBasis, fields },
    ...(broughtBy ? { broughtBy } : {}),
  }
  return {
    facts: { ...facts, ...Object.fromEntries(won.map((field) => [field, stated[field]])) },
    evidence: [entry, ...others].sort(newestFirst),
  }
}

/** The order of evidence: newest first, and of one instant what is named first. */
export function newestFirst(one: EvidenceEntry, other: EvidenceEntry): number {
  if (one.observedAt !== other.observedAt) return one.observedAt < other.observedAt ? 1 : -1
  return compareReadings(other, one)
}

type EvidenceEntry = Pick<StatedBy<string>, 'readingId' | 'key' | 'observedAt'>
