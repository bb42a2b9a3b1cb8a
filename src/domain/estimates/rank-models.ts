import { countWithNoun } from '../../text/numbers.ts'
import { type ChartIdentity, chartName } from '../../vocabulary/chart-identity.ts'
import { type ChartKind, chartRow } from '../../vocabulary/chart-kinds.ts'
import { priorAppSd } from './between-apps.ts'
import { countingVariance, predictionAtRank } from './calibration-fit.ts'
import { type LogNormal, type RankLaw, type RankRange, rankLawAt, z80 } from './distributions.ts'
import { type ChartPrior, chartPriorOf } from './priors.ts'
import { yearlyLevelSd } from './published.ts'

/** The name of the input with the error between days of one app, where own sales provide it. */
export const errorBetweenDays = 'error between days'

/** A named input of a model. */
export interface EstimateInput {
  name: string
  value: number | string
}

/**
 * The logarithm of the number per day that follows from a rank: its mean, and its variance by kind of error, since errors of
 * one kind are common to several charts of one app.
 */
export interface RankLevel {
  mean: number
  /** Between apps and between days of one app: common to all charts of the app. */
  app: number
  /** Of the law: common to all charts that use it. */
  law: number
  /** Of the conversion from this chart to the one the law describes. */
  bridge: number
}

/** The distribution with the sum of all variances. */
export function totalDistributionOf({ mean, app, law, bridge }: RankLevel): LogNormal {
  return { mean, sd: Math.sqrt(app + law + bridge) }
}

/** Converts ranks of a chart to a number per day. */
export interface RankModel {
  at(rank: number): RankLevel
  /** Ranks the model covers; outside them it gives only an upper or lower bound. */
  ranks: RankRange
  /** The basis of the law, in words; models with the same law share it. */
  law: string
  /** The calibration it uses; null for published numbers. */
  calibrationId: number | null
  /** Whether that calibration is of this chart itself. */
  calibrated: boolean
  /** Of revenue; null for downloads. */
  currency: string | null
  /** The accuracy of its ranges on own sales it was not fitted to, in words. */
  validation: string
  inputs: readonly EstimateInput[]
}

/** The newest calibration of a chart. */
export interface Calibration extends ChartIdentity, RankLaw {
  calibrationId: number
  currency: string | null
  centre: number
  levelSd: number
  slopeSd: number
  appSd: number
  daySd: number
  apps: number
  rankFrom: number
  rankTo: number
  points: number
  heldOut: number
  /** Median error of the published numbers on the same days; null where there are none. */
  errorBefore: number | null
  errorAfter: number
  covered: number
  /** Whether estimates use it: it is better than a constant and than the published numbers. */
  used: boolean
}

/**
 * The ratio of places in the overall chart of the same country and kind to places in one chart, of apps that are in both on
 * one day.
 */
export interface Bridge {
  low: number
  mid: number
  high: number
  sharedApps: number
}

/** Minimum apps in both charts to convert ranks of one into the other. */
export const minSharedApps = 5

/** Whether a chart is the overall one, from which others of the country and kind take their scale. */
export function isOverallChart({ categoryId, device }: Pick<ChartIdentity, 'categoryId' | 'device'>): boolean {
  return categoryId === 36 && device === 'iphone'
}

/**
 * Models for this chart itself, the better first: the operator's calibration, then the published numbers.
 * @param year of the estimated days: published numbers are less certain the older they are
 */
export function rankModelsOf(
  chart: ChartIdentity,
  calibrations: readonly Calibration[],
  year: number,
): RankModel[] {
  const calibration = calibrations.find((entry) => chartName(entry) === chartName(chart))
  return [
    ...(calibration?.used ? [calibratedModel(calibration)] : []),
    ...publishedModels(chart, calibration, year),
  ]
}

/** The factor by which a calibration may be extrapolated beyond the ranks of the operator's own apps. */
const extrapolation = 2

function calibratedModel(calibration: Calibration): RankModel {
  const { calibrationId, currency, scale, slope, apps } = calibration
  return {
    at(rank) {
      const { mean, sd, lawVariance } = predictionAtRank(calibration, rank, currency === null)
      return { mean, app: sd ** 2 - lawVariance, law: lawVariance, bridge: 0 }
    },
    ranks: {
      from: Math.max(1, Math.ceil(calibration.rankFrom / extrapolation)),
      to: calibration.rankTo * extrapolation,
    },
    law: `own sales of ${chartName(calibration)}`,
    calibrationId,
    calibrated: true,
    currency,
    validation: validationOf(calibration),
    inputs: [
      { name: 'calibration', value: `cal-${calibrationId} of ${chartName(calibration)}` },
      { name: 'own days', value: calibration.points },
      { name: 'own apps', value: apps },
      { name: 'scale', value: toThreeDigits(scale) },
      { name: 'slope', value: toThreeDigits(slope) },
      {
        name: 'error between apps',
        value: `${toThreeDigits(calibration.appSd)}, ${apps === 1 ? 'assumed: one own app cannot tell it' : 'measured'}`,
      },
      { name: errorBetweenDays, value: toThreeDigits(calibration.daySd) },
    ],
  }
}

