import { z } from 'zod'
import { monthsToPack, packMonth } from '../../projections/pack-months.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'

/** Delay, so that no month is packed during its import; also before a retry when its tables are in use. */
const afterSeconds = 3_600

export const packMonthJob = jobKind({
  name: 'pack-month',
  does: 'writes chart ranks of a month that has ended anew, in half of their space, and payloads that an older version stored',
  input: z.strictObject({ part: z.string() }),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db }) =>
    async ({ part }, signal) => {
      // Another worker may have done it, or the month has been dropped.
      if (!(await monthsToPack(db, new Date())).includes(part)) return undefined
      await packMonth(db, part, signal)
      return { part, outcome: 'done' }
    },
})

async function addDue({ db, queue }: JobParts, now: Date): Promise<void> {
  const parts = await monthsToPack(db, now)
  await queue.add(
    db,
    packMonthJob,
    parts.map((part) => ({ key: part, data: { part } })),
    { afterSeconds },
  )
}
