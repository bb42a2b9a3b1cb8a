import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProgramFailed, ProgramMissing } from '../../decoding/program.ts'
import { asWav, bytesPerSecond, decodeSound, probeVideo, splitSound } from '../../decoding/video.ts'
import {
  type AdToAnalyse,
  adToAnalyse,
  joinSegments,
  mediaOfAd,
  transcriptFromCaptions,
} from '../../domain/ad-analysis/ad-to-analyse.ts'
import type { NoTranscript, Segment, Transcript } from '../../domain/ad-analysis/analysis.ts'
import { adOfSubject, adTranscript, type TranscriptInput } from '../../domain/ad-analysis/ask.ts'
import { storeTranscript } from '../../domain/ad-analysis/queries.ts'
import { lockCreativeKind } from '../../domain/creatives/kind.ts'
import { countChange } from '../../domain/evidence/changes.ts'
import { adKind } from '../../domain/paid-ads/ad.ts'
import { indexAds } from '../../domain/paid-ads/ad-search.ts'
import type { PerformWork, ReportProgress } from '../../domain/work/work.ts'
import { MediaFailure } from '../../sources/media/failure.ts'
import { ServiceFailure } from '../../sources/openai/service.ts'
import type { SpeechToText } from '../../sources/openai/speech.ts'
import { type Database, inTransaction } from '../../storage/database.ts'
import { ensureCopy, recordCopyFailure, withCopyAsFile } from '../ad-analysis/archived-copy.ts'
import { queues, workJobKind } from '../job-kind.ts'
import type { MediaArchive } from '../media/media-archive.ts'
import { FinalFailure } from '../work-tasks.ts'

export const adTranscriptJob = workJobKind({
  work: adTranscript,
  does: 'writes down what is said in an ad, from its captions or by speech to text',
  queue: queues.work,
  atATime: 2,
  addDue: null,
  perform: ({ db, archive, analysers }) => performTranscript(db, archive, analysers.speech),
})

/** Most attempts at a copy that keeps failing, and at a speech service that keeps failing: each one costs. */
const mostCopyAttempts = 5
const mostHearings = 3

interface Hearing {
  language: string | null
  attempts: number
  report: ReportProgress
  signal: AbortSignal
}

/**
 * Makes the transcript of an ad: from captions of its source, else by speech to text from its first current video. That an
 * ad cannot be transcribed is a valid result; a service that keeps failing is not.
 */
export function performTranscript(
  db: Database,
  archive: MediaArchive,
  speech: SpeechToText | undefined,
): PerformWork<TranscriptInput> {
  return async ({ subject, input, attempts }, report, signal) => {
    const ad = await adToAnalyse(db, adOfSubject(subject))
    if (!ad) throw new FinalFailure('paid-ad-not-found', 'The ad is no longer stored.')
    await report({ done: 0, total: null })
    const { language } = input
    const transcript = await transcriptOf(db, archive, speech, ad, { language, attempts, report, signal })
    await inTransaction(db, async (transaction) => {
      await lockCreativeKind(transaction, adKind)
      await storeTranscript(transaction, ad, transcript, new Date())
      await indexAds(transaction, [ad.adNumber])
      await countChange(transaction, ['ads'])
    })
    return { status: 'succeeded', result: { outcome: transcript.outcome } }
  }
}

async function transcriptOf(
  db: Database,
  archive: MediaArchive,
  speech: SpeechToText | undefined,
  ad: AdToAnalyse,
  hearing: Hearing,
): Promise<Transcript> {
  const media = mediaOfAd(ad)
  const captions = transcriptFromCaptions(media ?? [])
  if (captions) return captions
  const video = media?.find(({ kind }) => kind === 'video')
  if (!video) return unavailable(hasUnseenVideo(ad) ? 'media-not-kept' : 'no-video')
  if (!speech) return unavailable('not-configured')
  const copy = await ensureCopy(db, archive, ad, video, hearing.signal).catch(async (error: unknown) => {
    if (!(error instanceof MediaFailure) || hearing.attempts < mostCopyAttempts) throw error
    await recordCopyFailure(db, video, error.message)
    return 'media-failed' as const
  })
  if (typeof copy === 'string') return unavailable(copy)
  const heard = await withCopyAsFile(archive, copy.sha256, (path, folder) =>
    hear(speech, path, folder, hearing),
  ).catch((error: unknown) => {
    if (error instanceof ProgramMissing) return 'decoder-missing' as const
    throw meant(error, hearing)
  })
  if (!heard) return unavailable('media-not-kept')
  if (typeof heard === 'string') return unavailable(heard)
  const made = { provider: { name: speech.name, version: speech.model }, mediaId: video.mediaId }
  const { segments } = heard
  if (segments.length === 0) return { outcome: 'no-speech', ...made }
  return { outcome: 'available', ...made, language: heard.language, text: joinSegments(segments), segments }
}

const unavailable = (reason: NoTranscript): Transcript => ({ outcome: 'unavailable', reason })

/** Whether there may be a video that no source shows: there is a still of it, the format says so, or the format is unknown. */
function hasUnseenVideo(ad: AdToAnalyse): boolean {
  const media = mediaOfAd(ad)
  return media === undefined
    ? ad.facts.format !== 'text' && ad.facts.format !== 'image'
    : ad.facts.format === 'video' || media.some(({ kind }) => kind === 'thumbnail')
}

/** Transcribes a video, piece by piece. */
async function hear(
  speech: SpeechToText,
  path: string,
  folder: string,
  { language, report, signal }: Hearing,
): Promise<{ language: string | null; segments: Segment[] } | 'no-sound'> {
  const { hasSound } = await probeVideo(path, signal)
  if (!hasSound) return 'no-sound'
  const decoded = join(folder, 'sound')
  await decodeSound(path, decoded, signal)
  const sound = await readFile(decoded)
  if (sound.length === 0) return 'no-sound'
  const pieces = splitSound(sound, speech.maxBytes)
  const segments: Segment[] = []
  let spoken: string | null = null
  for (const [index, { from, to, startSeconds }] of pieces.entries()) {
    await report({ done: index, total: pieces.length })
    const seconds = (to - from) / bytesPerSecond
    const heard = await speech.hear(asWav(sound.subarray(from, to)), seconds, language, signal)
    if (heard.segments.length > 0) spoken ??= heard.language
    segments.push(...heard.segments.map((segment) => later(segment, startSeconds)))
  }
  await report({ done: pieces.length, total: pieces.length })
  return { language: spoken, segments }
}

const later = (segment: Segment, seconds: number): Segment => ({
  ...segment,
  startSeconds: hundredths(segment.startSeconds + seconds),
  endSeconds: hundredths(segment.endSeconds + seconds),
})

const hundredths = (seconds: number) => Math.round(seconds * 100) / 100

/** Makes a failure final when a retry would not change it, or after enough attempts. */
function meant(error: unknown, { attempts, signal }: Hearing): unknown {
  if (signal.aborted) return error
  if (error instanceof ProgramFailed)
    return new FinalFailure('unreadable-media', `The video cannot be decoded: ${error.message}.`)
  if (error instanceof ServiceFailure && (error.kind === 'refused' || attempts >= mostHearings))
    return new FinalFailure(`speech-${error.kind}`, error.message)
  return error
}
