import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { HandleBasis } from '../../vocabulary/creatives.ts'
import { type Network, networkRow, networks } from '../../vocabulary/networks.ts'

export interface AccountName {
  network: Network
  /** Lower case, without `@`. */
  handle: string
}

/** Evidence that an account belongs to an app. */
export interface HandleClaim extends AccountName {
  /** Digits. */
  storeId: string
  basis: HandleBasis
  readingId: string
  observedAt: Date
}

/** Stores claims, the earliest for each account and app. @returns the accounts with changes */
export function storeHandleClaims(db: Database, claims: readonly HandleClaim[]): Promise<AccountName[]> {
  return rows(
    db,
    sql<AccountName>`
      insert into known_handles (network, handle, store_id, basis, reading_id, observed_at)
      select network, handle, "storeId", basis, "readingId", "observedAt"
      from json_to_recordset(${JSON.stringify(claims)}::json) as sent(network text, handle text, "storeId" bigint,
        basis text, "readingId" uuid, "observedAt" timestamptz)
      on conflict (network, handle, store_id) do update
        set basis = excluded.basis, reading_id = excluded.reading_id, observed_at = excluded.observed_at
        where (excluded.observed_at, excluded.basis) < (known_handles.observed_at, known_handles.basis)
      returning network, handle`,
  )
}

export interface Mention extends AccountName {
  postNumber: string
  readingId: string
  /** `Reading.key`. */
  key: string
  observedAt: Date
}

/** Stores mentions, the earliest for each post and account; of equal times the reading with the greater key. */
export async function writeMentions(db: Database, mentions: readonly Mention[]): Promise<void> {
  if (mentions.length === 0) return
  await sql`
    insert into post_mentions (network, handle, post_number, reading_id, reading_key, observed_at)
    select network, handle, "postNumber", "readingId", key, "observedAt"
    from json_to_recordset(${JSON.stringify(mentions)}::json) as sent(network text, handle text, "postNumber" bigint,
      "readingId" uuid, key text, "observedAt" timestamptz)
    on conflict (network, handle, post_number) do update
      set reading_id = excluded.reading_id, reading_key = excluded.reading_key, observed_at = excluded.observed_at
      where (excluded.observed_at, post_mentions.reading_key, post_mentions.reading_id)
        < (post_mentions.observed_at, excluded.reading_key, excluded.reading_id)`.execute(db)
}

/** Whether there is a claim for any of these accounts. */
export async function hasAnyClaim(db: Database, accounts: readonly AccountName[]): Promise<boolean> {
  if (accounts.length === 0) return false
  const found = await rows(
    db,
    sql<{ network: string }>`
      select k.network
      from json_to_recordset(${JSON.stringify(accounts)}::json) as sent(network text, handle text)
      join known_handles k on k.network = sent.network and k.handle = sent.handle collate "C"
      limit 1`,
  )
  return found.length > 0
}

/** The posts by these accounts, and those that mention them. */
export async function postsByOrMentioning(db: Database, accounts: readonly AccountName[]): Promise<string[]> {
  if (accounts.length === 0) return []
  const sent = sql`json_to_recordset(${JSON.stringify(accounts)}::json) as sent(network text, handle text)`
  const found = await rows(
    db,
    sql<{ postNumber: string }>`
      select p.post_number::text as "postNumber"
      from ${sent} join posts p on p.network = sent.network and p.author = sent.handle collate "C"
      union
      select m.post_number::text
      from ${sent} join post_mentions m on m.network = sent.network and m.handle = sent.handle collate "C"`,
  )
  return found.map(({ postNumber }) => postNumber)
}

/** What stands before a handle of `found`. */
const handlePrefix = sql`case found.network ${sql.join(
  networks.map((network) => sql`when ${sql.lit(network)} then ${sql.lit(networkRow(network).handlePrefix)}`),
  sql` `,
)} end`

/**
 * Recomputes the attributions of posts by known accounts: their author, and accounts they mention. An attribution dates from
 * the later of its two halves, the claim of the account and the post's observation; its reading is the post's.
 */
export async function attributeByHandles(db: Database, postNumbers: readonly string[]): Promise<void> {
  if (postNumbers.length === 0) return
  const sent = sql`(select value::bigint as post_number from json_array_elements_text(${JSON.stringify(postNumbers)}::json))`
  await sql`delete from post_grounds where kind = 'known-handle' and post_number in ${sent}`.execute(db)
  await sql`
    with found as materialized (
      select p.post_number, p.network, p.author as handle, 'author' as found_in, stating.reading_id,
        p.first_observed_at as observed_at
      from posts p
      cross join lateral (
        select (entry ->> 'readingId')::uuid as reading_id
        from jsonb_array_elements(p.evidence) as entry
        where entry -> 'fields' ? 'author'
      ) stating
      where p.post_number in ${sent} and p.author is not null
      union all
      select post_number, network, handle, 'text', reading_id, observed_at from post_mentions
      where post_number in ${sent}
    ), owned as materialized (
      select network, handle, min(store_id) as store_id, min(observed_at) as observed_at
      from known_handles
      where (network, handle) in (select network, handle from found)
      group by network, handle
      having count(*) = 1
    )
    insert into post_grounds (post_number, store_id, kind, found_in, text, reading_id, recorded_at)
    select distinct on (post_number, store_id, found_in) post_number, store_id, 'known-handle', found_in,
      ${handlePrefix} || handle, reading_id,
      greatest(found.observed_at, owned.observed_at) as recorded_at
    from found join owned using (network, handle)
    order by post_number, store_id, found_in, recorded_at, handle`.execute(db)
}

/** The apps that these posts are linked to. */
export async function appsOfPosts(db: Database, postNumbers: readonly string[]): Promise<string[]> {
  if (postNumbers.length === 0) return []
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select distinct store_id::text as "storeId" from post_links
      where post_number in (select value::bigint from json_array_elements_text(${JSON.stringify(postNumbers)}::json))`,
  )
  return found.map(({ storeId }) => storeId)
}
