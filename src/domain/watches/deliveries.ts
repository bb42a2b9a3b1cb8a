import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import type { DeliveryState } from '../../vocabulary/watches.ts'
import type { Channel } from './channels.ts'
import { eventColumns } from './queries.ts'
import type { WatchEvent } from './watch.ts'

/** Seconds for which a process claims a channel; a message takes less. */
const claimSeconds = 120
/** Seconds before the first retry after a failure, doubled with each up to the maximum. */
const firstRetrySeconds = 30
const longestRetrySeconds = 6 * 3_600
/** A delivery that fails for this many days is dead. */
const givenUpAfterDays = 3

/**
 * Channels without digests with something to send now. Retry times later than any pause come from a clock that was ahead,
 * and count as past.
 */
export async function dueChannels(db: Database): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ wayId: string }>`
      select way_id as "wayId" from watch_ways w
      where removed_at is null and muted_at is null and kind <> 'feed' and told_until is null and ${isUnclaimed} and exists (
        select from watch_deliveries d where d.way_id = w.way_id and d.state = 'pending')
      order by way_id`,
  )
  return found.map(({ wayId }) => wayId)
}

/**
 * Whether a channel may be claimed. Twice the longest pause: a transaction that began a little earlier must not take a claim
 * just made for one of a wrong clock.
 */
export const isUnclaimed = sql`(claimed_until is null or claimed_until <= now()
    or claimed_until > now() + make_interval(secs => ${2 * claimSeconds}))
  and (retry_at is null or retry_at <= now() or retry_at > now() + make_interval(secs => ${2 * longestRetrySeconds}))`

export interface OutgoingDelivery {
  /** Oldest first. */
  events: WatchEvent[]
  /** Number of events left for the next message. */
  more: number
}

/** The digest to send: events up to its end, of a channel that was notified up to its beginning. */
export interface DigestSpan {
  from: Date
  until: Date
  /** The channel's position when it was read. */
  notifiedUntil: Date
}

/**
 * Claims the pending deliveries of a channel for one process. The attempt is counted before it is made, so that a process
 * killed in the middle has made it. Deliveries that were attempted before are taken again alone, so that a message is the
 * same with each attempt.
 * @returns undefined when another process has claimed them, or the channel was removed or is not due
 */
export async function claimDeliveries(
  db: Database,
  channel: Channel,
  most: number,
  digest?: DigestSpan,
): Promise<OutgoingDelivery | undefined> {
  const until = digest?.until ?? null
  const waiting = sql`watch_deliveries d join watch_events e using (event_id)
    where d.way_id = ${channel.wayId}::uuid and d.state = 'pending'
      and (${until}::timestamptz is null or e.recorded_at < ${until}::timestamptz)`
  return inTransaction(db, async (transaction) => {
    const claimed = await firstRow(
      transaction,
      sql`
        update watch_ways set claimed_until = now() + make_interval(secs => ${claimSeconds}), digest_until = ${until}::timestamptz,
          digest_since = case when ${until}::timestamptz is not null then coalesce(digest_since, now()) end
        where way_id = ${channel.wayId}::uuid and removed_at is null and muted_at is null and ${isUnclaimed}
          and told_until is not distinct from ${digest?.notifiedUntil ?? null}::timestamptz
        returning way_id`,
    )
    if (!claimed) return undefined
    const events = await rows(
      transaction,
      sql<WatchEvent>`
        with taken as (
          update watch_deliveries set attempts = attempts + 1
          where delivery_id in (
            select delivery_id from ${waiting} and (d.attempts > 0 or not exists (
              select from ${waiting} and d.attempts > 0))
            order by e.event_number limit ${most})
          returning event_id)
        select ${eventColumns} from taken join watch_events e using (event_id) order by e.event_number`,
    )
    const all = await firstRow(
      transaction,
      sql<{ count: number }>`select count(*)::int as count from ${waiting}`,
    )
    return { events, more: (all?.count ?? 0) - events.length }
  })
}

/** Releases a channel without having sent anything. */
export async function releaseChannel(db: Database, wayId: string): Promise<void> {
  await sql`update watch_ways set claimed_until = null where way_id = ${wayId}::uuid`.execute(db)
}

/** Marks deliveries as sent, and ends the digest under way once nothing more of it is pending. */
export async function markDelivered(
  db: Database,
  channel: Channel,
  { events, more }: OutgoingDelivery,
): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await sql`
      update watch_deliveries set state = 'delivered', settled_at = now(), last_error = null
      where way_id = ${channel.wayId}::uuid and event_id = any(${idsOf(events)}::uuid[])`.execute(transaction)
    await sql`
      update watch_ways set claimed_until = null, failures = 0, retry_at = null, last_error = null,
        ${digestEndsWhen(sql`${more === 0}::boolean`)}
      where way_id = ${channel.wayId}::uuid`.execute(transaction)
  })
}

