import { z } from 'zod'
import { listingShows } from '../vocabulary/devices.ts'
import examples from './examples/competitors.json' with { type: 'json' }
import { asReply, type Contract, operations } from './operation.ts'
import { AlsoIn, AppLabel } from './shapes/apps.ts'
import { MediaChange, MediaItem, ProductPage, SeenAppEvent } from './shapes/competitors.ts'
import {
  EstimateMetric,
  EstimateModel,
  EstimatePoint,
  EstimateTotal,
  LatestEstimate,
} from './shapes/estimates.ts'
import { EvidenceList, SeriesSources, Source } from './shapes/evidence.ts'
import { NotMeasured } from './shapes/facts.ts'
import { Country, Day, Platform, StoreId, Timestamp } from './shapes/primitives.ts'
import { SourceIssueList } from './shapes/source-issues.ts'
import { WorkStatus } from './shapes/work.ts'

const ofApp = z.strictObject({ platform: Platform, storeId: StoreId })

/** Data of an app that changes over time: its estimates and the media of its listing. */
export const competitorSeriesOperations = operations({
  get_competitor_estimate_history: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/estimates/history',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['estimates'],
    summary: 'Dated downloads and revenue of one app as low, mid and high, with how they were made.',
    description:
      'One point for each day and metric, oldest first; a day the model cannot speak about is not measured, with the reason: `no-snapshot` when no chart was captured, `outside-valid-range` when the app was not among the ranks the model speaks about, `too-little-evidence` when nothing relates its ranks or ratings to downloads, `never-collected` when no refresh has looked at the day, `source-failed` when your last one failed to. A day shows the newest version that could estimate it; `models` names every version with values in the window, which days show it, its valid ranks, its calibration and the error on days it was not fitted to. Ranks in several charts, charts the app is missing from and ratings gained are evidence of one number, and `inputs` names each with its weight. Low to high is everywhere the 80 % range of a day of an app like this one; `totals` has weeks and months with ranges of their own, since the ends of days cannot be added. `latest` has the newest range of all days, what it starts from and what would make it surer. Estimates are models, not measurements by Apple. Without dates the last 90 days of evidence are answered.',
    params: ofApp,
    query: z.strictObject({
      country: Country.default('us'),
      from: Day.optional().describe('First day estimated, a UTC date, included.'),
      to: Day.optional().describe('Last day estimated, a UTC date, included.'),
      metric: EstimateMetric.optional().describe('Both when left out.'),
    }),
    reply: z
      .object({
        app: AppLabel,
        country: Country,
        alsoIn: AlsoIn,
        latest: z
          .array(LatestEstimate)
          .describe(
            'One for each metric asked for, downloads first: the newest of all days, not of the window alone.',
          ),
        from: Day,
        to: Day,
        points: z.array(EstimatePoint).describe('Oldest first.'),
        totals: z
          .array(EstimateTotal)
          .describe(
            'By week, then by month, oldest first, of the window; a period without an estimated day is left out.',
          ),
        sources: SeriesSources,
        models: z.array(EstimateModel).describe('Newest first. Empty when nothing was estimated.'),
        refresh: WorkStatus.nullable().describe('The last refresh; null when there was none.'),
        trouble: SourceIssueList,
      })
      .meta({ id: 'EstimateHistory', description: 'The estimate series of one app.' }),
    problems: ['competitor-not-found'],
    list: { at: 'points', atAGlance: 2, summaryColumns: ['date', 'metric', 'estimate'] },
    example: examples.get_competitor_estimate_history,
    title: 'Download estimates',
    use: 'When asked how many, and how sure: ranges of a model, never counts.',
  },
  refresh_competitor_estimates: {
    method: 'POST',
    path: '/v1/competitors/{platform}/{storeId}/estimates/refresh',
    scope: 'content:write',
    ending: 'accept',
    summary: 'Recomputes the estimates of one app from stored evidence.',
    description:
      'Reads stored charts, ratings and calibrations with the current model; nothing is collected. Asking again while it is under way answers the same work. Earlier values made by another version stay, and the series shows the boundary.',
    params: ofApp,
    body: z.strictObject({ country: Country.default('us') }),
    reply: asReply('EstimateRefreshRequested', WorkStatus, {}),
    problems: ['competitor-not-found'],
    shownBy: { tool: 'get_competitor_estimate_history', at: 'refresh' },
    example: examples.refresh_competitor_estimates,
    title: 'Refresh estimates',
    use: 'After new charts or ratings; collects nothing.',
  },
  get_competitor_media: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/media',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps', 'ads', 'posts'],
    summary:
      'Icon, screenshots, previews, in-app events and custom product pages of one app, current ones first, with changes.',
    description:
      'Every item ever observed in the storefront, with its first and last observation, device, size where the address tells it, place and kept copy. `coverage` says which kinds the sources looked at carry: an empty list of previews where they were never looked at is not measured, not absent. Search can show search-result media, previews or screenshots. `changes` lists differences between observations, newest first. `events` has those that pages showed, at most 200. `productPages` has those that stored ads and posts lead to, in every country, at most 100: no sign that there are no others.',
    params: ofApp,
    query: z.strictObject({
      country: Country.default('us'),
      kind: z.enum(listingShows).optional().describe('All when left out.'),
    }),
    reply: z
      .object({
        app: AppLabel,
        country: Country,
        alsoIn: AlsoIn,
        items: z.array(MediaItem).describe('Current first, then by kind, device and place.'),
        changes: z.array(MediaChange),
        events: z
          .array(SeenAppEvent)
          .describe('Those of the newest page by start, then earlier ones, last seen first.'),
        productPages: z.array(ProductPage).describe('Last seen first.'),
        coverage: z.array(
          z.object({
            kind: z.enum(listingShows),
            device: MediaItem.shape.device,
            state: z.enum(['measured', 'absent', 'not-measured']),
            reason: NotMeasured.shape.reason.nullable().describe('Why it is not measured; null where it is.'),
            sources: z.array(Source),
            lastLookedAt: Timestamp.nullable(),
          }),
        ),
        evidence: EvidenceList,
      })
      .meta({ id: 'CompetitorMedia', description: 'The media of one listing.' }),
    problems: ['competitor-not-found'],
    list: {
      at: 'items',
      summaryColumns: [
        'kind',
        'device',
        'position',
        'current',
        'firstSeenAt',
        'lastSeenAt',
        'url',
        'kept.status',
      ],
    },
    example: examples.get_competitor_media,
    title: 'Media of an app',
  },
} as const satisfies Contract)
