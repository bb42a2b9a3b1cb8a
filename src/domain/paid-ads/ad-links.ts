import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { AttributionKind } from '../../vocabulary/creatives.ts'
import { type Attribution, productPagesIn, storeAddressesIn } from '../creatives/attributions.ts'
import { lockCreativeKind } from '../creatives/kind.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { KeyedReading, ProvidedBy } from '../evidence/reading.ts'
import { type AdSighting, adKind, type SeenCreative } from './ad.ts'
import { indexAds } from './ad-search.ts'

/** A redirect service, and the parts of its addresses that name the target app. */
interface Redirect {
  host: RegExp
  /** Parameters that hold an address. */
  addresses: readonly string[]
  /** Parameters that hold a store id. */
  ids?: readonly string[]
  /** A store id in the path. */
  path?: RegExp
}

const redirects: readonly Redirect[] = [
  { host: /^lm?\.(?:facebook|instagram|messenger|threads)\.com$/, addresses: ['u'] },
  { host: /(?:^|\.)tiktok\.com$/, addresses: ['target'] },
  { host: /^(?:www\.)?google\.[a-z.]{2,6}$/, addresses: ['q', 'url'] },
  { host: /\.onelink\.me$/, addresses: ['af_ios_url', 'af_r'] },
  { host: /^app\.appsflyer\.com$/, addresses: ['af_ios_url', 'af_r'], path: /^\/id(\d{6,19})$/ },
  {
    host: /^app\.adjust\.(?:com|io|world)$|\.adj\.st$|\.go\.link$/,
    addresses: ['redirect_ios', 'adj_redirect_ios', 'redirect', 'adj_redirect'],
  },
  { host: /\.app\.link$|\.bnc\.lt$/, addresses: ['$ios_url', '$fallback_url'], ids: ['$ios_app_id'] },
  { host: /\.page\.link$/, addresses: [], ids: ['isi'] },
]

/** Maximum depth of nested redirects to parse. */
const deepest = 3

/** The App Store app that an address is the page of, or explicitly redirects to. Nothing is fetched. */
export function storeIdOfLandingUrl(address: string, depth = 0): string | undefined {
  const given = address.trim()
  const [page] = storeAddressesIn(given)
  if (page && given.startsWith(page.text)) return page.storeId
  if (depth >= deepest || !URL.canParse(given)) return undefined
  const { hostname, pathname, searchParams } = new URL(given)
  const redirect = redirects.find(({ host }) => host.test(hostname))
  if (!redirect) return undefined
  const stated = [
    redirect.path?.exec(pathname)?.[1],
    ...(redirect.ids ?? []).map((name) => searchParams.get(name)),
  ]
  const id = stated.find((value) => value && /^[1-9]\d{5,18}$/.test(value))
  // Numbers of 19 digits beyond this are not valid ids.
  if (id && BigInt(id) < 2n ** 63n) return id
  for (const name of redirect.addresses) {
    const found = storeIdOfLandingUrl(searchParams.get(name) ?? '', depth + 1)
    if (found) return found
  }
  return undefined
}

/** A creative with the custom product page that its landing address names, where its source tells none itself. */
export function withProductPage(creative: SeenCreative): SeenCreative {
  const { linkUrl, productPageId, unreadable } = creative
  if (!linkUrl || productPageId || unreadable?.includes('productPageId')) return creative
  const [page] = productPagesIn(linkUrl)
  return page && page.storeId === storeIdOfLandingUrl(linkUrl)
    ? { ...creative, productPageId: page.productPageId }
    : creative
}

/** The attributions in the ad itself; each app, kind and place once. */
export function attributionsInAd({ creatives, appId }: Pick<AdSighting, 'creatives' | 'appId'>): Attribution[] {
  const attributions = new Map<string, Attribution>()
  const add = (attribution: Attribution) => {
    const key = `${attribution.storeId} ${attribution.kind} ${attribution.foundIn}`
    if (!attributions.has(key)) attributions.set(key, attribution)
  }
  if (appId) add({ storeId: appId, kind: 'named-app', foundIn: 'record', text: appId })
  for (const { title, body, description, displayLink, linkUrl } of creatives) {
    const landing = linkUrl ? storeIdOfLandingUrl(linkUrl) : undefined
    if (landing && linkUrl) add({ storeId: landing, kind: 'landing-url', foundIn: 'link', text: linkUrl })
    for (const text of [title, body, description, displayLink]) {
      for (const seen of storeAddressesIn(text ?? '')) add({ ...seen, kind: 'store-url', foundIn: 'text' })
    }
  }
  return [...attributions.values()]
}

/**
 * Recomputes which apps ads belong to: by a decision about the ad, else about its advertiser, else by the attributions in
 * the ad itself. All readers of links use `ad_links`, so every writer of attributions or decisions calls this in the same
 * transaction.
 * @param adNumbers an SQL expression for the numbers of ads, usable after `in`
 * @param storeId only links to this app; all when left out
 */
