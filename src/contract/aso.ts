import { z } from 'zod'
import examples from './examples/aso.json' with { type: 'json' }
import { asReply, type Contract, operations } from './operation.ts'
import { AppReference } from './shapes/apps.ts'
import { CollectingState } from './shapes/freshness.ts'
import { GapStanding, KeywordGap } from './shapes/keyword-gap.ts'
import { mostMoveDays } from './shapes/moves.ts'
import { pageWithHead } from './shapes/page.ts'
import { Country, Cursor, Limit, Note, SearchText, StoreId, Tags, Uuid } from './shapes/primitives.ts'
import { AppSearch, KeywordExploration, KeywordRefresh } from './shapes/result-pages.ts'
import { SourceIssueList, troubleOfWork } from './shapes/source-issues.ts'
import { surfaceArgument } from './shapes/surfaces.ts'
import { AsoRefresh, AsoRole, KeywordsAdded, TrackedApp, TrackedAppSummary } from './shapes/tracked-apps.ts'
import { AsoWorkstation } from './shapes/workstation.ts'

const ofTrackedApp = z.strictObject({ appId: Uuid.describe('From `list_aso_apps`.') })

const moveDays = z.int().min(1).max(mostMoveDays).default(7).describe('Days that `moves` covers.')

const ofKeyword = z.strictObject({
  query: SearchText.describe('The keyword, in any language; it must hold a letter or a digit.'),
})

