/** How often an app had been rated at one moment. */
export interface RatingMoment {
  observedAt: Date
  ratingCount: number
}

/** Ratings that came in between two observations; undefined where no two can carry a number. */
export interface RatingGrowth<Moment extends RatingMoment> {
  days: number
  added: { value: number; from: Moment; to: Moment } | undefined
}

/** Days over which growth is told. */
const growthDays = [7, 30, 90] as const

/**
 * The growth up to the newest observation: against the newest one that is at least so many UTC days older, and at most
 * twice as many, since over a longer time it would be another number.
 * @param observations newest first
 */
export function ratingGrowth<Moment extends RatingMoment>(
  observations: readonly Moment[],
): RatingGrowth<Moment>[] {
  const [newest] = observations
  return growthDays.map((days) => {
    const older = newest && observations.find((moment) => daysBetween(moment, newest) >= days)
    if (!newest || !older || daysBetween(older, newest) > 2 * days) return { days, added: undefined }
    const value = newest.ratingCount - older.ratingCount
    return { days, added: { value, from: older, to: newest } }
  })
}

const utcDay = ({ observedAt }: RatingMoment) => Math.floor(observedAt.getTime() / 86_400_000)
const daysBetween = (one: RatingMoment, other: RatingMoment) => utcDay(other) - utcDay(one)
