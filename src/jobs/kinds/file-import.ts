import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountName } from '../../domain/accounts/queries.ts'
import {
  deleteEndedFileImports,
  type FileImportInput,
  fileImport,
  fileImportBytes,
} from '../../domain/work/file-imports.ts'
import type { PerformWork } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import { removeLeftOvers } from '../../storage/spool.ts'
import { type ImportFile, queues, workJobKind } from '../job-kind.ts'
import { FinalFailure } from '../work-tasks.ts'

const job = workJobKind({
  work: fileImport,
  does: 'imports a file that somebody sent from the pages, as the commands of imports do',
  queue: queues.work,
  atATime: 1,
  addDue: null,
  perform: ({ db, importFile }) => performFileImport(db, importFile),
})

/** The bytes go after the outcome is stored: an attempt that is cut off before it needs them again. */
export const fileImportJob: typeof job = {
  ...job,
  performer: (parts) => {
    const perform = job.performer(parts)
    return async (data, signal) => {
      const report = await perform(data, signal)
      await deleteEndedFileImports(parts.db)
      return report
    }
  },
}

const folderName = 'rivalscope-import-'

/** Progress is stored in so many steps. */
const steps = 100

/**
 * Imports the file of a work. An attempt whose process was killed is made again: what it stored is found stored, and counts as
 * unchanged.
 */
function performFileImport(db: Database, importFile: ImportFile): PerformWork<FileImportInput> {
  return async ({ workId, subject, input, createdAt, attempts }, report, signal) => {
    await removeLeftOvers(tmpdir(), new Date(), folderName)
    await using folder = await mkdtempDisposable(join(tmpdir(), folderName))
    let reported: Promise<unknown> = Promise.resolve()
    let step = 0
    const progress = (done: number, total: number) => {
      const next = Math.floor((steps * done) / Math.max(total, 1))
      if (next <= step) return
      step = next
      reported = reported.then(() => report({ done, total }))
      reported.catch(() => {})
    }
    const { summaries, failure } = await importFile({
      ...{ folder: folder.path, account: await accountName(db, subject), input, createdAt },
      ...{ content: wholeFile(db, workId, input.bytes), progress, signal },
    })
    signal.throwIfAborted()
    await reported
    if (failure !== undefined) throw new FinalFailure('refused', failure, { imports: summaries })
    const refused = summaries.reduce((sum, { rejected }) => sum + rejected, 0)
    if (refused > 0 && summaries.every(({ stored, unchanged }) => stored + unchanged === 0))
      throw new FinalFailure('refused', 'All of it was refused.', { imports: summaries })
    return {
      status: refused > 0 ? 'partial' : 'succeeded',
      result: { imports: summaries, wasInterrupted: attempts > 1 },
      counts: { refused },
    }
  }
}

/** @throws FinalFailure after the last byte, where some are missing */
async function* wholeFile(db: Database, workId: string, bytes: number): AsyncGenerator<Uint8Array> {
  let found = 0
  for await (const part of fileImportBytes(db, workId)) {
    found += part.byteLength
    yield part
  }
  if (found !== bytes)
    throw new FinalFailure(
      'file-missing',
      `The file is no longer stored in full: ${found} of ${bytes} bytes. Send it again: what was stored of it before counts as unchanged.`,
    )
}
