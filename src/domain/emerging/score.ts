import { dayInWords } from '../../text/days.ts'
import { countWithNoun } from '../../text/numbers.ts'
import { type ChartKind, chartRow } from '../../vocabulary/chart-kinds.ts'
import type { Device } from '../../vocabulary/devices.ts'
import { genreName, rootGenre } from '../catalogue/genres.ts'
import { maxChartPlaces } from '../charts/capture.ts'
import type { ChartRow } from '../charts/queries.ts'
import type { ChartEntrance, MoveUp } from './moves.ts'

export const emergingFormula = 'emerging/3'

export type SignalKind = 'new-entry' | 'moved-up' | 'rating-growth' | 'young-app'

/** One kind of evidence for an emerging app. */
export interface EmergingSignal {
  kind: SignalKind
  /** 0 to 1. */
  strength: number
  /** In plain words. */
  detail: string
}

export interface ScoredSignals {
  /** 0 to 100; the amount of evidence, not a forecast. */
  score: number
  /** Strongest first; weights are the shares of the score and add up to 1. */
  reasons: { kind: SignalKind; detail: string; weight: number }[]
}

/**
 * The maximum contribution of each kind, out of 1. Held places count most, since an app that holds them charts longer than
 * one that has just come in; a release date says nothing by itself. Order and numbers are our choice: there is no labelled
 * data of emerging apps.
 */
export const signalWeights: Record<SignalKind, number> = {
  'new-entry': 0.5,
  'moved-up': 0.8,
  'rating-growth': 0.6,
  'young-app': 0.4,
}

/** Signals weaker than this are noise. */
const leastStrength = 0.02

/**
 * Combines signals like probabilities: 100 × (1 − Π(1 − reach × strength)). One strong signal is enough for a high score,
 * more signals bring it nearer to 100, and an unmeasured signal subtracts nothing.
 */
export function combineSignals(signals: readonly EmergingSignal[]): ScoredSignals {
  const parts = signals
    .filter(({ strength }) => strength >= leastStrength)
    .map(({ kind, strength, detail }) => ({ kind, detail, part: signalWeights[kind] * strength }))
    .sort((one, other) => other.part - one.part)
  const sum = parts.reduce((total, { part }) => total + part, 0)
  return {
    score: Math.round(1000 * together(parts.map(({ part }) => part))) / 10,
    reasons: parts.map(({ kind, detail, part }) => ({
      kind,
      detail,
      weight: Math.round((part / sum) * 1e4) / 1e4,
    })),
  }
}

/** 0 to 1; rises with each part. */
function together(parts: readonly number[]): number {
  return 1 - parts.reduce((rest, part) => rest * (1 - part), 1)
}

/** The weight of a chart: the whole store more than a category, phones more than tablets, paid niches least. */
export function chartWeight(chart: { kind: ChartKind; categoryId: number; device: Device }): number {
  const isNiche = chart.categoryId !== rootGenre
  // Half of the apps of a paid chart of one category are gone after five days, whatever they did.
  const paidNiche = isNiche && chartRow(chart.kind).apps === 'paid' ? 0.5 : 1
  return (isNiche ? 0.7 : 1) * (chart.device === 'iphone' ? 1 : 0.8) * paidNiche
}

const oldAfterDays = 5 * 365

/** The factor for an app's age: one released more than five years ago is no newcomer, whatever its ranks. */
export const appAgeFactor = (ageDays: number | undefined) =>
  ageDays !== undefined && ageDays > oldAfterDays ? 0.7 : 1

/** 1 for the first place, falling with the logarithm of the newest rank; less past the peak, half below three captures. */
export function entryStrength({ rank, best, captures }: ChartEntrance): number {
  return (1 - Math.log(rank) / Math.log(maxChartPlaces + 1)) * (best / rank) * (captures < 3 ? 0.5 : 1)
}

/** Half for the smallest move, more with the share of the rank that was gained. */
export function moveUpStrength({ from, rank }: Pick<MoveUp, 'from' | 'rank'>): number {
  return 0.5 + 0.5 * (1 - rank / from)
}

/** Fewer new ratings than this say nothing. */
const leastGained = 20
/** Added to the count, so that a handful of ratings does not double a small app. */
const ratingsOfAnUnknown = 50
/** Daily growth at which the strength is 0.63. */
const strongDailyGrowth = 0.02

/** Daily growth relative to the ratings at the start; 2 % a day is 0.63, 10 % a day 0.99. */
export function growthStrength({ before, now, days }: { before: number; now: number; days: number }): number {
  const gained = now - before
  if (gained < leastGained) return 0
  return 1 - Math.exp(-gained / days / (before + ratingsOfAnUnknown) / strongDailyGrowth)
}

