import { z } from 'zod'
import { AppLabel } from './apps.ts'
import { Rank } from './charts.ts'
import { Score100 } from './keywords.ts'
import { page } from './page.ts'
import { Country, Timestamp, Uuid } from './primitives.ts'
import { SourceIssueList } from './source-issues.ts'

export const GapStanding = z.enum(['rival-only', 'own-only', 'both', 'neither', 'not-measured']).meta({
  id: 'GapStanding',
  description:
    'Who ranks on the newest page of a keyword. `neither` and `not-measured` (no usable page) are told for keywords of the app only.',
})

const GapKeyword = z
  .object({
    term: z.string(),
    keywordId: Uuid.nullable().describe('Null when the app does not have this keyword.'),
    standing: GapStanding,
    own: Rank.describe('The tracked app.'),
    rival: Rank.describe('The rival, on the same page.'),
    ahead: z.enum(['own', 'rival']).nullable().describe('Who ranks higher, or alone; null when neither ranks.'),
    distance: z.int().min(1).nullable().describe('Places between the two; null unless both rank.'),
    difficulty: Score100.describe('0 is easiest to enter, 100 hardest.'),
    opportunity: Score100.describe(
      'Worth of trying for the app: 100 is much suggested, easy to enter and what the app is about.',
    ),
    relevance: Score100.describe("How well it fits the tracked app's own listing, 100 is best."),
    surface: z
      .string()
      .nullable()
      .describe('Surface of the page, such as `iTunes Search API`; null without one.'),
    observedAt: Timestamp.nullable().describe('Time of the page; null without one.'),
  })
  .meta({ id: 'GapKeyword', description: 'A keyword and where both apps stand on the same page.' })

export const KeywordGap = z
  .object({
    appId: Uuid,
    own: AppLabel,
    rival: AppLabel,
    country: Country.describe('Storefront of the tracked app, and of every page here.'),
    counts: z
      .object({
        rivalOnly: z.int().min(0),
        ownOnly: z.int().min(0),
        bothOwnAhead: z.int().min(0),
        bothRivalAhead: z.int().min(0),
        neither: z.int().min(0),
        notMeasured: z.int().min(0),
      })
      .describe('Keywords by standing, before any filter.'),
    pages: z
      .object({
        looked: z
          .int()
          .min(0)
          .describe('Keywords of the storefront with a stored page; the newest one of each counts.'),
        oldestAt: Timestamp.nullable().describe('Oldest of these pages; null when there are none.'),
        newestAt: Timestamp.nullable(),
      })
      .describe('What the comparison rests on.'),
    ...page('GapKeywordPage', GapKeyword).shape,
    trouble: SourceIssueList,
  })
  .meta({
    id: 'KeywordGap',
    description: 'Keywords where two apps differ, over all stored pages of a storefront.',
  })
