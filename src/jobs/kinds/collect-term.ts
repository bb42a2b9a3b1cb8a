import { z } from 'zod'
import { collectTerm } from '../collecting/collect-term.ts'
import { jobKind, queues } from '../job-kind.ts'

export const collectTermJob = jobKind({
  name: 'collect-term',
  does: 'asks again for a search or for suggestions that came back empty, or far shorter, where there had been something',
  input: z.strictObject({ term: z.string(), country: z.string(), surface: z.enum(['search', 'hints']) }),
  queue: queues.patient,
  atATime: 1,
  addDue: null,
  perform:
    ({ collector }) =>
    async (asked, signal) => ({ ...asked, outcome: await collectTerm(collector, asked, signal) }),
})
