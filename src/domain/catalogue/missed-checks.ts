import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { largeStorefronts } from '../../vocabulary/availability.ts'
import { confirmedAt, type Gap, gapRows } from './availability.ts'

/** Lookups that confirm what is known of tracked apps that their storefront did not list. */

/** An app to look up in a storefront. */
export interface MissedCheck {
  storeId: string
  country: string
  /** Where it is tracked and was missed. */
  trackedIn: string
}

const hourMs = 3_600_000
/** A storefront that gave no usable answer is asked again after so long. */
const retryMs = 24 * hourMs
/** Apps that nobody has missed for so long are left to the usual checks. */
const recentMs = 30 * 24 * hourMs
/** Storefronts asked beside the one the app is tracked in. */
const otherStorefronts = 4

/**
 * The lookups due now, in no order. A first miss is confirmed by a second lookup an hour later; once it is confirmed, other storefronts are
 * asked once each: those that showed the app last, then large ones.
 */
export async function dueMissedChecks(db: Database, now: Date): Promise<MissedCheck[]> {
  const tracked = await rows(
    db,
    sql<{ storeId: string; country: string }>`
      select distinct t.store_id::text as "storeId", t.country
      from (select distinct store_id, country from tracked_apps) t
      join missed_apps m on m.store_id = t.store_id and m.country = t.country
      where m.observed_at > ${new Date(now.getTime() - recentMs)}
      order by 1, 2`,
  )
  if (tracked.length === 0) return []
  const ids = `{${[...new Set(tracked.map(({ storeId }) => storeId))].join(',')}}`
  const [found, known] = await Promise.all([
    rows(db, sql<{ gap: Gap }>`${gapRows(sql`m.store_id = any(${ids}::bigint[])`)}`),
    rows(
      db,
      sql<Known>`
        select k.store_id::text as "storeId", k.country, k.looked_up_at as "lookedUpAt", r.last_observed_at as "seenAt"
        from app_checks k left join app_records r on r.store_id = k.store_id and r.country = k.country
        where k.store_id = any(${ids}::bigint[])`,
    ),
  ])
  const gapsOf = Map.groupBy(
    found.map(({ gap }) => gap).filter(({ backAt }) => backAt === null),
    ({ storeId }) => storeId,
  )
  const knownOf = Map.groupBy(known, ({ storeId }) => storeId)
  const due = tracked.flatMap(({ storeId, country }) => {
    const gaps = gapsOf.get(storeId) ?? []
    const home = gaps.find((gap) => gap.country === country)
    return home ? checksOf(home, gaps, knownOf.get(storeId) ?? [], now.getTime()) : []
  })
  return [...new Map(due.map((one) => [`${one.storeId} ${one.country}`, one])).values()]
}

interface Known {
  storeId: string
  country: string
  lookedUpAt: Date | null
  /** Null where it has no record. */
  seenAt: Date | null
}

function checksOf(home: Gap, gaps: readonly Gap[], known: readonly Known[], now: number): MissedCheck[] {
  const { storeId, country } = home
  const knownIn = new Map(known.map((one) => [one.country, one]))
  const lookedUp = (one: string) => knownIn.get(one)?.lookedUpAt?.getTime() ?? 0
  const seen = (one: string) => knownIn.get(one)?.seenAt?.getTime() ?? 0
  const check = (one: string): MissedCheck => ({ storeId, country: one, trackedIn: country })
  // What no storefront has ever shown is unknown, not removed.
  if (!known.some((one) => one.seenAt !== null)) return []
  if (confirmedAt(home) === undefined)
    return Math.max(home.lastAt, lookedUp(country)) <= now - hourMs ? [check(country)] : []
  const shown = known
    .filter((one) => one.seenAt !== null)
    .map((one) => one.country)
    .sort((one, other) => seen(other) - seen(one) || (one < other ? -1 : 1))
  const missedSince = new Set(gaps.filter((gap) => gap.lastAt >= home.firstAt).map((gap) => gap.country))
  return [...new Set([...shown, ...largeStorefronts])]
    .filter((one) => one !== country)
    .slice(0, otherStorefronts)
    .filter((one) => !missedSince.has(one) && seen(one) < home.firstAt && lookedUp(one) <= now - retryMs)
    .map(check)
}

/**
 * Apps to look up together with others, so that the answer proves something: an answer without any of the apps asked for is an upstream
 * in trouble as likely as a removal. The most rated of the storefront; where it has none, those of another one.
 */
export async function controlApps(
  db: Database,
  countries: readonly string[],
  storeIds: readonly string[],
  most: number,
): Promise<string[]> {
  if (most <= 0) return []
  for (const country of countries) {
    const found = await rows(
      db,
      sql<{ storeId: string }>`
        select store_id::text as "storeId" from app_records
        where country = ${country} and store_id::text <> all(${[...storeIds]}::text[])
        order by coalesce(rating_count, -1) desc, store_id desc limit ${Math.min(most, 2)}`,
    )
    if (found.length > 0) return found.map(({ storeId }) => storeId)
  }
  return []
}
