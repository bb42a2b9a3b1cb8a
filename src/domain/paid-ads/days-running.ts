export const deliveryDaysFormula = 'delivery-days/2'

const day = 86_400_000

/**
 * Days from start to end of delivery, both included. Without a known end an ad has run until its last observation, unless
 * that one showed that it no longer runs: then the end is unknown. Null where it cannot be computed.
 */
interface DaysRunning {
  value: number
  relation: 'exact' | 'at-least'
}

/**
 * Days from start to end of delivery, both counted. An ad without an observed end has run at least until its last
 * observation, unless that one showed that it no longer runs: then the number is unknown. An end is observed when the ad no
 * longer runs, or its day has passed; an announced one may still be postponed. Null where it cannot be computed.
 */
export function daysRunning(ad: {
  /** A library can state an end in the future. */
  startedOn: string | null
  endedOn: string | null
  active: boolean | null
  lastObservedAt: Date
}): DaysRunning | null {
  if (ad.startedOn === null) return null
  const observedOn = ad.lastObservedAt.toISOString().slice(0, 10)
  const ran = ad.endedOn ?? (ad.active === false ? null : observedOn)
  if (ran === null) return null
  const end = ran < observedOn ? ran : observedOn
  const value = (Date.parse(end) - Date.parse(ad.startedOn)) / day + 1
  const ended = ad.endedOn !== null && ad.active !== true && (ad.active === false || ran < observedOn)
  return value >= 1 ? { value, relation: ended && ran <= observedOn ? 'exact' : 'at-least' } : null
}
