import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { type ChartKind, chartRow } from '../../vocabulary/chart-kinds.ts'
import {
  quantile,
  type RankLaw,
  type RankRange,
  rankLawAt,
  rankLawThrough,
  slopeOfRatio,
} from './distributions.ts'
import {
  type PublishedFactor,
  type PublishedLevel,
  type PublishedMarket,
  publishedFactors,
  publishedLevels,
  publishedMarkets,
  publishedSlopes,
} from './published.ts'

/** The published numbers for a chart, used before it is calibrated. */
export interface ChartPrior {
  /** Every level with every slope; their disagreement is the width of the range. */
  laws: readonly RankLaw[]
  /** Ranks that levels or slopes cover. */
  ranks: RankRange
  /** The sources, in words. */
  sources: string
  /** Of the oldest and of the newest level. */
  years: { from: number; to: number }
}

/**
 * The prior of a chart; undefined where nothing is published about it. Charts for iPad have none of their own.
 * @param published all levels, or fewer to test how well the others predict the rest
 */
export function chartPriorOf(
  { country, kind, categoryId, device }: ChartIdentity,
  published: readonly PublishedLevel[] = publishedLevels,
): ChartPrior | undefined {
  if (device !== 'iphone') return undefined
  const factor = publishedFactors.find((entry) => entry.country === country && entry.kind === kind)
  const levels = published.filter(
    (level) =>
      level.country === (factor?.of ?? country) && level.kind === kind && level.categoryId === categoryId,
  )
  if (levels.length === 0 || (factor && categoryId !== 36)) return undefined
  const slopes = [...slopesWithin(levels), ...publishedSlopes.filter((entry) => entry.kind === kind)]
  const market =
    chartRow(kind).ranksBy === 'revenue' && publishedMarkets.find((entry) => entry.country === country)
  const laws = market
    ? slopes.flatMap(({ slope }) => lawsOfMarket(market, slope))
    : levels
        .flatMap((level) => asOftenAsPublished(level, levels))
        .flatMap((level) => slopes.map(({ slope }) => rankLawThrough(level, slope)))
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

/**
 * Places of a grossing chart, and their assumed shares of a country's spending: nothing is published, and part of the
 * spending goes elsewhere.
 */
const placesOfMarket = 200
const sharesOfMarket = [1 / 3, 1 / Math.sqrt(3), 1]

/** Laws by which all places together have a share of a country's daily spending. */
function lawsOfMarket({ perYear }: PublishedMarket, slope: number): RankLaw[] {
  let all = 0
  for (let rank = 1; rank <= placesOfMarket; rank++) all += rankLawAt({ scale: 1, slope }, rank)
  return sharesOfMarket.map((share) => ({ scale: (share * perYear) / 365 / all, slope }))
}

/** The usual slope of a kind of chart: the median of those published. */
export function medianSlope(kind: ChartKind): number {
  const levels = publishedLevels.filter((level) => level.kind === kind && level.categoryId === 36)
  const slopes = [...slopesWithin(levels), ...publishedSlopes.filter((entry) => entry.kind === kind)]
  return quantile(
    slopes.map(({ slope }) => slope).sort((one, other) => one - other),
    0.5,
  )
}

/** Slopes implied by two ranks of one source and year. */
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

/** The largest ratio between numbers published for the same place. */
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

/** A number published once cannot disagree with itself: it gets the largest disagreement seen elsewhere. */
function asOftenAsPublished(level: PublishedLevel, levels: readonly PublishedLevel[]): PublishedLevel[] {
  const alone = levels.filter((other) => samePlace(level, other)).length === 1
  return alone ? unsure.map((factor) => ({ ...level, perDay: level.perDay * factor })) : [level]
}

function scaled(law: RankLaw, { factor }: PublishedFactor): RankLaw[] {
  return unsure.map((doubt) => ({ ...law, scale: law.scale * factor * doubt }))
}

const unsure = [1 / publishedDisagreement, 1, publishedDisagreement]

/**
 * How much an app moves in some days, as the variance of the logarithm of its downloads or revenue per day. Fitted to the
 * ranks of 20 charts of 2025 and 2026 (Finance in Japan over a year, apps and games in the United States, China and Japan
 * over 18 days), at a slope of 0.8, apps that left counted at twice the depth: most of the movement happens within a week,
 * since apps come back. The range covered 80 to 90 % of moves in Japan and 75 to 86 % in the others, from one day to ninety,
 * the longest measured; it was not tested on other charts. Growth beyond ninety days is an assumption.
 */
export function driftVariance(days: number): number {
  return settled * (1 - Math.exp(-days / settlingDays)) * Math.max(1, (days / lookedAtDays) ** 2)
}

const settled = 0.2
const settlingDays = 5
const lookedAtDays = 90

/** Maximum days between a rank and the day it is used for: alone, and with ratings beside it. */
export const maxDriftDays = { alone: lookedAtDays, withRatings: 365 }
