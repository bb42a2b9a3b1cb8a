import { z } from 'zod'
import { AlsoIn, AppLabel } from './apps.ts'
import { Absences } from './availability.ts'
import { Rank } from './charts.ts'
import { LocalizationState, LocalizationStates } from './competitors.ts'
import { Evidence, EvidenceList, pointEvidence, SeriesSources } from './evidence.ts'
import { CountFact, NotMeasured, NumberFact } from './facts.ts'
import { KeywordCoverage } from './keyword-coverage.ts'
import { BestKeywordRank, KeywordRankChange, Score100 } from './keywords.ts'
import { ListingAudit, ListingChange } from './listing-audit.ts'
import { Country, Day, Timestamp } from './primitives.ts'
import { SourceIssueList } from './source-issues.ts'
import { otherTools, ToolRankHistory } from './tool-ranks.ts'
import { Visibility } from './visibility.ts'

const KeywordDay = z
  .object({ date: Day, rank: Rank })
  .meta({ id: 'KeywordDay', description: 'The rank on the last page of one day, from the surface of `page`.' })

export const CompetitorKeyword = z
  .object({
    term: z.string().describe('Normalised.'),
    tracked: z.boolean().describe('Whether the calling account tracks it for this app.'),
    listedIn: z
      .array(z.enum(['name', 'subtitle', 'description']))
      .describe('Texts of the newest listing that hold it. Empty when none does.'),
    rank: Rank.describe(
      'On the newest result page. `never-collected` when the term was never searched, `source-failed` when the search failed.',
    ),
    page: Evidence.nullable().describe('That page: its surface, storefront and time; null without one.'),
    over30Days: KeywordRankChange.describe('Against the newest page 30 to 60 days older.'),
    best: BestKeywordRank,
    difficulty: Score100.describe('0 is easiest to enter, 100 hardest.'),
    history: z
      .array(KeywordDay)
      .describe(
        "The newest 30 days that have a page, oldest first, by the storefront's own date. Days without a page are left out and say nothing.",
      ),
    otherTools: z.array(ToolRankHistory).describe(otherTools),
  })
  .meta({ id: 'CompetitorKeyword', description: 'A keyword and where the app stands for it.' })

const CompetitorKeywords = z
  .object({
    total: z
      .int()
      .min(0)
      .describe(
        'Terms whose stored pages of the storefront ever showed the app, terms the calling account tracks for it, and the telling words and pairs of words of its own name and subtitle.',
      ),
    ranked: z.int().min(0).describe('Those with a rank on their newest page.'),
    items: z
      .array(CompetitorKeyword)
      .describe(
        'Best rank first, then lost ones, then other absent ones, then those not measured, then by term; at most 100.',
      ),
  })
  .meta({ id: 'CompetitorKeywords', description: 'The keywords of an app, as far as result pages are stored.' })

const RatingGrowth = z
  .object({
    days: z
      .int()
      .describe(
        '7, 30 or 90: the newest observation against the newest one at least so many UTC days older, and at most twice as many.',
      ),
    added: z
      .discriminatedUnion('state', [
        z
          .object({
            state: z.literal('measured'),
            value: z.int().describe('Negative when Apple took ratings away.'),
            from: Timestamp.describe('Older of the two observations compared.'),
            to: Timestamp,
            fromSource: pointEvidence.source.describe('Of the older one: index into `sources` of the ratings.'),
            toSource: pointEvidence.source.describe('Of the newer one.'),
          })
          .meta({ id: 'MeasuredRatingsAdded', description: 'The difference of two observed counts.' }),
        NotMeasured,
      ])
      .meta({ id: 'RatingsAdded', description: 'How many ratings came in.' }),
  })
  .meta({ id: 'RatingGrowth', description: 'Ratings gained over some days, up to the newest observation.' })

const RatingPoint = z
  .object({
    observedAt: Timestamp,
    rating: z
      .number()
      .min(0)
      .max(5)
      .nullable()
      .describe('Average in stars; null when nobody had rated yet, or the source told no average.'),
    ratingCount: z.int().min(0),
    source: pointEvidence.source,
  })
  .meta({ id: 'RatingPoint', description: 'What an observation told of the ratings.' })

export const ListingRatings = z
  .object({
    rating: NumberFact.describe('Average of all ratings in the storefront, 0 to 5 stars.'),
    ratingCount: CountFact,
    ratingCurrentVersion: NumberFact,
    ratingCountCurrentVersion: CountFact,
    growth: z.array(RatingGrowth).describe('For 7, 30 and 90 days.'),
    history: z
      .array(RatingPoint)
      .describe('One a day at most, the newest 90, oldest first. Empty when none is stored.'),
    sources: SeriesSources,
  })
  .meta({ id: 'ListingRatings', description: 'Ratings in the storefront, now and over time.' })

export const CompetitorAso = z
  .object({
    app: AppLabel,
    country: Country.describe('Storefront of every value and rank here.'),
    alsoIn: AlsoIn,
    localizations: LocalizationStates,
    localization: LocalizationState.optional(),
    audit: ListingAudit.describe(
      'What each text of the listing uses of its limit, which terms it holds, and advice in plain words.',
    ),
    keywords: CompetitorKeywords.describe(
      'Keywords with ranks in three states. A rank of the iTunes Search API is not the rank on an iPhone: the orders can differ, and each rank names its surface.',
    ),
    keywordCoverage: KeywordCoverage.describe(
      'Of an own listing: keywords by localization, what is said twice, and room that is left.',
    ),
    visibility: Visibility.describe(
      'Over all keywords counted in `keywords.total`, which are others for each app: compare apps by the rivals of `get_aso_workstation`, or where `termSet` is the same.',
    ),
    ratings: ListingRatings.describe('Averages and counts as the storefront shows them, and how they grew.'),
    timeline: z
      .array(ListingChange)
      .describe(
        'Changes of the listing, newest first, at most 50, each with the movement of keywords around it. Empty when no change was seen: `listingObserved` says how often somebody looked.',
      ),
    absences: Absences,
    listingObserved: z
      .object({
        days: z
          .int()
          .min(0)
          .describe(
            'UTC days of which an observation is known; several of one day count once. 0 when no record of the storefront is stored.',
          ),
        firstAt: Timestamp.nullable().describe('Null when never observed.'),
        lastAt: Timestamp.nullable(),
      })
      .describe(
        'How often the listing was looked at, at least: charts that repeated what was known are not counted. With one day no change can be seen.',
      ),
    trouble: SourceIssueList,
    evidence: EvidenceList.describe(
      'Observations of the listing that the audit and the ratings rest on, newest first; facts point into it by index.',
    ),
  })
  .meta({
    id: 'CompetitorAso',
    description:
      'App store optimisation of one app in one storefront, from stored evidence only: listing audit, keywords, visibility, ratings and listing timeline.',
  })
