import { z } from 'zod'
import type { SourceHealth } from '../domain/collecting/health.ts'
import type { CalibratedChart } from '../domain/estimates/calibrate.ts'
import { type ProjectionName, projectionNames } from '../projections/names.ts'
import { chartName } from '../vocabulary/chart-identity.ts'
import { models } from '../vocabulary/models.ts'
import { surfaces } from '../vocabulary/provenance.ts'
import { command, Refusal } from './command.ts'
import { flag, given } from './field-help.ts'
import { jsonFlag, jsonSummaryFlag, Text } from './fields.ts'

/** Commands for maintenance of a store, and for backtests. */

/** Maximum number of failing charts listed by name; all are counted by source. */
const chartsNamed = 20

export const backtestInput = {
  models: given(
    '<model...>',
    'which scores to hold against what is stored; all when none is named',
    z.array(z.enum(models)).exactOptional(),
    { whole: true },
  ),
  all: flag('all of them, whatever else is named'),
  out: given(
    '<dir>',
    'also write report.md with pictures, and report.json, to a folder of their own',
    Text.exactOptional(),
  ),
  json: jsonFlag,
}

export const upkeepCommands = {
  /** The health of each source in each storefront, failing ones first. */
  sources: command({
    input: { failing: flag('only those that are not well'), json: jsonFlag },
    async perform({ db, terminal }, { json: jsonFlag, failing }) {
      const { healthOfSources } = await import('../domain/collecting/health.ts')
      const { failingCharts } = await import('../domain/collecting/attempts.ts')
      const all = await healthOfSources(db)
      const shown = failing ? all.filter((one) => one.failingSince !== null || isSuspected(one)) : all
      const charts = await failingCharts(db, chartsNamed)
      if (jsonFlag) {
        terminal.out(JSON.stringify({ sources: shown, charts }))
        return 0
      }
      if (all.length === 0) terminal.out('No source was ever asked: see rivalscope collect --help.')
      else if (shown.length === 0) terminal.out('Every source that was asked is well.')
      for (const one of shown) terminal.out(healthLine(one))
      if (charts.length > 0) terminal.out('\nCharts whose last try brought no snapshot:')
      for (const { failures, lastAt, message, ...chart } of charts) {
        const name = chartName(chart).padEnd(34)
        terminal.out(`  ${name}  ${failures} in a row, last ${minute(lastAt)}  ${message ?? ''}`)
      }
      return 0
    },
  }),

  /** Rebuilds projections from all stored payloads, one after the other. */
  replay: command({
    writes: true,
    lowPriority: true,
    input: {
      projections: given(
        '<projection...>',
        'which to make anew, each beside the one that is served; all when none is named',
        z.array(z.enum(projectionNames)).exactOptional(),
        { whole: true },
      ),
      json: jsonSummaryFlag,
    },
    places: ['projections'],
    examples: ['rivalscope replay charts keywords'],
    async perform({ db, terminal, signal }, { projections = [], json: jsonFlag }) {
      const { projectionGroups, PayloadsGoneError, ReplayUnderWayError, replay, servedBytes } = await import(
        '../projections/replay.ts'
      )
      const { TablesInUseError } = await import('../projections/swap-tables.ts')
      const { computeRatingScales } = await import('../domain/aso/pages/rating-scale-runs.ts')
      const { computeWordWeights } = await import('../domain/catalogue/word-weights.ts')
      const names = projections.length > 0 ? projections : projectionNames
      const done: ProjectionName[] = []
      let under: readonly ProjectionName[] = []
      try {
        const sizes = await Promise.all(projectionGroups(names).map((together) => servedBytes(db, together)))
        terminal.note(`Needs ${sizeInWords(Math.max(...sizes))} more on the disk of the store until its end.`)
        const summary = await replay(
          db,
          (readings, total, together) => {
            if (together !== under) done.push(...under)
            under = together
            terminal.progress({ label: together.join(' and '), done: readings, total, unit: 'records' })
          },
          signal,
          names,
        )
        if (names.includes('catalogue')) await computeWordWeights(db, new Date())
        await computeRatingScales(db, new Date())
        terminal.out(
          jsonFlag
            ? JSON.stringify(summary)
            : `replayed ${summary.readings} readings, ${summary.refused} no longer readable`,
        )
        return 0
      } catch (error) {
        const refusals = [ReplayUnderWayError, PayloadsGoneError, TablesInUseError]
        if (refusals.some((refusal) => error instanceof refusal)) throw new Refusal((error as Error).message)
        if (signal.aborted) throw new Refusal(`Interrupted. ${leftWords(done)}`)
        throw error
      }
    },
  }),

  /** Fits the estimates to the operator's own sales. Fails without sales to fit to. */
  calibrate: command({
    writes: true,
    input: { json: jsonFlag },
    async perform({ db, terminal }, { json: jsonFlag }) {
      const { calibrateCharts, whyCalibrationUnused } = await import('../domain/estimates/calibrate.ts')
      const { ownDays, charts } = await calibrateCharts(db, new Date())
      if (jsonFlag)
        terminal.out(
          JSON.stringify({
            ownDays,
            charts: charts.map((chart) => calibration(chart, whyCalibrationUnused(chart))),
          }),
        )
      else for (const chart of charts) terminal.out(calibrationLine(chart, whyCalibrationUnused(chart)))
      if (ownDays === 0)
        throw new Refusal('No sales of your own are stored. Bring them with: rivalscope import sales <files…>')
      if (charts.length === 0)
        throw new Refusal(
          `On none of the ${ownDays} days of your own sales did the app stand in a stored chart. Import or collect charts of those days and countries.`,
        )
      if (!jsonFlag && charts.some(({ fit }) => fit?.used))
        terminal.note(
          'Estimates change when they are refreshed; days of older versions stay beside the new ones.',
        )
      return 0
    },
  }),

  backtest: command({
    lowPriority: true,
    input: backtestInput,
    places: ['models'],
    examples: ['rivalscope backtest volatility', 'rivalscope backtest --all --out backtests'],
    perform: async (context, input) => (await import('./backtest-command.ts')).backtestCommand(context, input),
  }),
}

