import { z } from 'zod'
import { Day, Timestamp } from './primitives.ts'

export const AsOf = z
  .object({
    today: Day.describe('The day of the service, UTC.'),
    newestEvidenceAt: Timestamp.nullable().describe(
      'Newest observation in this reply; null where the reply shows none with its time.',
    ),
    state: z
      .enum(['fresh', 'due', 'late', 'not-scheduled', 'unknown'])
      .describe(
        '`due`: one turn of the schedule is over since then; `late`: two. `not-scheduled`: nothing of this kind is collected by itself. `unknown`: no time to judge by.',
      ),
    since: Timestamp.nullable().describe('Since when it is due or late; null otherwise.'),
  })
  .meta({ id: 'AsOf', description: 'Today, and how old the evidence of a reply is.' })
