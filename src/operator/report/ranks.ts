import {
  compactRank,
  dayNumber,
  type RankChange,
  type RankState,
  rankChangeBetween,
  rankChangeOver,
  rankChangeWindows,
  rankOnDay,
  rankOnPage,
} from '../../domain/aso/pages/rank-days.ts'
import {
  type RankDistribution,
  type RankMovement,
  rankDistributionOf,
  rankMovementOf,
} from '../../domain/aso/pages/rank-summary.ts'
import { keywordFacts, keywordHistories } from '../../domain/aso/tracking/workstation-queries.ts'
import { chartHistory, type HistoryDay, type KnownDay } from '../../domain/charts/history.ts'
import { provenanceOfCapture } from '../../domain/charts/history-queries.ts'
import { chartInWords, placesMoved, weightOfMove } from '../../domain/moves/moves.ts'
import type { Database } from '../../storage/database.ts'
import { chartName } from '../../vocabulary/chart-identity.ts'
import { mainSurface } from '../../vocabulary/search-surfaces.ts'
import { lastDaysOfWeek, type Week } from './week.ts'

/** Days in a drawing: the week and the three before it. */
const drawnDays = 28

/** The ranks of something in a week. */
export interface RankedWeek {
  name: string
  /** The value of each day, oldest first: a rank, `>` with the depth where absent, null where not measured. */
  drawn: readonly (number | string | null)[]
  /** The ranks on the first and the last measured day of the week. */
  first: RankState
  last: RankState
  best: number | undefined
  change: RankChange
  measuredDays: number
}

export interface KeywordsWeek {
  /** Those whose rank changed, moves near the top first. */
  moved: RankedWeek[]
  /** Keywords without a result page in the week. */
  unmeasured: string[]
  distribution: RankDistribution
  movement: RankMovement
}

interface App {
  appId: string
  storeId: string
  country: string
}

const notMeasured = { state: 'not-measured', reason: 'no-snapshot' } as const

/** Charts with the app on a drawn day, best rank first. */
export async function chartsOfWeek(db: Database, { storeId, country }: App, week: Week): Promise<RankedWeek[]> {
  const days = lastDaysOfWeek(week, drawnDays)
  const to = days.at(-1) ?? ''
  const asked = (from: string) => chartHistory(db, { storeId, country, only: {}, from, to }, week.until)
  const [drawn, ofWeek] = [await asked(days[0] ?? to), await asked(week.days[0] ?? to)]
  const best = new Map(ofWeek.series.map(({ chart, best: { rank } }) => [chartName(chart), rank]))
  return drawn.series.map(({ chart, days: all }) => {
    const captured = all.slice(-week.days.length).filter(isCaptured)
    const [first, last] = [captured[0], captured.at(-1)]
    return {
      name: chartInWords(chart),
      drawn: all.map((day) => (day.capture ? (day.rank ?? `>${day.depth}`) : null)),
      first: rankOfDay(first),
      last: rankOfDay(last),
      best: best.get(chartName(chart)),
      change: changeInChart(first, last),
      measuredDays: captured.length,
    }
  })
}

/** Ranks from lists with gaps are drawn, but only captures are compared. */
const isCaptured = (day: HistoryDay): day is CapturedDay => day.capture !== null && day.inSnapshot

type CapturedDay = Extract<HistoryDay, KnownDay>

const rankOfDay = (day: CapturedDay | undefined): RankState =>
  day ? rankOnPage(day.rank, day.depth ?? undefined) : notMeasured

/** Captures of different feeds of a chart are not compared. */
function changeInChart(first: CapturedDay | undefined, last: CapturedDay | undefined): RankChange {
  const [then, now] = [first, last].map((day) => day?.capture && provenanceOfCapture(day.capture.readAs).source)
  if (!first || first === last || then !== now) return notMeasured
  return rankChangeBetween(rankOfDay(first), rankOfDay(last), first.date)
}

/**
 * The keywords of a tracked app, on the Search API. A rank is that of the newest page of the week, and a change that from a page a week or two older, as
 * in the workstation.
 */
export async function keywordsOfWeek(db: Database, app: App, week: Week): Promise<KeywordsWeek> {
  const facts = await keywordFacts(db, app.appId, mainSurface)
  const days = lastDaysOfWeek(week, drawnDays)
  const window = { from: days[0] ?? '', to: days.at(-1) ?? '' }
  const [first, last] = [week.days[0] ?? '', window.to].map(dayNumber) as [number, number]
  const historyOf = await keywordHistories(db, app, facts, window)
  const keywords = facts.map((keyword) => {
    const { ranks, depths } = historyOf(keyword)
    const inWeek = week.days.map(dayNumber).filter((day) => depths?.at(day) !== undefined)
    const newest = depths?.newest(first, last)
    const rank = newest === undefined ? notMeasured : rankOnDay(ranks, depths, newest)
    const ranked = inWeek.flatMap((day) => ranks?.at(day) ?? [])
    return {
      name: keyword.term,
      autocomplete: keyword.autocomplete,
      pageAt: newest === undefined ? null : new Date(newest * 86_400_000),
      rank,
      drawn: days.map((day) => compactRank(ranks, depths, dayNumber(day))),
      first: inWeek[0] === undefined ? notMeasured : rankOnDay(ranks, depths, inWeek[0]),
      last: rank,
      best: ranked.length > 0 ? Math.min(...ranked) : undefined,
      change:
        newest === undefined ? notMeasured : rankChangeOver(ranks, depths, newest, rankChangeWindows.over7Days),
      measuredDays: inWeek.length,
    }
  })
  return {
    moved: keywords
      .filter(({ last, change }) => placesMoved(last, change))
      .sort((one, other) => weightOf(other) - weightOf(one)),
    unmeasured: keywords.filter(({ measuredDays }) => measuredDays === 0).map(({ name }) => name),
    distribution: rankDistributionOf(keywords),
    movement: rankMovementOf(keywords.map(({ change }) => change)),
  }
}

const weightOf = ({ last, change }: RankedWeek) => {
  const places = placesMoved(last, change)
  return places ? weightOfMove(places) : 0
}
