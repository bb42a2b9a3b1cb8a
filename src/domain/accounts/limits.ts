import { type RawBuilder, sql } from 'kysely'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import { countWithNoun, formatNumber } from '../../text/numbers.ts'

/** The limits of an account; null for no limit. */
export interface AccountLimits {
  /** For all its credentials together. */
  requestsPerMinute: number | null
  /** Saved posts and ads, tracked apps, their keywords, and watches. */
  items: number | null
  /** Of the copies of its saved creatives, each content once. */
  mediaBytes: number | null
}

/** The number of items, and bytes of copies, that an account stores. */
export interface AccountUsage {
  items: number
  mediaBytes: number
}

/** The limits by name: the word for one item, and a description. */
const limited = {
  items: ['item', ' (saved posts and ads, tracked apps, keywords, watches)'],
  mediaBytes: ['byte', ' of media'],
} as const

/** A write would exceed a limit of an account. */
export class LimitReached extends Error {
  constructor(what: keyof AccountUsage, limit: number, used: number) {
    const [one, which] = limited[what]
    super(
      `This account may keep ${countWithNoun(limit, one)}${which}, and keeps ${formatNumber(used)}. Nothing was stored: remove some, or ask the operator for more.`,
    )
    this.name = 'LimitReached'
  }
}

/**
 * Runs a write that may add to the stored items of an account. Writes of an account with a limit are serialised, so that
 * together they do not exceed it; a write that adds nothing succeeds even above a lowered limit.
 * @throws LimitReached where it would exceed the limit; nothing is written then
 */
export function withinLimits<T>(
  db: Database,
  accountId: string,
  write: (transaction: Database) => Promise<T>,
): Promise<T> {
  return atomically(db, async (transaction) => {
    const limits = await lockLimits(transaction, accountId)
    if (!limits) return write(transaction)
    const before = await useOf(transaction, accountId)
    const done = await write(transaction)
    const after = await useOf(transaction, accountId)
    refuseMore('items', limits.items, before.items, after.items)
    refuseMore('mediaBytes', limits.mediaBytes, before.mediaBytes, after.mediaBytes)
    return done
  })
}

function refuseMore(what: keyof AccountUsage, limit: number | null, before: number, after: number): void {
  if (limit !== null && after > limit && after > before) throw new LimitReached(what, limit, before)
}

const hasLimits = sql`(most_items is not null or most_media_bytes is not null)`

/**
 * Whether an account has any limit of stored items, for a statement that writes only where there is none. This saves other
 * accounts the queries of `withinLimits`.
 */
export const isLimited = (accountId: string): RawBuilder<boolean> =>
  sql`exists (select from accounts where account_id = ${accountId}::uuid and ${hasLimits})`

/**
 * The limits of an account's stored items, whose row stays locked until the transaction ends; undefined where it has none.
 */
function lockLimits(
  db: Database,
  accountId: string,
): Promise<Pick<AccountLimits, 'items' | 'mediaBytes'> | undefined> {
  return firstRow(
    db,
    sql<Pick<AccountLimits, 'items' | 'mediaBytes'>>`
      select most_items as items, most_media_bytes::double precision as "mediaBytes" from accounts
      where account_id = ${accountId}::uuid and ${hasLimits}
      for no key update`,
  )
}

/** Locks the row of an account until the transaction ends, for writes of an account that must follow one another. */
export async function lockAccount(db: Database, accountId: string): Promise<void> {
  await sql`select from accounts where account_id = ${accountId}::uuid for no key update`.execute(db)
}

