import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inspectPicture } from '../../decoding/picture.ts'
import { ProgramFailed, ProgramMissing } from '../../decoding/program.ts'
import { probeVideo, sampleFrames } from '../../decoding/video.ts'
import { type AdMedium, type AdToAnalyse, mediaOfAd } from '../../domain/ad-analysis/ad-to-analyse.ts'
import type { MeasuredMedium, WhyMediumNotMeasured } from '../../domain/ad-analysis/local-facts.ts'
import { mainColours } from '../../domain/ad-analysis/media-facts.ts'
import { mediaOwnerKey } from '../../domain/media/media-id.ts'
import { archivedRows, recordWhyNoCopy, requestAndCountCopies } from '../../domain/media/queries.ts'
import { MediaFailure } from '../../sources/media/failure.ts'
import type { Database } from '../../storage/database.ts'
import { removeLeftOvers, spool } from '../../storage/spool.ts'
import { copyMedium, type MediaArchive } from '../media/media-archive.ts'

/**
 * Returns the hash of the archived copy of a medium; without one, whether a copy was tried and failed.
 * @param accountId limits the copies to those this account may see; all copies when left out
 */
async function archivedCopy(
  db: Database,
  mediaId: string,
  accountId?: string | null,
): Promise<{ sha256: string } | { sha256: undefined; failed: boolean }> {
  const [row] = await archivedRows(db, [mediaId], accountId)
  if (row?.status === 'stored' && row.sha256 !== null) return { sha256: row.sha256 }
  return { sha256: undefined, failed: row?.status === 'failed' || row?.status === 'removed-upstream' }
}

/**
 * Ensures a copy of one medium: makes it now when there is none and this installation archives media of ads. Analyses are
 * shared by all accounts, and so is the copy.
 * @returns its hash, or why there is none
 * @throws MediaFailure of kind `trouble`, which the next attempt may not meet, or the signal's reason when it aborts
 */
export async function ensureCopy(
  db: Database,
  archive: MediaArchive,
  ad: AdToAnalyse,
  { mediaId, creativeId, kind, url }: AdMedium,
  signal: AbortSignal,
): Promise<{ sha256: string } | 'media-not-kept' | 'media-removed-upstream'> {
  const { sha256 } = await archivedCopy(db, mediaId)
  const isArchived = archive.policy.saved || archive.policy.ads
  if (url === null || !isArchived) return sha256 ? { sha256 } : 'media-not-kept'
  const wanted = { mediaId, owner: mediaOwnerKey(ad), creativeId, kind, sourceUrl: url, reason: null }
  await requestAndCountCopies(db, [wanted])
  if (sha256) return { sha256 }
  const [asked] = await archivedRows(db, [mediaId])
  if (asked?.status === 'removed-upstream') return 'media-removed-upstream'
  const medium = { mediaId, sourceUrl: url }
  try {
    return { sha256: await copyMedium(db, archive, medium, signal) }
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error
    if (error.kind === 'trouble') throw error
    const isGone = error.kind === 'removed'
    await recordWhyNoCopy(db, medium, isGone ? 'removed-upstream' : 'failed', error.message)
    return isGone ? 'media-removed-upstream' : 'media-not-kept'
  }
}

/** Records that a copy failed after all attempts. */
export async function recordCopyFailure(
  db: Database,
  { mediaId, url }: AdMedium,
  reason: string,
): Promise<void> {
  if (url !== null) await recordWhyNoCopy(db, { mediaId, sourceUrl: url }, 'failed', reason)
}

const folderName = 'rivalscope-reading-'

/**
 * Provides an archived copy as a file, with a folder beside it for derived files; both are deleted afterwards.
 * @returns undefined when the media store no longer has it
 */
export async function withCopyAsFile<T>(
  { store }: Pick<MediaArchive, 'store'>,
  sha256: string,
  use: (path: string, folder: string) => Promise<T>,
): Promise<T | undefined> {
  const content = await store.open(sha256)
  if (!content) return undefined
  await removeLeftOvers(tmpdir(), new Date(), folderName)
  const folder = await mkdtemp(join(tmpdir(), folderName))
  try {
    await using file = await spool(content, folder)
    return await use(file.path, folder)
  } finally {
    content.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Measures the first video of an ad, else its first picture, where a copy is held; no copy is made for it.
 * @param accountId the account that asks: copies that only other accounts requested do not count
 */
export async function measureMedium(
  db: Database,
  archive: Pick<MediaArchive, 'store'>,
  ad: AdToAnalyse,
  accountId: string | null,
  signal: AbortSignal,
): Promise<MeasuredMedium | WhyMediumNotMeasured> {
  const media = mediaOfAd(ad) ?? []
  const main = media.find(({ kind }) => kind === 'video') ?? media[0]
  if (!main) return 'never-collected'
  const copy = await archivedCopy(db, main.mediaId, accountId)
  if (copy.sha256 === undefined) return copy.failed ? 'source-failed' : 'never-collected'
  const { sha256 } = copy
  if (main.kind !== 'video') return (await seePicture(archive, sha256)) ?? 'source-failed'
  return (await seeVideo(archive, sha256, signal)) ?? 'source-failed'
}

async function seeVideo(
  archive: Pick<MediaArchive, 'store'>,
  sha256: string,
  signal: AbortSignal,
): Promise<MeasuredMedium | WhyMediumNotMeasured | undefined> {
  try {
    return await withCopyAsFile(archive, sha256, async (path) => {
      const facts = await probeVideo(path, signal)
      if (!facts.hasPicture) return { ...facts, colours: [] }
      const { scenes, samples } = await sampleFrames(path, facts, signal)
      const { durationSeconds, width, height } = facts
      return { durationSeconds, width, height, scenes, colours: mainColours(samples) }
    })
  } catch (error) {
    if (error instanceof ProgramMissing) return 'not-configured'
    if (error instanceof ProgramFailed) return undefined
    throw error
  }
}

async function seePicture(
  { store }: Pick<MediaArchive, 'store'>,
  sha256: string,
): Promise<MeasuredMedium | undefined> {
  const content = await store.open(sha256)
  if (!content) return undefined
  const bytes = await buffer(content)
  try {
    const { width, height, samples } = await inspectPicture(bytes)
    return { width, height, colours: mainColours(samples) }
  } catch {
    return undefined
  }
}