export async function recomputeAdLinks(
  db: Database,
  adNumbers: RawBuilder<unknown>,
  storeId?: string,
): Promise<void> {
  const asked = (app: RawBuilder<unknown>) => (storeId ? sql`${app} = ${bigintId(storeId)}` : sql`true`)
  await sql`
    delete from ad_links where ad_number in ${adNumbers} and ${asked(sql`store_id`)}`.execute(db)
  await sql`
    with a as materialized (
      select ad_number, platform, archive_id, advertiser_id from ads where ad_number in ${adNumbers}
    ), candidate as materialized (
      select ad_number, store_id from ad_grounds where ad_number in (select ad_number from a)
      union
      select ad_number, store_id from a join ad_decisions d using (platform, archive_id)
      union
      select ad_number, store_id from a join ad_decisions d using (platform, advertiser_id)
    )
    insert into ad_links (ad_number, store_id)
    select a.ad_number, candidate.store_id
    from a
    join candidate using (ad_number)
    left join ad_decisions own
      on own.platform = a.platform and own.archive_id = a.archive_id and own.store_id = candidate.store_id
    left join ad_decisions whole
      on whole.platform = a.platform and whole.advertiser_id = a.advertiser_id and whole.store_id = candidate.store_id
    where ${asked(sql`candidate.store_id`)}
      and coalesce(own.action, whole.action, 'link') = 'link'
    on conflict do nothing`.execute(db)
}

/** One attribution of a link in force. */
export type LinkAttributionRow = {
  number: string
  storeId: string
  kind: AttributionKind | 'manual' | 'advertiser-link'
  foundIn: Attribution['foundIn'] | 'advertiser' | 'decision'
  text: string
  recordedAt: Date
} & (KeyedReading | ({ [Name in keyof KeyedReading]: null } & { broughtBy: ProvidedBy }))

/** The attributions of the links of ads, unordered; links that a user removed are left out. */
export function linkAttributions(db: Database, adNumbers: readonly string[]): Promise<LinkAttributionRow[]> {
  return rows(
    db,
    sql<LinkAttributionRow>`
      with g as materialized (
        select g.* from ad_links l join ad_grounds g using (ad_number, store_id)
        where l.ad_number = any(${adNumbers}::bigint[])
      ), l as materialized (
        select l.ad_number, l.store_id, a.platform, a.archive_id, a.advertiser_id
        from ad_links l join ads a using (ad_number)
        where l.ad_number = any(${adNumbers}::bigint[])
      )
      select g.ad_number::text as number, g.store_id::text as "storeId", g.kind, g.found_in as "foundIn", g.text,
        g.recorded_at as "recordedAt", ${namedReadingAt(sql`r`, sql`g.recorded_at`)}
      from g join readings r using (reading_id)
      union all
      select l.ad_number::text, l.store_id::text,
        case when d.archive_id is null then 'advertiser-link' else 'manual' end,
        case when d.archive_id is null and d.note is null then 'advertiser' else 'decision' end,
        coalesce(d.note, d.advertiser_id, d.archive_id), d.decided_at, null, null, null, null, null,
        json_build_object('accountId', d.account_id, 'door', d.door)
      from l
      join ad_decisions d on d.platform = l.platform and d.store_id = l.store_id and d.action = 'link'
        and (d.archive_id = l.archive_id or d.advertiser_id = l.advertiser_id)`,
  )
}

/**
 * Applies decisions and transcripts that were made after the ads were stored: updates links that a decision affects or
 * affected, and the search index for transcripts made since a time.
 */
export async function applyLaterDecisions(db: Database, since: Date): Promise<void> {
  await lockCreativeKind(db, adKind)
  const numbersOf = async (query: ReturnType<typeof sql>) =>
    ((await rows(db, query)) as { number: string }[]).map(({ number }) => number)
  const decided = await numbersOf(sql`
    select a.ad_number::text as number from ads a join ad_decisions d on d.platform = a.platform and d.archive_id = a.archive_id
    union
    select a.ad_number::text from ads a join ad_decisions d on d.platform = a.platform and d.advertiser_id = a.advertiser_id
    union
    select l.ad_number::text from ad_links l
    where not exists (select 1 from ad_grounds g where g.ad_number = l.ad_number and g.store_id = l.store_id)
    union
    select g.ad_number::text from ad_grounds g
    where not exists (select 1 from ad_links l where l.ad_number = g.ad_number and l.store_id = g.store_id)`)
  if (decided.length > 0)
    await recomputeAdLinks(db, sql`(select json_array_elements_text(${JSON.stringify(decided)}::json)::bigint)`)
  const heard = await numbersOf(sql`
    with heard as materialized (select platform, archive_id from ad_transcripts where made_at >= ${since})
    select a.ad_number::text as number from heard join ads a using (platform, archive_id)`)
  await indexAds(db, heard)
}
