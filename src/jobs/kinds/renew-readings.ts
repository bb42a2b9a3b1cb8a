import { z } from 'zod'
import { adToAnalyse } from '../../domain/ad-analysis/ad-to-analyse.ts'
import { analyseLocally } from '../../domain/ad-analysis/analyse.ts'
import { adAnalysis, analysisSubject } from '../../domain/ad-analysis/ask.ts'
import {
  type OutdatedAnalysis,
  outdatedAnalyses,
  replaceAnalysis,
  storedTranscript,
} from '../../domain/ad-analysis/queries.ts'
import { countChange } from '../../domain/evidence/changes.ts'
import { newestWork } from '../../domain/work/queries.ts'
import { readableInputOf } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import { measureMedium } from '../ad-analysis/archived-copy.ts'
import { type JobParts, jobKind, queues } from '../job-kind.ts'
import type { MediaArchive } from '../media/media-archive.ts'

/** Ads per batch. */
const atATime = 50

export const renewReadingsJob = jobKind({
  name: 'renew-readings',
  does: 'reads ads anew that an older version of the local analyser read, once after an update that changes it',
  input: z.strictObject({}),
  queue: queues.scheduled,
  atATime: 1,
  addDue,
  perform:
    ({ db, archive }) =>
    async (_input, signal) => {
      const ads = await renewReadings(db, archive, signal)
      return ads === 0 ? undefined : { ads, outcome: 'done' }
    },
})

/** Looks for outdated analyses once an hour: only an update of this service makes analyses outdated. */
const lookAgainAfterMs = 3_600_000
const lookedAt = new WeakMap<Database, number>()

async function addDue({ db, queue }: JobParts, now: Date): Promise<void> {
  if (now.getTime() - (lookedAt.get(db) ?? Number.NEGATIVE_INFINITY) < lookAgainAfterMs) return
  lookedAt.set(db, now.getTime())
  const [old] = await outdatedAnalyses(db, null, 1)
  if (old) await queue.add(db, renewReadingsJob, [{ key: 'all', data: {} }])
}

/**
 * Repeats analyses of an older version for the ads as they are now. Results of a language model stay: it is not asked again,
 * and they have no such version.
 * @returns the number of ads
 */
async function renewReadings(
  db: Database,
  archive: Pick<MediaArchive, 'store'>,
  signal: AbortSignal,
): Promise<number> {
  let renewed = 0
  let reached: OutdatedAnalysis | null = null
  for (;;) {
    const next: OutdatedAnalysis[] = await outdatedAnalyses(db, reached, atATime)
    for (const old of next) {
      signal.throwIfAborted()
      if (await renew(db, archive, old, signal)) renewed++
    }
    const last = next.at(-1)
    if (!last) break
    reached = last
  }
  if (renewed > 0) await countChange(db, ['ads'])
  return renewed
}

async function renew(
  db: Database,
  archive: Pick<MediaArchive, 'store'>,
  old: OutdatedAnalysis,
  signal: AbortSignal,
): Promise<boolean> {
  const ad = await adToAnalyse(db, old)
  if (!ad) return false
  const subject = analysisSubject(old)
  const [work, stored] = await Promise.all([
    newestWork(db, adAnalysis.name, subject),
    storedTranscript(db, old),
  ])
  const accountId = work ? (readableInputOf(adAnalysis, work)?.accountId ?? null) : null
  const madeAt = new Date()
  const analysis = await analyseLocally({
    ad,
    transcript: stored && { ...stored, id: `${subject}/transcript` },
    seen: await measureMedium(db, archive, ad, accountId, signal),
    id: work?.workId ?? subject,
    madeAt,
  })
  return replaceAnalysis(db, old, analysis, madeAt)
}
