import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { AppSighting } from '../catalogue/listing.ts'

/** One capture of one chart, as a source showed it. */
export interface ChartReading extends ChartIdentity {
  capturedAt: Date
  /**
   * The date of the capture where the source states a date without a time; otherwise it follows from the storefront's
   * clock.
   */
  statedDay?: string
  /** Places requested from Apple; null when the source does not say. */
  requested: number | null
  /** App ids in the order of their ranks; null where an entry could not be read. */
  storeIds: (string | null)[]
  /** Whether other readings hold more places of the same capture: long charts are collected in parts. */
  inParts?: boolean
  /** What the entries say about the apps. */
  sightings: AppSighting[]
}

/**
 * Ranks of some apps in a chart at one instant, as a list with gaps tells them. No capture: nothing is known of the other
 * places, nor of apps that are not named.
 */
export interface ToldRanks extends ChartIdentity {
  capturedAt: Date
  /** As of a `ChartReading`. */
  statedDay?: string
  /** Whether it may be a part of the chart that other lists of the instant complete. */
  mayJoin: boolean
  /** Each app once; empty where the list only names apps. */
  ranks: ToldRank[]
  /** What the list says about the apps. */
  sightings: AppSighting[]
}

/** A place in a chart; or none among the first `depth`, where the rank is null. */
export type ToldPlace = { rank: number; depth: null } | { rank: null; depth: number }

export type ToldRank = { storeId: string } & ToldPlace

/** Places stored of a chart. */
export const chartBound = 200

export const holdsApps = ({ storeIds }: ChartReading): boolean => storeIds.some((id) => id !== null)

/** A unique key of a chart. */
export function chartKey(chart: ChartIdentity): string {
  return `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device}`
}
