import { betweenApps, commonToMaker, type LevelAndSlope } from './between-apps.ts'
import { type Day, dayErrors } from './day-errors.ts'
import { type LogNormal, rangeOf } from './log-normal.ts'
import { type Law, lawAt, quantile, type Ranks } from './power-law.ts'

export const calibrationFormula = 'calibration/3'

/** A day on which both the rank of an own app and its own figure are known. */
export interface SalesPoint {
  app: string
  /** Who makes the app; null where nobody knows. */
  maker: string | null
  /** `YYYY-MM-DD` */
  day: string
  rank: number
  /** Downloads or revenue of the day; 0 is a figure. */
  value: number
  /** What the model says without calibration; null where it says nothing. */
  before: number | null
}

export interface Fit extends Law {
  /** Whether the own figures tell the slope more than what is published of it. */
  slopeFitted: boolean
  /** Logarithm of the rank where level and slope do not depend on each other. */
  centre: number
  /** Standard deviations of the logarithm: of the level, of the slope, between apps and between days of one app. */
  levelSd: number
  slopeSd: number
  appSd: number
  daySd: number
  /** What the own apps say of the error between apps, with the assumption it starts from; with one app that alone. */
  betweenApps: number
  /** Own apps. */
  apps: number
  /** Ranks observed. */
  ranks: Ranks
  /** Days of own apps the law was fitted to. */
  points: number
  /** Days that were said by a law they had no part in. */
  heldOut: number
  /** Median error on those, as a share: 1 is a factor of two either way. Before is null when there is nothing to compare. */
  errorBefore: number | null
  errorAfter: number
  /** Of a figure that is the same for every rank. */
  errorConstant: number
  /** Share of those days within the range. */
  covered: number
  /** Whether it is near enough, and better than a constant and than what was before, on the days it was not fitted to. */
  used: boolean
}

/**
 * The greatest median error of a fit that is used: half of the days held back within a factor of two. Whoever plans with a number
 * beyond that plans with chance, however much worse a constant is.
 */
export const largestError = 1
/** Fewer days fit anything. */
export const fewestDays = 8
/** A slope flatter than this is none: the usual one is taken. */
const flattest = 0.3
/** Published slopes of one kind of chart lie this far apart. */
const slopeSd = 0.2
/** Of Student-t days with four degrees, the normal with the same 80 %. */
const tailFactor = 1.196

/**
 * Fits d = scale · rank^-slope to own figures: robustly, with the error between days of one app apart from the error between
 * apps. What it is worth is told by days it was not fitted to: every app is said by the law of the others; with one app,
 * every quarter of its days but the first by the days before.
 * @param counted whether figures are counts; else they are money
 * @returns undefined for fewer than eight days
 */
export function fitCalibration(
  points: readonly SalesPoint[],
  usualSlope: number,
  counted = true,
): Fit | undefined {
  if (new Set(points.map(({ day }) => day)).size < fewestDays) return undefined
  const apps = [...Map.groupBy(points, ({ app }) => app).values()]
  const fitted = lawOf(points, usualSlope, counted)
  const said = foldsOf(apps).flatMap(({ known, heldOut }) => {
    const fold = lawOf(known, usualSlope, counted)
    const constant = quantile(sorted(known.map(({ value }) => value)), 0.5)
    return heldOut.map((point) => ({ ...point, constant, range: rangeOf(levelAt(fold, point.rank, counted)) }))
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
      errorAfter <= largestError &&
      errorAfter < errorConstant &&
      (errorBefore === null || errorCompared < errorBefore),
  }
}

/** A law and what is unsure of it. */
export type UnsureLaw = Pick<
  Fit,
  'scale' | 'slope' | 'slopeFitted' | 'centre' | 'levelSd' | 'slopeSd' | 'appSd' | 'daySd' | 'betweenApps'
>

/** The law of some days of own apps. */
export function lawOf(points: readonly SalesPoint[], usualSlope: number, counted: boolean): UnsureLaw {
  const apps = [...Map.groupBy(points, ({ app }) => app).values()].map((days) =>
    days.map(({ rank, value }): Day => ({ x: Math.log(rank), value })),
  )
  const makers = new Set(points.flatMap(({ maker }) => maker ?? []))
  const common = makers.size > 1 ? 0 : commonToMaker
  const free = leastSquares(apps, { slope: usualSlope, sd: slopeSd }, counted, common)
  const falls = free.law.slope > flattest
  const { law, daySd } = falls ? free : leastSquares(apps, { slope: usualSlope, sd: 1e-3 }, counted, common)
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
  return { law: betweenApps(days.apps, prior, daySd ** 2, common), daySd }
}

/**
 * What a fitted law says of a day of another app at a rank.
 * @param counted whether figures are counts: few downloads differ by chance alone
 */
export function levelAt(
  law: Pick<UnsureLaw, 'scale' | 'slope' | 'centre' | 'levelSd' | 'slopeSd' | 'appSd' | 'daySd'>,
  rank: number,
  counted: boolean,
): LogNormal & { lawVariance: number } {
  const lawVariance = law.levelSd ** 2 + (law.slopeSd * (Math.log(rank) - law.centre)) ** 2
  const mean = Math.log(lawAt(law, rank))
  const sd = Math.sqrt(lawVariance + law.appSd ** 2 + law.daySd ** 2 + (counted ? countingVariance(mean) : 0))
  return { mean, sd, lawVariance }
}

/**
 * Of the logarithm of a count around its rate, which is a Poisson's: one over the rate, by the delta method. Below one a day it stays
 * as it is: a range would grow upwards where less is sold.
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
