export const deliveryDaysFormula = 'delivery-days/1'

const day = 86_400_000

/**
 * Days from start to end of delivery, both counted. An ad that was not seen to end has run until it was last observed,
 * unless that observation showed that it no longer runs: then nobody knows. Null where it cannot be told.
 */
export function daysRunning(ad: {
  /** `YYYY-MM-DD`, as `endedOn`. */
  startedOn: string | null
  endedOn: string | null
  active: boolean | null
  lastObservedAt: Date
}): number | null {
  if (ad.startedOn === null) return null
  const observedOn = ad.lastObservedAt.toISOString().slice(0, 10)
  const ran = ad.endedOn ?? (ad.active === false ? null : observedOn)
  if (ran === null) return null
  // A library can announce an end that is still to come.
  const end = ran < observedOn ? ran : observedOn
  const days = (Date.parse(end) - Date.parse(ad.startedOn)) / day + 1
  return days >= 1 ? days : null
}
