import { z } from 'zod'
import { Rank } from './charts.ts'
import { ListingField, PictureComparison } from './competitors.ts'
import { EvidenceList } from './evidence.ts'
import { CountFact, NotMeasured, TextFact } from './facts.ts'
import { Score100 } from './keywords.ts'
import { Language, Timestamp } from './primitives.ts'

const ListingTextField = z
  .enum(['name', 'subtitle', 'keyword-field', 'promotional-text', 'description', 'release-notes'])
  .meta({ id: 'ListingTextField', description: 'A text of the listing with a limit set by Apple.' })

const ListingTerm = z
  .object({
    term: z.string().describe('A word, or two that stand together.'),
    count: z.int().min(1).describe('How often the field holds it.'),
    telling: Score100.describe(
      'How much the term tells this app from others: 100 is a term few stored listings hold, 0 one that nearly all do.',
    ),
  })
  .meta({ id: 'ListingTerm', description: 'A term in a text of the listing.' })

const TextLimit = z
  .object({
    most: z.int().min(1),
    unit: z.enum(['characters', 'bytes']).describe('Unicode characters, or bytes of UTF-8.'),
    standing: z
      .enum(['sure', 'reported'])
      .describe('Whether what is within it is taken for certain, or as is reported.'),
    source: z.url().describe('The page that says so.'),
  })
  .meta({ id: 'TextLimit', description: 'How much of a text App Store Connect takes.' })

export const ListingTextUse = z
  .object({
    field: ListingTextField,
    text: TextFact.describe('Nobody but the owner sees the keyword field: it is `hidden-upstream`.'),
    characters: CountFact.describe('Length of the text in Unicode characters.'),
    limit: z.int().min(1).describe('`most` of the first of `limits`.'),
    limits: z
      .array(TextLimit)
      .min(1)
      .describe(
        'How much of the text App Store Connect takes, the strictest first. One but for the keyword field, of which Apple says two.',
      ),
    searched: z.boolean().describe('Whether Apple says that its search reads this field.'),
    terms: z
      .array(ListingTerm)
      .describe(
        'Most telling first, at most 50; words without meaning of their own are left out. Empty without a text.',
      ),
  })
  .meta({ id: 'ListingTextUse', description: 'What one text uses of its limit.' })

const ListingAdvice = z
  .object({
    kind: z
      .enum([
        'unused-space',
        'over-limit',
        'missing-text',
        'repeated-word',
        'wasted-word',
        'untapped-term',
        'not-readable',
      ])
      .describe(
        '`repeated-word`: in more than one searched text, where once is enough. `wasted-word`: the name of the developer again, by which the app is found anyway. `untapped-term`: said by the description and held by names of apps like this one far more than by others, but in no searched text; none where too little is stored to compare with. `not-readable`: the text was never collected, so nothing is said about it.',
      ),
    field: ListingTextField.nullable().describe('Null when it is about several.'),
    weight: z.enum(['high', 'medium', 'low']).describe('How much it is likely to matter.'),
    terms: z.array(z.string()).describe('The words it is about; empty when about none in particular.'),
    keywordField: z
      .object({
        characters: z.int().min(1).describe('Unicode characters, with commas between terms.'),
        bytes: z.int().min(1).describe('Bytes of UTF-8, with commas between terms.'),
        beyondBytes: z
          .array(z.string())
          .describe(
            'The last of `terms`, which fit if the field takes 100 characters, as is reported, but not if it takes 100 bytes, as the help of App Store Connect says. Empty where all fit for certain.',
          ),
      })
      .meta({ id: 'KeywordFieldUse', description: 'What terms would use of the keyword field.' })
      .nullable()
      .describe('Null but for `untapped-term`.'),
    text: z.string().describe('What to do and why, in one or two plain sentences.'),
  })
  .meta({ id: 'ListingAdvice', description: 'A piece of advice on the listing.' })

export const ListingAudit = z
  .object({
    language: Language.nullable().describe(
      'Language the texts are written in, as recognised here; null when unclear.',
    ),
    texts: z.array(ListingTextUse).describe('One entry for each text, in the order of the store page.'),
    advice: z.array(ListingAdvice).describe('Weightiest first. Empty when there is nothing to say.'),
  })
  .meta({
    id: 'ListingAudit',
    description: 'The texts of a listing against the limits set by Apple, with advice.',
  })

