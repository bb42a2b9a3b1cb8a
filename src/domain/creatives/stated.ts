import type { BroughtBy, Origin, Reading, SourceName, TimeBasis } from '../evidence/reading.ts'

/** What one observation says: a field left out is not carried by its source; null was looked for and is not there. */
export type Stated<Fields> = { [F in keyof Fields]?: Fields[F] | null }

/** A reading and the fields that rest on it. */
export interface StatedBy<Field extends string> {
  readingId: string
  source: SourceName
  origin: Origin
  /** RFC 3339. */
  observedAt: string
  timeBasis: TimeBasis
  fields: Field[]
  /** The account that brought it itself. */
  broughtBy?: BroughtBy
}

/** What is known: for each field the newest statement, and which reading made it, newest first. */
export interface Known<Fields> {
  facts: Stated<Fields>
  evidence: StatedBy<keyof Fields & string>[]
}

/**
 * Adds what one reading states. What a source says wins over what an account brought, whenever either did; else the newest
 * statement of each field wins, whatever the order of arrival, and of two with the same time the later text does, so that
 * every order gives the same.
 */
export function withStatement<Fields>(
  known: Known<Fields> | undefined,
  stated: Stated<Fields>,
  reading: Reading,
): Known<Fields> {
  type Field = keyof Fields & string
  const observedAt = reading.observedAt.toISOString()
  const facts: Stated<Fields> = known?.facts ?? {}
  const evidence = known?.evidence ?? []
  const won = (Object.keys(stated) as Field[]).filter((field) => {
    const before = evidence.find((entry) => entry.fields.includes(field))
    if (before && Boolean(before.broughtBy) !== Boolean(reading.broughtBy)) return !reading.broughtBy
    if (!before || before.observedAt !== observedAt) return !before || before.observedAt < observedAt
    return JSON.stringify(facts[field]) <= JSON.stringify(stated[field])
  })
  if (won.length === 0) return { facts, evidence }
  const isOwn = (entry: StatedBy<Field>) =>
    entry.readingId === reading.readingId && entry.observedAt === observedAt
  const own = evidence.find(isOwn)?.fields ?? []
  const others = evidence
    .filter((entry) => !isOwn(entry))
    .map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !won.includes(field)) }))
    .filter((entry) => entry.fields.length > 0)
  const { readingId, source, origin, timeBasis, broughtBy } = reading
  const entry = {
    ...{ readingId, source, origin, observedAt, timeBasis, fields: [...new Set([...own, ...won])] },
    ...(broughtBy ? { broughtBy } : {}),
  }
  return {
    facts: { ...facts, ...Object.fromEntries(won.map((field) => [field, stated[field]])) },
    evidence: [entry, ...others].sort((one, other) =>
      one.observedAt < other.observedAt ? 1 : one.observedAt > other.observedAt ? -1 : 0,
    ),
  }
}
