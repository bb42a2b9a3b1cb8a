import type { AppSums, SlopePrior } from './day-errors.ts'
import { mixtureQuantile, z80 } from './distributions.ts'

/**
 * The prior of the error between apps, as the standard deviation of the logarithm between apps at one place: its square is
 * inverse-gamma with this scale, worth one and a half apps. Its median is 0.4, its 80 % range 0.2 to 1.29. Nothing is
 * published about it: it was chosen so that ranges cover rivals as often as they claim with three and with ten own apps
 * (`research/programs/estimate-coverage.ts`). One own app says nothing about the error between apps, so that with one only the prior
 * counts.
 */
const assumedBetweenApps = { scale: 0.308, freedom: 1.5 }

/** The normal with the same 80 % range as the prior predictive, which is a Student-t of one and a half degrees. */
export const priorAppSd = 0.489

/**
 * Share of the variance between apps that apps of one developer have in common. Nothing is published about it; with a share
 * of 0, ranges cover 59 to 74 % of days of rivals where the true share is a half (`research/programs/estimate-coverage.ts`).
 */
export const varianceSharedByDeveloper = 0.3

/** The law of a chart with its uncertainty, in the logarithm: level - slope · (x - centre). */
export interface LevelAndSlope {
  /** Where the errors of level and slope are independent. */
  centre: number
  level: number
  slope: number
  /** Variances of a day of another app around the law: of the level, of the slope for each unit of x, and between apps. */
  levelVariance: number
  slopeVariance: number
  appVariance: number
  /** Posterior median of the standard deviation between apps. */
  betweenApps: number
}

const least = 0.02
const most = 3
const steps = 80

/**
 * Weights every standard deviation between apps by the restricted likelihood of the own apps' levels and by the prior, on a
 * grid, and returns the predictive law for another app.
 * @param dayVariance of a day of one app around its own level
 * @param common share of the variance between apps that all own apps have in common
 */
export function fitBetweenApps(
  apps: readonly AppSums[],
  prior: SlopePrior,
  dayVariance: number,
  common: number,
  assumed = assumedBetweenApps,
): LevelAndSlope {
  const grid = Array.from({ length: steps }, (_, at) => least * (most / least) ** (at / (steps - 1)))
  const solved = grid.map((sd) => solve(apps, prior, sd, common))
  // The density of the logarithm of sd whose square is inverse-gamma, up to a constant.
  const scores = solved.map(
    ({ fit }, at) =>
      fit - assumed.freedom * (Math.log(grid[at] ?? 1) + (assumed.scale / (grid[at] ?? 1)) ** 2 / 2),
  )
  const best = Math.max(...scores)
  const raw = scores.map((score) => Math.exp(score - best))
  const sum = raw.reduce((total, weight) => total + weight, 0)
  const weights = raw.map((weight) => weight / sum)
  const mean = (of: (at: (typeof solved)[number], index: number) => number) =>
    solved.reduce((total, one, index) => total + (weights[index] ?? 0) * of(one, index), 0)
  const centre = mean(({ centre }) => centre)
  const slope = mean(({ slope }) => slope)
  const levelOf = (one: (typeof solved)[number]) => one.level - one.slope * (centre - one.centre)
  const level = mean(levelOf)
  const levelVariance = mean((one) => one.levelVariance)
  const appVariance = mean((_, at) => (grid[at] ?? 0) ** 2)
  const parts = solved.map((one, at) => ({
    weight: weights[at] ?? 0,
    mean: levelOf(one) - level,
    sd: Math.sqrt(one.levelVariance + (grid[at] ?? 0) ** 2 + dayVariance),
  }))
  // The tails of the mixture are heavier than a normal's: the variances are those of a normal with the same 80 % range.
  const half = (mixtureQuantile(parts, 0.9) - mixtureQuantile(parts, 0.1)) / 2
  const share = Math.max(0, (half / z80) ** 2 - dayVariance) / (levelVariance + appVariance)
  let below = 0
  const middle = weights.findIndex((weight) => {
    below += weight
    return below >= 0.5
  })
  return {
    centre,
    level,
    slope,
    levelVariance: levelVariance * share,
    slopeVariance: mean((one) => one.slopeVariance),
    appVariance: appVariance * share,
    betweenApps: grid[middle] ?? assumed.scale,
  }
}

/** Weighted least squares for one standard deviation between apps, part of it in common; the slope also has its prior. */
function solve(apps: readonly AppSums[], prior: SlopePrior, sd: number, common: number) {
  let [one, x, xx, y, xy, yy, logs] = [0, 0, 0, 0, 0, 0, 0]
  for (const app of apps) {
    const variance = (1 - common) * sd ** 2 + 1 / app.weight
    one += 1 / variance
    x += app.x / variance
    y += app.y / variance
    xx += app.x ** 2 / variance + app.xx
    xy += (app.x * app.y) / variance + app.xy
    yy += app.y ** 2 / variance
    logs += Math.log(variance)
  }
  const centre = x / one
  const mean = y / one
  const information = xx - x * centre + 1 / prior.sd ** 2
  const slope = (prior.slope / prior.sd ** 2 - (xy - x * mean)) / information
  const residual = yy - y * mean + prior.slope ** 2 / prior.sd ** 2 - slope ** 2 * information
  return {
    centre,
    level: mean,
    slope,
    levelVariance: 1 / one + common * sd ** 2,
    slopeVariance: 1 / information,
    fit: -0.5 * (logs + Math.log(one) + Math.log(information) + residual),
  }
}
