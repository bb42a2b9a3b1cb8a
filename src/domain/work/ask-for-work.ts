import { v7 as uuidv7 } from 'uuid'
import { type Database, inTransaction } from '../../storage/database.ts'
import { forgetEndedWork, insertWork, newestWork } from './queries.ts'
import type { Work } from './work.ts'

/** Adds a job to the queue, on the transaction of the fact that asks for it. */
export type Enqueue = (transaction: Database, kind: string, data: { workId: string }) => Promise<void>

/** Records work and its job together; asking again while it is under way answers the same work. */
export function askForWork(
  db: Database,
  enqueue: Enqueue,
  asked: { kind: string; subject: string; input: Record<string, unknown> },
): Promise<Work> {
  return inTransaction(db, (transaction) => askForWorkWithin(transaction, enqueue, asked))
}

/** As `askForWork`, inside a transaction of the caller. */
export async function askForWorkWithin(
  transaction: Database,
  enqueue: Enqueue,
  asked: { kind: string; subject: string; input: Record<string, unknown> },
): Promise<Work> {
  const fresh = await insertWork(transaction, { workId: uuidv7(), status: 'queued', ...asked })
  if (fresh) {
    await forgetEndedWork(transaction, fresh)
    await enqueue(transaction, asked.kind, { workId: fresh.workId })
    return fresh
  }
  const known = await newestWork(transaction, asked.kind, asked.subject)
  if (!known) throw new Error(`Work on ${asked.kind} ${asked.subject} is neither new nor known.`)
  return known
}
