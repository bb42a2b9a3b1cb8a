import { z } from 'zod'
import { allPlatforms } from '../vocabulary/ad-platforms.ts'
import { capitalised } from '../vocabulary/suppliers.ts'
import examples from './examples/paid-ads.json' with { type: 'json' }
import { asReply, type Contract, operations } from './operation.ts'
import { AdAnalysis, AdTranscript } from './shapes/ad-analysis.ts'
import {
  AdImportBody,
  AdImportPreview,
  AdImportRun,
  AdLinkBody,
  AdLinkDecision,
  AdPreviewBody,
  AdRestriction,
  AdvertiserLookup,
  KnownAdvertiser,
} from './shapes/ad-imports.ts'
import { SaveBody } from './shapes/creatives.ts'
import { searchPage } from './shapes/page.ts'
import {
  AdCoverage,
  AdFilters,
  AdPlatform,
  ArchiveId,
  PaidAd,
  PaidAdDetail,
  SavedPaidAd,
} from './shapes/paid-ads.ts'
import { Country, Cursor, Language, Limit, SearchText, Uuid } from './shapes/primitives.ts'

const ofAd = z.strictObject({ platform: AdPlatform, archiveId: ArchiveId })
const ofRun = z.strictObject({ runId: Uuid })

export const paidAdOperations = operations({
  search_paid_ads: {
    method: 'GET',
    path: '/v1/paid-ads',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['ads'],
    summary: 'Stored paid ads that match a text and filters, most relevant first.',
    description:
      'Matches titles, texts, descriptions, advertisers and transcripts in any language, of current and of earlier creatives. Without `q` and filters it lists every stored ad; `saved=true` lists the ones this account saved. Filters are combined with and; several values of one filter with or. An ad whose value is not measured is left out by a filter on that value and comes last in a sort on it. Broad texts are ranked among a bounded number of matches, and `total` is then a lower bound. `competitor` also takes apps that are not in the catalogue; only a bundle id nobody has seen is refused. `categoryId`, `sort=longest-running` and `reading=true` answer which ads of a category run longest, and with which hook and promise. `coverage` says what the ad libraries cannot show: an empty list is never proof that nothing was advertised. Only stored evidence is read; administrators bring ads in with `admin_import_paid_ads`.',
    query: z.strictObject({ ...AdFilters, limit: Limit, cursor: Cursor.optional() }),
    reply: z
      .object({
        ...searchPage('PaidAdMatches', PaidAd).shape,
        coverage: z.array(AdCoverage).describe('One entry for each platform searched.'),
      })
      .meta({ id: 'PaidAdPage', description: 'A page of ads and what it cannot show.' }),
    problems: ['invalid-cursor', 'competitor-not-found'],
    list: {
      at: 'items',
      summaryColumns: [
        'platform',
        'archiveId',
        'advertiser.name',
        'format',
        'active',
        'deliveryStartedOn',
        'daysRunning',
        'lastObservedAt',
        'links.app.name',
        'creatives.linkUrl',
        'creatives.body',
        'reading.hook.value',
        'reading.promises.value',
      ],
    },
    example: examples.search_paid_ads,
    title: 'Search ads',
    use: 'Ads of an app: `competitor`; their hooks: `reading`. No ad stored is no proof of none.',
  },
  get_paid_ad: {
    method: 'GET',
    path: '/v1/paid-ads/{platform}/{archiveId}',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['ads'],
    summary: 'One stored paid ad with its observations, transcript, analysis and linked apps.',
    description:
      'The ad over all stored observations, newest first, with current and earlier creatives and the grounds for each linked app. `transcript` and `analysis` are null until somebody asks for them; then they show state, attempts, last error and result. An ad nobody has observed answers 404; nothing is fetched from the ad library.',
    params: ofAd,
    reply: PaidAdDetail,
    problems: ['paid-ad-not-found'],
    example: examples.get_paid_ad,
    title: 'One ad',
    use: 'After `search_paid_ads`.',
  },
  generate_paid_ad_transcript: {
    method: 'POST',
    path: '/v1/paid-ads/{platform}/{archiveId}/transcript',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Asks for the transcript of an ad, in its own language, with start and end seconds.',
    description:
      'Captions the source gave are used first, else the kept copy of the first current video is heard; if no copy is kept yet, one is tried. Asking again while the work is under way answers the same work, and asking for one that has ended answers its result, unless `force` repeats it. Silence (`no-speech`) and not being able to hear (`unavailable`, with the reason) are ends of the work, not errors; a failing speech service makes the work `failed` after its attempts. Transcripts are shared by all accounts. `get_paid_ad` shows how it goes.',
    params: ofAd,
    body: z.strictObject({
      language: Language.optional().describe('Language expected to be spoken, as a hint. Never a translation.'),
      force: z.boolean().default(false).describe('Make it again although one has ended.'),
    }),
    reply: asReply('AdTranscriptRequested', AdTranscript, {}),
    problems: ['paid-ad-not-found'],
    shownBy: { tool: 'get_paid_ad', at: 'transcript' },
    example: examples.generate_paid_ad_transcript,
    title: 'Transcribe an ad',
    use: 'When `get_paid_ad` has none.',
  },
  analyze_paid_ad_creative: {
    method: 'POST',
    path: '/v1/paid-ads/{platform}/{archiveId}/analysis',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary:
      'Asks for an analysis of an ad: measured facts, and a reading in which every statement has quotes.',
    description:
      'The current creatives are analysed, with their transcript if there is one; no transcript is made for it. A local analyser always works; a language model is asked too when the operator has configured one, and quotes that are not in the ad word for word are thrown out with their statement. What could not be measured or read says why. Asking again while the work is under way answers the same work, and asking for one that has ended answers its result, unless `force` repeats it. `partial` means that the model failed and the local reading stands. Analyses are shared by all accounts. `get_paid_ad` shows how it goes.',
    params: ofAd,
    body: z.strictObject({
      force: z.boolean().default(false).describe('Make it again although one has ended.'),
    }),
    reply: asReply('AdAnalysisRequested', AdAnalysis, {}),
    problems: ['paid-ad-not-found'],
    shownBy: { tool: 'get_paid_ad', at: 'analysis' },
    example: examples.analyze_paid_ad_creative,
    title: 'Analyse an ad',
    use: 'Hook and promise; when `get_paid_ad` has none.',
  },
  save_paid_ad: {
    method: 'POST',
    path: '/v1/paid-ads/{platform}/{archiveId}/saved',
    scope: 'content:write',
    ending: 'record',
    outside: true,
    overwrites: true,
    summary: 'Saves a stored paid ad for this account, with an optional note and tags.',
    description:
      '201 the first time, 200 with the same saved ad when repeated. Saving again keeps `savedAt` and replaces only the parts given: a note or tags left out stay as they were. If the operator keeps media of saved items, copies of its media are queued; `mediaStatus` of each creative shows how that goes. `search_paid_ads` with `saved=true` finds the saved ones. An ad that is not stored answers 404 and nothing is saved.',
    params: ofAd,
    body: SaveBody,
    restsOn: ['ads'],
    reply: SavedPaidAd,
    problems: ['paid-ad-not-found'],
    example: examples.save_paid_ad,
    title: 'Save an ad',
    use: 'Saving again edits it.',
  },
  remove_saved_paid_ad: {
    method: 'DELETE',
    path: '/v1/paid-ads/{platform}/{archiveId}/saved',
    scope: 'content:write',
    ending: 'remove',
    summary: 'Takes a paid ad off the saved ads of this account.',
    description:
      'The note and the tags are deleted with it. The ad itself, its links, transcript, analysis and copies of its media stay stored. 204 also when the ad was not saved, so it can be repeated. An ad that is not stored answers 404.',
    params: ofAd,
    problems: ['paid-ad-not-found'],
    example: examples.remove_saved_paid_ad,
    title: 'Unsave an ad',
  },
  admin_search_paid_ad_advertisers: {
    method: 'GET',
    path: '/v1/admin/paid-ads/advertisers',
    scope: 'content:write',
    ending: 'read',
    restsOn: ['ads'],
    outside: true,
    summary: 'Advertisers known here and, where the platform can be asked, upstream; most stored ads first.',
    description:
      'Matches words of the name, the last may be a prefix, or a whole advertiser id. Advertisers with stored ads come first, then those only the platform knows, in its order; `foundIn` says which. With `q`, each platform that offers a search for advertisers is asked once, live, and nothing it answers is stored; `lookups` says how that went. A platform that is not configured or fails is told there and does not fail the request. The answer is one page: narrow `q` to see others.',
    query: z.strictObject({
      platform: AdPlatform.optional().describe(`${capitalised(allPlatforms)} when left out.`),
      q: SearchText.optional().describe(
        'Words of a name, or an advertiser id. Without it only stored ones are listed.',
      ),
      country: Country.optional().describe(
        'Advertisers with stored ads delivered in this country, or whose business is there.',
      ),
      limit: Limit,
    }),
    reply: z
      .object({
        items: z.array(KnownAdvertiser),
        nextCursor: z.null().describe('Always null: there is one page.'),
        lookups: z.array(AdvertiserLookup).describe('One entry for each platform searched; empty without `q`.'),
        restrictions: z
          .array(AdRestriction)
          .describe(
            'What a library did to advertisers in the last year, as it answered just now: only with `q` and a `platform` that tells it (Apple).',
          ),
      })
      .meta({ id: 'KnownAdvertisers', description: 'Advertisers and where each is known.' }),
    problems: [],
    list: {
      at: 'items',
      summaryColumns: [
        'platform',
        'advertiserId',
        'name',
        'country',
        'foundIn',
        'storedAds',
        'linkedApps.name',
        'kind',
      ],
    },
    example: examples.admin_search_paid_ad_advertisers,
    title: 'Search advertisers',
    use: 'To find an `advertiserId`.',
  },
  admin_preview_paid_ads: {
    method: 'POST',
    path: '/v1/admin/paid-ads/preview',
    scope: 'content:write',
    ending: 'read',
    outside: true,
    summary: 'Shows what an import of paid ads would do and cost, and writes nothing.',
    description:
      'Takes a query for the ad library, or `records` inline, not both; a query names at least one advertiser or term, and TikTok takes only one of the two; Apple takes apps, advertisers, single ads, or countries alone, and no terms. A query reads the first page of each of its searches, as far as 30 seconds and its limit reach; what was not looked at is said in `coverage`. Records are all examined. The answer says how many ads match, how many of those examined are new, known, changed or would be rejected, the requests the import will make, and what the library cannot show. `previewToken` is bound to exactly these arguments and lasts 15 minutes. Without a token for the platform a query answers `source-not-configured`, naming the variable to set; Apple needs none, and `records` always work. Properties of a record that this service does not serve are dropped, as in any import.',
    body: AdPreviewBody,
    restsOn: ['ads'],
    reply: AdImportPreview,
    problems: [
      'competitor-not-found',
      'evidence-not-allowed',
      'source-not-configured',
      'upstream-failed',
      'upstream-timeout',
    ],
    list: {
      at: 'sample',
      summaryColumns: ['archiveId', 'advertiserName', 'deliveryStartedOn', 'standing', 'text'],
    },
    example: examples.admin_preview_paid_ads,
    title: 'Preview an ad import',
    use: 'Before `admin_import_paid_ads`.',
  },
  admin_import_paid_ads: {
    method: 'POST',
    path: '/v1/admin/paid-ads/imports',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary:
      'Starts a run that imports paid ads, from a preview or the same arguments, or takes back the records of one.',
    description:
      'Takes either `previewToken` alone, or the arguments of `admin_preview_paid_ads` with `platform`; both together are refused. Repeating a token answers the same run, also when it has ended and when the token has expired since. Repeating arguments while such a run is under way answers that run. The run stores each page as it is read, so a broken run keeps what it has; ads already stored get another observation. A throttled run waits and goes on by itself. Inline records are shown as brought by this account (`broughtBy`) and never take the place of what a library said: they fill in what none did. `withdrawRunId` takes them back for good, with all that followed from them. `admin_get_paid_ad_import` shows how it goes.',
    body: AdImportBody,
    reply: AdImportRun,
    problems: [
      'competitor-not-found',
      'evidence-not-allowed',
      'import-run-not-found',
      'preview-expired',
      'source-not-configured',
    ],
    shownBy: { tool: 'admin_get_paid_ad_import' },
    example: examples.admin_import_paid_ads,
    title: 'Import ads',
  },
  admin_get_paid_ad_import: {
    method: 'GET',
    path: '/v1/admin/paid-ads/imports/{runId}',
    scope: 'context:read',
    ending: 'read',
    restsOn: [],
    summary: 'The state, progress and counts of one import run, with rejected records and their reasons.',
    description:
      'Shows where the run stands in the ad library, its attempts and last error, and what the library could not show. `partial` means that something was stored and something was not reached. Runs belong to the account that started them; an id this account has no run for answers 404.',
    params: ofRun,
    reply: AdImportRun,
    problems: ['import-run-not-found'],
    example: examples.admin_get_paid_ad_import,
    title: 'Ad import',
  },
  admin_retry_paid_ad_import: {
    method: 'POST',
    path: '/v1/admin/paid-ads/imports/{runId}/retry',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Lets a failed or partial import run go on where it stopped.',
    description:
      'The run keeps its id and counts, and goes on after the last page it stored, with the dates and everything else it was asked for; where the library no longer accepts that position it reads again from the start and counts known ads as unchanged. A run that is queued, running or succeeded answers 409 `not-retryable` and is left alone. Rejected records are not tried again unless their page is read again.',
    params: ofRun,
    reply: AdImportRun,
    problems: ['evidence-not-allowed', 'import-run-not-found', 'not-retryable', 'source-not-configured'],
    shownBy: { tool: 'admin_get_paid_ad_import' },
    example: examples.admin_retry_paid_ad_import,
    title: 'Retry an ad import',
  },
  admin_link_paid_ads: {
    method: 'POST',
    path: '/v1/admin/paid-ads/links',
    scope: 'content:write',
    ending: 'record',
    overwrites: true,
    summary: 'Links ads or a whole advertiser to an app, or undoes such links.',
    description:
      'Takes either `advertiserId` or `archiveIds`. A link by advertiser also holds for ads of it that arrive later, and may be made before any is stored. Ads that lead to an App Store page are linked by themselves; `unlink` wins over that, lasts, and ends only with a later `link`. A decision about single ads wins over one about their advertiser. `link` needs the app in the catalogue; `unlink` also works for apps that are not. If one of the ads is not stored nothing is decided. 201 for a new decision, 200 when the same one already stands. Decisions are shared by all accounts and shown as brought by one (`broughtBy`). `withdraw` takes back what this account decided about the same advertiser or ads, as if it had not; what another account decided stays.',
    body: AdLinkBody,
    reply: AdLinkDecision,
    problems: ['competitor-not-found', 'decision-not-found', 'evidence-not-allowed', 'paid-ad-not-found'],
    example: examples.admin_link_paid_ads,
    title: 'Link ads',
  },
} as const satisfies Contract)
