import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import { type Law, lawAt, lawThrough, quantile, type Ranks, slopeOfRatio } from './power-law.ts'
import {
  type PublishedFactor,
  type PublishedLevel,
  type PublishedMarket,
  publishedFactors,
  publishedLevels,
  publishedMarkets,
  publishedSlopes,
} from './published.ts'

/** What published numbers say of a chart before anybody calibrated it. */
export interface Prior {
  /** Every level with every slope; that they disagree is the width of the range. */
  laws: readonly Law[]
  /** Ranks that levels or slopes speak about. */
  ranks: Ranks
  /** The sources, in words. */
  sources: string
  /** Of the oldest and of the newest level. */
  years: { from: number; to: number }
}

/**
 * The prior of a chart; undefined where nothing about it was published. Charts for iPad have none of their own.
 * @param published all levels, but where some are left out to see how well the others foretell them
 */
export function priorOf(
  { country, kind, categoryId, device }: ChartIdentity,
  published: readonly PublishedLevel[] = publishedLevels,
): Prior | undefined {
  if (device !== 'iphone') return undefined
  const factor = publishedFactors.find((entry) => entry.country === country && entry.kind === kind)
  const levels = published.filter(
    (level) =>
      level.country === (factor?.of ?? country) && level.kind === kind && level.categoryId === categoryId,
  )
  if (levels.length === 0 || (factor && categoryId !== 36)) return undefined
  const slopes = [...slopesWithin(levels), ...publishedSlopes.filter((entry) => entry.kind === kind)]
  const market = kind === 'top-grossing' && publishedMarkets.find((entry) => entry.country === country)
  const laws = market
    ? slopes.flatMap(({ slope }) => lawsOfMarket(market, slope))
    : levels
        .flatMap((level) => asOftenAsPublished(level, levels))
        .flatMap((level) => slopes.map(({ slope }) => lawThrough(level, slope)))
  const spoken = [
    ...levels.map(({ rank }) => ({ from: rank, to: rank })),
    ...slopes.flatMap(({ ranks }) => (ranks ? [ranks] : [])),
  ]
  const named = [...(market ? [market] : []), ...levels, ...slopes, ...(factor ? [factor] : [])]
  const years = (market ? [market] : levels).map(({ year }) => year)
  return {
    laws: factor ? laws.flatMap((law) => scaled(law, factor)) : laws,
    ranks: {
      from: Math.min(...spoken.map(({ from }) => from)),
      to: Math.max(...spoken.map(({ to }) => to)),
    },
    sources: [...new Set(named.map(({ source }) => source))].join('; '),
    years: { from: Math.min(...years), to: Math.max(...years) },
  }
}

/** Places of a grossing chart, and what they may have of what is paid in its country: nobody tells, some is paid elsewhere or for others. */
const placesOfMarket = 200
const sharesOfMarket = [1 / 3, 1 / Math.sqrt(3), 1]

/** Laws of which all places together have a share of what a country pays in a day. */
function lawsOfMarket({ perYear }: PublishedMarket, slope: number): Law[] {
  let all = 0
  for (let rank = 1; rank <= placesOfMarket; rank++) all += lawAt({ scale: 1, slope }, rank)
  return sharesOfMarket.map((share) => ({ scale: (share * perYear) / 365 / all, slope }))
}

/** The slope usual for a kind of chart: the median of those published. */
export function usualSlope(kind: ChartKind): number {
  const levels = publishedLevels.filter((level) => level.kind === kind && level.categoryId === 36)
  const slopes = [...slopesWithin(levels), ...publishedSlopes.filter((entry) => entry.kind === kind)]
  return quantile(
    slopes.map(({ slope }) => slope).sort((one, other) => one - other),
    0.5,
  )
}

/** Slopes that two ranks told by one source for one year imply. */
function slopesWithin(levels: readonly PublishedLevel[]) {
  return levels.flatMap((upper) =>
    levels
      .filter((lower) => lower.source === upper.source && lower.year === upper.year && lower.rank > upper.rank)
      .map((lower) => {
        const ranks = { from: upper.rank, to: lower.rank }
        return { source: upper.source, slope: slopeOfRatio(ranks, upper.perDay / lower.perDay), ranks }
      }),
  )
}

/** The largest factor by which numbers published for one and the same place differ. */
export const publishedDisagreement: number = Math.max(
  ...publishedLevels.flatMap((one) =>
    publishedLevels.filter((other) => samePlace(one, other)).map((other) => one.perDay / other.perDay),
  ),
)

function samePlace(one: PublishedLevel, other: PublishedLevel): boolean {
  return (
    one.country === other.country &&
    one.kind === other.kind &&
    one.categoryId === other.categoryId &&
    one.rank === other.rank
  )
}

/** A number published once cannot disagree with itself: it may be off by as much as others were seen to be. */
function asOftenAsPublished(level: PublishedLevel, levels: readonly PublishedLevel[]): PublishedLevel[] {
  const alone = levels.filter((other) => samePlace(level, other)).length === 1
  return alone ? unsure.map((factor) => ({ ...level, perDay: level.perDay * factor })) : [level]
}

function scaled(law: Law, { factor }: PublishedFactor): Law[] {
  return unsure.map((doubt) => ({ ...law, scale: law.scale * factor * doubt }))
}

const unsure = [1 / publishedDisagreement, 1, publishedDisagreement]
