import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import { type BroughtBy, compareReadings, type Reading } from '../evidence/reading.ts'
import { canonicalJson } from '../idempotency/canonical.ts'
import { momentOf, newestFirst } from './evidence-list.ts'

/** What one observation says: a field left out is not carried by its source; null was looked for and is not there. */
export type Stated<Fields> = { [F in keyof Fields]?: Fields[F] | null }

type Field<Fields> = keyof Fields & string

/** A reading and the fields that rest on it. */
export interface StatedBy<Name extends string> {
  readingId: string
  /** `Reading.key`. */
  key: string
  source: SourceName
  origin: Origin
  /** RFC 3339. */
  observedAt: string
  timeBasis: TimeBasis
  /** Alphabetically. */
  fields: Name[]
  /** The account that brought it itself. */
  broughtBy?: BroughtBy
}

/**
 * What is known of a thing: for each field the statement that holds, and which reading made it, newest first. A field that no
 * evidence names was never measured.
 */
export interface Known<Fields> {
  facts: Stated<Fields>
  evidence: StatedBy<Field<Fields>>[]
}

/** What decides between two statements of a field, beside their times. */
export interface Precedence<Fields> {
  /** The statement of more weight holds, whenever either was made. */
  weight(field: Field<Fields>, by: Pick<Reading, 'source' | 'broughtBy'>): number
  /**
   * Which of two statements of one instant holds: above zero for the first, below for the second, zero where they say the
   * same. Both come with all that their readings still hold, because some fields mean something only together.
   */
  compare(field: Field<Fields>, one: Stated<Fields>, other: Stated<Fields>): number
}

/** What a source says weighs more than what an account brought; of two statements of one instant the later text holds. */
const sourcesFirst: Precedence<Record<string, unknown>> = {
  weight: (_field, { broughtBy }) => (broughtBy ? 0 : 1),
  compare(field, one, other) {
    // The store gives objects back with their properties in an order of its own.
    const [mine, theirs] = [canonicalJson(one[field] ?? null), canonicalJson(other[field] ?? null)]
    return mine === theirs ? 0 : mine > theirs ? 1 : -1
  },
}

/** What a single reading states, as all that is known. */
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
 * What two know together: of each field the statement of more weight, of equal weight the newer, of one instant the
 * greater, and where they say the same that of the reading with the greater key. So neither the order in which things become
 * known nor how often makes a difference.
 */
export function merged<Fields>(
  one: Known<Fields>,
  other: Known<Fields>,
  precedence: Precedence<Fields> = sourcesFirst,
): Known<Fields> {
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

/** What is known after a reading has stated something. */
export const withStatement = <Fields>(
  known: Known<Fields> | undefined,
  stated: Stated<Fields>,
  reading: Reading,
  precedence?: Precedence<Fields>,
): Known<Fields> => merged(known ?? { facts: {}, evidence: [] }, knownFrom(stated, reading), precedence)

/** The entry of evidence that a field rests on; none where nobody measured it. */
export function backingOf<Fields>(
  { evidence }: Pick<Known<Fields>, 'evidence'>,
  field: Field<Fields>,
): StatedBy<Field<Fields>> | undefined {
  return evidence.find((entry) => entry.fields.includes(field))
}

/** Some of the fields that are stated. */
export function pick<Fields>(stated: Stated<Fields>, fields: readonly Field<Fields>[]): Stated<Fields> {
  const some: Stated<Fields> = {}
  for (const field of fields) if (field in stated) some[field] = stated[field]
  return some
}

/** A statement of a field: all that is known beside it, and the entry of evidence that names it. */
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

/** Each reading with the fields it holds; those that hold none are left out. */
function evidenceOf<Fields>(holding: ReadonlyMap<Field<Fields>, Statement<Fields>>): StatedBy<Field<Fields>>[] {
  const entries = new Map<string, StatedBy<Field<Fields>>>()
  for (const [field, { by }] of holding) {
    const entry = entries.get(momentOf(by)) ?? { ...by, fields: [] }
    entry.fields.push(field)
    entries.set(momentOf(by), entry)
  }
  for (const { fields } of entries.values()) fields.sort()
  return [...entries.values()].sort(newestFirst)
}