function healthLine(one: SourceHealth): string {
  const state = one.failingSince ? 'FAILING' : isSuspected(one) ? 'suspect' : 'well'
  const well = one.lastSuccessAt ? `last answer ${minute(one.lastSuccessAt)}` : 'never answered'
  const failing = one.failingSince
    ? `; failing since ${minute(one.failingSince)}, ${one.failures} in a row: ${one.failureMessage ?? ''}`
    : ''
  const suspect =
    one.suspects > 0 && one.suspectSince
      ? `; ${one.suspects} answering with nothing where there was something, since ${minute(one.suspectSince)}`
      : ''
  const short =
    one.shorts > 0 && one.shortSince
      ? `; ${one.shorts} answering with far less than before, since ${minute(one.shortSince)}`
      : ''
  const differs =
    one.differences !== null && one.differsSince
      ? `; answers in another form since ${minute(one.differsSince)}: ${one.differences}`
      : ''
  return `${state.padEnd(8)} ${one.country}  ${surfaces[one.source].padEnd(36)} ${well}${failing}${suspect}${short}${differs}`
}

const isSuspected = ({ suspects, shorts, differences }: SourceHealth) =>
  suspects + shorts > 0 || differences !== null

const minute = (at: Date) => `${at.toISOString().slice(0, 16)}Z`

const leftWords = (done: readonly ProjectionName[]) =>
  done.length === 0 ? 'Nothing was changed.' : `Made anew: ${done.join(', ')}. Everything else is as it was.`

function sizeInWords(bytes: number): string {
  const mib = bytes / 2 ** 20
  return mib < 1024 ? `${Math.max(1, Math.round(mib))} MiB` : `${(mib / 1024).toFixed(1)} GiB`
}

function calibration(chart: CalibratedChart, why: string | undefined) {
  const { metric, currency, days, fit, calibrationId } = chart
  return {
    chart: chartName(chart.chart),
    metric,
    currency,
    days,
    calibration: calibrationId === null ? null : `cal-${calibrationId}`,
    used: fit?.used ?? false,
    why: why ?? null,
    points: fit?.points ?? null,
    heldOut: fit?.heldOut ?? null,
    ranks: fit?.ranks ?? null,
    scale: fit?.scale ?? null,
    slope: fit?.slope ?? null,
    slopeFitted: fit?.slopeFitted ?? null,
    medianErrorBefore: fit?.errorBefore ?? null,
    medianErrorAfter: fit?.errorAfter ?? null,
    medianErrorConstant: fit?.errorConstant ?? null,
    apps: fit?.apps ?? null,
    errorBetweenDays: fit?.daySd ?? null,
    errorBetweenApps: fit?.betweenApps ?? null,
    betweenAppsMeasured: fit ? fit.apps > 1 : null,
    covered: fit?.covered ?? null,
  }
}

function calibrationLine(chart: CalibratedChart, why: string | undefined): string {
  const { metric, currency, fit, calibrationId } = chart
  const name = `${chartName(chart.chart)}, ${metric}${currency ? ` in ${currency}` : ''}`
  if (!fit) return `${name}: not used: ${why}`
  const { points, apps, heldOut, ranks, daySd, betweenApps, errorBefore, errorConstant, errorAfter } = fit
  const days = `${points} ${points === 1 ? 'day' : 'days'} of ${apps} ${apps === 1 ? 'app' : 'apps'}, ranks ${ranks.from} to ${ranks.to}`
  const between = `${percent(betweenApps)}${apps === 1 ? ' (assumed: one app cannot tell it)' : ''}`
  const before = errorBefore === null ? 'nothing published before' : `${percent(errorBefore)} before`
  const error = `median error on ${heldOut} days not fitted to ${before}, ${percent(errorConstant)} constant, ${percent(errorAfter)} after`
  return `${name}: ${days}, error between days ${percent(daySd)}, between apps ${between}, ${error}: ${why ? `not used: ${why}` : `used as cal-${calibrationId}`}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
