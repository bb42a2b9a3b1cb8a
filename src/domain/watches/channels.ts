import { createHmac, hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import type { ChannelKind, Digest, WebhookShape } from '../../vocabulary/watches.ts'
import { lockAccount } from '../accounts/limits.ts'
import { storeSecret } from '../accounts/store-secret.ts'
import { isOf } from './queries.ts'
import { type AccountTimes, defaultTimes } from './times.ts'

/** A channel by which an account is notified. */
export interface Channel {
  wayId: string
  accountId: string
  kind: ChannelKind
  /** Null for a feed. */
  address: string | null
  shape: WebhookShape | null
  /** For mail; null for the other kinds. */
  digest: Digest | null
}

export interface ChannelListed extends Channel {
  account: string
  pending: number
  dead: number
  failures: number
  lastError: string | null
  retryAt: Date | null
  /** Since when nothing is sent through it; null while it is. */
  mutedAt: Date | null
  /** The last test; null before the first. */
  testedAt: Date | null
  /** Why it failed. */
  testError: string | null
}

const channelColumns = sql`w.way_id as "wayId", w.account_id as "accountId", w.kind, w.address, w.shape, w.digest`

/**
 * Adds a webhook for events. An existing one is returned, with its new shape.
 * @param wayId the id of a new one
 * @returns its id
 */
export async function addWebhook(
  db: Database,
  accountId: string,
  { address, shape }: { address: string; shape: WebhookShape },
  wayId: string = uuidv7(),
): Promise<string> {
  const found = await firstRow(
    db,
    sql<{ wayId: string }>`
      insert into watch_ways (way_id, account_id, kind, address, shape)
      values (${wayId}::uuid, ${accountId}::uuid, 'webhook', ${address}, ${shape})
      on conflict (account_id, kind, address) where removed_at is null do update set shape = excluded.shape
      returning way_id as "wayId"`,
  )
  if (!found) throw new Error('The channel was not stored.')
  return found.wayId
}

/**
 * Adds an e-mail address. An existing one is returned, with its new digest. Digests begin with events recorded from now on.
 * @param wayId the id of a new one
 * @returns its id
 */
export async function addMail(
  db: Database,
  accountId: string,
  { address, digest }: { address: string; digest: Digest },
  wayId: string = uuidv7(),
): Promise<string> {
  const notifiedUntil = digest === 'immediate' ? sql`null::timestamptz` : sql`now()`
  const found = await firstRow(
    db,
    sql<{ wayId: string }>`
      insert into watch_ways as w (way_id, account_id, kind, address, digest, told_until)
      values (${wayId}::uuid, ${accountId}::uuid, 'email', ${address}, ${digest}, ${notifiedUntil})
      on conflict (account_id, kind, address) where removed_at is null do update set digest = excluded.digest,
        told_until = case when excluded.told_until is not null then coalesce(w.told_until, excluded.told_until) end,
        digest_until = null, digest_since = null
      returning way_id as "wayId"`,
  )
  if (!found) throw new Error('The channel was not stored.')
  return found.wayId
}

/**
 * Adds a feed of an account's events. @returns its id and its token, which is returned only here: the store holds its hash
 */
export async function addFeed(
  db: Database,
  accountId: string,
  wayId: string = uuidv7(),
): Promise<{ wayId: string; token: string }> {
  const token = newToken()
  await sql`
    insert into watch_ways (way_id, account_id, kind, token_hash)
    values (${wayId}::uuid, ${accountId}::uuid, 'feed', ${tokenHash(token)})`.execute(db)
  return { wayId, token }
}

/** The secret of an address that needs no other credential. */
export const newToken = () => randomBytes(32).toString('base64url')

/** Whether it has the length and alphabet of a token; anything else needs no look-up. */
export const hasTokenForm = (token: string) => /^[A-Za-z0-9_-]{43}$/.test(token)

export const tokenHash = (token: string) => hash('sha256', token, 'buffer')

/** The account of a feed; undefined for an unknown or removed token. */
export function accountOfFeed(
  db: Database,
  token: string,
): Promise<{ accountId: string; account: string; wayId: string } | undefined> {
  return firstRow(
    db,
    sql<{ accountId: string; account: string; wayId: string }>`
      select w.account_id as "accountId", a.name as account, w.way_id as "wayId"
      from watch_ways w join accounts a using (account_id)
      where w.token_hash = ${tokenHash(token)} and w.removed_at is null`,
  )
}

/** Removes a channel, of this account if one is given; its pending deliveries are not sent. @returns whether it was active */
export async function removeChannel(db: Database, wayId: string, accountId?: string): Promise<boolean> {
  const removed = await rows(
    db,
    sql`update watch_ways set removed_at = now()
      where way_id = ${wayId}::uuid and removed_at is null and ${isOf(accountId)} returning way_id`,
  )
  return removed.length > 0
}

/**
 * Mutes a channel, of this account if one is given, or has it tell again. What happens while it is muted is not sent later; what
 * waited before is, and a digest begins anew.
 * @returns whether it is active
 */
export async function muteChannel(
  db: Database,
  wayId: string,
  muted: boolean,
  accountId?: string,
): Promise<boolean> {
  const found = await rows(
    db,
    sql`update watch_ways set muted_at = case when ${muted} then coalesce(muted_at, now()) end,
        told_until = case when told_until is not null and muted_at is not null and not ${muted} then now() else told_until end
      where way_id = ${wayId}::uuid and removed_at is null and ${isOf(accountId)} returning way_id`,
  )
  return found.length > 0
}

/** Seconds between two tests of an account that anybody but the operator asks for. */
const testedEverySeconds = 10

/**
 * Claims a test of a channel, which is counted before it is sent.
 * @returns false within some seconds after the last test of its account, be it of another channel or of one removed since
 */
export function claimTest(
  db: Database,
  { wayId, accountId }: Pick<Channel, 'wayId' | 'accountId'>,
): Promise<boolean> {
  return atomically(db, async (transaction) => {
    await lockAccount(transaction, accountId)
    // By the clock: `now()` is the begin of this transaction, and those before it may have claimed since. Far ahead is a clock set back.
    const claimed = await rows(
      transaction,
      sql`update watch_ways set tested_at = clock_timestamp(), test_error = 'No answer was noted.'
        where way_id = ${wayId}::uuid and not exists (
          select from watch_ways where account_id = ${accountId}::uuid
            and tested_at > clock_timestamp() - make_interval(secs => ${testedEverySeconds})
            and tested_at < clock_timestamp() + make_interval(secs => ${testedEverySeconds}))
        returning way_id`,
    )
    return claimed.length > 0
  })
}

/** Notes what came of a test. @param error why it failed */
export async function recordTest(db: Database, wayId: string, error: string | undefined): Promise<void> {
  await sql`update watch_ways set tested_at = now(), test_error = ${error?.slice(0, 500) ?? null}
    where way_id = ${wayId}::uuid`.execute(db)
}

/** Active channels, by account; of one account, by its name or its id, if it is given. */
export function listChannels(db: Database, account?: string, accountId?: string): Promise<ChannelListed[]> {
  return rows(
    db,
    sql<ChannelListed>`
      select ${channelColumns}, a.name as account, d.pending, d.dead, w.failures, w.last_error as "lastError",
        w.retry_at as "retryAt", w.muted_at as "mutedAt", w.tested_at as "testedAt", w.test_error as "testError"
      from watch_ways w join accounts a using (account_id)
      cross join lateral (
        select count(*) filter (where state = 'pending')::int as pending, count(*) filter (where state = 'dead')::int as dead
        from watch_deliveries d where d.way_id = w.way_id) d
      where w.removed_at is null and (${account ?? null}::text is null or a.name = ${account ?? null})
        and (${accountId ?? null}::uuid is null or w.account_id = ${accountId ?? null}::uuid)
      order by a.name, w.created_at, w.way_id`,
  )
}

/** An active channel, of this account if one is given. */
export function channelOf(db: Database, wayId: string, accountId?: string): Promise<Channel | undefined> {
  return firstRow(
    db,
    sql<Channel>`
      select ${channelColumns} from watch_ways w
      where way_id = ${wayId}::uuid and removed_at is null and ${isOf(accountId)}`,
  )
}

/** How many active channels an account has, and whether an id is of one of them, or of any channel ever. */
export async function roomForChannel(
  db: Database,
  accountId: string,
  wayId: string,
): Promise<{ active: number; isOwn: boolean; isUsed: boolean }> {
  const isActive = sql`account_id = ${accountId}::uuid and removed_at is null`
  const isId = sql`way_id = ${wayId}::uuid`
  const found = await firstRow(
    db,
    sql<{ active: number; isOwn: boolean; isUsed: boolean }>`
      select count(*) filter (where ${isActive})::int as active,
        count(*) filter (where ${isActive} and ${isId}) > 0 as "isOwn", count(*) filter (where ${isId}) > 0 as "isUsed"
      from watch_ways where ${isActive} or ${isId}`,
  )
  return found ?? { active: 0, isOwn: false, isUsed: false }
}

/**
 * The secret that signs the messages of a webhook: `whsec_` and 32 bytes in Base64, by the Standard Webhooks specification.
 * It is derived from the store's secret, and not stored.
 */
export async function signingSecret(db: Database, wayId: string): Promise<string> {
  return `whsec_${createHmac('sha256', await storeSecret(db))
    .update(`webhook ${wayId}`)
    .digest('base64')}`
}

/** The times of an account; UTC without quiet hours where none are set. */
export async function accountTimesOf(db: Database, accountId: string): Promise<AccountTimes> {
  const found = await firstRow(
    db,
    sql<AccountTimes>`
      select time_zone as "timeZone", quiet_from as "quietFrom", quiet_until as "quietUntil"
      from watch_times where account_id = ${accountId}::uuid`,
  )
  return found ?? defaultTimes
}

/** Sets the times of an account. */
export async function setAccountTimes(db: Database, accountId: string, times: AccountTimes): Promise<void> {
  const { timeZone, quietFrom, quietUntil } = times
  await sql`
    insert into watch_times (account_id, time_zone, quiet_from, quiet_until)
    values (${accountId}::uuid, ${timeZone}, ${quietFrom}, ${quietUntil})
    on conflict (account_id) do update set time_zone = excluded.time_zone, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until`.execute(db)
}
