import { z } from 'zod'
import { estimateMethods, estimateMetrics } from '../../vocabulary/estimates.ts'
import { pointEvidenceIfAny } from './evidence.ts'
import { NotMeasured } from './facts.ts'
import { Country, Day, Formula, Timestamp } from './primitives.ts'

export const EstimateMetric = z
  .enum(estimateMetrics)
  .meta({ id: 'EstimateMetric', description: '`downloads` per day, or `revenue` per day in `currency`.' })

const EstimateMethod = z
  .enum(estimateMethods)
  .meta({ id: 'EstimateMethod', description: 'What the model starts from.' })

const ValidRanks = z
  .object({ from: z.int(), to: z.int() })
  .nullable()
  .describe('Ranks the model may speak about; null where no rank is used.')

const EstimateRange = z
  .object({
    state: z.literal('measured'),
    low: z.number().min(0),
    mid: z.number().min(0),
    high: z.number().min(0),
    currency: z.string().length(3).nullable().describe('ISO 4217 for revenue, null for downloads.'),
    method: EstimateMethod,
    version: Formula.describe(
      'Formula and, where one was used, calibration, such as `chart-rank/2 (cal-3)`; a change starts a new segment of the series.',
    ),
    validRanks: ValidRanks,
  })
  .meta({
    id: 'EstimateRange',
    description: 'A modelled number per day as a range. Not a measurement by Apple.',
  })

export const Estimate = z
  .discriminatedUnion('state', [EstimateRange, NotMeasured])
  .meta({ id: 'Estimate', description: 'An estimate, or why there is none.' })

export const EstimatePoint = z
  .object({
    date: Day,
    metric: EstimateMetric,
    estimate: Estimate,
    inputs: z
      .array(z.object({ name: z.string(), value: z.union([z.number(), z.string()]) }))
      .describe('What the model was given, such as the rank and the chart.'),
    observedAt: pointEvidenceIfAny.observedAt.describe(
      'When the rank or the ratings it starts from were shown; null when it starts from none.',
    ),
    source: pointEvidenceIfAny.source.describe(
      'Where they were read, as an index into `sources`; null when it starts from none.',
    ),
  })
  .meta({ id: 'EstimatePoint', description: 'One day of an estimate series.' })

export const EstimateModel = z
  .object({
    metric: EstimateMetric,
    method: EstimateMethod,
    version: Formula,
    from: Day.describe('First day of the window this version estimated.'),
    to: Day.describe('Last day of the window this version estimated.'),
    shownDays: z
      .int()
      .min(0)
      .describe('Days of the window that show this version; those of another are estimated by a newer one.'),
    validRanks: ValidRanks.describe(
      'The widest ranks it spoke about in the window; each point names its own. Null where no rank is used.',
    ),
    calibration: z
      .object({
        calibratedAt: Timestamp,
        country: Country,
        chart: z.string().describe('The chart it was fitted to, such as `us top-free 36 iphone`.'),
        points: z.int().describe('Own sales days the fit used.'),
        heldOut: z.int().describe('Own sales days kept for testing.'),
        medianErrorBefore: z
          .number()
          .nullable()
          .describe(
            'Median relative error on the held-out days before the fit; null where nothing was published.',
          ),
        medianErrorAfter: z.number().describe('The same after the fit.'),
      })
      .nullable()
      .describe('Null while the published priors are used.'),
  })
  .meta({ id: 'EstimateModel', description: 'The model behind a stretch of the series.' })
