import { z } from 'zod'
import { estimateMethods, estimateMetrics, totalPeriods } from '../../vocabulary/estimates.ts'
import { optionalPointEvidence } from './evidence.ts'
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

const rangeMeans =
  'Eight in ten days of apps like this one lie between low and high, one below and one above; the same everywhere.'

const EstimateRange = z
  .object({
    state: z.literal('estimated'),
    low: z.number().min(0).describe(rangeMeans),
    mid: z.number().min(0).describe('Median: as likely too high as too low.'),
    high: z.number().min(0).describe('See `low`.'),
    currency: z.string().length(3).nullable().describe('ISO 4217 for revenue, null for downloads.'),
    method: EstimateMethod,
    version: Formula.describe(
      'Formula and, where one was used, calibration, such as `chart-rank/4 (cal-3)`; a change starts a new segment of the series.',
    ),
    validRanks: ValidRanks,
    validation: z
      .string()
      .describe(
        'How such ranges fared on own sales they were not fitted to when the estimate was made, such as `ranges held 78 % of 214 days of 3 own apps, each left out`, or why they are not validated.',
      ),
  })
  .meta({
    id: 'EstimateRange',
    description:
      'A modelled number per day as an 80 % range: of days of apps like this one, eight in ten lie between low and high. Not a measurement by Apple.',
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
      .describe(
        'What the model was given, such as the rank and the chart; each piece of `evidence` with what it says alone and its weight (they sum to 1); and which assumption `moves it most`.',
      ),
    observedAt: optionalPointEvidence.observedAt.describe(
      'When the rank or the ratings it starts from were shown; null when it starts from none.',
    ),
    source: optionalPointEvidence.source.describe(
      'Where they were read, as an index into `sources`; null when it starts from none.',
    ),
  })
  .meta({ id: 'EstimatePoint', description: 'One day of an estimate series.' })

export const LatestEstimate = z
  .object({
    metric: EstimateMetric,
    date: Day.nullable().describe(
      'The newest day with a range, inside the window or not; null where no day has one.',
    ),
    estimate: Estimate,
    startsFrom: z
      .object({ chart: z.string(), rank: z.int().min(1), on: Day.describe('Day of the chart.') })
      .meta({ id: 'EstimateStart', description: 'A rank that an estimate starts from.' })
      .nullable()
      .describe('The rank that weighs most; null where it starts from ratings, and without a range.'),
    observedAt: EstimatePoint.shape.observedAt,
    source: EstimatePoint.shape.source,
    chartsSeenUntil: Day.nullable().describe(
      'Newest day of a stored chart that could show the app; null where none is stored.',
    ),
    surer: z
      .array(
        z
          .object({
            kind: z
              .enum(['estimate-again', 'own-sales', 'newer-chart', 'missing-chart', 'ratings'])
              .describe(
                '`estimate-again`: charts are stored that it has not read. `newer-chart`: its rank is of an earlier day, or later days had no range. `own-sales`: nothing was calibrated. `missing-chart`: one was never captured. `ratings`: none gained count in it.',
              ),
            text: z.string().describe('What is missing and how to have it, in words.'),
          })
          .meta({ id: 'SurerEstimate', description: 'What would make an estimate surer.' }),
      )
      .describe('What helps most first; empty when nothing is known to be missing.'),
  })
  .meta({
    id: 'LatestEstimate',
    description: 'The newest estimate of a metric in the whole series, and what would make it surer.',
  })

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
        used: z
          .boolean()
          .describe(
            'Whether estimates are made from it. False once a newer calibration of the chart did not hold: nothing that it said is shown then.',
          ),
        apps: z.int().min(1).describe('Own apps the fit used.'),
        points: z.int().describe('Own sales days the fit used, days of none included.'),
        heldOut: z
          .int()
          .describe(
            'Own sales days said by a law they had no part in: of each app by the law of the others; of a single app by its days before.',
          ),
        medianErrorBefore: z
          .number()
          .nullable()
          .describe(
            'Median error on those days before the fit, as a share: 1 is a factor of two either way. Null where nothing was published.',
          ),
        medianErrorAfter: z.number().describe('The same after the fit.'),
        medianErrorConstant: z.number().describe('The same of one figure for every rank.'),
        covered: z.number().min(0).max(1).describe('Share of those days within the range.'),
        errorBetweenDays: z.number().describe('Standard deviation of the logarithm between days of one app.'),
        errorBetweenApps: z
          .number()
          .describe('The same between apps at one place, which is what the range of a rival rests on.'),
        errorBetweenAppsIs: z
          .enum(['measured', 'assumed'])
          .describe('`assumed` with one own app, which cannot tell it.'),
      })
      .nullable()
      .describe('Null while the published priors are used.'),
  })
  .meta({ id: 'EstimateModel', description: 'The model behind a stretch of the series.' })

export const EstimateTotal = z
  .object({
    metric: EstimateMetric,
    period: z.enum(totalPeriods).describe('A week begins on Monday.'),
    from: Day.describe('First day of it within the window.'),
    to: Day.describe('Last day of it within the window.'),
    days: z.int().min(1).describe('Days that were estimated: the total is of these alone.'),
    of: z.int().min(1).describe('Days of the period within the window.'),
    low: z
      .number()
      .min(0)
      .describe(
        '80 % range of the sum. The ends of the days are not added: only errors between days average out.',
      ),
    mid: z.number().min(0),
    high: z.number().min(0),
    currency: z.string().length(3).nullable(),
  })
  .meta({ id: 'EstimateTotal', description: 'The sum of the estimated days of a week or a month.' })
