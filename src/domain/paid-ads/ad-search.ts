import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { endOfNewestDay } from '../creatives/as-of.ts'
import { ageTiers, leadingWordsOf, stepTiers } from '../creatives/condition.ts'
import { type Choice, orderedPage, type Total } from '../creatives/ordered-search.ts'
import { rankedPage } from '../creatives/ranked-search.ts'
import { askedFor, relevance } from '../creatives/relevance.ts'
import type { Place } from '../creatives/shelf.ts'
import { daySteps } from './ad-document.ts'
import { type AdFilters, type AdSort, adCondition, adOrders, adSpan, ads } from './ad-filters.ts'

export interface AdPage {
  /** Numbers of ads, in the order asked for. */
  numbers: string[]
  total: Total
  /** Where the next page begins; null on the last one. */
  next: Place | null
  /** The moment by which the list is ranked; undefined when its order needs none. */
  asOf: Date | undefined
}

/**
 * Stored ads that meet the filters. `relevance` ranks a bounded number of matches of `q`, as seen at `asOf`, which
 * later pages take from the first one, so that all are ranked alike; without `q` it is `recent`.
 */
export async function findAds(
  db: Database,
  filters: AdFilters,
  sort: AdSort | 'relevance',
  { after, limit, asOf: before }: { after?: Place | undefined; limit: number; asOf?: Date | undefined },
  choose?: Choice,
): Promise<AdPage> {
  const condition = adCondition(filters)
  if (!condition) return { numbers: [], total: { value: 0, relation: 'exact' }, next: null, asOf: undefined }
  const { q } = filters
  const leading = q === undefined ? undefined : leadingWordsOf(q)
  const newest = () => endOfNewestDay(db, 'ad_standing', 'observed')
  if (q !== undefined && leading !== undefined && sort === 'relevance') {
    const asOf = before ?? (await newest())
    const orders = [
      { order: adOrders['longest-running'], tiers: stepTiers('d', daySteps) },
      { order: adOrders.recent, tiers: ageTiers(asOf) },
    ]
    const scored = (numbers: readonly string[]) => scoresOf(db, q, numbers, asOf)
    const ranked = await rankedPage(db, ads, { condition, leading, orders, after, limit, scored }, choose)
    return { ...ranked, asOf }
  }
  const order = sort === 'relevance' ? 'recent' : sort
  const span = adSpan(filters, order, await newest())
  const question = { condition, order: adOrders[order], span, after, limit }
  const { places, total, next } = await orderedPage(db, ads, question, choose)
  return { numbers: places.map(({ number }) => number), total, next, asOf: undefined }
}

interface Rankable {
  number: string
  advertiser: string | null
  titles: (string | null)[]
  texts: (string | null)[]
  daysRunning: number | null
  started: number | null
}

/** An ad that ran for so many days did as well as ads do: nobody pays for long for what does not work. */
const mostDays = 365

async function scoresOf(
  db: Database,
  q: string,
  numbers: readonly string[],
  asOf: Date,
): Promise<Map<string, number>> {
  const asked = askedFor(q)
  const found = await rows(
    db,
    sql<Rankable>`
      select a.ad_number::text as number, a.facts ->> 'advertiserName' as advertiser, c.titles, c.texts,
        nullif(t.days_running, '-infinity') as "daysRunning", nullif(s.started, '-infinity') as started
      from unnest(${numbers}::bigint[]) as asked(ad_number)
      join ads a using (ad_number)
      join ad_search s using (ad_number)
      join ad_standing t using (ad_number)
      cross join lateral (
        select coalesce(json_agg(facts -> 'title'), '[]') as titles, coalesce(json_agg(facts -> 'body'), '[]') as texts
        from ad_creatives where ad_number = a.ad_number
      ) c`,
  )
  const scored = found.map(({ number, advertiser, titles, texts, daysRunning, started }) => {
    const leading = [advertiser, ...titles].filter((piece) => piece !== null)
    const standing = daysRunning === null ? 0 : Math.min(1, Math.log(1 + daysRunning) / Math.log(1 + mostDays))
    const ageDays = started === null ? null : (asOf.getTime() / 1000 - started) / 86_400
    return [number, relevance(asked, { leading, text: texts.join('\n'), standing, ageDays })] as const
  })
  return new Map(scored)
}