/** The current use of an account. */
async function useOf(db: Database, accountId: string): Promise<AccountUsage> {
  const found = await firstRow(
    db,
    sql<AccountUsage>`
      with apps as materialized (select app_id from tracked_apps where account_id = ${accountId}::uuid),
      posts as materialized (select post_id from saved_posts where account_id = ${accountId}::uuid),
      ads as materialized (select platform, archive_id from saved_ads where account_id = ${accountId}::uuid),
      contents as materialized (
        select sha256 from archived_media
        where owner in (select 'post ' || post_id from posts union all select 'ad ' || platform || '/' || archive_id from ads)
          and status = 'stored'
      )
      select (
          (select count(*) from apps) + (select count(*) from posts) + (select count(*) from ads)
          + (select count(*) from tracked_keywords where app_id in (select app_id from apps))
          + (select count(*) from watches where account_id = ${accountId}::uuid and removed_at is null)
        )::int as items,
        (select coalesce(sum(size_bytes), 0) from media_objects where sha256 in (select sha256 from contents))::double precision
          as "mediaBytes"`,
  )
  if (!found) throw new Error(`The use of the account ${accountId} was not counted.`)
  return found
}

/**
 * Whether anyone has room for a copy of a saved creative: the installation, the requester, or one of the accounts that saved
 * it. Their rows stay locked until the transaction ends.
 */
export async function hasRoomForCopy(db: Database, mediaId: string, sizeBytes: number): Promise<boolean> {
  const limited = await firstRow(db, sql`select from accounts where most_media_bytes is not null limit 1`)
  if (!limited) return true
  const savers = await rows(
    db,
    sql<{ accountId: string; most: number | null }>`
      select a.account_id as "accountId", a.most_media_bytes::double precision as most
      from accounts a join archived_media m on m.media_id = ${mediaId}::uuid and not (m.shared and m.released_at is null)
      where exists (select from saved_posts s where s.account_id = a.account_id and 'post ' || s.post_id = m.owner)
        or exists (
          select from saved_ads s where s.account_id = a.account_id and 'ad ' || s.platform || '/' || s.archive_id = m.owner)
      order by a.account_id
      for no key update of a`,
  )
  for (const { accountId, most } of savers) {
    if (most === null || (await useOf(db, accountId)).mediaBytes + sizeBytes <= most) return true
  }
  return savers.length === 0
}

/** Requests per minute of all credentials of an account together; undefined for no limit. */
export async function requestsPerMinuteOf(db: Database, accountId: string): Promise<number | undefined> {
  const found = await firstRow(
    db,
    sql<{ most: number | null }>`
      select most_requests_per_minute as most from accounts where account_id = ${accountId}::uuid`,
  )
  return found?.most ?? undefined
}

/** Sets the given limits; null removes one, and those left out stay. */
export async function setLimits(
  db: Database,
  accountId: string,
  limits: Partial<AccountLimits>,
): Promise<void> {
  const set = (column: string, given: number | null | undefined) =>
    sql`${sql.ref(column)} = ${given === undefined ? sql.ref(column) : sql`${given}::bigint`}`
  await sql`
    update accounts set ${set('most_requests_per_minute', limits.requestsPerMinute)}, ${set('most_items', limits.items)},
      ${set('most_media_bytes', limits.mediaBytes)}
    where account_id = ${accountId}::uuid`.execute(db)
}

export interface AccountListed extends AccountLimits {
  accountId: string
  account: string
  createdAt: Date
  /** Number of valid keys. */
  keys: number
  use: AccountUsage
}

/** All accounts by name, with their use. */
export async function listAccounts(db: Database): Promise<AccountListed[]> {
  const accounts = await rows(
    db,
    sql<Omit<AccountListed, 'use'>>`
      select a.account_id as "accountId", a.name as account, a.created_at as "createdAt",
        a.most_requests_per_minute as "requestsPerMinute", a.most_items as items,
        a.most_media_bytes::double precision as "mediaBytes", (
          select count(*)::int from api_keys k
          where k.account_id = a.account_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as keys
      from accounts a order by a.name`,
  )
  const listed: AccountListed[] = []
  for (const account of accounts) listed.push({ ...account, use: await useOf(db, account.accountId) })
  return listed
}
