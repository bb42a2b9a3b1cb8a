import { z } from 'zod'
import { Day, Localization, Timestamp, Url } from './primitives.ts'

const Field = z.enum(['name', 'subtitle', 'keyword-field'])

const RoomInText = z
  .object({
    field: Field,
    text: z.string().nullable().describe('Null when it was never told; empty when it is known to be empty.'),
    characters: z.int().min(0).nullable(),
    left: z.int().min(0).nullable().describe('Characters up to the limit of Apple.'),
    bytes: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Of UTF-8. The help of App Store Connect limits the keyword field to 100 bytes, not characters.',
      ),
    blanks: z.int().min(0).nullable().describe('Blanks beside commas, which use up room of the keyword field.'),
  })
  .meta({
    id: 'RoomInText',
    description: 'A text of an own listing, and what it uses of its limit; all null when it was never told.',
  })

const CoverageLocalization = z
  .object({
    localization: Localization,
    name: z.string().describe('In English.'),
    support: z.enum(['default', 'additional']).describe("In Apple's table, for this storefront."),
    toldAt: Timestamp.nullable().describe('When its texts were last told; null when none is.'),
    texts: z.array(RoomInText).describe('Empty when no text of it is told.'),
  })
  .meta({
    id: 'CoverageLocalization',
    description: 'A localization that the storefront supports, with its room.',
  })

const KeywordInLocalization = z
  .object({
    localization: Localization,
    how: z
      .enum(['one-field', 'across-fields', 'likely', 'some-words'])
      .describe(
        '`likely`: a word stands there in singular for plural or the like, or inside of a longer one; whether search takes it is not known.',
      ),
    fields: z.array(Field).describe('Those that hold it, or words of it.'),
    missing: z.array(z.string()).describe('Words that it does not hold.'),
  })
  .meta({ id: 'KeywordInLocalization', description: 'How the texts of one localization hold a keyword.' })

const standing = z
  .enum(['one-field', 'across-fields', 'likely', 'split', 'uncovered'])
  .describe(
    'The best of all localizations. `across-fields`: its words stand in several fields of one localization. `split`: its words are all there, but in no localization together.',
  )

const CoveredKeyword = z
  .object({
    term: z.string(),
    standing,
    in: z.array(KeywordInLocalization).describe('Localizations that hold any of its words.'),
    missing: z.array(z.string()).describe('Words that no localization holds.'),
  })
  .meta({ id: 'CoveredKeyword', description: 'A tracked keyword and the localizations that hold it.' })

const RepeatedWord = z
  .object({
    word: z.string(),
    where: z
      .enum(['one-localization', 'several-localizations'])
      .describe('The second gains nothing by itself, but lets the word combine with others there.'),
    places: z.array(z.object({ localization: Localization, field: Field })),
  })
  .meta({ id: 'RepeatedWord', description: 'A word that the texts say more than once.' })

const count = z.int().min(0)

export const KeywordCoverage = z
  .object({
    told: z
      .object({ at: Timestamp.describe('When it was last told.'), imports: z.int().min(1) })
      .nullable()
      .describe(
        'The own listing that the calling account told with `rivalscope import listing`; null for apps of others, whose keyword field nobody sees, and until it was told: the localizations are room then, not words.',
      ),
    localizations: z.array(CoverageLocalization).describe('The default one first.'),
    table: z
      .object({ source: Url, asOf: Day })
      .describe("Apple's table of the localizations that each storefront supports."),
    practice: z
      .string()
      .describe('What practitioners hold of how search reads them, which Apple does not document.'),
    counts: z
      .object({
        total: count.describe('Keywords the account tracks for the app here.'),
        oneField: count,
        acrossFields: count,
        likely: count,
        split: count,
        uncovered: count,
      })
      .describe('By standing; zeros when nothing was told.'),
    keywords: z
      .array(CoveredKeyword)
      .describe('Uncovered ones first, at most 500. Empty when nothing was told, or nothing is tracked.'),
    repeated: z
      .array(RepeatedWord)
      .describe('Within one localization first, at most 50; stop words are left out.'),
  })
  .meta({
    id: 'KeywordCoverage',
    description:
      'Which tracked keywords the own listing holds in the localizations that the storefront supports.',
  })
