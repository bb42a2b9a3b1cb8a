import { fitBetweenApps, type LevelAndSlope, varianceSharedByDeveloper } from './between-apps.ts'
import { type Day, dayErrors } from './day-errors.ts'
import {
  estimateRangeOf,
  type LogNormal,
  quantile,
  type RankLaw,
  type RankRange,
  rankLawAt,
} from './distributions.ts'

export const calibrationFormula = 'calibration/3'

/** A day with both the rank of an own app and its own figure. */
export interface SalesPoint {
  app: string
  /** The developer; null when unknown. */
  maker: string | null
  /** `YYYY-MM-DD` */
  day: string
  rank: number
  /** Downloads or revenue of the day; 0 is a figure. */
  value: number
  /** The estimate without calibration; null where there is none. */
  before: number | null
}

export interface CalibrationFit extends RankLaw {
  /** Whether the own figures determine the slope more than the published slopes do. */
  slopeFitted: boolean
  /** Logarithm of the rank at which the errors of level and slope are independent. */
  centre: number
  /** Standard deviations of the logarithm: of the level, of the slope, between apps and between days of one app. */
  levelSd: number
  slopeSd: number
  appSd: number
  daySd: number
  /** The error between apps from the own apps and the prior; with one app the prior alone. */
  betweenApps: number
  /** Number of own apps. */
  apps: number
  /** Ranks observed. */
  ranks: RankRange
  /** Number of own apps' days the law was fitted to. */
  points: number
  /** Days predicted by a law that was fitted without them. */
  heldOut: number
  /** Median error on those, as a share: 1 is a factor of two either way. Before is null when there is nothing to compare. */
  errorBefore: number | null
  errorAfter: number
  /** The error of a constant for every rank. */
  errorConstant: number
  /** Share of those days within the range. */
  covered: number
  /** Whether its error is small enough, and below that of a constant and of the earlier numbers, on the held-out days. */
  used: boolean
}

/**
 * Maximum median error of a fit in use: half of the held-out days within a factor of two. Beyond that, plans rest on chance,
 * however much worse a constant is.
 */
export const maxMedianError = 1
/** With fewer days anything fits. */
export const minCalibrationDays = 8
/** A flatter slope is discarded in favour of the usual one. */
const flattest = 0.3
/** Standard deviation of published slopes of one kind of chart. */
const slopeSd = 0.2
/** The scale of the normal with the same 80 % range as a Student-t of four degrees. */
const tailFactor = 1.196

/**
 * Fits d = scale · rank^-slope to own figures: robustly, with separate errors between days of one app and between apps. It
 * is validated on held-out days: every app is predicted by the law of the others; with one app, every quarter of its days
 * but the first by the days before.
 * @param counted whether figures are counts; else they are money
 * @returns undefined for fewer than eight days
 */
export function fitCalibration(
  points: readonly SalesPoint[],
  medianSlope: number,
  counted = true,
): CalibrationFit | undefined {
  if (new Set(points.map(({ day }) => day)).size < minCalibrationDays) return undefined
  const apps = [...Map.groupBy(points, ({ app }) => app).values()]
  const fitted = fitRankLaw(points, medianSlope, counted)
  const said = foldsOf(apps).flatMap(({ known, heldOut }) => {
    const fold = fitRankLaw(known, medianSlope, counted)
    const constant = quantile(sorted(known.map(({ value }) => value)), 0.5)
    return heldOut.map((point) => ({
      ...point,
      constant,
      range: estimateRangeOf(predictionAtRank(fold, point.rank, counted)),
    }))
  })
  const some = counted ? 0.5 : 0.01
  const error = (from: readonly (readonly [said: number, real: number])[]) =>
    Math.expm1(
      quantile(
        sorted(from.map(([mid, real]) => Math.abs(Math.log((mid + some) / (Math.max(0, real) + some))))),
        0.5,
      ),
    )
  const compared = said.flatMap((point) => (point.before === null ? [] : [{ ...point, before: point.before }]))
  const errorAfter = error(said.map(({ range, value }) => [range.mid, value]))
  const errorConstant = error(said.map(({ constant, value }) => [constant, value]))
  const errorBefore = compared.length === 0 ? null : error(compared.map(({ before, value }) => [before, value]))
  const errorCompared = error(compared.map(({ range, value }) => [range.mid, value]))
  const covered = said.filter(({ range, value }) => range.low <= value && value <= range.high).length
  return {
    ...fitted,
    apps: apps.length,
    ranks: { from: Math.min(...points.map((p) => p.rank)), to: Math.max(...points.map((p) => p.rank)) },
    points: points.length,
    heldOut: said.length,
    errorBefore,
    errorAfter,
    errorConstant,
    covered: covered / said.length,
    used:
      errorAfter <= maxMedianError &&
      errorAfter < errorConstant &&
      (errorBefore === null || errorCompared < errorBefore),
  }
}

