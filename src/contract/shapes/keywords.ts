import { z } from 'zod'
import { NotMeasured } from './facts.ts'
import { Day, Formula, StoreId, Timestamp } from './primitives.ts'

export const Score100 = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('estimated'),
        value: z.number().min(0).max(100),
        formula: Formula,
      })
      .meta({ id: 'EstimatedScore100', description: 'A number from 0 to 100 that a model made.' }),
    NotMeasured,
  ])
  .meta({
    id: 'Score100',
    description:
      'A number from 0 to 100 that a model made of stored evidence, with its formula; not measured where the evidence is too thin to carry one.',
  })

const comparedOn = Day.describe("The storefront's own date of the older page.")

export const KeywordRankChange = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        places: z.int().describe('Places climbed: negative when fallen, 0 when unchanged.'),
        comparedOn,
      })
      .meta({ id: 'MeasuredRankChange', description: 'Ranked then and now.' }),
    z
      .object({
        state: z.literal('entered'),
        depth: z.int().min(0).describe('Places that were looked at then; the rank of now lies within them.'),
        comparedOn,
      })
      .meta({ id: 'EnteredRanks', description: 'Absent then, ranked now.' }),
    z
      .object({
        state: z.literal('left'),
        from: z.int().min(1).describe('Rank then; it lies within the places looked at now.'),
        depth: z.int().min(0).describe('Places looked at now.'),
        comparedOn,
      })
      .meta({ id: 'LeftRanks', description: 'Ranked then, absent now.' }),
    z
      .object({ state: z.literal('absent'), comparedOn })
      .meta({ id: 'StillAbsentRank', description: 'Absent then and now.' }),
    NotMeasured,
  ])
  .meta({
    id: 'KeywordRankChange',
    description:
      'How a rank moved between two result pages. Pages of different depth are only compared where both looked: otherwise, and without an older page, it is not measured.',
  })

export const BestKeywordRank = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        value: z.int().min(1),
        on: Day.describe('The first day it was reached.'),
      })
      .meta({ id: 'MeasuredBestRank', description: 'The best rank on any stored page.' }),
    z
      .object({
        state: z.literal('absent'),
        depth: z.int().min(0).describe('Depth of the deepest page looked at.'),
        pages: z.int().min(1).describe('How many pages were looked at.'),
      })
      .meta({ id: 'NeverRanked', description: 'On none of the stored pages.' }),
    NotMeasured,
  ])
  .meta({ id: 'BestKeywordRank', description: 'The best rank over all stored pages, in three states.' })

export const CompactRank = z
  .union([
    z.int().min(1),
    z.string().regex(/^>(0|[1-9][0-9]*)$/, 'must be > and a depth, such as >200'),
    z.null(),
  ])
  .meta({
    id: 'CompactRank',
    description:
      'A rank in three states, short: `12` is measured; `">200"` is absent among the 200 places looked at; null is not measured, because no page was stored or it was suspect.',
  })

const DifficultyPart = z
  .object({
    name: z.string().describe('Such as `rating-strength`, `title-targeting` or `entry-barrier`.'),
    value: z.number().min(0).max(100).describe('The part by itself, 100 is hardest.'),
    weight: z.number().min(0).max(1).describe('Its share in the whole.'),
    text: z.string().describe('What was read off the page, in words.'),
  })
  .meta({ id: 'DifficultyPart', description: 'One part of a difficulty.' })

const BrandApp = z
  .object({
    storeId: StoreId,
    name: z.string().describe('As the page has it.'),
    formula: Formula,
    text: z.string().describe('What shows it, in words.'),
  })
  .meta({
    id: 'BrandApp',
    description:
      'The one app among the first ten results that is called like the keyword, or begins so, far ahead of whatever else holds it: who types it looks for that app. The formulas of the scores say `brand term`, and a fifth of the opportunity is left.',
  })

export const KeywordDifficulty = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('estimated'),
        value: z.number().min(0).max(100),
        formula: Formula,
        parts: z.array(DifficultyPart).describe('Heaviest first.'),
        results: z
          .int()
          .min(0)
          .describe(
            'Results of the page that the formula read, from the top. Fewer than ten on a complete page leave empty places, which nobody holds; where the page may go on, the formula says how many places it read.',
          ),
        brand: BrandApp.nullable().describe(
          'The app that the keyword is the name of; null where it is none, or nothing on the page shows it.',
        ),
        observedAt: Timestamp.describe('When the page was shown.'),
      })
      .meta({ id: 'EstimatedDifficulty', description: 'A difficulty with what it is made of.' }),
    NotMeasured,
  ])
  .meta({
    id: 'KeywordDifficulty',
    description:
      'How strong and how well aimed the first results of a keyword are: 0 is easiest to enter, 100 hardest. Ratings are weighed by the scale of the storefront; where the formula says `common scale`, too few of its apps are stored, and the value is not comparable with those of other storefronts.',
  })

export const KeywordReason = z
  .object({
    kind: z
      .enum([
        'own-listing',
        'similar-apps',
        'rival-name',
        'rival-ranks',
        'autocomplete',
        'shared-results',
        'shared-words',
      ])
      .describe(
        "`own-listing`: a telling term of the app's own text. `similar-apps`: texts of apps like it use it more than others do. `rival-name`: in the name or subtitle of a tracked rival. `rival-ranks`: a tracked rival ranks for it. `autocomplete`: Apple suggests it. `shared-results`: its page shows the same apps. `shared-words`: holds the same words.",
      ),
    text: z.string().describe('In plain words, such as "3 of your 4 competitors have it in their name".'),
    storeId: StoreId.nullable().describe('The app it is read from; null when several or none.'),
  })
  .meta({ id: 'KeywordReason', description: 'Why a keyword is named.' })
