import { type Law, lawAt, quantile, type Ranks } from './power-law.ts'

export const calibrationFormula = 'calibration/1'

/** A day on which both the rank of an own app and its own figure are known. */
export interface SalesPoint {
  /** `YYYY-MM-DD` */
  day: string
  rank: number
  /** Downloads or revenue of the day, above 0. */
  value: number
  /** What the model says without calibration; null where it says nothing. */
  before: number | null
}

export interface Fit extends Law {
  /** Whether the slope was fitted too, or is the usual one. */
  slopeFitted: boolean
  /** Factors around the law between which eight in ten of all points lie. */
  lowFactor: number
  highFactor: number
  /** Ranks observed. */
  ranks: Ranks
  /** Points the law was fitted to. */
  points: number
  /** Points of the latest days, kept for testing. */
  heldOut: number
  /** Median relative error on the points kept for testing; null when there is nothing to compare with. */
  errorBefore: number | null
  errorAfter: number
  /** Whether it is better than what was before on the days it was not fitted to. */
  used: boolean
}

/** Fewer days fit anything. */
export const fewestDays = 8
/** Of the days, the latest, kept for testing. */
const heldOutShare = 0.25
/** Ranks must span this factor before they tell a slope. */
const slopeSpan = 2

/**
 * Fits d = scale · rank^-slope to own figures by least squares of the logarithms. The latest quarter of the days is held
 * back and tells the error.
 * @param usualSlope taken where the ranks are too close together, or the figures do not fall with the rank
 * @returns undefined for fewer than eight days
 */
export function fitCalibration(points: readonly SalesPoint[], usualSlope: number): Fit | undefined {
  const days = [...new Set(points.map(({ day }) => day))].sort()
  if (days.length < fewestDays) return undefined
  const firstHeldOut = days[days.length - Math.floor(days.length * heldOutShare)] ?? ''
  const known = points.filter(({ day }) => day < firstHeldOut)
  const heldOut = points.filter(({ day }) => day >= firstHeldOut)
  const fitted = slopeOf(known)
  const slope = fitted ?? usualSlope
  const law = { scale: Math.exp(mean(known.map((p) => Math.log(p.value) + slope * Math.log(p.rank)))), slope }
  const factors = points.map((p) => p.value / lawAt(law, p.rank)).sort((one, other) => one - other)
  const compared = heldOut.filter(({ before }) => before !== null)
  const errorBefore = medianError(compared.map(({ value, before }) => [before ?? 0, value]))
  const errorOf = (tested: readonly SalesPoint[]) =>
    medianError(tested.map(({ rank, value }) => [lawAt(law, rank), value])) ?? Number.POSITIVE_INFINITY
  return {
    ...law,
    slopeFitted: fitted !== undefined,
    lowFactor: Math.min(1, quantile(factors, 0.1)),
    highFactor: Math.max(1, quantile(factors, 0.9)),
    ranks: { from: Math.min(...points.map((p) => p.rank)), to: Math.max(...points.map((p) => p.rank)) },
    points: known.length,
    heldOut: heldOut.length,
    errorBefore,
    errorAfter: errorOf(heldOut),
    used: errorBefore === null || errorOf(compared) < errorBefore,
  }
}

/** The slope the points tell; undefined when they cannot tell a falling one. */
function slopeOf(points: readonly SalesPoint[]): number | undefined {
  const x = points.map(({ rank }) => Math.log(rank))
  const y = points.map(({ value }) => Math.log(value))
  if (Math.max(...x) - Math.min(...x) < Math.log(slopeSpan)) return undefined
  const [mx, my] = [mean(x), mean(y)]
  const covariance = mean(x.map((value, index) => (value - mx) * ((y[index] ?? my) - my)))
  const slope = -covariance / mean(x.map((value) => (value - mx) ** 2))
  return slope > 0 ? slope : undefined
}

function medianError(pairs: readonly (readonly [said: number, real: number])[]): number | null {
  if (pairs.length === 0) return null
  const errors = pairs.map(([said, real]) => Math.abs(said - real) / real)
  return quantile(
    errors.sort((one, other) => one - other),
    0.5,
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
