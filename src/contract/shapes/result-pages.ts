import { z } from 'zod'
import { AppLabel, AppSummary } from './apps.ts'
import { Rank } from './charts.ts'
import { Evidence, EvidenceList } from './evidence.ts'
import { CountFact, NotMeasured, NumberFact, TextListFact } from './facts.ts'
import { KeywordDifficulty, KeywordRankChange, KeywordReason, Score100 } from './keywords.ts'
import { Country, StoreId, Timestamp, Uuid } from './primitives.ts'
import { SourceIssueList } from './source-issues.ts'
import { NotListed, OtherSurfaceRank, otherSurfaces, RankSurface } from './surfaces.ts'
import { otherTools, ToolRankHistory } from './tool-ranks.ts'
import { AsoRole } from './tracked-apps.ts'
import { WorkStatus } from './work.ts'

const SearchResult = z
  .object({
    position: z.int().min(1).describe('1 is first.'),
    app: AppLabel,
    rating: NumberFact.describe('As the page carried it, 0 to 5 stars.'),
    ratingCount: CountFact.describe('As the page carried it.'),
    nameMatch: z
      .enum(['exact', 'phrase', 'all-words', 'some-words', 'none'])
      .describe("How the app's name on the page holds the keyword."),
    change: KeywordRankChange.describe('Against the page before.'),
    role: AsoRole.nullable().describe(
      'The role the calling account gave the app in this storefront; null when untracked.',
    ),
  })
  .meta({ id: 'SearchResult', description: 'One place of a result page.' })

const Stated = z
  .int()
  .min(0)
  .nullable()
  .describe('How many results the answer says it has, where that is not the length of its list; else null.')

const ResultPage = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        requested: z.int().min(1).nullable().describe('Places asked of Apple; null when nobody knows.'),
        depth: z
          .int()
          .min(1)
          .describe(
            'Places Apple returned, those of Mac apps and of entries that cannot be read included; these stay empty. An app beyond them is absent among these, not nowhere.',
          ),
        stated: Stated,
        results: z.array(SearchResult).describe('Best place first, at most `limit`.'),
        evidence: EvidenceList.describe('One entry: the page itself.'),
      })
      .meta({ id: 'MeasuredResultPage', description: 'A stored result page.' }),
    z
      .object({
        state: z.literal('absent'),
        evidence: EvidenceList.describe('One entry: the empty page itself.'),
      })
      .meta({
        id: 'EmptyResultPage',
        description: 'Apple answered with no app, and there was no result before that would make this suspect.',
      }),
    NotMeasured,
  ])
  .meta({
    id: 'ResultPage',
    description:
      'The newest result page of a keyword that counts: one far shorter than the page before it waits until another one confirms it, and `trouble` says so. `never-collected`: nobody looked; `source-failed`: the last search failed.',
  })

const AppPlace = z
  .object({ storeId: StoreId, name: z.string().nullable(), position: z.int().min(1) })
  .meta({ id: 'AppPlace', description: 'An app with the place it has or had on a result page.' })

const PageComparison = z
  .object({
    observedAt: Timestamp,
    comparedWith: Timestamp.describe('The page before.'),
    surface: z.string().describe('Only pages of the same surface are compared.'),
    depth: z.int().min(0).describe('Places compared: the depth of the shallower page.'),
    entered: z.int().min(0).describe('Apps among these places now and not on the page before.'),
    left: z.int().min(0).describe('Apps among these places before and not on the page now.'),
    entrants: z.array(AppPlace).describe('Apps that came, best place first, at most 25.'),
    leavers: z.array(AppPlace).describe('Apps that went, with the place they had, best first, at most 25.'),
    movers: z
      .array(
        z
          .object({ storeId: StoreId, name: z.string().nullable(), from: z.int().min(1), to: z.int().min(1) })
          .meta({ id: 'AppMove', description: 'An app on both pages that moved.' }),
      )
      .describe('Apps that moved five places or more, furthest first, at most 10.'),
  })
  .meta({ id: 'PageComparison', description: 'What changed between a result page and the one before it.' })

const PageVolatility = z
  .object({
    score: Score100.describe(
      'Share of the first ten places that show another app a week later, order ignored, by the time between the pages: 0 is the same ten apps throughout, 100 all new each week. Not measured where the pages span less than a week.',
    ),
    comparisons: z
      .int()
      .min(0)
      .describe('Pairs of pages it rests on: the last page of a day, of the newest 31 days that have one.'),
    from: Timestamp.nullable().describe('Oldest page used; null when there are fewer than two.'),
    to: Timestamp.nullable(),
  })
  .meta({ id: 'PageVolatility', description: 'How much the top of a result page changes in a week.' })

const AutocompleteEvidence = z
  .object({
    strength: Score100.describe(
      'How early and how high Apple suggests the keyword while it is typed. It does not say how often people search for it.',
    ),
    prefixes: z
      .array(
        z
          .object({
            typed: z.string(),
            rank: Rank.describe('Place of the keyword among the suggestions for what was typed.'),
            observedAt: Timestamp,
            evidence: z.int().min(0).describe('Index into `evidence` of the suggestions.'),
          })
          .meta({ id: 'PrefixSuggestion', description: 'Whether a beginning of the keyword brings it up.' }),
      )
      .describe('Stored beginnings of the keyword, shortest first. Empty when none was ever asked.'),
    continuations: TextListFact.describe(
      "What Apple suggests once the whole keyword is typed, in Apple's order.",
    ),
    evidence: EvidenceList,
  })
  .meta({ id: 'AutocompleteEvidence', description: 'What the App Store suggests around a keyword.' })

