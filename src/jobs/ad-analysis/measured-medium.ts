import { buffer } from 'node:stream/consumers'
import { inspectPicture } from '../../decoding/picture.ts'
import { ProgramFailed, ProgramMissing } from '../../decoding/program.ts'
import { probeVideo, sampleFrames } from '../../decoding/video.ts'
import { type AdToAnalyse, mediaOf } from '../../domain/ad-analysis/ad-to-analyse.ts'
import type { MeasuredMedium, NotSeen } from '../../domain/ad-analysis/local-facts.ts'
import { mainColours } from '../../domain/ad-analysis/media-facts.ts'
import type { Database } from '../../storage/database.ts'
import type { MediaArchive } from '../media/media-archive.ts'
import { archivedCopy, withCopyAsFile } from './archived-copy.ts'

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
): Promise<MeasuredMedium | NotSeen> {
  const media = mediaOf(ad) ?? []
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
): Promise<MeasuredMedium | NotSeen | undefined> {
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