function publishedValidation({ years }: ChartPrior, calibration: Calibration | undefined): string {
  const published = `published numbers of ${spanOfYears(years)}`
  if (!calibration || calibration.errorBefore === null)
    return `${published}, not validated: no own sales of this chart`
  const { errorBefore, heldOut, apps } = calibration
  return `${published}: median error ${Math.round(errorBefore * 100)} % on ${heldOut} days of ${apps} own ${apps === 1 ? 'app' : 'apps'}; how often ranges hold is not validated`
}

function validationOf({ apps, heldOut, covered, errorAfter }: Calibration): string {
  const [held, error] = [covered, errorAfter].map((share) => `${Math.round(share * 100)} %`)
  return apps === 1
    ? `ranges held ${held} of ${heldOut} later days of the one own app, median error ${error}; not validated on rivals: one own app cannot tell how apps differ`
    : `ranges held ${held} of ${heldOut} days of ${apps} own apps, each left out, median error ${error}`
}

/** Standard deviation between days of one app without own figures: the weekday effect and the noise published for ranks. */
const assumedDaySd = 0.25

/** One model from contradictory laws: their mean in the logarithm, with their disagreement as the variance of the law. */
function publishedModels(
  chart: ChartIdentity,
  calibration: Calibration | undefined,
  year: number,
): RankModel[] {
  const prior = chartPriorOf(chart)
  if (!prior) return []
  const { laws, ranks, sources, years } = prior
  const currency = currencyOf(chart.kind)
  const age = Math.abs(year - years.to)
  const aged = age * yearlyLevelSd[currency === null ? 'downloads' : 'revenue']
  return [
    {
      at(rank) {
        const said = laws.map((law) => Math.log(rankLawAt(law, rank)))
        const mean = said.reduce((sum, level) => sum + level, 0) / said.length
        const law = aged ** 2 + said.reduce((sum, level) => sum + (level - mean) ** 2, 0) / said.length
        const counting = currency === null ? countingVariance(mean) : 0
        return { mean, app: priorAppSd ** 2 + assumedDaySd ** 2 + counting, law, bridge: 0 }
      },
      ranks,
      law: `what is published of ${chartName(chart)}`,
      calibrationId: null,
      calibrated: false,
      currency,
      validation: publishedValidation(prior, calibration),
      inputs: [
        { name: 'prior', value: sources },
        { name: 'published for', value: spanOfYears(years) },
        {
          name: 'error of age',
          value: `${toThreeDigits(aged)} of the logarithm, for ${countWithNoun(age, 'year')}`,
        },
        { name: 'published laws', value: laws.length },
        { name: 'scale', value: spanOf(laws.map(({ scale }) => scale)) },
        { name: 'slope', value: spanOf(laws.map(({ slope }) => slope)) },
        { name: 'error between apps', value: `${priorAppSd}, assumed: no own sales tell it` },
      ],
    },
  ]
}

/** Published revenue is in US dollars. */
function currencyOf(kind: ChartKind): string | null {
  return chartRow(kind).ranksBy === 'revenue' ? 'USD' : null
}

/** A bridge of ten is computed as 10.000000000000002, since it is the median of logarithms. */
const roundingError = 1e-9

/** A model for another chart by conversion to the overall chart. The spread of the ratio between apps widens its ranges. */
export function bridgedModel(overall: RankModel, overallName: string, bridge: Bridge): RankModel | undefined {
  const ranks = {
    from: Math.max(1, Math.ceil(overall.ranks.from / bridge.mid - roundingError)),
    to: Math.floor(overall.ranks.to / bridge.mid + roundingError),
  }
  if (ranks.to < ranks.from) return undefined
  return {
    ...overall,
    at(rank) {
      const level = overall.at(rank * bridge.mid)
      const between = overall.at(rank * bridge.low).mean - overall.at(rank * bridge.high).mean
      return { ...level, bridge: (between / 2 / z80) ** 2 }
    },
    ranks,
    calibrated: false,
    validation: 'not validated: no own sales of this chart, which is read by another',
    inputs: [
      { name: 'scale from', value: overallName },
      { name: 'shared apps', value: bridge.sharedApps },
      {
        name: 'overall places for one here',
        value: `${toThreeDigits(bridge.mid)} (${toThreeDigits(bridge.low)} to ${toThreeDigits(bridge.high)})`,
      },
      ...overall.inputs,
    ],
  }
}

/** Rounds to three digits, the precision of the models. Preserves order. */
export function toThreeDigits(value: number): number {
  return Number(value.toPrecision(3))
}

const spanOfYears = ({ from, to }: ChartPrior['years']) => (from === to ? `${from}` : `${from} to ${to}`)

function spanOf(values: readonly number[]): string {
  return `${toThreeDigits(Math.min(...values))} to ${toThreeDigits(Math.max(...values))}`
}
