import { adAnalysis, adTranscript } from '../../src/domain/ad-analysis/ask.ts'
import { discoverEmerging, discovery } from '../../src/domain/emerging/discovery.ts'
import { estimateRefresh, performEstimateRefresh } from '../../src/domain/estimates/refresh.ts'
import { archiveMedia } from '../../src/domain/media/archive-media.ts'
import type { Enqueue } from '../../src/domain/work/ask-for-work.ts'
import { workUnderWay } from '../../src/domain/work/queries.ts'
import { performAnalysis } from '../../src/jobs/kinds/ad-analysis.ts'
import { performTranscript } from '../../src/jobs/kinds/ad-transcript.ts'
import { makeMediaCopies } from '../../src/jobs/kinds/archive-media.ts'
import type { MediaArchive } from '../../src/jobs/media/media-archive.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { type Database, inTransaction } from '../../src/storage/database.ts'

/** Asks for work in one transaction. */
export type Asking = (transaction: Database, enqueue: Enqueue) => Promise<unknown>

/** Asks for work and performs it at once, with what an interrupted start left, where no queue is open yet. */
export type Performing = (ask: Asking) => Promise<void>

/** Performs the kinds of work that a demo begins with. Intakes of synthetic apps are not possible. */
export function performingOn(db: Database, archive: MediaArchive): Performing {
  const discover = discoverEmerging(
    db,
    async () => {},
    () => new Date(),
  )
  const tasks = new Map([
    [archiveMedia.name, workTask(db, archiveMedia, makeMediaCopies(db, archive))],
    [adTranscript.name, workTask(db, adTranscript, performTranscript(db, archive, undefined))],
    [adAnalysis.name, workTask(db, adAnalysis, performAnalysis(db, archive, undefined))],
    [estimateRefresh.name, workTask(db, estimateRefresh, performEstimateRefresh(db))],
    [discovery.name, workTask(db, discovery, discover)],
  ])
  return async (ask) => {
    await inTransaction(db, (transaction) => ask(transaction, async () => {}))
    for (const { kind, workId } of await workUnderWay(db, new Date('9999-01-01')))
      await tasks.get(kind)?.({ workId }, new AbortController().signal)
  }
}
