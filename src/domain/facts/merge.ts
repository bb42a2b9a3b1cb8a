import { isDeepStrictEqual } from 'node:util'
import type { Origin, SourceName, TimeBasis } from '../../vocabulary/provenance.ts'
import {
  compareReadings,
  evidenceEntryKey,
  newestFirst,
  type ProvidedBy,
  type Reading,
} from '../evidence/reading.ts'
import { canonicalJson } from '../idempotency/canonical.ts'

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
  /** The account that provided the evidence. */
  broughtBy?: ProvidedBy
}

/**
 * Merged knowledge of an entity: for each field the statement that wins, and its reading, newest first. A field without
 * evidence was never measured.
 */
export interface Known<Fields> {
  facts: Stated<Fields>
  evidence: StatedBy<Field<Fields>>[]
  /**
   * Fields that were carried and could not be read, sorted; ignored for a field with evidence. Null or left out where there
   * are none.
   */
  unreadable?: readonly Field<Fields>[] | null
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
  /**
   * Fields of which statements of the same weight are joined, whatever their times; the newest is named. Joining is
   * associative, commutative and idempotent.
   */
  joins?: { readonly [F in Field<Fields>]?: (one: Fields[F], other: Fields[F]) => Fields[F] }
}

/** A source outweighs user-provided evidence; of two statements of one instant the greater text wins. */
export const sourcesFirst: Omit<Precedence<Record<string, unknown>>, 'joins'> = {
  weight: (_field, { broughtBy }) => (broughtBy ? 0 : 1),
  compare(field, one, other) {
    // PostgreSQL returns `jsonb` objects with their properties in another order.
    const [mine, theirs] = [canonicalJson(one[field] ?? null), canonicalJson(other[field] ?? null)]
    return mine === theirs ? 0 : mine > theirs ? 1 : -1
  },
}

/** The statements of a single reading, as `Known`. */
export function factsOfReading<Fields>(stated: Stated<Fields>, reading: Reading): Known<Fields> {
  const entry = entryOf(reading, Object.keys(stated) as Field<Fields>[])
  return { facts: stated, evidence: entry.fields.length === 0 ? [] : [entry] }
}

const entries = new WeakMap<Reading, Map<string, StatedBy<string>>>()

/**
 * The evidence entry of a reading that states some fields: the same object for all entities with the same fields, as in a
 * chart.
 */
function entryOf<Name extends string>(reading: Reading, stated: readonly Name[]): StatedBy<Name> {
  const known = entries.get(reading) ?? new Map<string, StatedBy<string>>()
  entries.set(reading, known)
  const names = stated.join()
  const made = known.get(names) as StatedBy<Name> | undefined
  if (made) return made
  const { readingId, key, source, origin, timeBasis, broughtBy, observedAt: at } = reading
  const observedAt = at.toISOString()
  const entry = { readingId, key, source, origin, observedAt, timeBasis, fields: stated.toSorted() }
  const whole = broughtBy ? { ...entry, broughtBy } : entry
  known.set(names, whole)
  return whole
}

/**
 * Merges two: of each field the statement with more weight wins, then the newer one, then by `compare`, then the one whose
 * reading has the greater key. So the result is independent of the order and the number of arrivals.
 */
export function mergeKnown<Fields>(
  one: Known<Fields>,
  other: Known<Fields>,
  precedence: Precedence<Fields> = sourcesFirst,
): Known<Fields> {
  const apart = mergedApart(one, other, precedence)
  if (apart) return apart
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
    facts: { ...one.facts, ...pickStated(other.facts, taken), ...joined(one, other, precedence) },
    evidence: evidenceOf(holding),
  }
}

/** The fields that both state with the same weight, and that are joined. */
function joined<Fields>(
  one: Known<Fields>,
  other: Known<Fields>,
  { joins = {}, weight }: Precedence<Fields>,
): Stated<Fields> {
  const facts: Stated<Fields> = {}
  for (const field of Object.keys(joins) as Field<Fields>[]) {
    const [mine, theirs] = [evidenceOfField(one, field), evidenceOfField(other, field)]
    if (!mine || !theirs || weight(field, mine) !== weight(field, theirs)) continue
    const [here, there] = [one.facts[field] ?? null, other.facts[field] ?? null]
    facts[field] = here === null ? there : there === null ? here : (joins[field]?.(here, there) ?? here)
  }
  return facts
}

/**
 * A faster merge with one reading, where no two statements of a field are of one instant: then only evidence decides, not
 * values, and the facts are the same object where nothing changes. Undefined where this does not apply.
 */
function mergedApart<Fields>(
  one: Known<Fields>,
  other: Known<Fields>,
  precedence: Precedence<Fields>,
): Known<Fields> | undefined {
  const [said] = other.evidence
  if (!said || other.evidence.length > 1) return undefined
  const added = addedTo(one.evidence, said, precedence)
  if (!added) return undefined
  const changed = added.taken.filter((field) => !isSame(one.facts[field], other.facts[field]))
  return {
    facts: changed.length === 0 ? one.facts : { ...one.facts, ...pickStated(other.facts, changed) },
    evidence: added.evidence,
  }
}

/** The evidence after a statement, and the fields whose values come from it. */
interface Added<Name extends string> {
  taken: Name[]
  evidence: StatedBy<Name>[]
}

