import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { tokens } from '../../text/search-terms.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { StatedBy } from '../facts/merge.ts'
import type { AdsOfReading } from './store-ads.ts'

/** The words of a name for matching, separated by spaces. */
const wordsOf = (text: string) =>
  ` ${tokens(text)
    .map((token) => token.text)
    .join(' ')} `

/** Records the advertisers of ads and their newest names. The result is independent of the order of arrival. */
export async function recordAdvertisers(db: Database, entries: readonly AdsOfReading[]): Promise<void> {
  const seen = new Map<string, object>()
  for (const { reading, ads } of entries) {
    for (const { platform, advertiserId, stated, observedAt = reading.observedAt } of ads) {
      const name = stated.advertiserName ?? null
      if (advertiserId === null) continue
      const namedAt = name === null ? null : observedAt.toISOString()
      const brought = Boolean(reading.broughtBy)
      const one = { platform, advertiserId, name, words: wordsOf(name ?? ''), namedAt, brought }
      seen.set(JSON.stringify([platform, advertiserId, name, namedAt, brought]), one)
    }
  }
  await writeAdvertisers(db, [...seen.values()])
}

/** Names from a source take precedence over user-provided ones; otherwise the newest wins. */
async function writeAdvertisers(db: Database, seen: readonly object[]): Promise<void> {
  if (seen.length === 0) return
  await sql`
    insert into ad_advertisers as a (platform, advertiser_id, name, words, named_at, brought)
    select distinct on (platform, "advertiserId") platform, "advertiserId", name, words, "namedAt", brought
    from json_to_recordset(${JSON.stringify(seen)}::json) as s(
      platform text, "advertiserId" text, name text, words text, "namedAt" timestamptz,
      brought boolean)
    order by platform, "advertiserId", "namedAt" is null, brought, "namedAt" desc, name collate "C" desc
    on conflict (platform, advertiser_id) do update
      set name = excluded.name, words = excluded.words, named_at = excluded.named_at,
        brought = excluded.brought
      where excluded.named_at is not null
        and (a.named_at is null or (not a.brought, a.named_at, a.name collate "C")
          < (not excluded.brought, excluded.named_at, excluded.name collate "C"))`.execute(db)
}

/** Recomputes the advertisers of some ads from the stored ads. */
export async function recordAdvertisersOf(
  db: Database,
  ads: readonly { platform: AdPlatform; advertiserId: string | null }[],
): Promise<void> {
  const named = sql`(
    select platform, "advertiserId" from json_to_recordset(${JSON.stringify(
      ads.map(({ platform, advertiserId }) => ({ platform, advertiserId })),
    )}::json) as sent(platform text, "advertiserId" text))`
  await sql`delete from ad_advertisers where (platform, advertiser_id) in ${named}`.execute(db)
  const found = await rows(
    db,
    sql<{ platform: string; advertiserId: string; name: string | null; namedAt: string; brought: boolean }>`
      select a.platform, a.advertiser_id as "advertiserId", a.facts ->> 'advertiserName' as name,
        e.entry ->> 'observedAt' as "namedAt", coalesce(e.entry ? 'broughtBy', false) as brought
      from ads a
      left join lateral (
        select entry from jsonb_array_elements(a.evidence) as entry where entry -> 'fields' ? 'advertiserName' limit 1
      ) e on true
      where (a.platform, a.advertiser_id) in ${named}`,
  )
  await writeAdvertisers(
    db,
    found.map((one) => ({
      ...one,
      words: wordsOf(one.name ?? ''),
      namedAt: one.name === null ? null : one.namedAt,
    })),
  )
}

/** Rebuilds the words of stored advertisers. */
export async function renewAdvertiserWords(db: Database, advertiserIds: readonly string[]): Promise<void> {
  const found = await rows(
    db,
    sql<{ platform: string; advertiserId: string; name: string }>`
      select platform, advertiser_id as "advertiserId", name from ad_advertisers
      where advertiser_id = any(${advertiserIds}::text[]) and name is not null`,
  )
  const sent = found.map(({ name, ...key }) => ({ ...key, words: wordsOf(name) }))
  await sql`
    update ad_advertisers a set words = sent.words
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent(platform text, "advertiserId" text, words text)
    where a.platform = sent.platform and a.advertiser_id = sent."advertiserId" and a.words <> sent.words`.execute(
    db,
  )
}

export interface StoredAdvertiser {
  platform: AdPlatform
  advertiserId: string
  name: string | null
  storedAds: number
  newestObservationAt: Date
  /** The reading behind the newest of its ads. */
  evidence: StatedBy<string>
  /** App Store ids of linked apps, most ads first, at most 5. */
  storeIds: string[]
}

export interface AdvertiserQuery {
  platforms: readonly AdPlatform[]
  /** Words of a name, the last of which may be a prefix, or an id. */
  q: string | undefined
  country: string | undefined
  limit: number
}

/** Advertisers with stored ads, most ads first. */
export function storedAdvertisers(
  db: Database,
  { platforms, q, country, limit }: AdvertiserQuery,
): Promise<StoredAdvertiser[]> {
  const matches = q === undefined ? sql`true` : matching(q)
  const delivered = country === undefined ? sql`true` : sql`a.facts -> 'countries' ? ${country}`
  return rows(
    db,
    sql<StoredAdvertiser>`
      with counted as materialized (
        select a.platform, a.advertiser_id, count(*)::int as ads
        from ads a
        where a.platform = any(${[...platforms]}::text[]) and ${delivered}
          and (a.platform, a.advertiser_id) in (select f.platform, f.advertiser_id from ad_advertisers f where ${matches})
        group by a.platform, a.advertiser_id
        order by ads desc, a.platform, a.advertiser_id
        limit ${limit}
      ), newest as materialized (
        select distinct on (a.platform, a.advertiser_id) a.platform, a.advertiser_id, a.ad_number
        from ads a join counted using (platform, advertiser_id)
        order by a.platform, a.advertiser_id, a.last_observed_at desc, a.ad_number
      ), linked as materialized (
        select a.platform, a.advertiser_id, l.store_id, count(*) as ads
        from ads a join counted using (platform, advertiser_id) join ad_links l using (ad_number)
        group by a.platform, a.advertiser_id, l.store_id
      ), named as materialized (
        select platform, advertiser_id, f.name from counted join ad_advertisers f using (platform, advertiser_id)
      ), observed as materialized (
        select newest.platform, newest.advertiser_id, a.last_observed_at, a.evidence -> 0 as entry
        from newest join ads a using (ad_number)
      )
      select c.platform, c.advertiser_id as "advertiserId", named.name, c.ads as "storedAds",
        observed.last_observed_at as "newestObservationAt", observed.entry as evidence, (
          select coalesce(json_agg(store_id::text order by ads desc, store_id), '[]') from (
            select store_id, ads from linked
            where linked.platform = c.platform and linked.advertiser_id = c.advertiser_id
            order by ads desc, store_id limit 5
          ) top
        ) as "storeIds"
      from counted c
      join named using (platform, advertiser_id)
      join observed using (platform, advertiser_id)
      order by c.ads desc, c.platform, c.advertiser_id`,
  )
}

/** Tokens hold only letters and digits, so none of them has a special meaning in `like`. */
function matching(q: string) {
  const found = tokens(q)
  const patterns = found.map(({ kind, text }, index) => {
    if (kind === 'run') return `%${text}%`
    return index === found.length - 1 ? `% ${text}%` : `% ${text} %`
  })
  const named = patterns.length === 0 ? sql`false` : sql`f.words like all(${patterns}::text[])`
  return sql`(f.advertiser_id = ${q.trim()} or ${named})`
}
