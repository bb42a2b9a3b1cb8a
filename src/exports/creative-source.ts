import { sql } from 'kysely'
import { adShapes } from '../api/ad-shapes.ts'
import { postShapes } from '../api/post-shapes.ts'
import { type Database, rows } from '../storage/database.ts'
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
  for await (const numbers of inTurn((after) => postNumbers(db, wanted, after))) {
    const shapes = await postShapes(db, wanted.accountId ?? nobody, numbers)
    yield* numbers.flatMap((number) => shapes.get(number) ?? [])
  }
}

/** Ads in the order they came in, each as the API shows it. */
export async function* ads(db: Database, wanted: Wanted): AsyncGenerator<Ad> {
  for await (const numbers of inTurn((after) => adNumbers(db, wanted, after))) {
    const shapes = await adShapes(db, wanted.accountId ?? nobody, numbers)
    yield* numbers.flatMap((number) => shapes.get(number) ?? [])
  }
}

async function* inTurn(after: (last: string) => Promise<string[]>): AsyncGenerator<string[]> {
  for (let numbers = await after('0'); numbers.length > 0; numbers = await after(numbers.at(-1) ?? '0'))
    yield numbers
}

async function postNumbers(db: Database, wanted: Wanted, after: string): Promise<string[]> {
  const { accountId, savedOnly, storeId } = wanted
  const saved = savedOnly
    ? sql`exists (select from saved_posts s where s.account_id = ${accountId ?? nobody}::uuid and s.post_id = p.post_id)`
    : sql`true`
  const linked = storeId
    ? sql`exists (select from post_grounds g where g.store_id = ${storeId}::bigint and g.post_number = p.post_number)`
    : sql`true`
  const found = await rows(
    db,
    sql<{ number: string }>`
      select post_number::text as number from posts p
      where post_number > ${after}::bigint and ${saved} and ${linked} order by p.post_number limit ${together}`,
  )
  return found.map(({ number }) => number)
}

async function adNumbers(db: Database, wanted: Wanted, after: string): Promise<string[]> {
  const { accountId, savedOnly, storeId } = wanted
  const saved = savedOnly
    ? sql`exists (select from saved_ads s
        where s.account_id = ${accountId ?? nobody}::uuid and s.platform = a.platform and s.archive_id = a.archive_id)`
    : sql`true`
  const linked = storeId
    ? sql`exists (select from ad_links l where l.store_id = ${storeId}::bigint and l.ad_number = a.ad_number)`
    : sql`true`
  const found = await rows(
    db,
    sql<{ number: string }>`
      select ad_number::text as number from ads a
      where ad_number > ${after}::bigint and ${saved} and ${linked} order by a.ad_number limit ${together}`,
  )
  return found.map(({ number }) => number)
}
