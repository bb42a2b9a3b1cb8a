import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { adImport } from '../../src/domain/paid-ads/imports/import-run.ts'
import { insertRun } from '../../src/domain/paid-ads/imports/run-queries.ts'
import { withQueryDefaults } from '../../src/domain/paid-ads/search-plan.ts'
import { insertWork, workById } from '../../src/domain/work/queries.ts'
import { performAdImport } from '../../src/jobs/kinds/ad-import.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { type Database, inTransaction } from '../../src/storage/database.ts'
import type { AdLibraries } from '../../src/suppliers/ad-libraries.ts'
import { referenceAdvertiser } from '../reference-evidence.ts'
import { demoAccount } from './tracking.ts'

/** The import run in the examples of the reference. */
const runId = '01958b60-1c40-7b38-9e02-6d5a4f3c2b18'

/** Whether the import run of the examples has ended, which comes after the evidence of the first pages. */
export async function hasReferenceExamples(db: Database): Promise<boolean> {
  return (await workById(db, runId))?.finishedAt != null
}

/** Performs the import run that the examples of the reference show. @param adLibraries the fake ones */
export async function keepReferenceExamples(db: Database, adLibraries: AdLibraries): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const accountId = await ensureAccount(transaction, uuidv7(), demoAccount)
    if (await workById(transaction, runId)) return
    await insertWork(transaction, {
      workId: runId,
      kind: adImport.name,
      subject: runId,
      input: { platform: 'meta' },
      status: 'queued',
    })
    const asked = { advertiserIds: [referenceAdvertiser.id], countries: ['de', 'fr'], active: true, limit: 200 }
    const query = withQueryDefaults('meta', asked, new Date())
    await insertRun(transaction, {
      runId,
      accountId,
      door: 'http',
      platform: 'meta',
      argumentsHash: runId,
      query,
      records: null,
    })
  })
  await workTask(
    db,
    adImport,
    performAdImport(db, adLibraries),
  )({ workId: runId }, new AbortController().signal)
}
