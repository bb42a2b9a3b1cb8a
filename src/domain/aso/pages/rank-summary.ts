import { visibilityOf } from '../scores/visibility.ts'
import type { RankChange, RankState } from './rank-days.ts'

/** A keyword with an app's rank on its newest page. */
export interface RankedKeyword {
  term: string
  rank: RankState
  /** When that page was captured; null without one. */
  pageAt: Date | null
  /** Autocomplete strength; null when not measured. */
  autocomplete: number | null
}

/** The visibility of an app for a set of keywords, and its inputs. */
interface VisibilitySummary {
  /** 0 to 100; undefined when nothing is measured. */
  share: number | undefined
  keywords: number
  measured: number
  ranked: number
  /** Share of the keywords that are measured; null without keywords. */
  coverage: number | null
  oldestPageAt: Date | null
  newestPageAt: Date | null
  /** The keywords that are measured, unordered. */
  terms: string[]
}

/** Number of keywords by rank; those that do not count for the visibility count as not measured here, too. */
export interface RankDistribution {
  keywords: number
  top3: number
  top10: number
  top50: number
  ranked: number
  absent: number
  notMeasured: number
}

/** Maximum age in days of a page that counts, relative to the newest one of the set, or to the day of a series. */
export const maxPageAgeDays = 30

/** The keywords that count: with a page at most 30 days older than the newest one of the set. */
function fresh<S extends Omit<RankedKeyword, 'term'>>(keywords: readonly S[]): S[] {
  const newest = Math.max(...keywords.map(({ pageAt }) => pageAt?.getTime() ?? Number.NEGATIVE_INFINITY))
  const oldest = newest - maxPageAgeDays * 86_400_000
  return keywords.filter(
    ({ rank, pageAt }) => rank.state !== 'not-measured' && pageAt !== null && pageAt.getTime() >= oldest,
  )
}

export function visibilityOver(keywords: readonly RankedKeyword[]): VisibilitySummary {
  const counted = fresh(keywords)
  const times = counted.flatMap(({ pageAt }) => (pageAt ? [pageAt.getTime()] : []))
  return {
    share: visibilityOf(
      counted.map(({ rank, autocomplete }) => ({
        place: rank.state === 'measured' ? rank.value : null,
        autocomplete: autocomplete ?? undefined,
      })),
    ),
    keywords: keywords.length,
    measured: counted.length,
    ranked: counted.filter(({ rank }) => rank.state === 'measured').length,
    coverage: measuredShare(counted.length, keywords.length),
    oldestPageAt: times.length > 0 ? new Date(Math.min(...times)) : null,
    newestPageAt: times.length > 0 ? new Date(Math.max(...times)) : null,
    terms: counted.map(({ term }) => term),
  }
}

/** A share with three decimals; null when there is nothing to share. */
export function measuredShare(measured: number, all: number): number | null {
  return all === 0 ? null : Math.round((1000 * measured) / all) / 1000
}

export function rankDistributionOf(keywords: readonly Omit<RankedKeyword, 'term'>[]): RankDistribution {
  const counted = fresh(keywords)
  const ranks = counted.flatMap(({ rank }) => (rank.state === 'measured' ? [rank.value] : []))
  const within = (places: number) => ranks.filter((rank) => rank <= places).length
  return {
    keywords: keywords.length,
    top3: within(3),
    top10: within(10),
    top50: within(50),
    ranked: ranks.length,
    absent: counted.length - ranks.length,
    notMeasured: keywords.length - counted.length,
  }
}

/** Number of keywords by direction of movement; the counts add up to all keywords. */
export interface RankMovement {
  climbed: number
  fallen: number
  unchanged: number
  entered: number
  left: number
  absent: number
  notMeasured: number
}

export function rankMovementOf(changes: readonly RankChange[]): RankMovement {
  const count = (fits: (change: RankChange) => boolean) => changes.filter(fits).length
  return {
    climbed: count((change) => change.state === 'measured' && change.places > 0),
    fallen: count((change) => change.state === 'measured' && change.places < 0),
    unchanged: count((change) => change.state === 'measured' && change.places === 0),
    entered: count(({ state }) => state === 'entered'),
    left: count(({ state }) => state === 'left'),
    absent: count(({ state }) => state === 'absent'),
    notMeasured: count(({ state }) => state === 'not-measured'),
  }
}