/** Moves a channel to the end of its digest; changes nothing for channels without one. */
const digestEndsWhen = (ended: RawBuilder<unknown>) => sql`
  told_until = case when ${ended} then coalesce(digest_until, told_until) else told_until end,
  digest_until = case when ${ended} then null else digest_until end,
  digest_since = case when ${ended} then null else digest_since end`

/**
 * Records a failure. The channel pauses, longer with each failure in a row. A delivery that has failed for days is dead, and
 * so is one whose message was refused for good. The days of a digest begin with its first attempt. A digest that is given up
 * ends, and the next one begins after it.
 */
export async function recordDeliveryFailure(
  db: Database,
  { wayId }: Channel,
  events: readonly WatchEvent[],
  { reason, isFinal }: { reason: string; isFinal: boolean },
): Promise<void> {
  const error = reason.slice(0, 500)
  await inTransaction(db, async (transaction) => {
    const isOld = (since: RawBuilder<unknown>) =>
      sql`(${isFinal} or ${since} < now() - make_interval(days => ${givenUpAfterDays}))`
    const isDead = isOld(sql`coalesce(w.digest_since, d.since)`)
    await sql`
      update watch_deliveries d set last_error = ${error}, state = case when ${isDead} then 'dead' else d.state end,
        settled_at = case when ${isDead} then now() end
      from watch_ways w
      where w.way_id = ${wayId}::uuid and d.way_id = w.way_id and d.event_id = any(${idsOf(events)}::uuid[])
        and d.state = 'pending'`.execute(transaction)
    await sql`
      update watch_ways set claimed_until = null, failures = failures + 1, last_error = ${error},
        retry_at = now() + make_interval(secs => least(${longestRetrySeconds},
          ${firstRetrySeconds} * power(2, least(failures, 20)))::double precision),
        ${digestEndsWhen(isOld(sql`digest_since`))}
      where way_id = ${wayId}::uuid`.execute(transaction)
  })
}

const idsOf = (events: readonly WatchEvent[]) => events.map(({ eventId }) => eventId)

export interface DeliveryListed {
  deliveryId: string
  account: string
  wayId: string
  kind: string
  state: DeliveryState
  attempts: number
  title: string
  since: Date
  settledAt: Date | null
  lastError: string | null
}

/** Deliveries, newest first. */
export function listDeliveries(
  db: Database,
  { account, state, limit }: { account?: string; state?: DeliveryState; limit: number },
): Promise<DeliveryListed[]> {
  return rows(
    db,
    sql<DeliveryListed>`
      select d.delivery_id as "deliveryId", a.name as account, d.way_id as "wayId", w.kind, d.state, d.attempts, e.title,
        d.since, d.settled_at as "settledAt", d.last_error as "lastError"
      from watch_deliveries d join watch_ways w using (way_id) join accounts a using (account_id)
        join watch_events e using (event_id)
      where (${account ?? null}::text is null or a.name = ${account ?? null})
        and (${state ?? null}::text is null or d.state = ${state ?? null})
      order by e.event_number desc, d.delivery_id limit ${limit}`,
  )
}

/** Makes dead deliveries pending again: the given one, or all of an account or of a channel. @returns their number */
export async function resendDeadDeliveries(
  db: Database,
  { deliveryId, account, wayId }: { deliveryId?: string; account?: string; wayId?: string },
): Promise<number> {
  return inTransaction(db, async (transaction) => {
    const again = await rows(
      transaction,
      sql<{ wayId: string }>`
        update watch_deliveries d set state = 'pending', since = now(), settled_at = null
        from watch_ways w join accounts a using (account_id)
        where w.way_id = d.way_id and w.removed_at is null and d.state = 'dead'
          and (${deliveryId ?? null}::uuid is null or d.delivery_id = ${deliveryId ?? null}::uuid)
          and (${account ?? null}::text is null or a.name = ${account ?? null})
          and (${wayId ?? null}::uuid is null or w.way_id = ${wayId ?? null}::uuid)
        returning d.way_id as "wayId"`,
    )
    await sql`
      update watch_ways set retry_at = null, failures = 0
      where way_id = any(${again.map(({ wayId }) => wayId)}::uuid[])`.execute(transaction)
    return again.length
  })
}
