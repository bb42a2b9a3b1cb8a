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

const EmergingOutcomesAfter = z
  .object({
    days: z.int().min(1).describe('Days after which it is looked what became of the apps.'),
    movedUp: EmergingOutcome.describe('Apps that had moved up, as the kind `moved-up` says.'),
    others: EmergingOutcome.describe('Everybody else in the chart.'),
    sameRanks: EmergingOutcome.describe(
      'For each app that had moved up, its neighbours: the next app above and the next below that had not.',
    ),
    belowMedian: EmergingOutcome.describe(
      'Apps below the median of their own ranks of the window. Most return to it: the strongest of the three baselines.',
    ),
  })
  .meta({ id: 'EmergingOutcomesAfter', description: 'What became of four groups of apps so many days later.' })

const EmergingBacktest = z
  .object({
    from: Day.nullable().describe(
      'First day judged; null when no day has enough snapshots before and after it.',
    ),
    until: Day.nullable().describe('Last day judged.'),
    verdict: z
      .enum(emergingVerdicts)
      .describe(
        'Whether to have moved up foretold better ranks on these charts. `foretells`: a better rank came more often than in each of the three other groups, after each number of days, by more than one standard error. `does-not-foretell`: it did not; on the charts this was developed with it never did. `not-validated`: these charts cannot tell, with fewer than 20 apps in one of the groups.',
      ),
    detail: z
      .string()
      .describe(
        'In plain words, such as "on these charts moving up did not predict better ranks: 5 days later 30% of apps that moved up had a better rank, compared with 40% of other apps, ...".',
      ),
    after: z.array(EmergingOutcomesAfter).describe('After 5 and after 10 days.'),
  })
  .meta({
    id: 'EmergingBacktest',
    description:
      'What became of apps that had moved up, on the stored charts of this run: who had on each past day by what was known on that day, against three groups of the same charts.',
  })

const RunPeriod = z.object({ from: Day, to: Day }).nullable().meta({
  id: 'EmergingPeriod',
  description:
    'Days of the storefront that a run looked through, both included; the last one is that of its newest snapshot. Null until it has ended, without snapshots, and for runs before periods were kept.',
})

export const DiscoveryRun = z
  .object({
    runId: Uuid,
    country: Country,
    categoryId: CategoryId.nullable().describe('Null for all categories, also when `36` was asked for.'),
    windowDays: z.int(),
    period: RunPeriod,
    limit: z.int().describe('Candidates it keeps at most.'),
    ...WorkStatus.shape,
    examined: z.int().min(0).describe('Apps looked at.'),
    found: z.int().min(0).describe('Candidates kept.'),
    takenIn: z
      .int()
      .min(0)
      .describe(
        'Candidates that were not in the catalogue: each is looked up in the store by a job of its own, to be taken in.',
      ),
    backtest: EmergingBacktest.nullable().describe(
      'Null until the run has ended, and when no chart was captured.',
    ),
  })
  .meta({
    id: 'DiscoveryRun',
    description: 'A search through stored evidence for apps that are new in charts, moved up or gain ratings.',
  })

export const EmergingApp = z
  .object({
    app: AppLabel,
    country: Country,
    kind: z
      .enum(emergingKinds)
      .nullable()
      .describe(
        'What charts show, which foretells nothing. `new-in-charts`: no earlier snapshot shows the app. `moved-up`: each of its newest three ranks is better than the best of its oldest three in the window; such apps stand better days later less often than others do (`lastRun.backtest`). Null: ratings alone show it.',
      ),
    releasedOn: Day.nullable().describe('First release, by UTC; null when no source stated it.'),
    score: z.number().min(0).max(100).describe('How much there is to see, 100 the most; no forecast.'),
    formula: Formula,
    reasons: z
      .array(
        z.object({
          kind: z.enum(['new-entry', 'moved-up', 'rating-growth', 'young-app']),
          detail: z
            .string()
            .describe(
              'In plain words, such as "moved up 28 places in 13 days in Top Free Finance, from 40 to 12".',
            ),
          weight: z.number().min(0).max(1),
        }),
      )
      .describe('Strongest first.'),
    windowDays: z.int().describe('Of the run that found it with this score.'),
    period: RunPeriod,
    foundAt: Timestamp.describe('When that run was: a candidate that later runs do not find keeps its score.'),
    firstSeenAt: Timestamp,
    discoveredAt: Timestamp,
    intake: IntakeSummary.nullable().describe(
      'Present while the app is being taken in, and where the last try failed.',
    ),
    evidence: EvidenceList,
  })
  .meta({ id: 'EmergingApp', description: 'An app that is new in charts, moved up or gains ratings.' })
