import { sql } from 'kysely'
import { DateTime } from 'luxon'
import { type Database, rows } from '../../storage/database.ts'
import type { Digest } from '../../vocabulary/watches.ts'
import { type DigestSpan, isUnclaimed } from './deliveries.ts'

/** The hour at which digests are sent, in the time zone of the account. */
const sentAtHour = 7

/** The fields of a channel with digests that decide whether one is due. */
interface DigestChannel {
  wayId: string
  digest: Exclude<Digest, 'immediate'>
  /** The end of the time it was notified of. */
  notifiedUntil: Date
  /** The end of the digest that was attempted and not settled. */
  digestUntil: Date | null
  /**
   * Whether deliveries from before are pending: dead ones that are sent again, or those pending when digests were chosen.
   */
  hasLate: boolean
  /** IANA name. */
  timeZone: string
}

/** Channels with a digest to send now. */
export async function dueDigests(db: Database, now: Date): Promise<string[]> {
  const channels = await digestChannels(db, undefined)
  return channels.filter((channel) => dueDigestSpan(channel, now)).map(({ wayId }) => wayId)
}

/** The digest a channel has to send now; undefined for none, and while another process sends. */
export async function dueDigestOf(db: Database, wayId: string, now: Date): Promise<DigestSpan | undefined> {
  const [channel] = await digestChannels(db, wayId)
  return channel && dueDigestSpan(channel, now)
}

function digestChannels(db: Database, wayId: string | undefined): Promise<DigestChannel[]> {
  return rows(
    db,
    sql<DigestChannel>`
      select w.way_id as "wayId", w.digest, w.told_until as "notifiedUntil", w.digest_until as "digestUntil",
        coalesce(t.time_zone, 'UTC') as "timeZone", exists (
          select from watch_deliveries d join watch_events e using (event_id)
          where d.way_id = w.way_id and d.state = 'pending' and e.recorded_at < w.told_until) as "hasLate"
      from watch_ways w left join watch_times t using (account_id)
      where removed_at is null and muted_at is null and told_until is not null and ${isUnclaimed}
        and (${wayId ?? null}::uuid is null or w.way_id = ${wayId ?? null}::uuid)
      order by w.way_id`,
  )
}

/**
 * The digest that is due: the one under way, or all whole days or weeks since the last one, on the morning after they end.
 * It begins at least a day or a week before its end, for its list of missing measurements.
 */
export function dueDigestSpan(
  { digest, notifiedUntil, digestUntil, hasLate, timeZone }: Omit<DigestChannel, 'wayId'>,
  now: Date,
): DigestSpan | undefined {
  const local = DateTime.fromJSDate(now, { zone: timeZone })
  const [unit, one] = digest === 'daily' ? (['day', { days: 1 }] as const) : (['week', { weeks: 1 }] as const)
  const newest = local.startOf(unit)
  const ended = (local >= newest.set({ hour: sentAtHour }) ? newest : newest.minus(one)).toJSDate()
  const spanTo = (until: Date): DigestSpan => {
    const whole = DateTime.fromJSDate(until, { zone: timeZone }).minus(one).toJSDate()
    return { from: notifiedUntil < whole ? notifiedUntil : whole, until, notifiedUntil }
  }
  if (digestUntil !== null && digestUntil <= now) return spanTo(digestUntil)
  // A channel notified beyond tomorrow was so by a clock that was ahead.
  const wasAhead = notifiedUntil > local.plus({ days: 1 }).toJSDate()
  if (notifiedUntil < ended || wasAhead) return spanTo(ended)
  return hasLate ? spanTo(notifiedUntil) : undefined
}
