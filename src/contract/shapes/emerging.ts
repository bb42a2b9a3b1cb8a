import { z } from 'zod'
import { emergingKinds, emergingVerdicts } from '../../vocabulary/emerging.ts'
import { AppLabel } from './apps.ts'
import { IntakeSummary } from './competitors.ts'
import { EvidenceList } from './evidence.ts'
import { CategoryId, Country, Day, Formula, Timestamp, Uuid } from './primitives.ts'
import { WorkStatus } from './work.ts'

const Share = z.number().min(0).max(1).nullable()

const EmergingOutcome = z
  .object({
    flags: z.int().min(0).describe('One for each app, chart and day.'),
    apps: z.int().min(0).describe('Different apps among them, counted in each chart.'),
    better: Share.describe(
      'Share with a better rank later; one that left the chart has none. Null without flags.',
    ),
    charting: Share.describe('Share still in the chart. Null without flags.'),
    medianChange: z
      .number()
      .nullable()
      .describe('Middle of the places lost, below 0 where won; an app that left stands below the last place.'),
  })
  .meta({ id: 'EmergingOutcome', description: 'What became of apps some days after a day.' })

const EmergingBacktest = z
  .object({
    horizonDays: z.int().min(1).describe('Days after which it is looked what became of an app.'),
    from: Day.nullable().describe(
      'First day judged; null when no day has enough snapshots before and after it.',
    ),
    until: Day.nullable().describe('Last day judged.'),
    verdict: z
      .enum(emergingVerdicts)
      .describe(
        '`beats-new-entrants`: rising apps got better and stayed more often than new entrants did, by more than one standard error. `does-not-beat-new-entrants`: they did not, so the run names no app `rising`. `not-validated`: these charts cannot tell yet, with fewer than 20 apps on either side.',
      ),
    lift: z
      .number()
      .min(0)
      .nullable()
      .describe('`better` of the rising ones over that of the new entrants; null where either is unknown.'),
    detail: z
      .string()
      .describe(
        'In plain words, such as "not validated on these charts: 3 rising apps and 40 new entrants, ...".',
      ),
    rising: EmergingOutcome,
    newEntrants: EmergingOutcome.describe('The naive baseline: apps that came into the chart within a week.'),
    others: EmergingOutcome.describe('Everybody else in the chart.'),
  })
  .meta({
    id: 'EmergingBacktest',
    description:
      'How well `rising` did on the stored charts of this run: who would have been named on each past day by what was known on that day, and what became of them.',
  })

export const DiscoveryRun = z
  .object({
    runId: Uuid,
    country: Country,
    categoryId: CategoryId.nullable().describe('Null for all categories, also when `36` was asked for.'),
    windowDays: z.int(),
    limit: z.int().describe('Candidates it keeps at most.'),
    ...WorkStatus.shape,
    examined: z.int().min(0).describe('Apps looked at.'),
    found: z.int().min(0).describe('Candidates kept.'),
    takenIn: z.int().min(0).describe('Candidates that were not in the catalogue and are being taken in.'),
    backtest: EmergingBacktest.nullable().describe(
      'Null until the run has ended, and when no chart was captured.',
    ),
  })
  .meta({ id: 'DiscoveryRun', description: 'A search through stored evidence for apps on the rise.' })

export const EmergingApp = z
  .object({
    app: AppLabel,
    country: Country,
    kind: z
      .enum(emergingKinds)
      .nullable()
      .describe(
        '`new-in-charts`: no earlier snapshot shows the app; entering a chart is not rising. `rising`: the middle of its newest ranks is better than its own past, and the newest rank confirms it; how much that says on these charts, `lastRun.backtest` tells. Null: ratings alone show it, which charts cannot validate.',
      ),
    releasedOn: Day.nullable().describe('First release, by UTC; null when no source stated it.'),
    score: z.number().min(0).max(100).describe('100 is the strongest.'),
    formula: Formula,
    reasons: z
      .array(
        z.object({
          kind: z.enum(['new-entry', 'fast-climb', 'rating-growth', 'young-app']),
          detail: z.string().describe('In plain words, such as "entered the top 20 of 3 charts in 9 days".'),
          weight: z.number().min(0).max(1),
        }),
      )
      .describe('Strongest first.'),
    firstSeenAt: Timestamp,
    discoveredAt: Timestamp,
    intake: IntakeSummary.nullable().describe('Present while the app is being taken in.'),
    evidence: EvidenceList,
  })
  .meta({ id: 'EmergingApp', description: 'A candidate on the rise.' })
