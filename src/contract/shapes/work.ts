import { z } from 'zod'
import { workStates } from '../../vocabulary/work-states.ts'
import { Timestamp, Uuid } from './primitives.ts'

export const WorkState = z
  .enum(workStates)
  .meta({ id: 'WorkState', description: '`partial` ended with something left out, said in `lastError`.' })

export const WorkStatus = z
  .object({
    workId: Uuid.describe('Names this work; asking again while it is under way answers the same.'),
    status: WorkState,
    progress: z
      .object({ done: z.int().min(0), total: z.int().min(0).nullable(), unit: z.string() })
      .nullable()
      .describe('Null before the work starts; `total` is null while unknown.'),
    attempts: z.int().min(0),
    lastError: z
      .object({ at: Timestamp, code: z.string(), message: z.string() })
      .nullable()
      .describe('The newest failure, also when a later attempt succeeded.'),
    createdAt: Timestamp,
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
    waitingForWorker: z
      .object({ since: Timestamp })
      .optional()
      .describe(
        'Only while queued, where no process works on jobs: since when none was seen. The operator starts one with `rivalscope work`.',
      ),
  })
  .meta({ id: 'WorkStatus', description: 'State of work that takes time.' })
