import { z } from 'zod'
import { AppLabel } from './apps.ts'
import { Score } from './facts.ts'
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
        total: z.int().min(0).describe('Over posts whose views are measured.'),
        measuredPosts: z.int().min(0),
      })
      .describe('Posts of networks that hide views are left out, and counted by what is missing to `posts`.'),
    medianEngagementRate: Score,
    creators: z.int().min(0).describe('Different authors.'),
    outliers: z.int().min(0).describe('Posts with at least five times the median views of their author.'),
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
