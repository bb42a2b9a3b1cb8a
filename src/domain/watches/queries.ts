import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import type { ChannelKind, DeliveryState } from '../../vocabulary/watches.ts'
import { withinLimits } from '../accounts/limits.ts'
import { labelsOfApps } from '../catalogue/app.ts'
import { startWatchAtNewest } from './rankings.ts'
import { trackedSubjects, type Watch, type WatchDefinition, type WatchEvent } from './watch.ts'

/** Active watches, oldest first; only the one with the given id, if any. */
export function activeWatches(db: Database, watchId?: string): Promise<Watch[]> {
  return rows(
    db,
    sql<Watch>`
      select watch_id as "watchId", account_id as "accountId", definition, since, muted_at as "mutedAt" from watches
      where removed_at is null and (${watchId ?? null}::uuid is null or watch_id = ${watchId ?? null}::uuid)
      order by watch_id`,
  )
}

/** Active watches of an account that are not muted, oldest first, with the error of their last evaluation. */
export function toldWatchesOf(
  db: Database,
  accountId: string,
): Promise<(Watch & { lastError: string | null })[]> {
  return rows(
    db,
    sql<Watch & { lastError: string | null }>`
      select watch_id as "watchId", account_id as "accountId", definition, since, muted_at as "mutedAt",
        last_error as "lastError"
      from watches where account_id = ${accountId}::uuid and removed_at is null and muted_at is null
      order by watch_id`,
  )
}

/**
 * Adds a watch, which begins with evidence stored from now on. An existing one is unchanged. Watches of the configuration
 * are the operator's, and added beyond a limit.
 * @throws LimitReached
 * @returns its id, and whether it is new
 */
export function addWatch(
  db: Database,
  accountId: string,
  definition: WatchDefinition,
  fromConfiguration: boolean,
): Promise<{ watchId: string; isNew: boolean }> {
  const write = async (transaction: Database) => {
    const text = JSON.stringify(definition)
    const fresh = await firstRow(
      transaction,
      sql<{ watchId: string; since: Date }>`
        insert into watches (watch_id, account_id, kind, definition, from_configuration)
        values (${uuidv7()}::uuid, ${accountId}::uuid, ${definition.kind}, ${text}::jsonb, ${fromConfiguration})
        on conflict (account_id, definition) where removed_at is null do nothing
        returning watch_id as "watchId", since`,
    )
    if (fresh) {
      if ('in' in definition)
        await startWatchAtNewest(transaction, { ...fresh, accountId, definition, mutedAt: null })
      return { watchId: fresh.watchId, isNew: true }
    }
    const known = await firstRow(
      transaction,
      sql<{ watchId: string }>`
        select watch_id as "watchId" from watches
        where account_id = ${accountId}::uuid and definition = ${text}::jsonb and removed_at is null`,
    )
    if (!known) throw new Error('The watch is neither new nor known.')
    return { watchId: known.watchId, isNew: false }
  }
  return fromConfiguration ? atomically(db, write) : withinLimits(db, accountId, write)
}

/** Removes a watch, of this account if one is given; its events stay. @returns whether it was active */
export async function removeWatch(db: Database, watchId: string, accountId?: string): Promise<boolean> {
  const removed = await rows(
    db,
    sql`update watches set removed_at = now()
      where watch_id = ${watchId}::uuid and removed_at is null and ${isOf(accountId)} returning watch_id`,
  )
  return removed.length > 0
}

/** How many active watches an account has. */
export async function countWatches(db: Database, accountId: string): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ watches: number }>`
      select count(*)::int as watches from watches where account_id = ${accountId}::uuid and removed_at is null`,
  )
  return found?.watches ?? 0
}

