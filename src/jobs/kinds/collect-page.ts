import { z } from 'zod'
import { jobKind, queues } from '../job-kind.ts'

export const collectPageJob = jobKind({
  name: 'collect-page',
  does: 'reads the page of one app, for an intake',
  input: z.strictObject({ storeId: z.string(), country: z.string() }),
  queue: queues.patient,
  atATime: 1,
  addDue: null,
  perform:
    ({ collector }) =>
    async ({ storeId, country }, signal) => ({
      storeId,
      country,
      outcome: await collector.page(storeId, country, signal),
    }),
})
