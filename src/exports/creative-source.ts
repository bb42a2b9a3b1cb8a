import { adShapes, wholeAds as wholeAdsOf } from '../api/ad-shapes.ts'
import { postShapes, wholePosts as wholePostsOf } from '../api/post-shapes.ts'
import { operatorId } from '../domain/accounts/keys.ts'
import { type CreativeKind, numbersAfter } from '../domain/creatives/kind.ts'
import { postKind } from '../domain/organic/post.ts'
import { adKind } from '../domain/paid-ads/ad.ts'
import type { Database } from '../storage/database.ts'
import type { Ad, Post } from './creative-columns.ts'

/** Posts and ads loaded at a time: enough to be fast, few enough for memory. */
const together = 100

/** Selects the posts or ads to export. */
export interface Wanted {
  /** The account whose saved marks and copies are included; without it, no marks and all copies. */
  accountId?: string
  /** Only items that account saved. */
  savedOnly: boolean
  /** Only items linked to this app; digits. */
  storeId?: string
}

/** Posts in the form of the API. */
export const posts = (db: Database, wanted: Wanted): AsyncGenerator<Post> =>
  inTurn(db, postKind, wanted, postShapes)

/** Posts with all stored fields, for a later import. */
export const wholePosts = (db: Database, wanted: Wanted): AsyncGenerator<Post> =>
  inTurn(db, postKind, wanted, wholePostsOf)

/** Ads in the form of the API. */
export const ads = (db: Database, wanted: Wanted): AsyncGenerator<Ad> => inTurn(db, adKind, wanted, adShapes)

/** Ads with all stored fields, for a later import. */
export const wholeAds = (db: Database, wanted: Wanted): AsyncGenerator<Ad> =>
  inTurn(db, adKind, wanted, wholeAdsOf)

/** Creatives ordered by their numbers, independent of the order of arrival. */
async function* inTurn<Shape>(
  db: Database,
  kind: CreativeKind,
  { accountId = operatorId, savedOnly, storeId }: Wanted,
  shapesOf: (db: Database, accountId: string, numbers: readonly string[]) => Promise<Shape[]>,
): AsyncGenerator<Shape> {
  const walk = { ...(savedOnly ? { savedBy: accountId } : {}), ...(storeId ? { storeId } : {}) }
  const after = (last: string) => numbersAfter(db, kind, walk, last, together)
  for (let numbers = await after('0'); numbers.length > 0; numbers = await after(numbers.at(-1) ?? '0'))
    yield* await shapesOf(db, accountId, numbers)
}
