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
  /** The apps' own fields in the entries. */
  sightings: AppSighting[]
}

/**
 * Ranks of some apps in a chart at one instant, from a list with gaps. Not a capture: other places, and apps that are not
 * named, are unknown.
 */
export interface ToldRanks extends ChartIdentity {
  capturedAt: Date
  /** As in a `ChartReading`. */
  statedDay?: string
  /** Whether other lists of the instant may complete it to a chart. */
  mayJoin: boolean
  /** Each app once; empty where the list only names apps. */
  ranks: ToldRank[]
  /** The apps' own fields in the list. */
  sightings: AppSighting[]
}

/** A place in a chart; a null rank means not among the first `depth`. */
export type ToldPlace = { rank: number; depth: null } | { rank: null; depth: number }

export type ToldRank = { storeId: string } & ToldPlace

/** Maximum places stored of a chart. */
export const chartBound = 200

export const holdsApps = ({ storeIds }: ChartReading): boolean => storeIds.some((id) => id !== null)

/** A unique key of a chart. */
export function chartKey(chart: ChartIdentity): string {
  return `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device}`
}
