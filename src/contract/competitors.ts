import { z } from 'zod'
import { competitorExamples } from './examples/competitors.ts'
import type { Contract } from './operation.ts'
import { AppLabel, AppReference, AppSummary } from './shapes/apps.ts'
import { CompetitorAso } from './shapes/aso.ts'
import { CompetitorOrganic } from './shapes/competitor-organic.ts'
import {
  AppRecord,
  CategoryNode,
  DataKind,
  DataRequest,
  DiscoveryRun,
  EmergingApp,
  Intake,
  MediaChange,
  MediaItem,
  SimilarApp,
  SimilarityBasis,
} from './shapes/competitors.ts'
import { EstimateMetric, EstimateModel, EstimatePoint } from './shapes/estimates.ts'
import { EvidenceList, Source } from './shapes/evidence.ts'
import { PostFilters } from './shapes/organic.ts'
import { page, searchPage } from './shapes/page.ts'
import {
  CategoryId,
  Country,
  Cursor,
  Day,
  Limit,
  Platform,
  SearchText,
  StoreId,
  Timestamp,
} from './shapes/primitives.ts'
import { TroubleList } from './shapes/trouble.ts'
import { WorkStatus } from './shapes/work.ts'

const ofApp = z.strictObject({ platform: Platform, storeId: StoreId })
const inCountry = z.strictObject({ country: Country.default('us') })

