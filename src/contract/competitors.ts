import { z } from 'zod'
import { storeIdForm } from '../vocabulary/ids.ts'
import { competitorIntakeOperations } from './competitor-intake.ts'
import { competitorSeriesOperations } from './competitor-series.ts'
import examples from './examples/competitors.json' with { type: 'json' }
import { type Contract, operations } from './operation.ts'
import { AlsoIn, AppLabel, AppSummary } from './shapes/apps.ts'
import { CompetitorAso } from './shapes/aso.ts'
import { CompetitorOrganic } from './shapes/competitor-organic.ts'
import {
  AppRecord,
  CategoryNode,
  ChangedPart,
  LocalizationState,
  LocalizationStates,
  SimilarApp,
  SimilarityBasis,
} from './shapes/competitors.ts'
import { PostFilters } from './shapes/organic.ts'
import { searchPage } from './shapes/page.ts'
import {
  CategoryId,
  Country,
  Cursor,
  Day,
  Formula,
  Limit,
  ListingLanguage,
  Platform,
  SearchText,
  StoreId,
} from './shapes/primitives.ts'
import { SourceIssueList } from './shapes/source-issues.ts'

const ofApp = z.strictObject({ platform: Platform, storeId: StoreId })
const inCountry = z.strictObject({ country: Country.default('us') })

