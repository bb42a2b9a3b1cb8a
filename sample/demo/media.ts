import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { keepMedia, keepMediaOf } from '../../src/domain/media/keep-media.ts'
import type { KeptOwner } from '../../src/domain/media/kept-owner.ts'
import type { Enqueue } from '../../src/domain/work/ask-for-work.ts'
import { makeCopies } from '../../src/jobs/kinds/keep-media.ts'
import type { Keeping } from '../../src/jobs/media/keeping.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import type { Network } from '../../src/sources/media/media-source.ts'
import { type Database, inTransaction, rows } from '../../src/storage/database.ts'
import type { AdPlatform } from '../../src/vocabulary/ad-platforms.ts'
import type { Span } from '../calendar.ts'
import { dice } from '../dice.ts'
import { sampleHost } from '../document.ts'
import { samplePictures } from '../media.ts'
import { drawPicture } from '../pictures.ts'

/** The only host that media of the demo are copied from. */
export const demoMediaHost = new URL(sampleHost).hostname

/** Some public address: the rules want one, and nobody speaks to it. */
const nowhere = '93.184.216.34'
/** Of the pictures, those that are gone when somebody wants them. */
const removedShare = 0.15

/**
 * The network of the demo: its one host draws the picture that is asked for, and nothing leaves this process. Videos, and some
 * pictures, are gone.
 */
export function demoNetwork(span: Span): Network {
  let pictures: ReturnType<typeof samplePictures> | undefined
  return {
    addressesOf: async () => [nowhere],
    async send({ path }) {
      pictures ??= samplePictures(span)
      const address = `${sampleHost}${path}`
      const order = pictures.get(address)
      const isThere = order && !dice(span.seed, 'removed', address).chance(removedShare)
      const body = isThere ? [await drawPicture(order)] : []
      return Object.assign(Readable.from(body), { statusCode: isThere ? 200 : 404, headers: {} })
    },
  }
}

const adsKept = 24
const postsKept = 16

/** Keeps media of some ads and posts, as if somebody had saved them; once. */
export async function keepDemoMedia(db: Database, keeping: Keeping): Promise<void> {
  const [known] = await rows(db, sql`select from kept_media limit 1`)
  if (known) return
  const ads = await rows(
    db,
    sql<{ platform: AdPlatform; archiveId: string }>`
      select platform, archive_id as "archiveId" from ads order by archive_id limit ${adsKept}`,
  )
  const posts = await rows(
    db,
    sql<{ postId: string }>`select post_id as "postId" from posts order by post_id limit ${postsKept}`,
  )
  const owners: KeptOwner[] = [...ads, ...posts]
  const make = workTask(db, keepMedia, makeCopies(db, keeping))
  for (const owner of owners) {
    const asked: string[] = []
    const enqueue: Enqueue = async (_transaction, _kind, { workId }) => void asked.push(workId)
    await inTransaction(db, (transaction) => keepMediaOf(transaction, enqueue, owner))
    for (const workId of asked) await make({ workId }, new AbortController().signal)
  }
}
