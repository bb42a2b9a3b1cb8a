import { z } from 'zod'
import examples from './examples/competitors.json' with { type: 'json' }
import { asReply, type Contract, operations } from './operation.ts'
import { AppReference } from './shapes/apps.ts'
import { DataKind, DataRequest, Intake } from './shapes/competitors.ts'
import { DiscoveryRun, EmergingApp } from './shapes/emerging.ts'
import { page } from './shapes/page.ts'
import { CategoryId, Country, Cursor, Day, Limit, Platform, StoreId, Uuid } from './shapes/primitives.ts'
import { SourceIssueList, troubleOfWork } from './shapes/source-issues.ts'

const ofApp = z.strictObject({ platform: Platform, storeId: StoreId })

/** Data requests about apps, and adding apps to the catalogue. */
export const competitorIntakeOperations = operations({
  list_competitor_data_requests: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/data-requests',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps'],
    summary: "This account's requests for data about one app, newest first, and the state of its intakes.",
    description:
      'Requests for all storefronts, ordered by the last time they were asked. An empty list means that this account asked for nothing. It works for apps that are not in the catalogue. `intakes` shows how the taking-in of the app went in each storefront that this account asked for, with progress, attempts, last error and why it failed; every page has them. One that was asked for by bundle id is shown once the App Store has told the app’s id and the app is stored.',
    params: ofApp,
    query: z.strictObject({
      status: DataRequest.shape.status.optional(),
      kind: DataKind.optional(),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: z
      .object({
        ...page('DataRequestPage', DataRequest).shape,
        intakes: z
          .array(Intake)
          .describe(
            'The newest intake of each storefront, newest first; empty when this account asked for none.',
          ),
      })
      .meta({ id: 'DataRequestsOfApp', description: 'What was asked for about one app.' }),
    problems: ['invalid-cursor'],
    list: {
      at: 'items',
      summaryColumns: ['requestId', 'kind', 'country', 'status', 'demand', 'lastRequestedAt'],
    },
    example: examples.list_competitor_data_requests,
    title: 'Data requests',
    use: 'To see how `request_ios_competitor` went, too.',
  },
  request_competitor_data: {
    method: 'POST',
    path: '/v1/competitors/{platform}/{storeId}/data-requests',
    scope: 'content:write',
    ending: 'record',
    summary: 'Records that this account wants data about an app; it never starts collection.',
    description:
      'Each kind becomes one request, however often the call names it; a kind already asked for by this account and storefront is counted again instead of stored twice, and its newest note stays. 201 when at least one is new, 200 when all were known. A request is fulfilled when evidence of that kind arrives after it was made, whoever brings it: what was stored before was there to be read. `record` is answered by a whole listing, `media` by screenshots or previews, `charts` by a chart of the storefront that shows the app, or a list that tells its rank there, `similar` by Apple’s own list. Asked for again after its end, a request reopens when the newest evidence of that kind was observed more than a day ago; else, and where there is none at all, it stays fulfilled or dismissed, and demand and last asked grow for the operator to see. It works for apps that are not in the catalogue. No job and no outbound call follows from it.',
    params: ofApp,
    body: z.strictObject({
      kinds: z.array(DataKind).min(1).max(7),
      country: Country.default('us'),
      note: z.string().max(2000).optional().describe('Why it is wanted, for the operator.'),
    }),
    reply: z
      .object({
        items: z.array(DataRequest).describe('One for each kind asked for, in that order.'),
        trouble: SourceIssueList.describe(
          'Sources of these kinds that are not well now in the storefront, longest trouble first. Empty when all are.',
        ),
      })
      .meta({ id: 'DataRequests', description: 'The recorded demand.' }),
    problems: [],
    list: {
      at: 'items',
      summaryColumns: ['requestId', 'kind', 'country', 'status', 'demand', 'lastRequestedAt'],
    },
    example: examples.request_competitor_data,
    title: 'Request data',
    use: 'To collect an app now: `request_ios_competitor`.',
  },
  request_ios_competitor: {
    method: 'POST',
    path: '/v1/competitors/intake/requested',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Takes an app into the catalogue by looking it up in the App Store.',
    description:
      'Unlike a data request this collects: a job looks the app up in the storefront. Asking again for the same app and storefront while it is under way answers the same intake; asking for one that is already catalogued answers its succeeded intake. It is the same intake whether the app is named by its id, bundle id or address, and keeps its id when Apple has told which app a bundle id is. A failed intake says why: the store does not know the app, it is not sold in this storefront, it is not an iOS app, or the source failed; asking again within ten minutes answers it, later a new one is made. `app` is the reference this account gave; others are not told that it asked.',
    body: z.strictObject({ app: AppReference, country: Country.default('us') }),
    reply: asReply('IntakeRequested', Intake, troubleOfWork),
    problems: [],
    shownBy: { tool: 'request_ios_competitor' },
    example: examples.request_ios_competitor,
    title: 'Take an app in',
    use: 'When an app is not found; call again for its state.',
  },
  discover_emerging_ios_competitors: {
    method: 'POST',
    path: '/v1/competitors/intake/emerging-discovery',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Searches stored charts and ratings for emerging apps; unknown ones are looked up in the store.',
    description:
      'Looks for apps new in charts, apps that moved up in them, and young apps that gain ratings, within the window, which ends with the newest stored snapshot. It tells what charts show and forecasts nothing: each run also says what became of apps that had moved up on earlier days, on the stored charts. Candidates that are not in the catalogue are looked up in the store to be taken in, which asks Apple. Asking again with the same arguments while a run is under way answers that run; runs with others go side by side. Candidates come from stored evidence alone, so it finds nothing where no charts were captured, and then ends `partial` and says why.',
    body: z.strictObject({
      country: Country.default('us'),
      categoryId: CategoryId.optional().describe(
        'All categories when left out. A genre stands for all under it and their charts; `36` is all categories.',
      ),
      windowDays: z.int().min(2).max(90).default(14).describe('Days looked at, up to the newest snapshot.'),
      limit: z.int().min(1).max(100).default(25).describe('How many candidates to keep.'),
    }),
    reply: asReply('DiscoveryRequested', DiscoveryRun, troubleOfWork),
    problems: [],
    shownBy: { tool: 'list_emerging_ios_competitors', at: 'lastRun' },
    example: examples.discover_emerging_ios_competitors,
    title: 'Find emerging apps',
    use: 'Then `list_emerging_ios_competitors`.',
  },
  list_emerging_ios_competitors: {
    method: 'GET',
    path: '/v1/competitors/intake/emerging',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps', 'charts'],
    summary: 'Apps new in charts or moved up, strongest first, then by ratings alone, and why; the last run.',
    description:
      'Candidates that discovery runs over this storefront and category found, with the newest score of each, and the newest of these runs. Scores depend on the window, so all are of runs over the same number of days: those of `windowDays`, else of the newest run. `runId` shows what one run kept. `period` says which days were looked through, and `foundAt` when: a run over older evidence, or a candidate of an older run, tells of that time. `lastRun` is null when no run was ever made that fits: then an empty list says nothing about the market.',
    query: z.strictObject({
      country: Country.default('us'),
      categoryId: CategoryId.optional().describe(
        'Only this genre. What runs over it found; runs over all when left out or `36`.',
      ),
      windowDays: z
        .int()
        .min(2)
        .max(90)
        .optional()
        .describe('Days looked at. What runs over so many days found; those of the newest run when left out.'),
      runId: Uuid.optional().describe(
        'Only this run. What it kept, whatever later runs found; `lastRun` is then this one.',
      ),
      since: Day.optional().describe('Discovered on this UTC date or later.'),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: z
      .object({
        ...page('EmergingPage', EmergingApp).shape,
        lastRun: DiscoveryRun.nullable(),
        trouble: SourceIssueList,
      })
      .meta({ id: 'EmergingApps', description: 'A page of candidates.' }),
    problems: ['invalid-cursor'],
    list: {
      at: 'items',
      summaryColumns: [
        'app.storeId',
        'app.name',
        'app.namedIn',
        'kind',
        'releasedOn',
        'score',
        'reasons.detail',
        'foundAt',
      ],
      leavesOut: [
        'lastRun.backtest.after',
        'lastRun.workId',
        'lastRun.progress',
        'lastRun.attempts',
        'lastRun.createdAt',
        'lastRun.startedAt',
      ],
      atAGlance: 15,
    },
    example: examples.list_emerging_ios_competitors,
    title: 'Emerging apps',
    use: 'Found by `discover_emerging_ios_competitors`: call that first where `lastRun` is null.',
  },
} as const satisfies Contract)
