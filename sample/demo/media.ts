import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { archiveMediaOf } from '../../src/domain/media/archive-media.ts'
import type { Enqueue } from '../../src/domain/work/ask-for-work.ts'
import type { MediaNetwork } from '../../src/sources/media/media-source.ts'
import { type Database, rows } from '../../src/storage/database.ts'
import type { AdPlatform } from '../../src/vocabulary/ad-platforms.ts'
import type { Span } from '../calendar.ts'
import { dice } from '../dice.ts'
import { sampleHost } from '../document.ts'
import { samplePictureOfApp, samplePictures } from '../media.ts'
import { drawPicture } from '../pictures.ts'

/** The only host that media of the demo are copied from. */
export const demoMediaHost = new URL(sampleHost).hostname

/** Some public address: the address check requires one, and nothing connects to it. */
const nowhere = '93.184.216.34'
/** The share of pictures that are gone when they are requested. */
const removedShare = 0.15

/**
 * The network of the demo: its only host draws the requested picture, and nothing leaves this process. Videos, and some
 * pictures of ads and posts, are gone.
 */
export function demoNetwork(span: Span): MediaNetwork {
  let pictures: ReturnType<typeof samplePictures> | undefined
  let ofApps: ReturnType<typeof samplePictureOfApp> | undefined
  return {
    addressesOf: async () => [nowhere],
    async send({ path }) {
      pictures ??= samplePictures(span)
      ofApps ??= samplePictureOfApp(span)
      const address = `${sampleHost}${path}`
      const ofCreative = pictures.get(address)
      const isGone = ofCreative && dice(span.seed, 'removed', address).chance(removedShare)
      const order = isGone ? undefined : (ofCreative ?? ofApps(path ?? ''))
      const body = order ? [await drawPicture(order)] : []
      return Object.assign(Readable.from(body), { statusCode: order ? 200 : 404, headers: {} })
    },
  }
}

const archivedAds = 24
const archivedPosts = 16

/** Asks for copies of media of some ads and posts, as if they had been saved. */
export async function archiveDemoMedia(db: Database, enqueue: Enqueue): Promise<void> {
  const ads = await rows(
    db,
    sql<{ platform: AdPlatform; archiveId: string }>`
      select platform, archive_id as "archiveId" from ads order by archive_id limit ${archivedAds}`,
  )
  const posts = await rows(
    db,
    sql<{ postId: string }>`select post_id as "postId" from posts order by post_id limit ${archivedPosts}`,
  )
  for (const owner of [...ads, ...posts]) await archiveMediaOf(db, enqueue, owner)
}