export const competitors = {
  search_competitors: {
    method: 'GET',
    path: '/v1/competitors',
    scope: 'context:read',
    ending: 'read',
    summary: 'Stored apps that match a text and filters, most relevant first.',
    description:
      'Matches names of every stored storefront, developers, bundle ids and descriptions in any language; the last word may be a prefix, and small typos still find. An exact App Store id, bundle id or App Store address comes first. Relevance weighs how well the text fits and how established the app is. With `q`, apps stored only for another storefront are found too and say so in `country`; without `q` the list holds the apps stored for `country`. Broad texts are ranked among some hundred of their best-established matches, and `total` is then a lower bound. Filters leave out apps whose value is not measured. Only stored evidence is read.',
    query: z.strictObject({
      q: SearchText.optional().describe('Words, an App Store id, a bundle id or an App Store address.'),
      categoryId: CategoryId.optional().describe('Apps that list this Apple genre, primary or not.'),
      developerId: z
        .string()
        .regex(/^[1-9][0-9]{0,18}$/, 'must be an Apple developer id')
        .optional()
        .describe('Apps of the developer with this Apple number.'),
      country: Country.default('us').describe('Storefront whose values are preferred.'),
      price: z
        .enum(['free', 'paid'])
        .optional()
        .describe('`free`: apps that cost nothing to download; `paid`: apps that have a price.'),
      minRating: z
        .number()
        .min(0)
        .max(5)
        .optional()
        .describe('At least so many stars on average in the storefront.'),
      minRatingCount: z.int().min(0).optional().describe('At least so many ratings in the storefront.'),
      releasedFrom: Day.optional().describe('First released on this UTC date or later.'),
      releasedTo: Day.optional().describe('First released on this UTC date or earlier.'),
      updatedFrom: Day.optional().describe('Current version released on this UTC date or later.'),
      charting: z
        .enum(['yes', 'no'])
        .optional()
        .describe('Whether the newest snapshot of any chart of the storefront has the app.'),
      sort: z
        .enum(['relevance', 'rating-count', 'rating', 'released', 'updated', 'name'])
        .default('relevance')
        .describe(
          'Without `q`, relevance is how established the app is. Numbers and dates go high to low, names A to Z.',
        ),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: searchPage('CompetitorSearchPage', AppSummary),
    problems: ['invalid-cursor'],
    list: {
      at: 'items',
      glance: [
        'storeId',
        'name',
        'developer',
        'primaryCategory.value.name',
        'price',
        'rating',
        'ratingCount',
        'updatedAt',
      ],
    },
    example: competitorExamples.search_competitors,
  },
  list_competitor_categories: {
    method: 'GET',
    path: '/v1/competitors/categories',
    scope: 'context:read',
    ending: 'read',
    summary: "Apple's genre tree with the number of stored apps in each genre.",
    description:
      'The whole tree, parents before their children, then by id. An app counts in every genre it lists. Genres without a stored app are shown with 0. The list is not paged.',
    query: inCountry,
    reply: z
      .object({ country: Country, items: z.array(CategoryNode) })
      .meta({ id: 'CategoryTree', description: 'The genre tree.' }),
    problems: [],
    list: { at: 'items', glance: ['categoryId', 'name', 'parentId', 'apps'] },
    example: competitorExamples.list_competitor_categories,
  },
  get_competitor: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}',
    scope: 'context:read',
    ending: 'read',
    summary: 'Everything stored about one app in one storefront, each value with where it comes from.',
    description:
      'The store listing, current chart positions, newest estimates, counts of what else is stored, open data requests of this account and how fresh each part is. When the app is stored only for other storefronts, the best of those is answered, named in `country`, and `storefronts` lists all. An app that is not in the catalogue answers 404, which says whether its intake is under way. Nothing is collected by this read.',
    params: ofApp,
    query: inCountry,
    reply: AppRecord,
    problems: ['competitor-not-found'],
    example: competitorExamples.get_competitor,
  },
  get_similar_competitors: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/similar',
    scope: 'context:read',
    ending: 'read',
    summary: 'Stored apps that resemble one app, most similar first, each with the reasons.',
    description:
      "Reasons are Apple's own list of similar apps, the same developer, shared keywords, charting together and similar text. `basis` says which of them could be looked at: without charts or keywords the descriptions alone decide. An empty list means that nothing stored resembles the app. Only stored evidence is read.",
    params: ofApp,
    query: z.strictObject({ country: Country.default('us'), limit: Limit }),
    reply: z
      .object({
        app: AppLabel,
        country: Country,
        formula: z.string().describe('Name and version of the score.'),
        items: z.array(SimilarApp),
        basis: z.array(SimilarityBasis),
        trouble: TroubleList,
      })
      .meta({ id: 'SimilarApps', description: 'Apps that resemble one app.' }),
    problems: ['competitor-not-found'],
    list: { at: 'items', glance: ['app.storeId', 'app.name', 'score', 'reasons'] },
    example: competitorExamples.get_similar_competitors,
  },
  get_competitor_organic: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/organic',
    scope: 'context:read',
    ending: 'read',
    summary: 'Organic posts linked to one app, with a summary of how they do.',
    description:
      'Posts whose link to the app has evidence: an App Store address in the text, the shared link or the author’s profile, or a known account that posted it or is named in it. Filters and sorts are those of the organic search. The summary speaks about all posts that pass the filters, not only about this page. No posts means that none is stored, which is not the same as none published.',
    params: ofApp,
    query: z.strictObject({ ...PostFilters, limit: Limit, cursor: Cursor.optional() }),
    reply: CompetitorOrganic,
    problems: ['competitor-not-found', 'invalid-cursor'],
    list: {
      at: 'items',
      glance: [
        'postId',
        'author.handle',
        'publishedAt',
        'text',
        'metrics.views',
        'metrics.likes',
        'outlierScore',
      ],
    },
    example: competitorExamples.get_competitor_organic,
  },
  get_competitor_aso: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/aso',
    scope: 'context:read',
    ending: 'read',
    summary: 'Listing audit, keyword ranks, visibility and listing timeline of one app in one storefront.',
    description:
      'What each text field uses of its limit and which terms it holds; the keywords that matter to the app, searched or not yet, with ranks in three states; visibility with the set of keywords and the share of them that was measured; ratings; and every change of the listing with the rank movement around it. It rests on stored result pages only and starts no search.',
    params: ofApp,
    query: inCountry,
    reply: CompetitorAso,
    problems: ['competitor-not-found'],
    example: competitorExamples.get_competitor_aso,
  },
  list_competitor_data_requests: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/data-requests',
    scope: 'context:read',
    ending: 'read',
    summary: "This account's requests for data about one app, newest first.",
    description:
      'Requests for all storefronts, ordered by the last time they were asked. An empty list means that this account asked for nothing. It works for apps that are not in the catalogue.',
    params: ofApp,
    query: z.strictObject({
      status: DataRequest.shape.status.optional(),
      kind: DataKind.optional(),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: page('DataRequestPage', DataRequest),
    problems: ['invalid-cursor'],
    list: { at: 'items', glance: ['requestId', 'kind', 'country', 'status', 'demand', 'lastRequestedAt'] },
    example: competitorExamples.list_competitor_data_requests,
  },
  request_competitor_data: {
    method: 'POST',
    path: '/v1/competitors/{platform}/{storeId}/data-requests',
    scope: 'content:write',
    ending: 'record',
    summary: 'Records that this account wants data about an app; it never starts collection.',
    description:
      'Each kind becomes one request, however often the call names it; a kind already asked for by this account and storefront is counted again instead of stored twice, and its newest note stays. 201 when at least one is new, 200 when all were known. A request is fulfilled when evidence of that kind arrives after it was made, whoever brings it: what was stored before was there to be read. `record` is answered by a whole listing, `media` by screenshots or previews, `charts` by a chart of the storefront that shows the app, `similar` by Apple’s own list. A request that was fulfilled or dismissed keeps that status when it is asked for again: demand and last asked grow, for the operator to see. It works for apps that are not in the catalogue. No job and no outbound call follows from it.',
    params: ofApp,
    body: z.strictObject({
      kinds: z.array(DataKind).min(1).max(7),
      country: Country.default('us'),
      note: z.string().max(2000).optional().describe('Why it is wanted, for the operator.'),
    }),
    reply: z
      .object({ items: z.array(DataRequest).describe('One for each kind asked for, in that order.') })
      .meta({ id: 'DataRequests', description: 'The recorded demand.' }),
    problems: [],
    list: { at: 'items', glance: ['requestId', 'kind', 'country', 'status', 'demand', 'lastRequestedAt'] },
    example: competitorExamples.request_competitor_data,
  },
  request_ios_competitor: {
    method: 'POST',
    path: '/v1/competitors/intake/requested',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Takes an app into the catalogue by looking it up in the App Store.',
    description:
      'Unlike a data request this collects: a job looks the app up in the storefront. Asking again for the same app and storefront while it is under way answers the same intake; asking for one that is already catalogued answers its succeeded intake. A failed intake says why: the store does not know the app, it is not sold in this storefront, it is not an iOS app, or the source failed; asking again within ten minutes answers it, later a new one is made.',
    body: z.strictObject({ app: AppReference, country: Country.default('us') }),
    reply: Intake,
    problems: [],
    shownBy: { tool: 'request_ios_competitor' },
    example: competitorExamples.request_ios_competitor,
  },
  discover_emerging_ios_competitors: {
    method: 'POST',
    path: '/v1/competitors/intake/emerging-discovery',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Starts a run that looks for apps on the rise in the stored chart and rating evidence.',
    description:
      'Looks for new entries, fast climbers and young apps that gain ratings within the window, which ends with the newest stored snapshot. Candidates that are not in the catalogue are taken in. Asking again for the same storefront, category and window while a run is under way answers that run. It reads stored evidence only, so it finds nothing where no charts were captured, and then ends `partial` and says why.',
    body: z.strictObject({
      country: Country.default('us'),
      categoryId: CategoryId.optional().describe('All categories when left out.'),
      windowDays: z.int().min(2).max(90).default(14),
      limit: z.int().min(1).max(100).default(25).describe('How many candidates to keep.'),
    }),
    reply: DiscoveryRun,
    problems: [],
    shownBy: { tool: 'list_emerging_ios_competitors', at: 'lastRun' },
    example: competitorExamples.discover_emerging_ios_competitors,
  },
  list_emerging_ios_competitors: {
    method: 'GET',
    path: '/v1/competitors/intake/emerging',
    scope: 'context:read',
    ending: 'read',
    summary: 'Apps on the rise with the reasons in plain words, strongest first, and the last run.',
    description:
      'Candidates that discovery runs found, with the newest score of each. `lastRun` is null when no run was ever made for this storefront and category: then an empty list says nothing about the market.',
    query: z.strictObject({
      country: Country.default('us'),
      categoryId: CategoryId.optional(),
      since: Day.optional().describe('Only candidates discovered on this UTC date or later.'),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: z
      .object({
        ...page('EmergingPage', EmergingApp).shape,
        lastRun: DiscoveryRun.nullable(),
        trouble: TroubleList,
      })
      .meta({ id: 'EmergingApps', description: 'A page of candidates.' }),
    problems: ['invalid-cursor'],
    list: { at: 'items', glance: ['app.storeId', 'app.name', 'score', 'reasons', 'firstSeenAt'] },
    example: competitorExamples.list_emerging_ios_competitors,
  },
  get_competitor_estimate_history: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/estimates/history',
    scope: 'context:read',
    ending: 'read',
    summary: 'Dated downloads and revenue of one app as low, mid and high, with how they were made.',
    description:
      'One point for each day and metric, oldest first; a day the model cannot speak about is not measured, with the reason: `no-snapshot` when no chart was captured, `outside-valid-range` when the app was not among the ranks the model speaks about, `too-little-evidence` when nothing relates its ranks or ratings to downloads, `never-collected` when no refresh has looked at the day. A day shows the newest version that could estimate it; `models` names every version with values in the window, which days show it, its valid ranks, its calibration and the error on held-out days. Estimates are models, not measurements by Apple. Without dates the last 90 days of evidence are answered.',
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
        from: Day,
        to: Day,
        points: z.array(EstimatePoint).describe('Oldest first.'),
        models: z.array(EstimateModel).describe('Newest first. Empty when nothing was estimated.'),
        refresh: WorkStatus.nullable().describe('The last refresh; null when there was none.'),
        trouble: TroubleList,
      })
      .meta({ id: 'EstimateHistory', description: 'The estimate series of one app.' }),
    problems: ['competitor-not-found'],
    list: { at: 'points', glance: ['date', 'metric', 'estimate'] },
    example: competitorExamples.get_competitor_estimate_history,
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
    reply: WorkStatus,
    problems: ['competitor-not-found'],
    shownBy: { tool: 'get_competitor_estimate_history', at: 'refresh' },
    example: competitorExamples.refresh_competitor_estimates,
  },
  get_competitor_media: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/media',
    scope: 'context:read',
    ending: 'read',
    summary: 'Icons, screenshots and previews of one app, current ones first, with their changes over time.',
    description:
      'Every item ever observed in the storefront, with its first and last observation, device, size where the address tells it, place and kept copy. `coverage` says which kinds the sources looked at carry: an empty list of previews where they were never looked at is not measured, not absent. `changes` lists differences between observations, newest first.',
    params: ofApp,
    query: z.strictObject({
      country: Country.default('us'),
      kind: MediaItem.shape.kind.optional().describe('All kinds when left out.'),
    }),
    reply: z
      .object({
        app: AppLabel,
        country: Country,
        items: z.array(MediaItem).describe('Current first, then by kind, device and place.'),
        changes: z.array(MediaChange),
        coverage: z.array(
          z.object({
            kind: MediaItem.shape.kind,
            device: MediaItem.shape.device,
            state: z.enum(['measured', 'absent', 'not-measured']),
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
      glance: ['kind', 'device', 'position', 'current', 'firstSeenAt', 'lastSeenAt', 'url', 'kept.status'],
    },
    example: competitorExamples.get_competitor_media,
  },
} as const satisfies Contract
