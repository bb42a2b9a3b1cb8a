import { adShapes, wholeAds as wholeAdsOf } from '../api/ad-shapes.ts'
import { postShapes, wholePosts as wholePostsOf } from '../api/post-shapes.ts'
import { operatorId } from '../domain/accounts/keys.ts'
import { numbersAfter } from '../domain/creatives/kind-queries.ts'
import { postKind } from '../domain/organic/post-kind.ts'
import { adKind } from '../domain/paid-ads/ad-kind.ts'
import type { Database } from '../storage/database.ts'
import type { Ad, Post } from './creative-columns.ts'

/** Posts and ads that are read at a time: enough to be quick, few enough to be held. */
const together = 100

/** What of the library is wanted. */
export interface Wanted {
  /** Whose saved marks and copies are shown; without, nobody's marks and all copies. */
  accountId?: string
  /** Only what that account saved. */
  savedOnly: boolean
  /** Only what is linked to this app; digits. */
  storeId?: string
}

/** Posts in the order they came in, each as the API shows it. */
export async function* posts(db: Database, wanted: Wanted): AsyncGenerator<Post> {
  const walk = walkOf(wanted)
  for await (const numbers of inTurn((after) => numbersAfter(db, postKind, walk, after, together))) {
    const shapes = await postShapes(db, wanted.accountId ?? operatorId, numbers)
    yield* numbers.flatMap((number) => shapes.get(number) ?? [])
  }
}

/** Posts in the same order with all that is kept of them, as an import takes them back. */
export async function* wholePosts(db: Database, wanted: Wanted): AsyncGenerator<Post> {
  const walk = walkOf(wanted)
  for await (const numbers of inTurn((after) => numbersAfter(db, postKind, walk, after, together)))
    yield* await wholePostsOf(db, wanted.accountId ?? operatorId, numbers)
}

/** Ads in the order they came in, each as the API shows it. */
export async function* ads(db: Database, wanted: Wanted): AsyncGenerator<Ad> {
  const walk = walkOf(wanted)
  for await (const numbers of inTurn((after) => numbersAfter(db, adKind, walk, after, together))) {
    const shapes = await adShapes(db, wanted.accountId ?? operatorId, numbers)
    yield* numbers.flatMap((number) => shapes.get(number) ?? [])
  }
}

/** Ads in the same order with all that is kept of them, as an import takes them back. */
export async function* wholeAds(db: Database, wanted: Wanted): AsyncGenerator<Ad> {
  const walk = walkOf(wanted)
  for await (const numbers of inTurn((after) => numbersAfter(db, adKind, walk, after, together)))
    yield* await wholeAdsOf(db, wanted.accountId ?? operatorId, numbers)
}

const walkOf = ({ accountId, savedOnly, storeId }: Wanted) => ({
  ...(savedOnly ? { savedBy: accountId ?? operatorId } : {}),
  ...(storeId ? { storeId } : {}),
})

async function* inTurn(after: (last: string) => Promise<string[]>): AsyncGenerator<string[]> {
  for (let numbers = await after('0'); numbers.length > 0; numbers = await after(numbers.at(-1) ?? '0'))
    yield numbers
}
