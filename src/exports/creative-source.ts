import { adShapes } from '../api/ad-shapes.ts'
import { postShapes } from '../api/post-shapes.ts'
import { postsAfter } from '../domain/organic/post-walk.ts'
import { adsAfter } from '../domain/paid-ads/ad-walk.ts'
import type { Database } from '../storage/database.ts'
import type { Ad, Post } from './creative-columns.ts'

/** Posts and ads that are read at a time: enough to be quick, few enough to be held. */
const together = 100

/** An account that there is not: it has saved nothing. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** What of the library is wanted. */
export interface Wanted {
  /** Whose saved marks are shown; nobody's when left out. */
  accountId?: string
  /** Only what that account saved. */
  savedOnly: boolean
  /** Only what is linked to this app; digits. */
  storeId?: string
}

/** Posts in the order they came in, each as the API shows it. */
export async function* posts(db: Database, wanted: Wanted): AsyncGenerator<Post> {
  const walk = walkOf(wanted)
  for await (const numbers of inTurn((after) => postsAfter(db, walk, after, together))) {
    const shapes = await postShapes(db, wanted.accountId ?? nobody, numbers)
    yield* numbers.flatMap((number) => shapes.get(number) ?? [])
  }
}

/** Ads in the order they came in, each as the API shows it. */
export async function* ads(db: Database, wanted: Wanted): AsyncGenerator<Ad> {
  const walk = walkOf(wanted)
  for await (const numbers of inTurn((after) => adsAfter(db, walk, after, together))) {
    const shapes = await adShapes(db, wanted.accountId ?? nobody, numbers)
    yield* numbers.flatMap((number) => shapes.get(number) ?? [])
  }
}

const walkOf = ({ accountId, savedOnly, storeId }: Wanted) => ({
  ...(savedOnly ? { savedBy: accountId ?? nobody } : {}),
  ...(storeId ? { storeId } : {}),
})

async function* inTurn(after: (last: string) => Promise<string[]>): AsyncGenerator<string[]> {
  for (let numbers = await after('0'); numbers.length > 0; numbers = await after(numbers.at(-1) ?? '0'))
    yield numbers
}
