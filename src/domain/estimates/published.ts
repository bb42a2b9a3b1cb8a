import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import { type Ranks, slopeOfRatio } from './distributions.ts'

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
  ranks: Ranks | null
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

const allCategories = 36
const games = 6014

const top = (year: number, rank: number, perDay: number, source: string): PublishedLevel => ({
  source,
  year,
  country: 'us',
  kind: 'top-free',
  categoryId: allCategories,
  rank,
  perDay,
})
const sensorTower2019 = 'Sensor Tower, September 2019 (apps without games)'
const sensorTower2022 = 'Sensor Tower 2022, as the press quoted it'
const distimo2013 = 'Distimo, June 2013'

/**
 * All published levels we know of: iPhone charts of the US, medians or averages per day. They contradict each other, and all
 * are kept. The level of a grossing chart for iPad alone is left out, since it is part of an app's revenue.
 * Sources: sensortower.com/blog/app-downloads-to-number-one; iphoneincanada.ca and fossbytes.com quoting Sensor Tower 2022;
 * fiercemobileit.com, 28 June 2013, quoting Distimo.
 */
export const publishedLevels: readonly PublishedLevel[] = [
  top(2016, 1, 136_000, sensorTower2019),
  top(2018, 1, 90_000, sensorTower2019),
  top(2019, 1, 94_000, sensorTower2019),
  top(2019, 1, 114_000, sensorTower2022),
  top(2020, 1, 185_000, sensorTower2022),
  top(2022, 1, 156_000, sensorTower2022),
  top(2019, 10, 51_000, sensorTower2022),
  top(2022, 10, 52_000, sensorTower2022),
  top(2013, 10, 72_000, distimo2013),
  { ...top(2019, 1, 174_000, 'Sensor Tower, September 2019 (games)'), categoryId: games },
  { ...top(2022, 10, 26_000, sensorTower2022), categoryId: games },
  { ...top(2013, 10, 4_000, distimo2013), kind: 'top-paid' },
  { ...top(2013, 10, 47_000, distimo2013), kind: 'top-grossing' },
  { ...top(2013, 50, 12_000, distimo2013), kind: 'top-grossing' },
]

/**
 * Published slopes. Slopes that two levels of one source and year imply are computed from the levels.
 * Sources: Garg and Telang, Inferring App Demand from Publicly Available Data, MISQ 37(4), 2013, abstract (rank 1 of a paid
 * chart has 150 times the downloads of rank 200 on iPhone and 120 times on iPad); Gianola, JECLP 2025, p. 7 fn. 22 (Italy
 * 2021, top free, as quoted elsewhere); Appeeky's public example for US games (ranks 1 and 100, of which only the ratio is
 * used).
 */
export const publishedSlopes: readonly PublishedSlope[] = [
  {
    source: 'Garg & Telang 2013, iPhone',
    kind: 'top-paid',
    slope: slopeOfRatio({ from: 1, to: 200 }, 150),
    ranks: { from: 1, to: 200 },
  },
  {
    source: 'Garg & Telang 2013, iPad',
    kind: 'top-paid',
    slope: slopeOfRatio({ from: 1, to: 200 }, 120),
    ranks: { from: 1, to: 200 },
  },
  { source: 'Gianola 2025, Italy', kind: 'top-free', slope: 0.7803, ranks: null },
  {
    source: 'Appeeky, US games',
    kind: 'top-free',
    slope: slopeOfRatio({ from: 1, to: 100 }, 1_500_000 / 34_000),
    ranks: { from: 1, to: 100 },
  },
]

/** Source: Distimo 2013, as above: Japan had 0.38 of the US at rank 25. */
export const publishedFactors: readonly PublishedFactor[] = [
  { source: distimo2013, country: 'jp', of: 'us', kind: 'top-free', rank: 25, factor: 0.38 },
]

/**
 * Published spending. Worldwide figures are left out, since no chart is worldwide, and market researchers' figures for one
 * country, which are estimates themselves. Source: A. Fradkin and J. Burley, study for Apple of the App Store in the US in
 * 2024, May 2025, as quoted by 3u.com and others: 53 billion dollars of digital goods and services, partly paid outside of
 * the App Store.
 */
export const publishedMarkets: readonly PublishedMarket[] = [
  {
    source: 'Fradkin and Burley for Apple, May 2025: digital goods and services, US, 2024',
    year: 2024,
    country: 'us',
    perYear: 53_000_000_000,
  },
]

/**
 * How much the level of a place changes in a year, as the standard deviation of the logarithm, for each year between a
 * published figure and the day. Downloads: rank 10 of US top free had 72,000 in 2013 and 52,000 in 2022. Revenue: US
 * spending on digital goods more than doubled from 2019 to 2024 (study for Apple as above).
 */
export const movesInYear = {
  downloads: Math.log(72_000 / 52_000) / (2022 - 2013),
  revenue: Math.log(2) / (2024 - 2019),
}
