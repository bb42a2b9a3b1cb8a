import published from '../../data/published-ranks.json' with { type: 'json' }
import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import { type RankRange, slopeOfRatio } from './distributions.ts'

/** The published number of one place of a chart per day: downloads, or US dollars for top-grossing. */
export interface PublishedLevel {
  source: string
  year: number
  country: string
  kind: ChartKind
  /** 36 is all categories. */
  categoryId: number
  rank: number
  perDay: number
}

/** The published slope of a kind of chart, and the ranks it covers; null when not stated. */
export interface PublishedSlope {
  source: string
  kind: ChartKind
  slope: number
  ranks: RankRange | null
}

/** The published yearly spending on apps and in apps in a country. */
export interface PublishedMarket {
  source: string
  year: number
  country: string
  /** US dollars. */
  perYear: number
}

/** The published ratio of a country's downloads to another country's at one rank. */
export interface PublishedFactor {
  source: string
  country: string
  of: string
  kind: ChartKind
  rank: number
  factor: number
}

/**
 * All published levels we know of: iPhone charts of the US, medians or averages per day. They contradict each other, and all
 * are kept. The level of a grossing chart for iPad alone is left out, since it is part of an app's revenue.
 */
export const publishedLevels = published.levels as readonly PublishedLevel[]

/** Published slopes. Those that two levels of one source and year imply are computed from the levels. */
export const publishedSlopes = [
  ...published.slopes.map((row) => ({ ...row, ranks: null })),
  ...published.ratios.map(({ source, kind, from, to, upper, lower }) => {
    const ranks = { from, to }
    return { source, kind, slope: slopeOfRatio(ranks, upper / lower), ranks }
  }),
] as readonly PublishedSlope[]

export const publishedFactors = published.factors as readonly PublishedFactor[]

/**
 * Published spending. Worldwide figures are left out, since no chart is worldwide, and market researchers' figures for one
 * country, which are estimates themselves.
 */
export const publishedMarkets: readonly PublishedMarket[] = published.markets

/**
 * How much the level of a place changes in a year, as the standard deviation of the logarithm, for each year between a
 * published figure and the day. Downloads: rank 10 of US top free had 72,000 in 2013 and 52,000 in 2022. Revenue: US
 * spending on digital goods more than doubled from 2019 to 2024 (study for Apple as above).
 */
export const yearlyLevelSd = {
  downloads: Math.log(72_000 / 52_000) / (2022 - 2013),
  revenue: Math.log(2) / (2024 - 2019),
}
