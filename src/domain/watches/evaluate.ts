import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { toOneLine } from '../../text/markup.ts'
import { storeState } from '../evidence/changes.ts'
import { eventsInAvailability } from './availability-events.ts'
import {
  eventsInAds,
  eventsInEmerging,
  eventsInImports,
  eventsInListings,
  eventsInSources,
  eventsOfAdvertiser,
} from './evidence-events.ts'
import { activeWatches, appsOfWatch, namesOfAppIds } from './queries.ts'
import { eventsInRanks } from './rankings.ts'
import type { FoundEvent, Watch } from './watch.ts'

/** Whether anything was stored since the last evaluation of all watches. */
export async function hasNewEvidence(db: Database): Promise<boolean> {
  const { version } = await storeState(db)
  const known = await firstRow(db, sql<{ version: string }>`select version from watch_state`)
  return known?.version !== version
}

/**
 * Evaluates all watches on the stored evidence, and never calls a source. Several processes may do so at once: they take
 * turns, and an event is identified by its key. Each watch is a transaction of its own, with its events, its deliveries and
 * its positions: a failed one keeps its positions and records the error.
 * @returns number of new events
 */
export async function evaluateWatches(db: Database, signal?: AbortSignal): Promise<number> {
  // Read first: evidence that is stored meanwhile makes another version, and is evaluated the next time.
  const { version } = await storeState(db)
  // A watch added while the clock was ahead would otherwise miss everything until then.
  await sql`update watches set since = now() where since > now() + interval '1 minute' and removed_at is null`.execute(
    db,
  )
  let recorded = 0
  for (const { watchId } of await activeWatches(db)) {
    signal?.throwIfAborted()
    try {
      recorded += await inTransaction(db, (transaction) => evaluate(transaction, watchId))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      await sql`update watches set last_error = ${reason.slice(0, 500)} where watch_id = ${watchId}::uuid`.execute(
        db,
      )
    }
  }
  await sql`
    insert into watch_state (version) values (${version})
    on conflict (only_one) do update set version = excluded.version`.execute(db)
  return recorded
}

async function evaluate(db: Database, watchId: string): Promise<number> {
  // The lock gives events their numbers in the order in which they become visible.
  await sql`select pg_advisory_xact_lock(hashtext('rivalscope watches'))`.execute(db)
  const [watch] = await activeWatches(db, watchId)
  if (!watch) return 0
  const recorded = await record(db, watch, await eventsOf(db, watch))
  await sql`update watches set evaluated_at = now(), last_error = null where watch_id = ${watchId}::uuid`.execute(
    db,
  )
  return recorded
}

async function eventsOf(db: Database, watch: Watch): Promise<FoundEvent[]> {
  const { definition, ...rest } = watch
  switch (definition.kind) {
    case 'top':
    case 'moved':
    case 'chart':
      return eventsInRanks(db, { ...rest, definition }, await appsOfWatch(db, watch.accountId, definition))
    case 'listing':
    case 'release':
      return eventsInListings(db, { ...rest, definition }, await appsOfWatch(db, watch.accountId, definition))
    case 'availability':
      return eventsInAvailability(
        db,
        { ...rest, definition },
        await appsOfWatch(db, watch.accountId, definition),
      )
    case 'ads':
      return 'advertiser' in definition
        ? eventsOfAdvertiser(db, watch.since, definition.advertiser)
        : eventsInAds(db, { ...rest, definition }, await appsOfWatch(db, watch.accountId, definition))
    case 'emerging':
      return eventsInEmerging(db, { ...rest, definition }, (storeIds) =>
        namesOfAppIds(db, storeIds, definition.country),
      )
    case 'source':
      return eventsInSources(db, { ...rest, definition })
    case 'import':
      return eventsInImports(db, { ...rest, definition })
  }
}

/**
 * Records new events, and a delivery of each for every channel of the account that is not muted; those of a muted watch have
 * none. @returns number of new events
 */
async function record(
  db: Database,
  { watchId, accountId, mutedAt, definition: { kind } }: Watch,
  found: readonly FoundEvent[],
): Promise<number> {
  if (found.length === 0) return 0
  // Titles contain names from untrusted sources, and go to chats, mail and feeds as one line.
  const sent = found.map((event, place) => ({
    eventId: uuidv7(),
    place,
    ...event,
    title: toOneLine(event.title),
  }))
  const fresh = await rows(
    db,
    sql<{ eventId: string }>`
      insert into watch_events (event_id, watch_id, account_id, event_key, kind, title, page, evidence, observed_at, muted)
      select "eventId", ${watchId}::uuid, ${accountId}::uuid, key, ${kind}, title, page, evidence, "observedAt", ${mutedAt !== null}
      from json_to_recordset(${JSON.stringify(sent)}::json) as sent("eventId" uuid, key text, title text,
        page text, evidence jsonb, "observedAt" timestamptz, place integer)
      order by place
      on conflict (watch_id, event_key) do nothing
      returning event_id as "eventId"`,
  )
  if (mutedAt !== null) return fresh.length
  await sql`
    insert into watch_deliveries (delivery_id, way_id, event_id)
    select gen_random_uuid(), w.way_id, e.event_id
    from watch_ways w cross join unnest(${fresh.map(({ eventId }) => eventId)}::uuid[]) as e(event_id)
    where w.account_id = ${accountId}::uuid and w.kind <> 'feed' and w.removed_at is null and w.muted_at is null`.execute(
    db,
  )
  return fresh.length
}
