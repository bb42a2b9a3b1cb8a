import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { SourceName } from '../../vocabulary/provenance.ts'
import type { Reading } from '../evidence/reading.ts'
import { evidenceOfField } from '../facts/merge.ts'
import type { AppSighting } from './listing.ts'
import { canBeOldCopy, type RecordState } from './record.ts'

/**
 * The update date by which an answer is told from an old copy; undefined where it has none. A date without a time of day, as
 * tables write it, cannot be compared with an hour.
 */
export function updateDateOf(updatedAt: string | null | undefined, source: SourceName): string | undefined {
  if (!updatedAt || !canBeOldCopy(source)) return undefined
  return source === 'catalogue-file' && updatedAt.endsWith('T00:00:00.000Z') ? undefined : updatedAt
}

/** The readings of one app in one storefront. */
export interface ReadingsOfApp<Seen> {
  storeId: string
  country: string
  all: readonly Seen[]
}

/** Old copies among new observations, and among those that are stored. */
export interface OldCopies<Seen> {
  among: ReadonlySet<Seen>
  /** By app and storefront: instants of stored answers that new ones prove to be old, in milliseconds. */
  proven: ReadonlyMap<string, ReadonlySet<number>>
}

/**
 * Finds answers whose update date is older than that of an answer observed before, or at the same instant: they are old copies, whatever
 * arrived first. The store is asked only where a new answer is not simply the next one.
 */
export async function findOldCopies<Seen extends { sighting: AppSighting; reading: Reading }>(
  db: Database,
  seen: ReadonlyMap<string, ReadingsOfApp<Seen>>,
  states: ReadonlyMap<string, RecordState>,
): Promise<OldCopies<Seen>> {
  const among = new Set<Seen>()
  const asked: (DatedAnswer<Seen> & Pick<ReadingsOfApp<Seen>, 'storeId' | 'country'>)[] = []
  for (const [key, { storeId, country, all }] of seen) {
    const dated = datedAnswers(all)
    let newest = ''
    for (const { one, date } of dated) {
      if (date < newest) among.add(one)
      else newest = date
    }
    if (!followsOn(dated, states.get(key)))
      for (const answer of dated) asked.push({ ...answer, storeId, country })
  }
  if (asked.length === 0) return { among, proven: new Map() }
  const sent = sql`json_to_recordset(${JSON.stringify(asked.map(({ one: _, ...answer }, place) => ({ ...answer, place })))}::json)
    as asked(place integer, "storeId" bigint, country text, at timestamptz, date timestamptz)`
  const sameApp = sql`s.store_id = asked."storeId" and s.country = asked.country`
  const old = await rows(
    db,
    sql<{ place: number }>`
      select distinct place
      from ${sent} join listing_sightings s on ${sameApp} and s.observed_at <= asked.at
        and s.updated_at > asked.date and s.updated_at < 'infinity'`,
  )
  for (const { place } of old) {
    const answer = asked[place]
    if (answer) among.add(answer.one)
  }
  const marked = await rows(
    db,
    sql<{ storeId: string; country: string; observedAt: Date }>`
      update listing_sightings s set stated = 0, hinted = 0
      from ${sent}
      where ${sameApp} and s.observed_at >= asked.at and s.updated_at < asked.date and (s.stated | s.hinted) <> 0
      returning s.store_id::text as "storeId", s.country, s.observed_at as "observedAt"`,
  )
  const proven = Map.groupBy(marked, ({ storeId, country }) => `${storeId} ${country}`)
  return {
    among,
    proven: new Map(
      [...proven].map(([key, some]) => [key, new Set(some.map(({ observedAt }) => observedAt.getTime()))]),
    ),
  }
}

interface DatedAnswer<Seen> {
  one: Seen
  at: string
  date: string
}

/** Answers with an update date, oldest observation first; of one instant, that with the newest date first. */
function datedAnswers<Seen extends { sighting: AppSighting; reading: Reading }>(
  all: readonly Seen[],
): DatedAnswer<Seen>[] {
  const dated = all.flatMap((one) => {
    const date = updateDateOf(one.sighting.listing.updatedAt, one.reading.source)
    return date === undefined ? [] : [{ one, at: one.reading.observedAt.toISOString(), date }]
  })
  if (dated.length < 2) return dated
  return dated.sort((one, other) =>
    one.at === other.at ? (one.date < other.date ? 1 : -1) : one.at < other.at ? -1 : 1,
  )
}

/** Whether answers are no older than what is stored, by their observation and by their update date. */
function followsOn(dated: readonly DatedAnswer<unknown>[], state: RecordState | undefined): boolean {
  const held = state && evidenceOfField(state.record, 'updatedAt')
  if (!held) return true
  const newest = updateDateOf(state.record.facts.updatedAt, held.source)
  return newest !== undefined && dated.every(({ at, date }) => at >= held.observedAt && date >= newest)
}