const RelatedTerm = z
  .object({
    term: z.string(),
    strength: Score100.describe(
      "How much of what the first places of the keyword's page and its words tell is found with this term: pages count for 70, words for 30. Apps that stand on every page, and words that every term holds, tell little.",
    ),
    reasons: z.array(KeywordReason).describe('Strongest first, at least one.'),
    difficulty: Score100.describe('0 is easiest to enter, 100 hardest.'),
    autocomplete: Score100.describe('Autocomplete strength.'),
    observedAt: Timestamp.nullable().describe(
      'Newest result page of the term; null when it was never observed.',
    ),
  })
  .meta({ id: 'RelatedTerm', description: 'A keyword near the one asked about.' })

const comparedPages = z
  .int()
  .min(0)
  .describe(
    'Newest pages of other terms of the storefront, with five apps or more, that were there to be compared with; counting stops at 10,000.',
  )

const RelatedBasis = z
  .discriminatedUnion('state', [
    z
      .object({ state: z.literal('measured'), pages: comparedPages })
      .meta({ id: 'MeasuredRelatedBasis', description: 'Terms were found that are related.' }),
    z
      .object({ state: z.literal('absent'), pages: comparedPages })
      .meta({ id: 'AbsentRelatedBasis', description: 'Enough is stored, and nothing of it is related.' }),
    NotMeasured,
  ])
  .meta({
    id: 'RelatedBasis',
    description:
      'What `related` rests on. Not measured: `never-collected` or `source-failed` where the keyword has no page; `too-little-evidence` where its page shows fewer than five apps, fewer than five other terms of the storefront have a page that shows as many, or only terms with thinner pages share its words.',
  })

export const KeywordRefresh = z
  .object({
    term: z.string().describe('Normalised.'),
    country: Country,
    ...WorkStatus.shape,
    expectedSeconds: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Seconds until it is likely to end, at the pace Apple allows and behind what this account asked for before; what others ask for can make it longer. Null once ended.',
      ),
  })
  .meta({
    id: 'KeywordRefresh',
    description: 'The fetching of a new result page and new suggestions for one keyword.',
  })

export const KeywordExploration = z
  .object({
    term: z.string().describe('The keyword as normalised here: one form for spaces, width and case.'),
    country: Country.describe('Storefront of everything here.'),
    surface: RankSurface,
    page: ResultPage,
    pagesStored: z.int().min(0).describe('Stored result pages of the keyword in this storefront.'),
    firstObservedAt: Timestamp.nullable().describe('Oldest stored page; null when never observed.'),
    difficulty: KeywordDifficulty,
    opportunity: Score100.describe(
      'Worth of trying, from autocomplete strength and difficulty: 100 is much suggested and easy to enter.',
    ),
    autocomplete: AutocompleteEvidence,
    volatility: PageVolatility,
    changes: z
      .array(PageComparison)
      .describe(
        'Entrants, leavers and movers page by page, newest first, at most 30. Empty with fewer than two pages.',
      ),
    related: z
      .array(RelatedTerm)
      .describe(
        'Searched terms near the keyword, strongest first, at most 25. `relatedBasis` says why it is empty.',
      ),
    relatedBasis: RelatedBasis,
    trackedApps: z
      .array(
        z
          .object({
            appId: Uuid,
            storeId: StoreId,
            role: AsoRole,
            keywordId: Uuid.nullable().describe('Null when the app does not have this keyword.'),
            rank: Rank.describe('On the newest page.'),
            otherTools: z.array(ToolRankHistory).describe(otherTools),
            otherSurfaces: z.array(OtherSurfaceRank).describe(otherSurfaces),
            notListed: NotListed.nullable().describe(
              'Where it is absent and the surface does not list it at all; else null.',
            ),
          })
          .meta({ id: 'TrackedAppRank', description: 'Where a tracked app stands for the keyword.' }),
      )
      .describe(
        "The calling account's apps in this storefront that are ranked, have the keyword, or of which another tool told a rank, best rank first.",
      ),
    refresh: KeywordRefresh.nullable().describe(
      'The last refresh this account asked for; null when there was none.',
    ),
    trouble: SourceIssueList,
  })
  .meta({ id: 'KeywordExploration', description: 'What is stored about one keyword in one storefront.' })

export const AppSearch = z
  .object({
    term: z.string().describe('As normalised here.'),
    country: Country,
    answeredFrom: z.enum(['live', 'stored']).describe('`live`: Apple was asked during this call.'),
    reason: z
      .enum(['asked', 'not-asked', 'source-failed', 'source-timeout', 'source-throttled', 'suspect-empty'])
      .describe(
        'Why. `asked`: live, and it worked. `not-asked`: the caller wanted stored results. The rest say what went wrong live.',
      ),
    detail: z.string().describe('The same in a plain sentence.'),
    basis: z
      .enum(['result-page', 'catalogue', 'none'])
      .describe(
        "What the items are: Apple's own order for this term; stored apps whose text matches, where no page of the term is stored; or nothing, where neither is.",
      ),
    page: Evidence.nullable().describe('The result page; null when the basis is not one.'),
    depth: z
      .int()
      .min(0)
      .nullable()
      .describe('Places Apple returned; null when the basis is not a result page.'),
    stated: Stated,
    items: z
      .array(
        z
          .object({
            position: z.int().min(1).nullable().describe('Place on the result page; null from the catalogue.'),
            app: AppSummary,
          })
          .meta({ id: 'AppSearchItem', description: 'An app found.' }),
      )
      .describe("In Apple's order, or best match first from the catalogue; at most `limit`."),
    trouble: SourceIssueList,
  })
  .meta({ id: 'AppSearch', description: 'Apps found for a term, and whether Apple was asked.' })
