import type { Readable } from 'node:stream'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { archivedContentOf } from '../domain/media/contents.ts'
import type { Pictures } from '../jobs/media/pictures.ts'
import type { Database } from '../storage/database.ts'
import { type ByteRange, isContentHash, type MediaStore } from '../storage/media-store.ts'
import { type Caller, expectScope } from './caller.ts'
import { Problem, refuseInput, storeFailuresAsProblems } from './problem.ts'

export const pictureWidths = [64, 128, 256, 512, 1024] as const

/** Most pictures for one caller in a minute, by each process: a page of a hundred every few seconds. */
const mostInAMinute = 2_000

/** A picture as WebP, or an address from which the page may load it directly. */
export type ShownPicture = { bytes: Buffer } | { address: string }

/** Returns the picture at an address to a caller. */
export type ShowPicture = (caller: Caller, address: string, width: number) => Promise<ShownPicture>

/** @throws Problem for the caller */
export function showPictures(pictures: Pictures): ShowPicture {
  const allowance = new RateLimiterMemory({ points: mostInAMinute, duration: 60 })
  return async (caller, address, width) => {
    expectScope(caller, 'context:read')
    await allowance.consume(caller.credentialId).catch(refuseForAWhile)
    const picture = await storeFailuresAsProblems(() => pictures.at(caller.accountId, address, width))
    if (picture.found === 'picture') return picture
    if (picture.found === 'address') return { address: picture.url }
    const { found, reason } = picture
    if (found === 'not-allowed') return refuseInput([{ pointer: '/query/url', message: reason }])
    if (found === 'busy') throw new Problem('unavailable', reason)
    if (found === 'trouble') throw new Problem('upstream-failed', reason)
    throw new Problem('route-not-found', reason)
  }
}

function refuseForAWhile(refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal
  const retryAfterSeconds = Math.ceil(refusal.msBeforeNext / 1_000)
  const detail = `More than ${mostInAMinute} pictures in a minute. Try again in ${retryAfterSeconds} seconds.`
  throw new Problem('rate-limited', detail, { retryAfterSeconds })
}

/** Archived content with a way to read it. */
export interface ArchivedContent {
  /** Detected from the content; a picture or a video. */
  contentType: string
  sizeBytes: number
  /** Undefined when the media archive has lost it. */
  open(range?: ByteRange): Promise<Readable | undefined>
}

/** Finds archived content by the hash in its address; `removed` for one that retention removed, undefined for an invalid or unknown hash. */
export type FindContent = (sha256: string) => Promise<ArchivedContent | 'removed' | undefined>

export function archivedContentIn(db: Database, media: MediaStore): FindContent {
  return async (sha256) => {
    const known = isContentHash(sha256) ? await archivedContentOf(db, sha256) : undefined
    return typeof known === 'object' ? { ...known, open: (range) => media.open(sha256, range) } : known
  }
}
