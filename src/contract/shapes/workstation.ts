import { z } from 'zod'
import { AppLabel } from './apps.ts'
import { Rank } from './charts.ts'
import { Evidence } from './evidence.ts'
import { NotMeasured } from './facts.ts'
import { BestKeywordRank, CompactRank, KeywordRankChange, KeywordReason, Score100 } from './keywords.ts'
import { AppMoves } from './moves.ts'
import { Day, StoreId, Uuid } from './primitives.ts'
import { SourceIssueList } from './source-issues.ts'
import { NotListed, OtherSurfaceRank, otherSurfaces, RankSurface } from './surfaces.ts'
import { otherTools, ToolRankSeries } from './tool-ranks.ts'
import { AsoKeyword, AsoRefresh, TrackedApp } from './tracked-apps.ts'
import { RankDistribution, RankMovement, Visibility, VisibilityPoint } from './visibility.ts'

export const WorkstationKeyword = z
  .object({
    ...AsoKeyword.shape,
    over1Day: KeywordRankChange.describe('Newest page against the newest one 1 to 2 days older.'),
    over7Days: KeywordRankChange.describe('Against the newest one 7 to 14 days older.'),
    over30Days: KeywordRankChange.describe('Against the newest one 30 to 60 days older.'),
    best: BestKeywordRank,
    series: z
      .array(CompactRank)
      .describe('One entry for each day of `window`, oldest first; the last page of a day counts.'),
    otherTools: z.array(ToolRankSeries).describe(otherTools),
    otherSurfaces: z.array(OtherSurfaceRank).describe(otherSurfaces),
    difficulty: Score100.describe(
      '0 is easiest to enter, 100 hardest; its parts are in `explore_aso_keyword`.',
    ),
    opportunity: Score100.describe(
      'Worth of trying for the app: 100 is much suggested, easy to enter and what the app is about.',
    ),
    autocomplete: Score100.describe('How early and how high Apple suggests it while it is typed.'),
    relevance: Score100.describe("How well it fits the app's own listing, 100 is best."),
    above: z
      .array(
        z
          .object({ storeId: StoreId, position: z.int().min(1) })
          .meta({ id: 'AppAbove', description: 'An app that ranks above; its label is in `apps`.' }),
      )
      .describe(
        'Who ranks above on that page: tracked rivals first, then from the top of the page, at most 5. When the app is absent, everybody on the page is above it. Empty in first place and without a page.',
      ),
  })
  .meta({
    id: 'WorkstationKeyword',
    description: 'A keyword of the app with all that helps to decide about it.',
  })

export const WorkstationRival = z
  .object({
    appId: Uuid.describe('The rival as a tracked app of its own.'),
    storeId: StoreId.describe('Its label is in `apps`.'),
    visibility: Visibility.describe("Over the same keywords as the app's own."),
    distribution: RankDistribution.describe('Over the same keywords.'),
    ahead: z.int().min(0).describe('Keywords where the rival ranks and the app is below or absent.'),
    behind: z.int().min(0).describe('Keywords where the app ranks and the rival is below or absent.'),
    neither: z.int().min(0).describe('Keywords where a page was looked at and neither is on it.'),
    notMeasured: z.int().min(0).describe('Keywords without a usable page.'),
  })
  .meta({ id: 'WorkstationRival', description: 'A rival measured with the keywords of the app.' })

const KeywordSuggestion = z
  .object({
    term: z.string().describe('Normalised, ready for `add_aso_keywords`.'),
    reasons: z.array(KeywordReason).describe('Strongest first, at least one.'),
    relevance: Score100.describe("How well it fits the app's own listing, 100 is best."),
    difficulty: Score100,
    opportunity: Score100,
    rank: Rank.describe(
      'Of the app on the newest stored page of the term; without one `never-collected`, or `source-failed` when the search failed.',
    ),
    results: z.int().min(0).nullable().describe('Apps on that page; null without one.'),
    observedAt: AsoKeyword.shape.observedAt,
    surface: AsoKeyword.shape.surface,
    evidence: Evidence.nullable().describe('Of that page; null without one.'),
  })
  .meta({ id: 'KeywordSuggestion', description: 'A keyword the app does not have and might want.' })