/** A law with its uncertainty. */
export type UncertainRankLaw = Pick<
  CalibrationFit,
  'scale' | 'slope' | 'slopeFitted' | 'centre' | 'levelSd' | 'slopeSd' | 'appSd' | 'daySd' | 'betweenApps'
>

/** The law of some days of own apps. */
export function fitRankLaw(
  points: readonly SalesPoint[],
  medianSlope: number,
  counted: boolean,
): UncertainRankLaw {
  const apps = [...Map.groupBy(points, ({ app }) => app).values()].map((days) =>
    days.map(({ rank, value }): Day => ({ x: Math.log(rank), value })),
  )
  const makers = new Set(points.flatMap(({ maker }) => maker ?? []))
  const common = makers.size > 1 ? 0 : varianceSharedByDeveloper
  const free = leastSquares(apps, { slope: medianSlope, sd: slopeSd }, counted, common)
  const falls = free.law.slope > flattest
  const { law, daySd } = falls ? free : leastSquares(apps, { slope: medianSlope, sd: 1e-3 }, counted, common)
  const ownSlopeSd = falls ? Math.sqrt(law.slopeVariance) : slopeSd
  return {
    scale: Math.exp(law.level + law.slope * law.centre),
    slope: law.slope,
    slopeFitted: falls && ownSlopeSd < slopeSd / 2,
    centre: law.centre,
    levelSd: Math.sqrt(law.levelVariance),
    slopeSd: ownSlopeSd,
    appSd: Math.sqrt(law.appVariance),
    daySd,
    betweenApps: law.betweenApps,
  }
}

function leastSquares(
  apps: readonly (readonly Day[])[],
  prior: { slope: number; sd: number },
  counted: boolean,
  common: number,
): { law: LevelAndSlope; daySd: number } {
  const days = dayErrors(apps, prior, counted)
  const daySd = days.spread * tailFactor
  return { law: fitBetweenApps(days.apps, prior, daySd ** 2, common), daySd }
}

/**
 * The prediction of a fitted law for a day of another app at a rank.
 * @param counted whether figures are counts: few downloads differ by chance alone
 */
export function predictionAtRank(
  law: Pick<UncertainRankLaw, 'scale' | 'slope' | 'centre' | 'levelSd' | 'slopeSd' | 'appSd' | 'daySd'>,
  rank: number,
  counted: boolean,
): LogNormal & { lawVariance: number } {
  const lawVariance = law.levelSd ** 2 + (law.slopeSd * (Math.log(rank) - law.centre)) ** 2
  const mean = Math.log(rankLawAt(law, rank))
  const sd = Math.sqrt(lawVariance + law.appSd ** 2 + law.daySd ** 2 + (counted ? countingVariance(mean) : 0))
  return { mean, sd, lawVariance }
}

/**
 * The variance of the logarithm of a count around its Poisson rate: one over the rate, by the delta method. Below one a day
 * it stays constant: otherwise a range would grow upwards where less is sold.
 * @param mean logarithm of the rate
 */
export const countingVariance = (mean: number): number => 1 / Math.max(1, Math.exp(mean))

interface Fold {
  known: readonly SalesPoint[]
  heldOut: readonly SalesPoint[]
}

const parts = 4

function foldsOf(apps: readonly (readonly SalesPoint[])[]): Fold[] {
  const [only] = apps
  if (apps.length > 1)
    return apps.map((heldOut) => ({ known: apps.filter((app) => app !== heldOut).flat(), heldOut }))
  const days = (only ?? []).toSorted((one, other) => (one.day < other.day ? -1 : 1))
  return Array.from({ length: parts - 1 }, (_, at) => {
    const [from, to] = [at + 1, at + 2].map((part) => Math.floor((days.length * part) / parts))
    return { known: days.slice(0, from), heldOut: days.slice(from, to) }
  })
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other)
}
