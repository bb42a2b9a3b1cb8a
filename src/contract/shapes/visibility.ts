import { z } from 'zod'
import { Score100 } from './keywords.ts'
import { Day, Timestamp } from './primitives.ts'

const coverage = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('Share of the keywords that were measured, 0 to 1; null when there are no keywords.')

export const Visibility = z
  .object({
    share: Score100.describe(
      'How much of what first place for every keyword would give, 0 to 100; the formulas page has the weights of places and keywords. A keyword where the app is absent adds nothing; one that is not measured is left out of both sums, and the formula says how many are not, as in `visibility/2 (5 of 6 keywords)`.',
    ),
    keywords: z.int().min(0).describe('Size of the set of keywords.'),
    measured: z
      .int()
      .min(0)
      .describe(
        'Keywords with a rank or a checked absence on a page at most 30 days older than `newestPageAt`; an older page does not count.',
      ),
    ranked: z.int().min(0).describe('Those among them that have a rank.'),
    coverage,
    oldestPageAt: Timestamp.nullable().describe('Oldest result page that counts; null when none does.'),
    newestPageAt: Timestamp.nullable(),
    termSet: z
      .string()
      .nullable()
      .describe(
        'Names the set of keywords that were measured, with storefront, surface and size, such as `us:12:Ez3k_9aB`: two shares with the same one are over the same terms, others are not comparable. Null when none is measured.',
      ),
  })
  .meta({
    id: 'Visibility',
    description:
      'How visible an app is for a set of keywords. Compare two values only when their `termSet` is the same.',
  })

export const VisibilityPoint = z.object({ date: Day, share: Score100, coverage }).meta({
  id: 'VisibilityPoint',
  description:
    'The visibility as it was known on one day, over the keywords of today: each counts with its newest page of that day or the 30 days before, so that a day on which few were searched is no jump. `no-snapshot` where there is no such page.',
})

export const RankDistribution = z
  .object({
    keywords: z.int().min(0).describe('`ranked`, `absent` and `notMeasured` together.'),
    top3: z.int().min(0),
    top10: z.int().min(0).describe('Includes the top 3.'),
    top50: z.int().min(0).describe('Includes the top 10.'),
    ranked: z.int().min(0).describe('With any rank; includes the top 50.'),
    absent: z.int().min(0).describe('Looked for and not on the page.'),
    notMeasured: z.int().min(0).describe('No page, or only one that is too old or suspect.'),
  })
  .meta({
    id: 'RankDistribution',
    description:
      'How many keywords rank where, by the newest page of each; a page too old for the visibility does not count.',
  })

export const RankMovement = z
  .object({
    climbed: z.int().min(0),
    fallen: z.int().min(0),
    unchanged: z.int().min(0).describe('The same rank then and now.'),
    entered: z.int().min(0).describe('Absent then, ranked now.'),
    left: z.int().min(0).describe('Ranked then, absent now.'),
    absent: z.int().min(0).describe('Absent then and now.'),
    notMeasured: z.int().min(0).describe('Without two pages to compare.'),
  })
  .meta({
    id: 'RankMovement',
    description: 'How many keywords moved which way; all counts together are all keywords.',
  })
