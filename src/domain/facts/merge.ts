import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import { type BroughtBy, compareReadings, type Reading } from '../evidence/reading.ts'
import { canonicalJson } from '../idempotency/canonical.ts'
import { momentOf, newestFirst } from './evidence-list.ts'

/** Values stated by one observation: a field left out is not carried by its source; null was looked for and is absent. */
export type Stated<Fields> = { [F in keyof Fields]?: Fields[F] | null }

type Field<Fields> = keyof Fields & string

/** A reading and the fields whose current values come from it. */
export interface StatedBy<Name extends string> {
  readingId: string
  /** `Reading.key`. */
  key: string
  source: SourceName
  origin: Origin
  /** RFC 3339. */
  observedAt: string
  timeBasis: TimeBasis
  /** Sorted. */
  fields: Name[]
  /** The account that brought the evidence. */
  broughtBy?: BroughtBy
}

/**
 * Merged knowledge of an entity: for each field the statement that wins, and its reading, newest first. A field without
 * evidence was never measured.
 */
export interface Known<Fields> {
  facts: Stated<Fields>
  evidence: StatedBy<Field<Fields>>[]
}

/** Rules for which of two statements of a field wins, besides their times. */
export interface Precedence<Fields> {
  /** The statement with more weight wins, independent of its time. */
  weight(field: Field<Fields>, by: Pick<Reading, 'source' | 'broughtBy'>): number
  /**
   * Order of two statements of one instant: positive for the first, negative for the second, zero for equal ones. Both are
   * passed with all fields still held by their readings, because some fields are only meaningful together.
   */
  compare(field: Field<Fields>, one: Stated<Fields>, other: Stated<Fields>): number
}

/** A source outweighs what an account brought; of two statements of one instant the greater text wins. */
const sourcesFirst: Precedence<Record<string, unknown>> = {
  weight: (_field, { broughtBy }) => (broughtBy ? 0 : 1),
  compare(field, one, other) {
    // PostgreSQL returns `jsonb` objects with their properties in another order.
    const [mine, theirs] = [canonicalJson(one[field] ?? null), canonicalJson(other[field] ?? null)]
    return mine === theirs ? 0 : mine > theirs ? 1 : -1
  },
}

/** The statements of a single reading, as `Known`. */
export function knownFrom<Fields>(
  stated: Stated<Fields>,
  { readingId, key, source, origin, timeBasis, broughtBy, observedAt: at }: Reading,
): Known<Fields> {
  const fields = (Object.keys(stated) as Field<Fields>[]).sort()
  const observedAt = at.toISOString()
  const entry = { readingId, key, source, origin, observedAt, timeBasis, fields }
  return {
    facts: stated,
    evidence: fields.length === 0 ? [] : [broughtBy ? { ...entry, broughtBy } : entry],
  }
}

/**
 * Merges two: of each field the statement with more weight wins, then the newer one, then by `compare`, then the one whose
 * reading has the greater key. So the result is independent of the order and the number of arrivals.
 */
export function merged<Fields>(
  one: Known<Fields>,
  other: Known<Fields>,
  precedence: Precedence<Fields> = sourcesFirst,
): Known<Fields> {
  const repeated = saidAgain(one, other)
  if (repeated) return repeated
  const holding = new Map<Field<Fields>, Statement<Fields>>()
  for (const { facts, evidence } of [one, other]) {
    for (const by of evidence) {
      for (const field of by.fields) {
        const known = holding.get(field)
        if (!known || holds(field, { by, facts }, known, precedence)) holding.set(field, { by, facts })
      }
    }
  }
  const taken = [...holding].filter(([, { facts }]) => facts === other.facts).map(([field]) => field)
  return {
    facts: { ...one.facts, ...pick(other.facts, taken) },
    evidence: evidenceOf(holding),
  }
}

/**
 * The merge where a source says at another time exactly what one of its readings holds, as charts do hundreds of times:
 * then its newer reading holds all of it. Undefined where it is not so simple.
 */
function saidAgain<Fields>(one: Known<Fields>, other: Known<Fields>): Known<Fields> | undefined {
  const [said] = other.evidence
  if (!said || other.evidence.length > 1 || said.broughtBy) return undefined
  const held = one.evidence.find(
    ({ source, broughtBy, fields }) =>
      source === said.source &&
      !broughtBy &&
      fields.length === said.fields.length &&
      fields.every((field, index) => field === said.fields[index]),
  )
  if (!held || held.observedAt === said.observedAt) return undefined
  // What one reading says of one instant stands in one entry.
  if (one.evidence.some((entry) => momentOf(entry) === momentOf(said))) return undefined
  if (held.observedAt > said.observedAt) return { facts: one.facts, evidence: one.evidence }
  return {
    facts: { ...one.facts, ...pick(other.facts, said.fields) },
    evidence: [...one.evidence.filter((entry) => entry !== held), said].sort(newestFirst),
  }
}

/** Adds the statements of a reading. */
export const withStatement = <Fields>(
  known: Known<Fields> | undefined,
  stated: Stated<Fields>,
  reading: Reading,
  precedence?: Precedence<Fields>,
): Known<Fields> => {
  const added = knownFrom(stated, reading)
  return known ? merged(known, added, precedence) : added
}

/** The entry of evidence behind a field; undefined where it was not measured. */
export function backingOf<Fields>(
  { evidence }: Pick<Known<Fields>, 'evidence'>,
  field: Field<Fields>,
): StatedBy<Field<Fields>> | undefined {
  return evidence.find((entry) => entry.fields.includes(field))
}

/** Selects some of the stated fields. */
export function pick<Fields>(stated: Stated<Fields>, fields: readonly Field<Fields>[]): Stated<Fields> {
  const some: Stated<Fields> = {}
  for (const field of fields) if (field in stated) some[field] = stated[field]
  return some
}

/** A statement of a field, with everything known beside it and its entry of evidence. */
interface Statement<Fields> {
  by: StatedBy<Field<Fields>>
  facts: Stated<Fields>
}

function holds<Fields>(
  field: Field<Fields>,
  one: Statement<Fields>,
  other: Statement<Fields>,
  { weight, compare }: Precedence<Fields>,
): boolean {
  const heavier = weight(field, one.by) - weight(field, other.by)
  if (heavier !== 0) return heavier > 0
  if (one.by.observedAt !== other.by.observedAt) return one.by.observedAt > other.by.observedAt
  const greater = compare(field, pick(one.facts, one.by.fields), pick(other.facts, other.by.fields))
  return (greater === 0 ? compareReadings(one.by, other.by) : greater) > 0
}

/** Each reading with the fields it still provides; readings without any are left out. */
function evidenceOf<Fields>(holding: ReadonlyMap<Field<Fields>, Statement<Fields>>): StatedBy<Field<Fields>>[] {
  const entries = new Map<string, StatedBy<Field<Fields>>>()
  for (const [by, held] of Map.groupBy(holding, ([, statement]) => statement.by)) {
    const moment = momentOf(by)
    const entry = entries.get(moment) ?? { ...by, fields: [] }
    for (const [field] of held) entry.fields.push(field)
    entries.set(moment, entry)
  }
  for (const { fields } of entries.values()) fields.sort()
  return [...entries.values()].sort(newestFirst)
}
