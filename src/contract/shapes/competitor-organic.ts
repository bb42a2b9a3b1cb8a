import { z } from 'zod'
import { AppLabel } from './apps.ts'
import { Score, SummedCount } from './facts.ts'
import { OrganicPost } from './organic.ts'
import { Total } from './page.ts'
import { Day } from './primitives.ts'

const OrganicSummary = z
  .object({
    posts: Total,
    postsByWeek: z
      .array(z.object({ weekStartsOn: Day.describe('A Monday.'), posts: z.int().min(0) }))
      .describe('Oldest first, weeks without a post included. Empty when there is no post.'),
    views: z
      .object({
        total: SummedCount.describe(
          'Over posts whose views are measured. Where there is none: `hidden-upstream` when one of the posts hides them, else `not-carried`; `too-little-evidence` without a post.',
        ),
        measuredPosts: z.int().min(0),
      })
      .describe('Posts of networks that hide views are left out, and counted by what is missing to `posts`.'),
    medianEngagementRate: Score.describe(
      'Of posts whose rate is known; where that is not all, the formula says `(6 of 7 posts)`.',
    ),
    creators: z.int().min(0).describe('Different authors.'),
    outliers: SummedCount.describe(
      'Posts with at least five times the median views of their author. Not measured where no post can be compared: for the reason of the views, else `too-little-evidence`.',
    ),
  })
  .meta({ id: 'OrganicSummary', description: 'How the posts about an app do.' })

export const CompetitorOrganic = z
  .object({
    app: AppLabel,
    summary: OrganicSummary,
    items: z.array(OrganicPost),
    total: Total,
    nextCursor: z.string().nullable().describe('Pass as `cursor` for the next page; null on the last one.'),
  })
  .meta({
    id: 'CompetitorOrganic',
    description: 'A page of posts linked to an app, with a summary of all of them.',
  })
