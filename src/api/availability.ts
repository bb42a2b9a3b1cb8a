import type { z } from 'zod'
import type { Absence, Availability as Shape } from '../contract/shapes/availability.ts'
import type { StorefrontApp } from '../domain/catalogue/app.ts'
import { availabilityInWords, confirmedAt, type Gap } from '../domain/catalogue/availability.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'
import { evidenceOf } from './evidence.ts'

const shownAbsences = 20
const shownStorefronts = 30

const instant = (at: number) => new Date(at).toISOString()
const instantOrNull = (at: number | null | undefined) => (at === null || at === undefined ? null : instant(at))

/** @param inCharts times of the newest snapshots of charts of the storefront that show the app */
export function availabilityShape(
  { country, availability }: StorefrontApp,
  inCharts: readonly Date[],
): z.output<typeof Shape> {
  const { state, lastSeenAt, gap, askedSince, gaps, storefronts } = availability
  const charted = inCharts.map((at) => at.getTime()).filter((at) => gap !== null && at > gap.firstAt)
  const isMissedAnywhere = gaps.length > 0 || storefronts.some((one) => one.gap !== null)
  return {
    state,
    detail: availabilityInWords(country, availability),
    lastSeenAt: instantOrNull(lastSeenAt),
    since: instantOrNull(gap?.firstAt),
    stillInChartsAt: charted.length > 0 ? instant(Math.max(...charted)) : null,
    askedSince: askedSince as StorefrontCode[],
    storefronts: (isMissedAnywhere ? storefronts : []).slice(0, shownStorefronts).map((one) => ({
      country: one.country as StorefrontCode,
      state: one.state,
      lastSeenAt: instantOrNull(one.lastSeenAt),
      firstMissedAt: instantOrNull(one.gap?.firstAt),
      lastMissedAt: instantOrNull(one.gap?.lastAt),
    })),
    absences: absenceShapes({ availability }),
  }
}

/** The absences of an app in its storefront, newest first. */
export const absenceShapes = ({ availability: { gaps } }: Pick<StorefrontApp, 'availability'>) =>
  gaps.slice(0, shownAbsences).map(absenceShape)

function absenceShape(gap: Gap): z.output<typeof Absence> {
  const { country, lastSeenAt, firstAt, lastAt, misses, backAt, first, last } = gap
  const evidence = [evidenceOf(last, instant(lastAt), country), evidenceOf(first, instant(firstAt), country)]
  return {
    lastSeenAt: instantOrNull(lastSeenAt),
    firstMissedAt: instant(firstAt),
    lastMissedAt: instant(lastAt),
    misses,
    backAt: instantOrNull(backAt),
    confirmedAt: instantOrNull(confirmedAt(gap)),
    evidence: evidence.slice(0, first.readingId === last.readingId ? 1 : 2),
  }
}
