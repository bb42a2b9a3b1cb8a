import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import { type Law, lawAt, type Range, type Ranks, rangeAt } from './power-law.ts'
import { priorOf } from './priors.ts'

/** Something a model was given, by its name. */
export interface Input {
  name: string
  value: number | string
}

/** How ranks of a chart become a number per day. */
export interface RankModel {
  at(rank: number): Range
  /** Ranks it speaks about; nothing is said outside them. */
  ranks: Ranks
  /** The calibration it rests on; null while it is what was published. */
  calibrationId: number | null
  /** Whether that calibration is of this very chart. */
  calibrated: boolean
  /** Of revenue; null for downloads. */
  currency: string | null
  inputs: readonly Input[]
}

/** A calibration that is in use. */
export interface Calibration extends ChartIdentity, Law {
  calibrationId: number
  currency: string | null
  lowFactor: number
  highFactor: number
  rankFrom: number
  rankTo: number
  points: number
}

/**
 * How places of one chart compare with those of the overall chart of the same country and kind: the place there over
 * the place here, of apps that stand in both on one day.
 */
export interface Bridge {
  low: number
  mid: number
  high: number
  sharedApps: number
}

/** Apps that must stand in both charts before one is read by the other. */
export const fewestShared = 5

/** The chart from which others of the country and kind take their scale. */
export function isOverall({ categoryId, device }: Pick<ChartIdentity, 'categoryId' | 'device'>): boolean {
  return categoryId === 36 && device === 'iphone'
}

/** Models made for this very chart, the better first: what the operator calibrated, then what was published. */
export function modelsOf(chart: ChartIdentity, calibrations: readonly Calibration[]): RankModel[] {
  const calibration = calibrations.find((entry) => chartName(entry) === chartName(chart))
  return [...(calibration ? [calibratedModel(calibration)] : []), ...publishedModels(chart)]
}

/** How far beyond the ranks the operator's own apps held a calibration may be read. */
const extrapolation = 2

function calibratedModel(calibration: Calibration): RankModel {
  const { calibrationId, currency, lowFactor, highFactor, scale, slope } = calibration
  return {
    at(rank) {
      const mid = lawAt(calibration, rank)
      return { low: mid * lowFactor, mid, high: mid * highFactor }
    },
    ranks: {
      from: Math.max(1, Math.ceil(calibration.rankFrom / extrapolation)),
      to: calibration.rankTo * extrapolation,
    },
    calibrationId,
    calibrated: true,
    currency,
    inputs: [
      { name: 'calibration', value: `cal-${calibrationId} of ${chartName(calibration)}` },
      { name: 'own days', value: calibration.points },
      { name: 'scale', value: rounded(scale) },
      { name: 'slope', value: rounded(slope) },
    ],
  }
}

function publishedModels(chart: ChartIdentity): RankModel[] {
  const prior = priorOf(chart)
  if (!prior) return []
  const { laws, ranks, sources } = prior
  return [
    {
      at: (rank) => rangeAt(laws, rank),
      ranks,
      calibrationId: null,
      calibrated: false,
      currency: currencyOf(chart.kind),
      inputs: [
        { name: 'prior', value: sources },
        { name: 'published laws', value: laws.length },
        { name: 'scale', value: spanOf(laws.map(({ scale }) => scale)) },
        { name: 'slope', value: spanOf(laws.map(({ slope }) => slope)) },
      ],
    },
  ]
}

/** Published revenue is in US dollars. */
function currencyOf(kind: ChartKind): string | null {
  return kind === 'top-grossing' ? 'USD' : null
}

/** A model of the overall chart, read from places of another chart. That apps differ in how they compare widens it. */
export function bridgedModel(overall: RankModel, overallName: string, bridge: Bridge): RankModel | undefined {
  const ranks = {
    from: Math.max(1, Math.ceil(overall.ranks.from / bridge.mid)),
    to: Math.floor(overall.ranks.to / bridge.mid),
  }
  if (ranks.to < ranks.from) return undefined
  return {
    at: (rank) => ({
      low: overall.at(rank * bridge.high).low,
      mid: overall.at(rank * bridge.mid).mid,
      high: overall.at(rank * bridge.low).high,
    }),
    ranks,
    calibrationId: overall.calibrationId,
    calibrated: false,
    currency: overall.currency,
    inputs: [
      { name: 'scale from', value: overallName },
      { name: 'shared apps', value: bridge.sharedApps },
      {
        name: 'overall places for one here',
        value: `${rounded(bridge.mid)} (${rounded(bridge.low)} to ${rounded(bridge.high)})`,
      },
      ...overall.inputs,
    ],
  }
}

/** Three digits: a model knows no more. Keeps the order of what it rounds. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

function spanOf(values: readonly number[]): string {
  return `${rounded(Math.min(...values))} to ${rounded(Math.max(...values))}`
}
