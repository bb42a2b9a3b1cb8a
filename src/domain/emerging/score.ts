import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import type { Device } from '../../vocabulary/devices.ts'
import { wholeStore } from '../catalogue/genres.ts'
import { chartBound } from '../charts/chart-reading.ts'
import type { Entry } from './entry.ts'
import type { MoveUp } from './move-up.ts'

export const emergingFormula = 'emerging/3'

export type SignalKind = 'new-entry' | 'moved-up' | 'rating-growth' | 'young-app'

/** One kind of evidence that an app is worth a look. */
export interface Signal {
  kind: SignalKind
  /** 0 to 1. */
  strength: number
  /** In plain words. */
  detail: string
}

export interface Scored {
  /** 0 to 100; how much there is to see, no forecast. */
  score: number
  /** Strongest first; weights are the shares of the score and add up to 1. */
  reasons: { kind: SignalKind; detail: string; weight: number }[]
}

/**
 * The most that each kind can carry alone, out of 1. Places that are held say most, since an app that holds them charts
 * longer than one that has just come in; a release date says nothing by itself. Order and numbers are our choice: nobody has
 * marked apps as emerging.
 */
export const reach: Record<SignalKind, number> = {
  'new-entry': 0.5,
  'moved-up': 0.8,
  'rating-growth': 0.6,
  'young-app': 0.4,
}

/** Signals weaker than this are noise. */
const leastStrength = 0.02

/**
 * Puts signals together as chances are: 100 × (1 − Π(1 − reach × strength)). One strong signal is enough for a high
 * score, more of them bring it nearer to 100, and a signal that nobody could measure takes nothing away.
 */
export function scored(signals: readonly Signal[]): Scored {
  const parts = signals
    .filter(({ strength }) => strength >= leastStrength)
    .map(({ kind, strength, detail }) => ({ kind, detail, part: reach[kind] * strength }))
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

/** 0 to 1, more with each part. */
export function together(parts: readonly number[]): number {
  return 1 - parts.reduce((rest, part) => rest * (1 - part), 1)
}

/** How much a chart says: the whole store more than a category, phones more than tablets, paid niches least. */
export function chartReach(chart: { kind: ChartKind; categoryId: number; device: Device }): number {
  const isNiche = chart.categoryId !== wholeStore
  // Half of the apps of a paid chart of one category are gone after five days, whatever they did.
  const paidNiche = isNiche && chart.kind === 'top-paid' ? 0.5 : 1
  return (isNiche ? 0.7 : 1) * (chart.device === 'iphone' ? 1 : 0.8) * paidNiche
}

const oldAfterDays = 5 * 365

/** An app released more than five years ago is no newcomer, whatever it does in a chart. */
export const releaseReach = (ageDays: number | undefined) =>
  ageDays !== undefined && ageDays > oldAfterDays ? 0.7 : 1

/** 1 for the first place, falling with the logarithm of the newest rank; less past the peak, half below three captures. */
export function entryStrength({ rank, best, captures }: Entry): number {
  return (1 - Math.log(rank) / Math.log(chartBound + 1)) * (best / rank) * (captures < 3 ? 0.5 : 1)
}

/** Half for the least move, more with the share of the rank that was won. */
export function moveUpStrength({ from, rank }: Pick<MoveUp, 'from' | 'rank'>): number {
  return 0.5 + 0.5 * (1 - rank / from)
}

/** Fewer new ratings than this say nothing. */
const leastGained = 20
/** Added to the count, so that a handful of ratings does not double an app. */
const ratingsOfAnUnknown = 50
/** Daily growth at which the strength is 0.63. */
const strongDailyGrowth = 0.02

/** Ratings gained a day against the ratings at the start; 2 % a day is 0.63, 10 % a day 0.99. */
export function growthStrength({ before, now, days }: { before: number; now: number; days: number }): number {
  const gained = now - before
  if (gained < leastGained) return 0
  return 1 - Math.exp(-gained / days / (before + ratingsOfAnUnknown) / strongDailyGrowth)
}

/** Days in which an app counts as young. */
export const youngDays = 365
/** Ratings a day since the release at which an app gains as much as it can. */
const strongDailyRatings = 20

/**
 * How young an app is, times how much it gains: by its other signals, or by its ratings since the release, 20 a day
 * being 0.63. An old app, and one that nobody rates or ranks, is 0.
 * @param others strengths of the other signals
 */
export function youngStrength(
  { ageDays, ratings }: { ageDays: number; ratings: number },
  others: readonly number[],
): number {
  const youth = Math.max(0, 1 - ageDays / youngDays)
  const rated = ratings < leastGained ? 0 : 1 - Math.exp(-ratings / Math.max(1, ageDays) / strongDailyRatings)
  return youth * Math.max(rated, ...others)
}
