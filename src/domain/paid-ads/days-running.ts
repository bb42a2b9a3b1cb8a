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
 * Days from start to end of delivery, both counted. An ad that was not seen to end has run at least until it was last
 * observed, unless that observation showed that it no longer runs: then nobody knows. An end is seen when the ad no longer
 * runs, or its day has passed; one that is only announced can still be put off. Null where it cannot be told.
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
