import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database } from '../../storage/database.ts'
import { readInput, type WorkKind } from './kind.ts'
import { insertWork, newestWork } from './queries.ts'
import type { Work } from './work.ts'

/** Adds a job to the queue, in the same transaction as the data that requires it. */
export type Enqueue = (
  transaction: Database,
  kind: Pick<WorkKind, 'name'>,
  data: { workId: string },
) => Promise<void>

/** A request for work: kind, subject and input. */
export interface WorkAsked<Input> {
  kind: WorkKind<Input>
  subject: string
  input: NoInfer<Input>
}

/** Records work and its job atomically; a second request while it is under way returns the same work. */
export function askForWork<Input>(db: Database, enqueue: Enqueue, asked: WorkAsked<Input>): Promise<Work> {
  return atomically(db, (transaction) => askForWorkWithin(transaction, enqueue, asked))
}

/** As `askForWork`, inside the caller's transaction. */
export async function askForWorkWithin<Input>(
  transaction: Database,
  enqueue: Enqueue,
  { kind, subject, input }: WorkAsked<Input>,
): Promise<Work> {
  const asked = { kind: kind.name, subject, input: readInput(kind, input) }
  const found = await insertWork(transaction, { workId: uuidv7(), status: 'queued', ...asked })
  if (found?.fresh) await enqueue(transaction, kind, { workId: found.workId })
  const work = found ?? (await newestWork(transaction, kind.name, subject))
  if (!work) throw new Error(`Work on ${kind.name} ${subject} is neither new nor known.`)
  return work
}