const lastAdded = new WeakMap<object, { said: object; precedence: object; added: unknown }>()

/** Memoised: records with the same evidence have the same evidence after the same statement. */
function addedTo<Fields>(
  evidence: StatedBy<Field<Fields>>[],
  said: StatedBy<Field<Fields>>,
  precedence: Precedence<Fields>,
): Added<Field<Fields>> | undefined {
  const last = lastAdded.get(evidence)
  if (last?.said === said && last.precedence === precedence)
    return last.added as Added<Field<Fields>> | undefined
  const added = addTo(evidence, said, precedence)
  lastAdded.set(evidence, { said, precedence, added })
  return added
}

function addTo<Fields>(
  evidence: StatedBy<Field<Fields>>[],
  said: StatedBy<Field<Fields>>,
  { weight, joins = {} }: Precedence<Fields>,
): Added<Field<Fields>> | undefined {
  if (said.fields.some((field) => field in joins)) return undefined
  // Statements of one reading at one instant share one entry.
  if (evidence.some((entry) => evidenceEntryKey(entry) === evidenceEntryKey(said))) return undefined
  const taken: Field<Fields>[] = []
  for (const field of said.fields) {
    const held = evidenceOfField<Fields>({ evidence }, field)
    const heavier = held ? weight(field, said) - weight(field, held) : 1
    if (heavier === 0 && held?.observedAt === said.observedAt) return undefined
    if (heavier > 0 || (heavier === 0 && held && said.observedAt > held.observedAt)) taken.push(field)
  }
  if (taken.length === 0) return { taken, evidence }
  const left = evidence
    .map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !taken.includes(field)) }))
    .filter(({ fields }) => fields.length > 0)
  return { taken, evidence: [...left, { ...said, fields: taken }].sort(newestFirst) }
}

const isSame = (one: unknown, other: unknown) => one === other || isDeepStrictEqual(one, other)

/** Adds the statements of a reading. */
export const addStatement = <Fields>(
  known: Known<Fields> | undefined,
  stated: Stated<Fields>,
  reading: Reading,
  precedence?: Precedence<Fields>,
): Known<Fields> => {
  const added = factsOfReading(stated, reading)
  return known ? mergeKnown(known, added, precedence) : added
}

/** Adds fields that observations carried and that cannot be read; the same object where all are known. */
export function withUnreadable<K extends { unreadable?: readonly string[] | null }>(
  known: K,
  ...more: readonly (K['unreadable'] | undefined)[]
): K {
  if (!known.unreadable && more.every((fields) => !fields)) return known
  const all = new Set([known.unreadable, ...more].flatMap((fields) => fields ?? []))
  return all.size === (known.unreadable?.length ?? 0) ? known : { ...known, unreadable: [...all].sort() }
}

const backings = new WeakMap<object, ReadonlyMap<string, unknown>>()

/** The entry of evidence behind a field; undefined where it was not measured. */
export function evidenceOfField<Fields>(
  { evidence }: Pick<Known<Fields>, 'evidence'>,
  field: Field<Fields>,
): StatedBy<Field<Fields>> | undefined {
  const backing = backings.get(evidence) ?? backingIn(evidence)
  return backing.get(field) as StatedBy<Field<Fields>> | undefined
}

function backingIn<Name extends string>(evidence: readonly StatedBy<Name>[]): ReadonlyMap<string, unknown> {
  const backing = new Map(evidence.flatMap((entry) => entry.fields.map((field) => [field, entry] as const)))
  backings.set(evidence, backing)
  return backing
}

/** Selects some of the stated fields. */
export function pickStated<Fields>(stated: Stated<Fields>, fields: readonly Field<Fields>[]): Stated<Fields> {
  const some: Stated<Fields> = {}
  for (const field of fields) if (field in stated) some[field] = stated[field]
  return some
}

/** A statement of a field, with its evidence entry and the other facts of its record. */
interface Statement<Fields> {
  by: StatedBy<Field<Fields>>
  facts: Stated<Fields>
}

function holds<Fields>(
  field: Field<Fields>,
  one: Statement<Fields>,
  other: Statement<Fields>,
  { weight, compare, joins = {} }: Precedence<Fields>,
): boolean {
  const heavier = weight(field, one.by) - weight(field, other.by)
  if (heavier !== 0) return heavier > 0
  if (one.by.observedAt !== other.by.observedAt) return one.by.observedAt > other.by.observedAt
  // The values of a joined field are of several readings already.
  const greater =
    field in joins
      ? 0
      : compare(field, pickStated(one.facts, one.by.fields), pickStated(other.facts, other.by.fields))
  return (greater === 0 ? compareReadings(one.by, other.by) : greater) > 0
}

/** Each reading with the fields it still provides; readings without any are left out. */
function evidenceOf<Fields>(holding: ReadonlyMap<Field<Fields>, Statement<Fields>>): StatedBy<Field<Fields>>[] {
  const entries = new Map<string, StatedBy<Field<Fields>>>()
  for (const [by, held] of Map.groupBy(holding, ([, statement]) => statement.by)) {
    const moment = evidenceEntryKey(by)
    const entry = entries.get(moment) ?? { ...by, fields: [] }
    for (const [field] of held) entry.fields.push(field)
    entries.set(moment, entry)
  }
  for (const { fields } of entries.values()) fields.sort()
  return [...entries.values()].sort(newestFirst)
}