export const competitorOperations = operations({
  search_competitors: {
    method: 'GET',
    path: '/v1/competitors',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps'],
    summary: 'Stored apps that match a text and filters, most relevant first.',
    description:
      'Matches names of every stored storefront, developers, bundle ids, descriptions, and what is stored of other localizations of `country` (`matchedIn`); the last word may be a prefix, and small typos still find. An exact App Store id, bundle id or App Store address comes first. Relevance weighs how well the text fits and how established the app is. Every value shown, filtered by or sorted by is of `country`. With `q` and neither filter nor sort, apps stored only for other storefronts are found too: they come last, `namedIn` says where their name is from, and nothing else of them is shown. Everything else lists the apps stored for `country`. Broad texts are ranked among some hundred of their best-established matches, and `total` is then a lower bound. Filters leave out apps whose value is not measured. Only stored evidence is read.',
    query: z.strictObject({
      q: SearchText.optional().describe('Words, an App Store id, a bundle id or an App Store address.'),
      categoryId: CategoryId.optional().describe(
        'Apps under this Apple genre. Whether it is their primary one or not; `36` is all apps.',
      ),
      developerId: z
        .string()
        .regex(storeIdForm, 'must be an Apple developer id')
        .optional()
        .describe('Apps of the developer with this Apple number.'),
      country: Country.default('us').describe('Storefront of every value.'),
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
      summaryColumns: [
        'storeId',
        'name',
        'namedIn',
        'developer',
        'primaryCategory.value.name',
        'price',
        'rating',
        'ratingCount',
        'updatedAt',
        'matchedIn',
      ],
    },
    example: examples.search_competitors,
    title: 'Search apps',
    use: 'Start here, to turn the name of any app into its `storeId`.',
  },
  list_competitor_categories: {
    method: 'GET',
    path: '/v1/competitors/categories',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps'],
    summary: "Apple's genre tree with the number of stored apps in each genre.",
    description:
      'The whole tree, parents before their children, then by id. An app counts in every genre it lists and in those above them, as `categoryId` of `search_competitors` finds it. Genres without a stored app are shown with 0. The list is not paged.',
    query: inCountry,
    reply: z
      .object({ country: Country, items: z.array(CategoryNode) })
      .meta({ id: 'CategoryTree', description: 'The genre tree.' }),
    problems: [],
    list: { at: 'items', summaryColumns: ['categoryId', 'name', 'parentId', 'apps'] },
    example: examples.list_competitor_categories,
    title: 'Categories',
    use: 'To find a `categoryId`.',
  },
  get_competitor: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps', 'charts', 'estimates'],
    summary:
      'The listing of one app in one storefront, chart positions, newest estimates, and counts and age of what else is stored.',
    description:
      'The store listing, current chart positions, newest estimates, counts of what else is stored, open data requests of this account and how fresh each part is. Everything is of the storefront asked for but posts and ads, which belong to none: what is not stored there is not measured, and `alsoIn` names the storefronts that have a record. What nobody has looked for says `never-collected`; where the last try to collect it failed, `source-failed`. `localizations` says which languages of the listing are known, absent and not measured, and `language` adds one of them as `localization`, with its own history. An app that is not in the catalogue answers 404, which says whether its intake is under way. Nothing is collected by this read.',
    params: ofApp,
    query: inCountry.extend({
      language: ListingLanguage.optional().describe('Adds the listing in this language.'),
    }),
    reply: AppRecord,
    problems: ['competitor-not-found'],
    example: examples.get_competitor,
    title: 'One app',
    use: 'The first call about an app whose `storeId` is known.',
  },
  get_similar_competitors: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/similar',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps'],
    summary: 'Apps of others that resemble one app, most similar first, with the reasons.',
    description:
      "Reasons are Apple's own list of similar apps, shared keywords, charting together and similar text. Other apps of the developer stand apart in `sameDeveloper`, and what scores too little is not shown, so that there can be fewer than asked for; on judged apps three in four of those shown were rivals in a large catalogue, half in a store of 555 apps. `basis` says which of them could be looked at: without charts or keywords the descriptions alone decide. An empty list means that nothing stored resembles the app enough. Every reason rests on evidence of the storefront asked for. Only stored evidence is read.",
    params: ofApp,
    query: z.strictObject({
      country: Country.default('us'),
      language: ListingLanguage.optional().describe('Compares texts in this language where both have them.'),
      limit: Limit,
    }),
    reply: z
      .object({
        app: AppLabel,
        country: Country,
        alsoIn: AlsoIn,
        localizations: LocalizationStates,
        localization: LocalizationState.optional(),
        formula: Formula.describe('Name and version of the score.'),
        items: z.array(SimilarApp),
        sameDeveloper: z
          .array(AppSummary)
          .describe(
            'Other apps of the developer, most ratings first, at most 50: no rivals, and without a score.',
          ),
        basis: z.array(SimilarityBasis),
        trouble: SourceIssueList,
      })
      .meta({ id: 'SimilarApps', description: 'Apps that resemble one app.' }),
    problems: ['competitor-not-found'],
    list: { at: 'items', summaryColumns: ['app.storeId', 'app.name', 'app.namedIn', 'score', 'reasons'] },
    example: examples.get_similar_competitors,
    title: 'Similar apps',
    use: 'To find rivals; track them with `track_aso_app`.',
  },
  get_competitor_organic: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/organic',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['posts'],
    summary: 'Organic posts linked to one app, with a summary of how they do.',
    description:
      'Posts whose link to the app has evidence: an App Store address in the text, the shared link or the author’s profile, or a known account that posted it or is named in it. Filters and sorts are those of the organic search. The summary speaks about all posts that pass the filters, not only about this page. No posts means that none is stored, which is not the same as none published.',
    params: ofApp,
    query: z.strictObject({ ...PostFilters, limit: Limit, cursor: Cursor.optional() }),
    reply: CompetitorOrganic,
    problems: ['competitor-not-found', 'invalid-cursor'],
    list: {
      at: 'items',
      summaryColumns: [
        'postId',
        'author.handle',
        'publishedAt',
        'title',
        'text',
        'url',
        'metrics.views',
        'metrics.likes',
        'outlierScore',
      ],
    },
    example: examples.get_competitor_organic,
    title: 'Posts of an app',
    use: 'Unpaid posts; for ads call `search_paid_ads`.',
  },
  get_competitor_aso: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/aso',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps', 'keywords'],
    summary: 'Listing audit, keyword ranks, visibility and listing timeline of one app in one storefront.',
    description:
      'What each text field uses of its limit and which terms it holds; the keywords that matter to the app, searched or not yet, with ranks in three states; visibility with the set of keywords and the share of them that was measured; ratings; and every change of the listing with the rank movement around it. `from`, `to` and `changed` choose changes of the timeline, and nothing else of the reply: `changed=texts` leaves out versions and prices, which still count in `otherChanges`. An empty timeline means no such change was seen: `listingObserved` says until when somebody looked. With `language` texts, terms, advice and timeline are those of that localization; ranks and ratings are the storefront’s. It rests on stored result pages only and starts no search.',
    params: ofApp,
    query: inCountry.extend({
      language: ListingLanguage.optional().describe('Audits the listing in this language.'),
      from: Day.optional().describe('Changes of the timeline that were first seen on this UTC date or later.'),
      to: Day.optional().describe('Changes of the timeline that were first seen on this UTC date or earlier.'),
      changed: z
        .array(ChangedPart)
        .min(1)
        .max(ChangedPart.options.length)
        .optional()
        .describe(
          'Only changes of `texts`, `media` or fields. And of each change only these; all when left out.',
        ),
    }),
    reply: CompetitorAso,
    problems: ['competitor-not-found'],
    focus: {
      givenBy: ['from', 'to', 'changed'],
      at: 'timeline',
      summaryColumns: ['lastSeenAt', 'firstSeenAt', 'fields', 'keywords', 'impact'],
      leavesOut: ['localizations', 'audit', 'keywords', 'keywordCoverage', 'visibility', 'ratings', 'evidence'],
    },
    leavesOut: [
      'audit.texts.limits',
      'keywordCoverage.localizations',
      'timeline.keywords',
      'timeline.keywordsCompared',
      'timeline.impact',
      'timeline.caution',
    ],
    example: examples.get_competitor_aso,
    title: 'ASO of an app',
    use: 'For any app; what it changed: `from` and `changed`. Of a tracked one `get_aso_workstation` has more.',
  },
  ...competitorIntakeOperations,
  ...competitorSeriesOperations,
} as const satisfies Contract)