export const ListingFieldChange = z
  .object({
    field: ListingField,
    from: TextFact.describe('Media as addresses, one a line. Cut after 500 characters, see `cut`.'),
    to: TextFact,
    cut: z.boolean().describe('Whether `from` or `to` was cut.'),
    comparison: PictureComparison,
    termsAdded: z
      .array(z.string())
      .describe(
        'Words of name, subtitle or description that the new text has and the old had not, at most 50; empty for other fields.',
      ),
    termsRemoved: z.array(z.string()).describe('Words the old text had and the new has not, at most 50.'),
  })
  .meta({ id: 'ListingFieldChange', description: 'One field before and after.' })

export const KeywordMove = z
  .object({
    term: z.string(),
    before: Rank.describe('On the newest page not later than the last look at the old listing.'),
    beforeAt: Timestamp.nullable().describe('Null when there is no such page.'),
    after: Rank.describe(
      'On the newest page in the 28 days after the first look at the new listing, but before its next change was seen.',
    ),
    afterAt: Timestamp.nullable(),
    surface: z.string().describe('Surface of both pages, such as `iTunes Search API`.'),
    places: z.int().nullable().describe('Places climbed, negative when fallen; null unless both are ranks.'),
  })
  .meta({
    id: 'KeywordMove',
    description: 'The rank of a keyword on both sides of a listing change. The change need not be the cause.',
  })

const ImpactOnRanks = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        compared: z
          .int()
          .min(1)
          .describe('Charts or keywords with a look on both sides, the app standing there on at least one.'),
        places: z
          .number()
          .describe(
            'Middle of the places climbed, negative when fallen; an app not there stands below the last place looked at.',
          ),
        usual: z
          .number()
          .min(0)
          .nullable()
          .describe(
            'How far the app moves in as many days without this change, up or down: the middle over 90 days on both sides. Null when fewer than five pairs of days tell.',
          ),
      })
      .meta({
        id: 'MeasuredImpact',
        description: 'How ranks moved over a change, beside how far they usually move.',
      }),
    NotMeasured,
  ])
  .meta({
    id: 'ImpactOnRanks',
    description: 'How ranks moved over a change; not measured where no capture stands on both sides.',
  })

const ListingImpact = z
  .object({
    afterDays: z.int().describe('Days after the first look at the new listing, give or take one.'),
    charts: ImpactOnRanks.describe('Over the charts of the storefront that showed the app.'),
    keywords: ImpactOnRanks.describe('Over the first 50 of `keywords.items` for which it ranked.'),
    otherChanges: z
      .int()
      .min(0)
      .describe(
        'Other changes of the listing first seen within as many days of this one: what moved may be theirs.',
      ),
  })
  .meta({
    id: 'ListingImpact',
    description:
      'Ranks some days after a change against those before it (at most two days before the last look at the old listing). No proof: seasons, rivals and advertising move ranks too; a move within `usual` says nothing at all.',
  })

export const ListingChange = z
  .object({
    lastSeenAt: Timestamp.describe('Last observation of the old listing. The change came after it.'),
    firstSeenAt: Timestamp.describe('First observation of the new listing. The change came before it.'),
    fields: z.array(ListingFieldChange).describe('At least one.'),
    keywords: z
      .array(KeywordMove)
      .describe(
        'Keywords with a page on both sides, of the first 50 of `keywords.items`; most moved first, those that entered or left before all; at most 20. Empty when no keyword has both.',
      ),
    keywordsCompared: z.int().min(0).describe('How many of those 50 have a page on both sides.'),
    impact: z
      .array(ListingImpact)
      .describe('After 7, 14 and 28 days. What moved after a change need not have moved because of it.'),
    caution: z.string().describe('What the ranks around a change do not prove, in plain words.'),
    evidence: EvidenceList.describe('The first observation of the new listing, then the last of the old.'),
  })
  .meta({
    id: 'ListingChange',
    description: 'A change of the listing between two observations, and how ranks moved around it.',
  })
