import { discoverEmerging, type TakeIn } from './domain/emerging/discovery.ts'
import { estimateRefresh } from './domain/estimates/refresh.ts'
import { type IntakeInput, intakeKind, intakeSubject } from './domain/intake/intake.ts'
import { askForWorkWithin } from './domain/work/ask-for-work.ts'
import { noteAsker } from './domain/work/askers.ts'
import { performAdImport } from './jobs/ad-imports/perform-import.ts'
import { performAnalysis } from './jobs/ad-readings/analysis.ts'
import type { AdReaders } from './jobs/ad-readings/readers.ts'
import { performTranscript } from './jobs/ad-readings/transcript.ts'
import { performAppRefresh } from './jobs/aso-refresh.ts'
import { performIntake } from './jobs/intake.ts'
import { performKeywordRefresh } from './jobs/keyword-refresh.ts'
import { makeCopies } from './jobs/media/make-copies.ts'
import { enqueueOn } from './jobs/queue.ts'
import type { Performers, TaskParts } from './jobs/tasks.ts'

/** What each kind of work does. */
export function performersOn({
  db,
  collector,
  adLibraries,
  queue,
  keeping,
  readers,
}: Pick<TaskParts, 'db' | 'collector' | 'adLibraries' | 'queue' | 'keeping'> & {
  readers: AdReaders
}): Performers {
  const takeIn: TakeIn = async (transaction, storeId, country) => {
    const input: IntakeInput = { storeId, bundleId: null, country }
    const subject = intakeSubject(storeId, country)
    const asked = { kind: intakeKind, subject, input: { ...input } }
    const { workId } = await askForWorkWithin(transaction, enqueueOn(queue), asked)
    // A run is told to everybody, and so is what it has taken in.
    await noteAsker(transaction, workId, { accountId: null })
  }
  return {
    intake: performIntake(db, collector, queue),
    'estimate-refresh': estimateRefresh(db),
    'aso-refresh': performAppRefresh(db, collector, queue),
    'keyword-refresh': performKeywordRefresh(db, collector),
    'ad-import': performAdImport(db, adLibraries),
    'keep-media': makeCopies(db, keeping),
    'ad-transcript': performTranscript(db, keeping, readers.speech),
    'ad-analysis': performAnalysis(db, keeping, readers.model),
    'emerging-discovery': discoverEmerging(db, takeIn, () => new Date()),
  }
}
