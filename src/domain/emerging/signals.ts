import { counted, inFigures } from '../../text/figures.ts'
import { chartRow } from '../../vocabulary/chart-kinds.ts'
import { genreName } from '../catalogue/genres.ts'
import type { ChartRow } from '../charts/queries.ts'
import type { Entry } from './entry.ts'
import type { MoveUp } from './move-up.ts'
import {
  chartReach,
  entryStrength,
  growthStrength,
  moveUpStrength,
  type Signal,
  together,
  youngStrength,
} from './score.ts'

type Chart = Pick<ChartRow, 'kind' | 'categoryId' | 'device'>

/**
 * Entries into charts, at least one, as one signal: "entered the top 20 of 3 charts in 9 days".
 * @param reach factor for the app's age, 0 to 1
 */
export function entrySignal(entries: readonly { chart: Chart; move: Entry }[], reach = 1): Signal {
  const best = Math.min(...entries.map(({ move }) => move.rank))
  const bound = [10, 20, 50, 100, 200].find((one) => best <= one) ?? best
  const within = entries.filter(({ move }) => move.rank <= bound)
  const [first] = within
  const where = within.length === 1 && first ? chartName(first.chart) : counted(within.length, 'chart')
  const days = Math.max(...within.map(({ move }) => move.days))
  return {
    kind: 'new-entry',
    strength: reach * together(entries.map(({ chart, move }) => chartReach(chart) * entryStrength(move))),
    detail: `entered the top ${bound} of ${where} in ${counted(days, 'day')}`,
  }
}

/**
 * Moves up, at least one, as one signal: "moved up 28 places in 13 days in Top Free Finance, from 40 to 12".
 * @param reach factor for the app's age, 0 to 1
 */
export function moveUpSignal(
  moves: readonly { chart: Chart; move: MoveUp; days: number }[],
  reach = 1,
): Signal {
  const weighed = moves
    .map((one) => ({ ...one, strength: chartReach(one.chart) * moveUpStrength(one.move) }))
    .sort((one, other) => other.strength - one.strength)
  const [strongest] = weighed
  if (!strongest) throw new RangeError('no moves')
  const { chart, move, days } = strongest
  const others = weighed.length - 1
  return {
    kind: 'moved-up',
    strength: reach * together(weighed.map(({ strength }) => strength)),
    detail:
      `moved up ${counted(move.from - move.rank, 'place')} in ${counted(days, 'day')} in ${chartName(chart)}, ` +
      `from ${move.from} to ${move.rank}` +
      (others > 0 ? `, and moved up in ${counted(others, 'more chart')}` : ''),
  }
}

/** Two counts of an app's ratings and the days between them, as a signal: "gained 1,240 ratings in 14 days, 9% of all". */
export function growthSignal(growth: { before: number; now: number; days: number }): Signal {
  const gained = growth.now - growth.before
  const share = Math.round((100 * gained) / Math.max(1, growth.now))
  return {
    kind: 'rating-growth',
    strength: growthStrength(growth),
    detail: `gained ${counted(gained, 'rating')} in ${counted(growth.days, 'day')}, ${share < 1 ? 'less than 1' : share}% of all`,
  }
}

/** A release within the last year as a signal: "first released on 2026-09-27, rated 1,240 times since". */
export function youngSignal(
  app: { releasedOn: string; ageDays: number; ratings: number | null },
  others: readonly Signal[],
): Signal {
  const { releasedOn, ageDays, ratings } = app
  return {
    kind: 'young-app',
    strength: youngStrength(
      { ageDays, ratings: ratings ?? 0 },
      others.map(({ strength }) => strength),
    ),
    detail: `first released on ${releasedOn}${ratings ? `, rated ${ratings === 1 ? 'once' : `${inFigures(ratings)} times`} since` : ''}`,
  }
}

function chartName({ kind, categoryId, device }: Chart): string {
  const category = genreName(categoryId) ?? `of genre ${categoryId}`
  return `${chartRow(kind).label} ${category}${device === 'ipad' ? ' for iPad' : ''}`
}
