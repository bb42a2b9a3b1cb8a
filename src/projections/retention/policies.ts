import { z } from 'zod'
import type { RetainedKindName } from '../../vocabulary/retention.ts'

/** A hundred years. Whoever wants to keep evidence for ever leaves the policy out. */
const mostDays = 36_500

/** @param needed the feature that reads back that far */
const days = (leastDays: number, needed: string) =>
  z
    .int({ error: 'must be a whole number of days' })
    .min(leastDays, { error: `must be at least ${leastDays} days: ${needed}` })
    .max(mostDays, { error: `must be at most ${mostDays} days; leave it out to keep everything` })
    .optional()

/** The `retention` section of a configuration file: how long evidence is kept, by kind; for ever where it is left out. */
export const Retention = z.strictObject({
  keepDays: z
    .strictObject({
      chartRanks: days(180, 'emerging apps look back 120 days, and their backtest 150'),
      resultPages: days(365, 'the workstation shows up to a year'),
      ratings: days(180, 'the growth of ratings over 90 days looks back twice as far'),
      postFigures: days(180, 'posts are compared over their first months'),
      media: days(30, 'whoever looks at what arrived needs time to save it'),
      payloads: days(30, 'a mended parser derives from them what it misread'),
    })
    .prefault({}),
})

export type Retention = z.output<typeof Retention>

const settings = {
  'chart-ranks': 'chartRanks',
  'result-pages': 'resultPages',
  ratings: 'ratings',
  'post-figures': 'postFigures',
  media: 'media',
  payloads: 'payloads',
} as const satisfies Record<RetainedKindName, keyof Retention['keepDays']>

/** Days that a kind is kept; null for ever. */
export const keepDaysOf = ({ keepDays }: Retention, kind: RetainedKindName): number | null =>
  keepDays[settings[kind]] ?? null

/** Whether any kind has a policy. */
export const hasPolicies = ({ keepDays }: Retention): boolean =>
  Object.values(keepDays).some((days) => days !== undefined)