/** Days in which an app counts as young. */
export const youngAppDays = 365
/** Daily ratings since the release at which the strength is 0.63. */
const strongDailyRatings = 20

/**
 * The product of youth and growth: of its other signals, or of its ratings since the release, 20 a day being 0.63. 0 for an
 * old app, and for one without ratings and ranks.
 * @param others strengths of the other signals
 */
export function youngStrength(
  { ageDays, ratings }: { ageDays: number; ratings: number },
  others: readonly number[],
): number {
  const youth = Math.max(0, 1 - ageDays / youngAppDays)
  const rated = ratings < leastGained ? 0 : 1 - Math.exp(-ratings / Math.max(1, ageDays) / strongDailyRatings)
  return youth * Math.max(rated, ...others)
}

type Chart = Pick<ChartRow, 'kind' | 'categoryId' | 'device'>

/**
 * Entries into charts, at least one, as one signal: "entered the top 20 of 3 charts in 9 days".
 * @param reach factor for the app's age, 0 to 1
 */
export function entrySignal(
  entries: readonly { chart: Chart; move: ChartEntrance }[],
  signalWeights = 1,
): EmergingSignal {
  const best = Math.min(...entries.map(({ move }) => move.rank))
  const bound = [10, 20, 50, 100, 200].find((one) => best <= one) ?? best
  const within = entries.filter(({ move }) => move.rank <= bound)
  const [first] = within
  const where = within.length === 1 && first ? chartName(first.chart) : countWithNoun(within.length, 'chart')
  const days = Math.max(...within.map(({ move }) => move.days))
  return {
    kind: 'new-entry',
    strength:
      signalWeights * together(entries.map(({ chart, move }) => chartWeight(chart) * entryStrength(move))),
    detail: `entered the top ${bound} of ${where} in ${countWithNoun(days, 'day')}`,
  }
}

/**
 * Moves up, at least one, as one signal: "moved up 28 places in 13 days in Top Free Finance, from 40 to 12".
 * @param reach factor for the app's age, 0 to 1
 */
export function moveUpSignal(
  moves: readonly { chart: Chart; move: MoveUp; days: number }[],
  signalWeights = 1,
): EmergingSignal {
  const weighed = moves
    .map((one) => ({ ...one, strength: chartWeight(one.chart) * moveUpStrength(one.move) }))
    .sort((one, other) => other.strength - one.strength)
  const [strongest] = weighed
  if (!strongest) throw new RangeError('no moves')
  const { chart, move, days } = strongest
  const others = weighed.length - 1
  return {
    kind: 'moved-up',
    strength: signalWeights * together(weighed.map(({ strength }) => strength)),
    detail:
      `moved up ${countWithNoun(move.from - move.rank, 'place')} in ${countWithNoun(days, 'day')} in ${chartName(chart)}, ` +
      `from ${move.from} to ${move.rank}` +
      (others > 0 ? `, and moved up in ${countWithNoun(others, 'more chart')}` : ''),
  }
}

/** Two counts of an app's ratings and the days between them, as a signal: "+1,240 ratings in 14 days (9% of its total)". */
export function growthSignal(growth: { before: number; now: number; days: number }): EmergingSignal {
  const gained = growth.now - growth.before
  const share = Math.round((100 * gained) / Math.max(1, growth.now))
  return {
    kind: 'rating-growth',
    strength: growthStrength(growth),
    detail: `+${countWithNoun(gained, 'rating')} in ${countWithNoun(growth.days, 'day')} (${share < 1 ? 'less than 1' : share}% of its total)`,
  }
}

/** A release within the last year as a signal: "released 27 Sep 2026, 1,240 ratings since". */
export function youngSignal(
  app: { releasedOn: string; ageDays: number; ratings: number | null },
  others: readonly EmergingSignal[],
): EmergingSignal {
  const { releasedOn, ageDays, ratings } = app
  return {
    kind: 'young-app',
    strength: youngStrength(
      { ageDays, ratings: ratings ?? 0 },
      others.map(({ strength }) => strength),
    ),
    detail: `released ${dayInWords(releasedOn)}${ratings ? `, ${countWithNoun(ratings, 'rating')} since` : ''}`,
  }
}

function chartName({ kind, categoryId, device }: Chart): string {
  const category = genreName(categoryId) ?? `of genre ${categoryId}`
  return `${chartRow(kind).label} ${category}${device === 'ipad' ? ' for iPad' : ''}`
}
