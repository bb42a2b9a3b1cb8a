import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { Network } from '../../vocabulary/networks.ts'
import { productPagesIn } from './attributions.ts'

/** Where a custom product page was seen, on one platform or network. */
interface PageSeen {
  kind: 'ad' | 'post'
  on: AdPlatform | Network
  /** Ads or posts that name it. */
  count: number
  /** Archive ids or post ids, the last seen first, at most three. */
  newest: string[]
  firstSeenAt: Date
  lastSeenAt: Date
  /** Whether accounts brought all of it, and no source showed it. */
  brought: boolean
}

/** A custom product page of an app. */
export interface ProductPage {
  productPageId: string
  firstSeenAt: Date
  lastSeenAt: Date
  /** The last seen first. */
  seen: PageSeen[]
}

const mostPages = 100
/** Posts that are looked at, the last seen first. */
const mostPosts = 500
const shownIds = 3

/**
 * The custom product pages of an app that linked ads and posts lead to, the last seen first, at most 100. What no stored ad or post
 * names is not known: an app can have others. Read from ads and posts, not stored, so that links and their withdrawals count at once; a
 * partial index holds the few that name one.
 */
export async function productPagesOf(db: Database, storeId: string): Promise<ProductPage[]> {
  const seen = (await Promise.all([pagesOfAds(db, storeId), pagesOfPosts(db, storeId)])).flat()
  return [...Map.groupBy(seen, ({ productPageId }) => productPageId)]
    .map(([productPageId, all]) => ({
      productPageId,
      firstSeenAt: new Date(Math.min(...all.map((one) => one.firstSeenAt.getTime()))),
      lastSeenAt: new Date(Math.max(...all.map((one) => one.lastSeenAt.getTime()))),
      seen: all.map(({ productPageId: _, ...one }) => one).sort(lastSeenFirst),
    }))
    .sort(lastSeenFirst)
    .slice(0, mostPages)
}

const lastSeenFirst = (one: { lastSeenAt: Date }, other: { lastSeenAt: Date }) =>
  other.lastSeenAt.getTime() - one.lastSeenAt.getTime()

type SeenPage = PageSeen & { productPageId: string }

/** An address leads to the app that it names; Apple's repository names the app beside the page. */
async function pagesOfAds(db: Database, storeId: string): Promise<SeenPage[]> {
  const found = await rows(
    db,
    sql<Omit<SeenPage, 'kind'>>`
      with seen as materialized (
        select l.ad_number, a.platform, a.archive_id, c.facts ->> 'productPageId' as page,
          min(c.first_observed_at) as first, max(c.last_observed_at) as last, bool_and(c.brought) as brought
        from ad_links l join ad_grounds g using (ad_number) join ads a using (ad_number) join ad_creatives c using (ad_number)
        where l.store_id = ${bigintId(storeId)} and g.store_id = ${bigintId(storeId)}
          and g.kind in ('named-app', 'landing-url') and c.facts ? 'productPageId'
          and coalesce(c.facts ->> 'linkUrl' ~ ${`(^|[^0-9])0*${storeId}([^0-9]|$)`}, g.kind = 'named-app')
        group by l.ad_number, a.platform, a.archive_id, page
      )
      select page as "productPageId", platform as on, count(*)::int as count,
        (array_agg(archive_id order by last desc, archive_id))[1:${sql.lit(shownIds)}] as newest,
        min(first) as "firstSeenAt", max(last) as "lastSeenAt", bool_and(brought) as brought
      from seen where page is not null
      group by page, platform
      order by max(last) desc, page, platform
      limit ${mostPages}`,
  )
  return found.map((one) => ({ ...one, kind: 'ad' }))
}

async function pagesOfPosts(db: Database, storeId: string): Promise<SeenPage[]> {
  const posts = await rows(
    db,
    sql<{ postId: string; network: Network; facts: object; firstSeenAt: Date; lastSeenAt: Date }>`
      with g as materialized (select distinct post_number from post_links where store_id = ${bigintId(storeId)})
      select p.post_id as "postId", p.network, p.facts, p.first_observed_at as "firstSeenAt",
        p.last_observed_at as "lastSeenAt"
      from posts p join g using (post_number)
      where p.facts::text ~* 'ppid(=|%3d)'
      order by p.last_observed_at desc, p.post_id
      limit ${mostPosts}`,
  )
  const named = posts.flatMap((post) =>
    productPagesIn(JSON.stringify(post.facts)).flatMap((page) =>
      page.storeId === storeId ? [{ ...post, productPageId: page.productPageId }] : [],
    ),
  )
  return [
    ...Map.groupBy(named, ({ network, productPageId }) => `${network} ${productPageId}`).values(),
  ].flatMap(([newest, ...others]) =>
    newest
      ? [
          {
            productPageId: newest.productPageId,
            kind: 'post' as const,
            on: newest.network,
            count: 1 + others.length,
            newest: [newest, ...others].map(({ postId }) => postId).slice(0, shownIds),
            firstSeenAt: new Date(
              Math.min(...[newest, ...others].map(({ firstSeenAt }) => firstSeenAt.getTime())),
            ),
            lastSeenAt: newest.lastSeenAt,
            brought: false,
          },
        ]
      : [],
  )
}
