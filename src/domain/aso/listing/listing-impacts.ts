import type { Database } from '../../../storage/database.ts'
import { storefrontDay } from '../../../vocabulary/storefront-day.ts'
import { dayNumber } from '../pages/rank-days.ts'
import { type ChangeDays, type Impact, impactOf } from './impact.ts'
import { chartStands, keywordStands } from './impact-queries.ts'

/** The rank movement so many days after a change. */
export interface ListingImpact {
  afterDays: number
  charts: Impact
  keywords: Impact
  /** Number of other changes that were first seen within that many days of it, before or after. */
  otherChanges: number
}

/** Days after a change for which its impact is reported. */
const impactDays = [7, 14, 28] as const
/** Days before the oldest change over which the usual movement is measured. */
const daysBefore = 90
/**
 * The rank movements of an app in a storefront after each of these changes. Five reads.
 * @param changes at least one
 */
export async function impactsOf(
  db: Database,
  { storeId, country }: { storeId: string; country: string },
  termIds: readonly number[],
  changes: readonly { lastSeenAt: Date; firstSeenAt: Date }[],
): Promise<ListingImpact[][]> {
  const days = changes.map(({ lastSeenAt, firstSeenAt }): ChangeDays => {
    const [lastSeen, firstSeen] = [lastSeenAt, firstSeenAt].map((at) => dayNumber(storefrontDay(country, at)))
    return { lastSeen: lastSeen ?? 0, firstSeen: firstSeen ?? 0 }
  })
  const from = Math.min(...days.map(({ lastSeen }) => lastSeen)) - daysBefore
  const to = Math.max(...days.map(({ firstSeen }) => firstSeen)) + daysBefore
  const [charts, keywords] = await Promise.all([
    chartStands(db, storeId, country, from, to),
    keywordStands(db, storeId, country, termIds, from, to),
  ])
  return days.map((change) =>
    impactDays.map((afterDays) => ({
      afterDays,
      charts: impactOf(charts, change, afterDays),
      keywords: impactOf(keywords, change, afterDays),
      otherChanges: days.filter(
        (other) => other !== change && Math.abs(other.firstSeen - change.firstSeen) <= afterDays,
      ).length,
    })),
  )
}
