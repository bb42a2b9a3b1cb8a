import { z } from 'zod'
import { appParts } from '../../vocabulary/app-parts.ts'
import { Timestamp } from './primitives.ts'

const PartAge = z
  .object({
    state: z
      .enum(['due', 'late', 'failing', 'not-scheduled', 'not-measured'])
      .describe(
        '`due`: one turn of the schedule is over since it was looked at; `late`: two. `failing`: the last attempt failed. `not-scheduled`: nothing of this kind is collected by itself. `not-measured`: nobody has looked, or not at `behind` keywords.',
      ),
    lastAt: Timestamp.optional().describe('When it was looked at last; left out where that never was.'),
    since: Timestamp.optional().describe('Since when it is due or late; of a failing one its last failure.'),
    behind: z
      .int()
      .min(1)
      .optional()
      .describe('Keywords without a page of the last two turns; left out where there is none.'),
    error: z.string().optional().describe('Of a failing one, in plain words, at most 200 characters.'),
  })
  .meta({ id: 'PartAge', description: 'How old a part of an app is that is not fresh.' })

const about: Record<(typeof appParts)[number], string> = {
  keywords: 'Result pages: of the keyword that was looked at longest ago. Left out without keywords, too.',
  charts: 'The newest capture of any chart of the storefront.',
  listing: 'The record of the app.',
  page: 'The page of the app: subtitle, previews, similar apps.',
  ads: 'Ads linked to the app in any storefront, or the newest look for its App Store ads in the last 90 days, or three turns if longer.',
  posts: 'Posts linked to the app.',
}

export const AppFreshness = z
  .object(
    Object.fromEntries(appParts.map((part) => [part, PartAge.optional().describe(about[part])])) as {
      [Part in (typeof appParts)[number]]: z.ZodOptional<typeof PartAge>
    },
  )
  .meta({
    id: 'AppFreshness',
    description: 'The parts of an app that are not fresh, by the schedule; empty when all are.',
  })

const OverdueWork = z
  .object({
    job: z.string().describe('`charts` of the schedule, or the kind of work that was asked for.'),
    since: Timestamp.nullable().describe('Since when the first of them is overdue; null if it never came.'),
    text: z.string().describe('What is overdue, in plain words.'),
  })
  .meta({ id: 'OverdueWork', description: 'What should have been collected by now.' })

export const CollectingState = z
  .object({
    worker: z
      .enum(['running', 'stopped', 'never-seen'])
      .describe('Whether a process works on jobs: without one nothing is collected.'),
    stoppedSince: Timestamp.nullable().describe('The last sign of a stopped one; null otherwise.'),
    overdue: z
      .array(OverdueWork)
      .describe(
        'Scheduled charts of the storefronts of these apps that have not come for two turns, and what this account asked for that waits for six hours or failed five times. At most one of each kind.',
      ),
  })
  .meta({ id: 'CollectingState', description: 'How collecting goes.' })