/** Whether an active watch of an account is of the configuration. */
export async function isConfiguredWatch(db: Database, watchId: string, accountId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from watches
      where watch_id = ${watchId}::uuid and account_id = ${accountId}::uuid and removed_at is null and from_configuration`,
  )
  return found !== undefined
}

/** Mutes a watch, of this account if one is given, or has it told again. @returns whether it is active */
export async function muteWatch(
  db: Database,
  watchId: string,
  muted: boolean,
  accountId?: string,
): Promise<boolean> {
  const found = await rows(
    db,
    sql`update watches set muted_at = case when ${muted} then coalesce(muted_at, now()) end
      where watch_id = ${watchId}::uuid and removed_at is null and ${isOf(accountId)} returning watch_id`,
  )
  return found.length > 0
}

/** Whether a row is of the account; of any where none is given. */
export const isOf = (accountId: string | undefined) =>
  sql`(${accountId ?? null}::uuid is null or account_id = ${accountId ?? null}::uuid)`

/** Makes the watches from configuration of an account exactly these; those added by command are left alone. */
export async function syncConfiguredWatches(
  db: Database,
  accountId: string,
  definitions: readonly WatchDefinition[],
): Promise<void> {
  const kept: string[] = []
  for (const definition of definitions) kept.push((await addWatch(db, accountId, definition, true)).watchId)
  await sql`
    update watches set removed_at = now()
    where account_id = ${accountId}::uuid and from_configuration and removed_at is null
      and watch_id <> all(${kept}::uuid[])`.execute(db)
}

export interface WatchListed extends Watch {
  account: string
  fromConfiguration: boolean
  evaluatedAt: Date | null
  lastError: string | null
  events: number
  lastEventAt: Date | null
  /** Number of rankings it compares; null where its kind has none. */
  rankings: number | null
}

/** Active watches with their results, by account; of one account, by its name or its id, if it is given. */
export function listWatches(
  db: Database,
  { account, accountId }: { account?: string | undefined; accountId?: string | undefined },
): Promise<WatchListed[]> {
  return rows(
    db,
    sql<WatchListed>`
      select w.watch_id as "watchId", w.account_id as "accountId", a.name as account, w.definition, w.since,
        w.muted_at as "mutedAt", w.from_configuration as "fromConfiguration", w.evaluated_at as "evaluatedAt", w.last_error as "lastError",
        e.events, e.last_at as "lastEventAt",
        case when w.kind in ('top', 'moved', 'chart') then (
          select count(*)::int from watch_places p where p.watch_id = w.watch_id) end as rankings
      from watches w join accounts a using (account_id)
      cross join lateral (
        select count(*)::int as events, max(recorded_at) as last_at from watch_events e where e.watch_id = w.watch_id) e
      where w.removed_at is null and (${account ?? null}::text is null or a.name = ${account ?? null})
        and (${accountId ?? null}::uuid is null or w.account_id = ${accountId ?? null}::uuid)
      order by a.name, w.watch_id`,
  )
}

export const eventColumns = sql`e.event_id as "eventId", e.event_number::text as "eventNumber", e.watch_id as "watchId",
  e.kind, e.title, e.page, e.evidence, e.observed_at as "observedAt", e.recorded_at as "recordedAt"`

/** Events after a number that are told, oldest first; of all accounts where none is given. */
export function eventsAfter(
  db: Database,
  after: string,
  accountId: string | undefined,
  limit: number,
): Promise<(WatchEvent & { account: string })[]> {
  return rows(
    db,
    sql<WatchEvent & { account: string }>`
      select ${eventColumns}, a.name as account from watch_events e join accounts a using (account_id)
      where e.event_number > ${after}::bigint and not e.muted and (${accountId ?? null}::uuid is null or e.account_id = ${accountId ?? null}::uuid)
      order by e.event_number limit ${limit}`,
  )
}

/** The newest events of an account that are told, newest first. */
export function newestEvents(db: Database, accountId: string, limit: number): Promise<WatchEvent[]> {
  return rows(
    db,
    sql<WatchEvent>`
      select ${eventColumns} from watch_events e where e.account_id = ${accountId}::uuid and not e.muted
      order by e.event_number desc limit ${limit}`,
  )
}

/** What became of an event at one channel of its account. */
export interface ToldBy {
  kind: ChannelKind
  state: DeliveryState
  attempts: number
  lastError: string | null
  /** RFC 3339. */
  settledAt: string | null
}

export interface EventOfHistory extends WatchEvent {
  /** Found while its watch was muted: it was never sent. */
  muted: boolean
  definition: WatchDefinition
  /** Channels that it was or will be sent through, oldest first. */
  told: ToldBy[]
}

/**
 * The events of an account with what became of telling them, newest first, those of removed watches among them.
 * @param only before an event number, and of one watch
 */
export function historyOf(
  db: Database,
  accountId: string,
  { before, watchId, limit }: { before?: string | undefined; watchId?: string | undefined; limit: number },
): Promise<EventOfHistory[]> {
  return rows(
    db,
    sql<EventOfHistory>`
      select ${eventColumns}, e.muted, s.definition, (
          select coalesce(json_agg(json_build_object('kind', w.kind, 'state', d.state, 'attempts', d.attempts,
            'lastError', d.last_error, 'settledAt', d.settled_at) order by w.created_at, w.way_id), '[]')
          from watch_deliveries d join watch_ways w using (way_id) where d.event_id = e.event_id) as told
      from watch_events e join watches s using (watch_id)
      where e.account_id = ${accountId}::uuid and (${before ?? null}::bigint is null or e.event_number < ${before ?? null}::bigint)
        and (${watchId ?? null}::uuid is null or e.watch_id = ${watchId ?? null}::uuid)
      order by e.event_number desc limit ${limit}`,
  )
}

/** The number of the last event recorded up to a moment; 0 before the first. */
export async function eventNumberAt(db: Database, moment: Date | undefined): Promise<string> {
  const found = await firstRow(
    db,
    sql<{ number: string }>`
      select coalesce(max(event_number), 0)::text as number from watch_events
      where ${moment ?? null}::timestamptz is null or recorded_at < ${moment ?? null}`,
  )
  return found?.number ?? '0'
}

/** The apps of a watch with their names; for tracked ones, those the account tracks now. */
export async function appsOfWatch(
  db: Database,
  accountId: string,
  { app, country }: Extract<WatchDefinition, { app: string }> & { country?: string },
): Promise<Map<string, string>> {
  if (!(trackedSubjects as readonly string[]).includes(app)) return namesOfAppIds(db, [app], country ?? 'us')
  const role = { own: 'own', rivals: 'rival' }[app] ?? null
  const tracked = await rows(
    db,
    sql<{ storeId: string }>`
      select distinct store_id::text as "storeId" from tracked_apps
      where account_id = ${accountId}::uuid and (${role}::text is null or role = ${role})
        and (${country ?? null}::text is null or country = ${country ?? null})
      order by 1`,
  )
  return namesOfAppIds(
    db,
    tracked.map(({ storeId }) => storeId),
    country ?? 'us',
  )
}

/** Names of apps by their ids; `App <id>` for those without one. */
export async function namesOfAppIds(
  db: Database,
  storeIds: readonly string[],
  country: string,
): Promise<Map<string, string>> {
  const names = new Map((await labelsOfApps(db, storeIds, country)).map(({ storeId, name }) => [storeId, name]))
  return new Map(storeIds.map((storeId) => [storeId, names.get(storeId) ?? `App ${storeId}`]))
}
