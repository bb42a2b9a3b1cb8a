import { hash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { type Database, inTransaction } from '../../../storage/database.ts'
import type { AdPlatform } from '../../../vocabulary/ad-platforms.ts'
import { decompressPayload } from '../../evidence/packed-payload.ts'
import type { ProvidedBy } from '../../evidence/reading.ts'
import { canonicalJson } from '../../idempotency/canonical.ts'
import type { Enqueue } from '../../work/ask-for-work.ts'
import { insertWork } from '../../work/queries.ts'
import { adImport, type ImportArguments, lockPreview, markPreviewUsed } from './import-run.ts'
import { insertRun, lockArguments, reopenRun, runUnderWay } from './run-queries.ts'

/** Starts a run, or returns the one under way with the same arguments. @returns its id */
export function startRun(
  db: Database,
  enqueue: Enqueue,
  requester: ProvidedBy,
  asked: ImportArguments,
): Promise<string> {
  return inTransaction(db, (transaction) => startRunWithin(transaction, enqueue, requester, asked))
}

async function startRunWithin(
  transaction: Database,
  enqueue: Enqueue,
  requester: ProvidedBy,
  asked: ImportArguments,
): Promise<string> {
  const { accountId, door } = requester
  const argumentsHash = await hashOf(asked)
  await lockArguments(transaction, accountId, argumentsHash)
  const known = await runUnderWay(transaction, accountId, argumentsHash)
  if (known) return known
  const runId = uuidv7()
  const { platform, query, records } = asked
  // Each run is its own subject: an old run can always be retried, whatever else is under way.
  await insertWork(transaction, {
    workId: runId,
    kind: adImport.name,
    subject: runId,
    input: { platform },
    status: 'queued',
  })
  await insertRun(transaction, { runId, accountId, door, platform, argumentsHash, query, records })
  await enqueue(transaction, adImport, { workId: runId })
  return runId
}

/** A hash of the canonical arguments: a stored preview returns them with their properties in another order. */
async function hashOf({ platform, query, records }: ImportArguments): Promise<string> {
  const unpacked: unknown =
    records && JSON.parse(Buffer.from(await decompressPayload(records)).toString('utf8'))
  return hash('sha256', canonicalJson([platform, query, unpacked]))
}

/** The outcome of a token: a run, or the reason why there is none. */
export type StartedByToken = { runId: string } | 'expired' | { missing: AdPlatform }

/**
 * Starts the run of a preview; a token that was already used returns its run, however old.
 * @param mayStart whether the library of the platform can be called
 */
export function startPreviewedRun(
  db: Database,
  enqueue: Enqueue,
  requester: ProvidedBy,
  token: string,
  { now, mayStart }: { now: Date; mayStart: (asked: ImportArguments) => boolean },
): Promise<StartedByToken> {
  return inTransaction(db, async (transaction) => {
    const preview = await lockPreview(transaction, requester.accountId, token)
    if (preview?.runId) return { runId: preview.runId }
    if (!preview || preview.expiresAt < now) return 'expired'
    if (!mayStart(preview)) return { missing: preview.platform }
    const runId = await startRunWithin(transaction, enqueue, requester, preview)
    await markPreviewUsed(transaction, token, runId)
    return { runId }
  })
}

/** Retries a failed or partial run from where it stopped. @returns whether it was one */
export function retryRun(db: Database, enqueue: Enqueue, runId: string): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if (!(await reopenRun(transaction, runId))) return false
    await enqueue(transaction, adImport, { workId: runId })
    return true
  })
}
