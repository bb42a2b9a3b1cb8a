import type { LogNormal } from './normal.ts'
import type { RankLevel } from './rank-models.ts'

/** Minimum variance of a chart, however exact its law: ranks fluctuate within a day. */
const rankJitter = 0.15 ** 2

export interface RankedIn {
  level: RankLevel
  law: string
}

/**
 * Combines the ranks of one app in several charts. The error of the app is common to all of them and is not averaged away;
 * the error of a law is common to the charts that use it; the rest is each chart's own.
 * @param ranked at least one
 * @returns with the share of each of them in the mean, in the given order
 */
export function ranksTogether(ranked: readonly RankedIn[]): LogNormal & { shares: number[] } {
  const app = Math.min(...ranked.map(({ level }) => level.app))
  const laws = [...Map.groupBy(ranked, ({ law }) => law).values()].map((charts) => {
    const law = Math.min(...charts.map(({ level }) => level.law))
    const own = charts.map(({ level }) => level.app - app + level.law - law + level.bridge + rankJitter)
    const precision = own.reduce((sum, variance) => sum + 1 / variance, 0)
    const shares = own.map((variance) => 1 / variance / precision)
    const mean = charts.reduce((sum, { level }, at) => sum + (shares[at] ?? 0) * level.mean, 0)
    return { charts, shares, mean, variance: law + 1 / precision }
  })
  const precision = laws.reduce((sum, { variance }) => sum + 1 / variance, 0)
  const shareOf = new Map(
    laws.flatMap(({ charts, shares, variance }) =>
      charts.map((chart, at) => [chart, (shares[at] ?? 0) / variance / precision] as const),
    ),
  )
  return {
    mean: laws.reduce((sum, { mean, variance }) => sum + mean / variance / precision, 0),
    sd: Math.sqrt(app + 1 / precision),
    shares: ranked.map((chart) => shareOf.get(chart) ?? 0),
  }
}
