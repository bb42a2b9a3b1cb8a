import { z } from 'zod'
import { hasOutdatedWords, renewWords } from '../../projections/word-indexes.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'

export const renewWordsJob = jobKind({
  name: 'renew-words',
  does: 'gives what is stored the words by which this version finds it, once after an update that changes them',
  input: z.strictObject({}),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db }) =>
    async (_input, signal) => {
      if (!(await hasOutdatedWords(db))) return undefined
      const counts = await renewWords(db, signal)
      return Object.keys(counts).length === 0 ? undefined : { ...counts, outcome: 'done' }
    },
})

async function addDue({ db, queue }: JobParts): Promise<void> {
  if (await hasOutdatedWords(db)) await queue.add(db, renewWordsJob, [{ key: 'all', data: {} }])
}