export const asoOperations = operations({
  list_aso_apps: {
    method: 'GET',
    path: '/v1/aso/apps',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps', 'charts', 'keywords', 'posts', 'ads'],
    summary: "This account's tracked apps with their summary figures, own apps first.",
    description:
      'Own apps first, then rivals, then watched ones; within a role the newest tracked first. Each comes with visibility, how many keywords rank where, what moved in `moveDays` days of its keywords, charts, listing, ads and posts, which parts are not fresh, and the last refresh. Visibility is over the keywords of each app: `comparison` says where they differ. An app tracked in two storefronts is two entries. An empty list means that this account tracks nothing that passes the filters. Nothing is collected by this read.',
    query: z.strictObject({
      role: AsoRole.optional().describe('All roles when left out.'),
      country: Country.optional().describe('All storefronts when left out.'),
      moveDays,
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: pageWithHead(
      'TrackedAppPage',
      {
        comparison: z
          .string()
          .nullable()
          .describe(
            'What to know before these shares of visibility are compared; null where they are over the same keywords.',
          ),
        collecting: CollectingState.nullable().describe('Null where a worker runs and nothing is overdue.'),
        trouble: SourceIssueList.describe(
          'Sources that are not well in the storefronts of these apps, and libraries of ads, longest trouble first; storefronts of one source together. Empty when all are well.',
        ),
      },
      TrackedAppSummary,
    ),
    problems: ['invalid-cursor'],
    list: {
      at: 'items',
      summaryColumns: [
        'appId',
        'app.storeId',
        'app.name',
        'app.namedIn',
        'country',
        'role',
        'keywordCount',
        'visibility.share',
        'moves',
      ],
    },
    example: examples.list_aso_apps,
    title: 'Tracked apps',
    use: 'Start here: own apps, rivals, what moved, and with `fields` name, country, freshness what is stale or failing. Gives `appId`.',
  },
  track_aso_app: {
    method: 'POST',
    path: '/v1/aso/apps',
    scope: 'content:write',
    ending: 'record',
    outside: true,
    summary: 'Tracks an app in one storefront for this account.',
    description:
      'An App Store id or address is taken as it is; a bundle id that is not in the catalogue is looked up at Apple during the call, and answers `competitor-not-found` when Apple does not know it. An app that is not in the catalogue is taken in, and `intake` shows how that goes. Tracking an app again in the same storefront answers the known one with the role it has: `update_aso_app_role` changes it. A rival belongs to `rivalOf`, an own app tracked in the same storefront, or to all own apps there: only with those is it compared. No keyword is added and nothing is searched.',
    body: z.strictObject({
      app: AppReference,
      country: Country.default('us'),
      role: AsoRole,
      rivalOf: Uuid.optional().describe('`appId` of the own app that a rival belongs to; left out: all.'),
    }),
    reply: asReply('AppTracked', TrackedApp, troubleOfWork),
    problems: ['competitor-not-found', 'upstream-failed', 'upstream-timeout'],
    example: examples.track_aso_app,
    title: 'Track an app',
    use: 'Then `add_aso_keywords`.',
  },
  get_aso_workstation: {
    method: 'GET',
    path: '/v1/aso/apps/{appId}',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps', 'charts', 'keywords', 'posts', 'ads'],
    summary: 'A tracked app with all its keywords, best rank first, its visibility, rivals and suggestions.',
    description:
      'Every keyword with its rank in three states, change over 1, 7 and 30 days, best rank, daily series, scores and who ranks above. Ranks come from stored result pages of one surface, whoever asked for them; each keyword names how others differ. The window ends on the day of the newest page of any keyword, so that imported evidence of the past is shown too. The reply is complete and not paged: about 1 kB for each keyword, and more for longer windows. A new app has no keywords yet but may have suggestions. Nothing is collected by this read; an id of another account answers `tracked-app-not-found`.',
    params: ofTrackedApp,
    query: z.strictObject({
      windowDays: z.int().min(7).max(365).default(30).describe('Days that series cover, the newest last.'),
      moveDays,
      surface: surfaceArgument,
    }),
    reply: AsoWorkstation,
    problems: ['tracked-app-not-found'],
    list: {
      at: 'keywords',
      summaryColumns: [
        'keywordId',
        'term',
        'rank',
        'over1Day',
        'over7Days',
        'over30Days',
        'best',
        'difficulty',
        'opportunity',
      ],
      leavesOut: [
        'suggestions.reasons.storeId',
        'suggestions.observedAt',
        'suggestions.surface',
        'brandsOfRivals.reasons.storeId',
        'apps.platform',
        'apps.developer',
        'apps.iconUrl',
        'apps.namedIn',
        'apps.catalogued',
      ],
    },
    example: examples.get_aso_workstation,
    title: 'ASO workstation',
    use: 'How a tracked app ranks in search, as last collected.',
  },
  update_aso_app_role: {
    method: 'PATCH',
    path: '/v1/aso/apps/{appId}',
    scope: 'content:write',
    ending: 'read',
    overwrites: true,
    summary: 'Changes the role of a tracked app and answers the app.',
    description:
      'Keywords and stored evidence stay. A rival is compared with from the next read on. Another role ends what it is a rival of, and removing that own app leaves it a rival of all own apps of the storefront. Setting the role it has already changes nothing. An id of another account answers `tracked-app-not-found`.',
    params: ofTrackedApp,
    body: z.strictObject({
      role: AsoRole,
      rivalOf: Uuid.nullable().optional().describe('As of `track_aso_app`; null: all; left out: as it is.'),
    }),
    reply: asReply('AppWithRole', TrackedApp, {}),
    problems: ['tracked-app-not-found'],
    example: examples.update_aso_app_role,
    title: 'Change a role',
  },
  remove_aso_app: {
    method: 'DELETE',
    path: '/v1/aso/apps/{appId}',
    scope: 'content:write',
    ending: 'remove',
    asksFirst: 'Its keywords leave the account with it; tracking it again later begins without them.',
    summary: 'Stops tracking an app; its keywords leave the account with it.',
    description:
      'Result pages, listings and ratings are shared evidence and stay. A refresh under way goes on only for what other tracked apps need. Removing the same app again answers 204 too; an id this account never had answers `tracked-app-not-found`. Tracking the app later makes a new one, without the old keywords.',
    params: ofTrackedApp,
    problems: ['tracked-app-not-found'],
    example: examples.remove_aso_app,
    title: 'Stop tracking',
  },
  add_aso_keywords: {
    method: 'POST',
    path: '/v1/aso/apps/{appId}/keywords',
    scope: 'content:write',
    ending: 'read',
    answersEach: 'terms',
    summary: 'Adds up to 200 keywords to a tracked app; answers what became of each.',
    description:
      'Terms are normalised: compatibility forms and runs of spaces become one form, letters lower case by the main language of the storefront. They are taken in the order sent, and each is in exactly one list of the reply: added, already there, or refused with the reason; one bad term does not stop the others. Tags and a note are written on all of them. Sending the same again is harmless. Ranks show at once where result pages are stored; nothing is searched until `refresh_aso_app`. An app holds at most 2,000 keywords, and more than 200 terms in one call are refused whole.',
    params: ofTrackedApp,
    body: z.strictObject({
      terms: z.array(z.string()).min(1).max(200).describe('In any language, up to 200 characters each.'),
      tags: Tags.optional().describe(
        'Replaces all tags of each term, also of one already there; an empty list clears them; left out, earlier tags stay.',
      ),
      note: Note.nullable()
        .optional()
        .describe('Replaces the note of each; null clears it; left out, an earlier note stays.'),
    }),
    restsOn: ['keywords'],
    reply: KeywordsAdded,
    problems: ['tracked-app-not-found'],
    example: examples.add_aso_keywords,
    title: 'Add keywords',
    use: 'Then `refresh_aso_app` for ranks.',
  },
  remove_aso_keyword: {
    method: 'DELETE',
    path: '/v1/aso/apps/{appId}/keywords/{keywordId}',
    scope: 'content:write',
    ending: 'remove',
    summary: 'Removes one keyword from a tracked app.',
    description:
      'Stored result pages stay, so adding the term again brings its history back under a new id. Removing the same keyword again answers 204 too, also when its app was removed before. An id the app never had answers `keyword-not-found`, an app this account never had `tracked-app-not-found`.',
    params: z.strictObject({ ...ofTrackedApp.shape, keywordId: Uuid.describe('From the workstation.') }),
    problems: ['tracked-app-not-found', 'keyword-not-found'],
    example: examples.remove_aso_keyword,
    title: 'Remove a keyword',
  },
  refresh_aso_app: {
    method: 'POST',
    path: '/v1/aso/apps/{appId}/refresh',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Fetches new result pages for all keywords of a tracked app, and its listing.',
    description:
      'One search for each keyword serves the app and all its rivals; listings of the app and its rivals are read again too. Keywords with a page younger than an hour are skipped. `expectedSeconds` tells beforehand how long it takes at the pace Apple allows; progress is in the workstation under `refresh`. Asking again while it is under way answers the same work. It goes on after a restart where it stopped, and ends `partial` when some searches failed. An app without keywords still has its listing read.',
    params: ofTrackedApp,
    reply: asReply('AsoRefreshRequested', AsoRefresh, troubleOfWork),
    problems: ['tracked-app-not-found'],
    shownBy: { tool: 'get_aso_workstation', at: 'refresh' },
    example: examples.refresh_aso_app,
    title: 'Refresh keywords',
    use: 'To measure today; then `get_aso_workstation`.',
  },
  get_aso_keyword_gap: {
    method: 'GET',
    path: '/v1/aso/apps/{appId}/gap/{rivalStoreId}',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['keywords'],
    summary: 'Keywords that a tracked app or another app ranks for, and who leads.',
    description:
      'Compares both apps on the newest stored page of every keyword of the storefront, not only of tracked ones. A keyword is listed when one of the two ranks for it, or when the app has it. The rival can be any app, tracked or not; the app itself is refused as `invalid-request`, and one that is in no stored evidence answers `competitor-not-found`. Sorted by `opportunity` when nothing else is asked for; `rival-ahead` lists where the rival leads first, then where the app does, each by opportunity. Scores that are not measured come last, equal ones are ordered by term. An empty list with `pages.looked` 0 means that nobody has searched yet. Nothing is collected by this read.',
    params: z.strictObject({
      ...ofTrackedApp.shape,
      rivalStoreId: StoreId.describe('App Store id of the rival.'),
    }),
    query: z.strictObject({
      standing: z.array(GapStanding).min(1).max(5).optional().describe('Only these; all when left out.'),
      maxDifficulty: z
        .number()
        .min(0)
        .max(100)
        .optional()
        .describe('Leaves out harder keywords and those without a difficulty.'),
      ahead: z.enum(['own', 'rival']).optional().describe('Who leads.'),
      sort: z
        .enum([
          'opportunity',
          'rival-ahead',
          'difficulty',
          'relevance',
          'own-rank',
          'rival-rank',
          'distance',
          'term',
        ])
        .default('opportunity')
        .describe('Ranks, difficulty and terms ascend.'),
      limit: Limit,
      cursor: Cursor.optional(),
    }),
    reply: KeywordGap,
    problems: ['tracked-app-not-found', 'competitor-not-found', 'invalid-cursor'],
    list: {
      at: 'items',
      summaryColumns: [
        'term',
        'standing',
        'own',
        'rival',
        'ahead',
        'distance',
        'difficulty',
        'opportunity',
        'relevance',
      ],
    },
    example: examples.get_aso_keyword_gap,
    title: 'Keyword gap',
    use: 'Where a rival beats you: `ahead=rival`.',
  },
  search_ios_apps: {
    method: 'POST',
    path: '/v1/aso/app-search',
    scope: 'content:write',
    ending: 'read',
    outside: true,
    summary: "Apps for a search term in Apple's order, asked live, or else as stored.",
    description:
      'With `live`, the iTunes Search API is asked during the call and its whole page is stored as evidence, so that ranks follow from it. When Apple fails, throttles, or answers nothing for a term that had results, the newest stored page of the term is answered, or else stored apps whose text matches; `answeredFrom` and `reason` say so. When Apple fails and nothing stored fits, the call fails. An empty list with reason `asked` means that Apple has no app for the term. The order is that of the Search API, which can differ from an iPhone. A term without a letter or digit is refused.',
    body: z.strictObject({
      term: SearchText,
      country: Country.default('us'),
      limit: Limit.describe('How many apps to answer; the page stored is as deep as Apple gives.'),
      live: z.boolean().default(true).describe('False answers from stored evidence only.'),
    }),
    restsOn: ['keywords'],
    reply: AppSearch,
    problems: ['upstream-failed', 'upstream-timeout'],
    list: {
      at: 'items',
      summaryColumns: [
        'position',
        'app.storeId',
        'app.name',
        'app.namedIn',
        'app.developer',
        'app.rating',
        'app.ratingCount',
      ],
    },
    example: examples.search_ios_apps,
    title: 'Search the App Store',
    use: 'To see who ranks now; to find an app: `search_competitors`.',
  },
  explore_aso_keyword: {
    method: 'GET',
    path: '/v1/aso/keywords/{query}',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['keywords'],
    summary: 'What is stored about one keyword: its newest result page, scores, suggestions and changes.',
    description:
      'The newest page of a surface in its order, difficulty with its parts, autocomplete evidence, related terms, volatility, and who entered and left from page to page. The keyword is normalised like those of tracked apps, and `term` shows the form used. A keyword that was never observed is not an error: `page` says `never-collected`, and `refresh_aso_keyword` fetches it. Page, changes and volatility are of `surface`; scores and related terms rest on the Search API. Where Apple did not answer the last time, what is missing says `source-failed`, and `trouble` why. Nothing is collected by this read. A keyword without a letter or digit is refused.',
    params: ofKeyword,
    query: z.strictObject({
      country: Country.default('us'),
      limit: z
        .int()
        .min(1)
        .max(200)
        .default(50)
        .describe('How many results of the page to answer, from the top.'),
      surface: surfaceArgument,
    }),
    reply: KeywordExploration,
    problems: [],
    leavesOut: ['page.results.app.iconUrl', 'changes.entrants', 'changes.leavers', 'changes.movers'],
    example: examples.explore_aso_keyword,
    title: 'One keyword',
    use: 'For any keyword, also before adding it.',
  },
  refresh_aso_keyword: {
    method: 'POST',
    path: '/v1/aso/keywords/{query}/refresh',
    scope: 'content:write',
    ending: 'accept',
    outside: true,
    summary: 'Fetches a new result page and new suggestions for one keyword.',
    description:
      'The keyword need not belong to a tracked app; the page becomes shared evidence. Asking again while it is under way, by anybody, answers the same work. Its state is in `explore_aso_keyword` under `refresh`, for accounts that asked. An empty answer for a keyword that had results, or one with less than a quarter of them, is stored as suspect and asked again, not shown as absence. A keyword without a letter or digit is refused.',
    params: ofKeyword,
    body: z.strictObject({ country: Country.default('us') }),
    reply: asReply('KeywordRefreshRequested', KeywordRefresh, troubleOfWork),
    problems: [],
    shownBy: { tool: 'explore_aso_keyword', at: 'refresh' },
    example: examples.refresh_aso_keyword,
    title: 'Refresh a keyword',
    use: 'When `explore_aso_keyword` has no page, or an old one.',
  },
} as const satisfies Contract)
