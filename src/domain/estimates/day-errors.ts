/**
 * The distribution of days of own apps around a law: one level for each app, one slope and one spread for all. Figures are
 * counts (including days of 0) around a rate that is log-normal with heavy tails, so that outliers get little weight.
 *
 * Fitted by reweighting: Student-t of 4 degrees as a scale mixture of normals (Lange, Little and Taylor, Robust Statistical
 * Modeling Using the t Distribution, JASA 84, 1989), the count by its quadratic approximation at the most likely rate of the
 * day (Breslow and Clayton, Approximate Inference in Generalized Linear Mixed Models, JASA 88, 1993).
 */

/** A day of an own app. */
export interface Day {
  /** Logarithm of the rank. */
  x: number
  /** The figure; 0 and, for revenue, negative values are ordinary days. */
  value: number
}

/** Weighted sums over the days of one app, in the logarithm. */
export interface AppSums {
  /** One over the variance of the app's level, from its days alone. */
  weight: number
  x: number
  y: number
  xx: number
  xy: number
}

export interface DayErrors {
  apps: AppSums[]
  /** Scale of the errors between days of one app, in the logarithm. */
  spread: number
}

/** The prior of a slope. */
export interface SlopePrior {
  slope: number
  sd: number
}

const freedom = 4
/** The prior of the spread between days of one app, and its weight in days. */
const priorSpread = 0.25
const priorSpreadDays = 4
const rounds = 60
/** Money is no count. A day with less than this share of the app's usual day counts as one without any. */
const leastShare = 0.01

/** @param counted whether figures are counts; else they are money */
export function dayErrors(apps: readonly (readonly Day[])[], prior: SlopePrior, counted: boolean): DayErrors {
  let slope = prior.slope
  let levels = apps.map((days) =>
    median(days.map(({ x, value }) => Math.log(Math.max(value, 0.5)) + slope * x)),
  )
  const away = apps.flatMap((days, at) =>
    days.map(({ x, value }) => Math.abs(Math.log(Math.max(value, 0.5)) + slope * x - (levels[at] ?? 0))),
  )
  let spread = Math.max(priorSpread / 2, Math.min(2, 1.4826 * median(away)))
  let sums: AppSums[] = []
  const weights = apps.map((days) => days.map(() => 1))
  const all = apps.reduce((sum, days) => sum + days.length, 0)
  for (let round = 0; round < rounds; round++) {
    let squares = priorSpreadDays * priorSpread ** 2
    sums = apps.map((days, app) => {
      const total = { weight: 0, x: 0, y: 0, xx: 0, xy: 0 }
      const level = levels[app] ?? 0
      const least = Math.log(leastShare) + level
      for (const [at, { x, value }] of days.entries()) {
        const expected = level - slope * x
        const variance = spread ** 2 / (weights[app]?.[at] ?? 1)
        const seen = counted
          ? seenCount(value, expected, variance)
          : seenMoney(value, expected, variance, least - slope * x)
        const squared = (seen.rate - expected) ** 2 + seen.rateVariance
        const robust = (freedom + 1) / (freedom + squared / spread ** 2)
        const row = weights[app]
        if (row) row[at] = robust
        squares += robust * squared
        const weight = 1 / (spread ** 2 / robust + seen.noise)
        total.weight += weight
        total.x += weight * x
        total.y += weight * seen.y
        total.xx += weight * x * x
        total.xy += weight * x * seen.y
      }
      const [mx, my] = [total.x / total.weight, total.y / total.weight]
      return {
        weight: total.weight,
        x: mx,
        y: my,
        xx: total.xx - total.weight * mx * mx,
        xy: total.xy - total.weight * mx * my,
      }
    })
    const xx = sums.reduce((sum, app) => sum + Math.max(0, app.xx), 0)
    const xy = sums.reduce((sum, app) => sum + app.xy, 0)
    const before = [slope, spread]
    slope = (prior.slope / prior.sd ** 2 - xy) / (1 / prior.sd ** 2 + xx)
    levels = sums.map(({ x, y }) => y + slope * x)
    const known = Math.max(1, all - apps.length)
    spread = Math.sqrt(squares / (priorSpreadDays + known))
    if (Math.abs(slope - (before[0] ?? 0)) + Math.abs(spread - (before[1] ?? 0)) < 1e-9) break
  }
  return { apps: sums.map((app) => ({ ...app, xx: Math.max(0, app.xx) })), spread }
}

interface Seen {
  /** The most likely logarithm of the day's rate, with its uncertainty. */
  rate: number
  rateVariance: number
  /** The likelihood of the figure alone, as a normal around `y`. */
  y: number
  noise: number
}

/** The mode of the product of count and normal, by Newton's method, which cannot overshoot from below the root. */
function seenCount(count: number, expected: number, variance: number): Seen {
  const steps = 40
  let rate = Math.min(expected, Math.log(count + 0.5))
  for (let step = 0; step < steps; step++) {
    const gradient = count - Math.exp(rate) - (rate - expected) / variance
    const move = gradient / (Math.exp(rate) + 1 / variance)
    rate += Math.max(-2, Math.min(2, move))
    if (Math.abs(move) < 1e-10) break
  }
  const mean = Math.max(Math.exp(rate), 1e-6)
  return {
    rate,
    rateVariance: 1 / (mean + 1 / variance),
    y: rate + Math.max(-10, Math.min(10, (count - mean) / mean)),
    noise: 1 / mean,
  }
}

/** A day with almost no money is only known to be below the minimum. */
function seenMoney(value: number, expected: number, variance: number, least: number): Seen {
  const y = Math.log(Math.max(value, 1e-9))
  if (y >= least) return { rate: y, rateVariance: 0, y, noise: 0 }
  const rate = Math.min(expected, least)
  return { rate, rateVariance: variance / 4, y: rate, noise: 0 }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}