const SuggestionBasis = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        developers: z
          .int()
          .min(3)
          .describe('Developers of rivals and of other apps like this one whose texts were compared.'),
      })
      .meta({ id: 'MeasuredSuggestionBasis', description: 'Whose texts suggestions were drawn from.' }),
    NotMeasured,
  ])
  .meta({
    id: 'SuggestionBasis',
    description:
      'What suggestions rest on. `too-little-evidence` where the app has no description, fewer than three other developers of such apps are stored, or fewer than fifty listings are counted: only what rivals carry and rank for and what Apple suggests is suggested then.',
  })

export const AsoWorkstation = z
  .object({
    tracked: TrackedApp,
    surface: RankSurface,
    notListed: NotListed.nullable().describe(
      'Null where nothing shows that the surface does not list the app.',
    ),
    window: z
      .object({
        from: Day,
        to: Day.describe(
          'Day of the newest page of any of the keywords; without one, the newest day that another tool told; today when there is neither.',
        ),
        days: z.int().min(7).max(365),
      })
      .describe("The days that series cover, by the storefront's own date."),
    visibility: Visibility.describe('Over all keywords of the app.'),
    visibilitySeries: z.array(VisibilityPoint).describe('One point for each day of `window`, oldest first.'),
    distribution: RankDistribution,
    movement: z
      .object({ over1Day: RankMovement, over7Days: RankMovement, over30Days: RankMovement })
      .describe('How many keywords moved, counted from the changes of each.'),
    moves: AppMoves.describe('Of keywords on `surface`.'),
    keywords: z
      .array(WorkstationKeyword)
      .describe(
        'Every keyword of the app: best rank first, then absent, then not measured, then by term. Ranks, changes, series and visibility rest on `surface` alone; scores on the Search API. Empty until keywords are added.',
      ),
    rivals: z
      .array(WorkstationRival)
      .describe(
        'Rivals of this app: those with it as `rivalOf` and those of every own app of the storefront; of a rival, the others of its own app. Most visible first. Empty when there are none.',
      ),
    suggestions: z
      .array(KeywordSuggestion)
      .describe(
        'What the texts and pages of apps like this one hold most beyond what all apps do, at most 25, often fewer than five. Those with a stored page of the term first, whoever asked for it and without tracking them: they come with difficulty, rank and results; `refresh_aso_keyword` measures another. Within both the strongest first; a measured opportunity moves a term up. Without names of companies and products, and without what the name of the app carries. Empty when nothing stored gives any.',
      ),
    suggestedFrom: SuggestionBasis,
    carriedByName: z
      .array(
        KeywordSuggestion.pick({ term: true, reasons: true }).meta({
          id: 'CarriedTerm',
          description: 'A term that the name of the app carries.',
        }),
      )
      .describe(
        'What such apps say too and the name of this one carries already, strongest first, at most 10: nothing to add to the listing, but ranks to track.',
      ),
    brandsOfRivals: z
      .array(
        KeywordSuggestion.pick({ term: true, reasons: true }).meta({
          id: 'RivalBrand',
          description: 'A name of a rival or of its maker.',
        }),
      )
      .describe(
        "Names of companies and products in the texts and pages of rivals, strongest first, at most 10. Apple refuses others' names in the keyword field; track them to see who ranks for them.",
      ),
    apps: z.array(AppLabel).describe('Every app named by `storeId` in this reply, once, by store id.'),
    refresh: AsoRefresh.nullable().describe('The last refresh, under way or ended; null when there was none.'),
    trouble: SourceIssueList,
  })
  .meta({
    id: 'AsoWorkstation',
    description: 'A tracked app with its keywords, rivals and suggestions, complete.',
  })
