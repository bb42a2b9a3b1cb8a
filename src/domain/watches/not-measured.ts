import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import type { WatchKind } from '../../vocabulary/watches.ts'
import { noStorefront } from '../collecting/health.ts'
import { lateness } from '../paid-ads/coverage-queries.ts'
import { appsOfWatch, toldWatchesOf } from './queries.ts'
import { chartInWords, chartsOfWatch, termsOfWatch } from './rankings.ts'
import { advertiserOf, type RankWatch, type Watch } from './watch.ts'

/** A watched subject without a measurement, for a digest. */
export interface NotMeasured extends Missing {
  /** The kind of the watch; null for a failing source. */
  kind: WatchKind | null
}

interface Missing {
  /** For example a chart, a keyword, the listing of an app, a source. */
  what: string
  why: string
  /** The last measurement, or the start of the failure; null where unknown. */
  at: Date | null
}

interface Time {
  from: Date
  /** Exclusive. */
  until: Date
}

/**
 * The watched subjects of an account without a measurement in a time range, each once, in the order of the watches; failing
 * sources come last. Empty when all was measured.
 */
export async function notMeasuredIn(db: Database, accountId: string, time: Time): Promise<NotMeasured[]> {
  return notMeasuredOf(db, await toldWatchesOf(db, accountId), time)
}

/** As `notMeasuredIn`, for these watches. */
export async function notMeasuredOf(
  db: Database,
  watches: readonly (Watch & { lastError: string | null })[],
  time: Time,
): Promise<NotMeasured[]> {
  const found: NotMeasured[] = []
  for (const watch of watches) {
    const { kind } = watch.definition
    if (watch.lastError !== null)
      found.push({
        kind,
        what: `A watch of ${kind}`,
        why: `failed: ${watch.lastError}`,
        at: null,
      })
    found.push(...(await missingFor(db, watch, time)).map((one) => ({ kind, ...one })))
  }
  found.push(...(await failingSources(db, watches)).map((one) => ({ kind: null, ...one })))
  return [...new Map(found.map((one) => [`${one.what} ${one.why}`, one])).values()]
}

async function missingFor(db: Database, watch: Watch, time: Time): Promise<Missing[]> {
  const { definition } = watch
  switch (definition.kind) {
    case 'top':
    case 'moved':
    case 'chart':
      return definition.in === 'charts'
        ? await missingCharts(db, definition, time)
        : await missingTerms(db, { ...watch, definition }, time)
    case 'listing':
    case 'release':
    case 'availability': {
      const { country } = definition
      const read = sql`select store_id from listing_sightings where country = ${country} and ${during(sql`observed_at`, time)}`
      const missed = sql`select store_id from missed_apps where country = ${country} and ${during(sql`observed_at`, time)}`
      const asked = definition.kind === 'availability' ? sql`${read} union all ${missed}` : read
      const missing = await appsWithout(db, asked, await appsOfWatch(db, watch.accountId, definition))
      return missing.map((name) => ({
        what: `Listing of ${name} (${storefrontOf(country).name})`,
        why: 'not collected',
        at: null,
      }))
    }
    case 'ads': {
      if ('advertiser' in definition) return missingAdvertiser(db, definition.advertiser, time)
      const read = sql`
        select l.store_id from ad_links l join ads a using (ad_number) join ad_observations o using (ad_number)
        where not o.brought and ${during(sql`(o.observed_at + ${lateness(sql`a.platform`)})`, time)}`
      const missing = await appsWithout(db, read, await appsOfWatch(db, watch.accountId, definition))
      return missing.map((name) => ({
        what: `Ads of ${name}`,
        why: 'none collected, so their status is unknown',
        at: null,
      }))
    }
    case 'emerging': {
      const { country, category } = definition
      const runs = await rows(
        db,
        sql`select from work where kind = 'emerging-discovery' and status in ('succeeded', 'partial')
          and input ->> 'country' = ${country} and ${during(sql`finished_at`, time)}
          and (${category ?? null}::text is null or input ->> 'categoryId' = ${category ?? null}::text) limit 1`,
      )
      return runs.length > 0
        ? []
        : [{ what: `Emerging apps (${storefrontOf(country).name})`, why: 'not checked', at: null }]
    }
    case 'source':
    case 'import':
      return []
  }
}

const during = (moment: RawBuilder<unknown>, { from, until }: Time) =>
  sql`${moment} >= ${from} and ${moment} < ${until}`

async function missingAdvertiser(db: Database, advertiser: string, time: Time): Promise<Missing[]> {
  const { platform, advertiserId } = advertiserOf(advertiser) ?? { platform: '', advertiserId: '' }
  const shown = await rows(
    db,
    sql`select from ads a join ad_observations o using (ad_number)
      where a.platform = ${platform} and a.advertiser_id = ${advertiserId} and not o.brought
        and ${during(sql`(o.observed_at + ${lateness(sql`a.platform`)})`, time)} limit 1`,
  )
  return shown.length > 0
    ? []
    : [
        {
          what: `Ads of ${advertiser}`,
          why: 'none collected, so their status is unknown',
          at: null,
        },
      ]
}

async function missingCharts(db: Database, definition: RankWatch, time: Time): Promise<Missing[]> {
  const charts = await rows(
    db,
    sql<ChartIdentity & { chartId: number; newestAt: Date }>`
      select one.chart_id as "chartId", one.country, one.kind, one.category_id as "categoryId", one.device,
        one.newest_captured_at as "newestAt"
      from (${chartsOfWatch(definition)}) one order by one.chart_id`,
  )
  if (charts.length === 0)
    return [{ what: `Charts, ${storefrontOf(definition.country).name}`, why: 'not collected yet', at: null }]
  const captured = await rows(
    db,
    sql<{ chartId: number }>`
      select distinct chart_id as "chartId" from chart_snapshots
      where chart_id = any(${charts.map(({ chartId }) => chartId)}::int[]) and ${during(sql`captured_at`, time)}`,
  )
  const known = new Set(captured.map(({ chartId }) => chartId))
  return charts
    .filter(({ chartId }) => !known.has(chartId))
    .map((chart) => ({
      what: chartInWords(chart),
      why: 'not collected',
      at: chart.newestAt < time.from ? chart.newestAt : null,
    }))
}

async function missingTerms(
  db: Database,
  watch: Watch & { definition: RankWatch },
  time: Time,
): Promise<Missing[]> {
  const { country, term } = watch.definition
  const terms = await rows(
    db,
    sql<{ termId: number; term: string }>`
      select one.term_id as "termId", one.term from (${termsOfWatch(watch)}) one order by one.term_id`,
  )
  if (terms.length === 0)
    return [
      term === undefined
        ? { what: `Keywords (${storefrontOf(country).name})`, why: 'none tracked', at: null }
        : {
            what: `Search results for "${term}" (${storefrontOf(country).name})`,
            why: 'not collected yet',
            at: null,
          },
    ]
  const captured = await rows(
    db,
    sql<{ termId: number }>`
      select distinct term_id as "termId" from result_pages
      where counts and term_id = any(${terms.map(({ termId }) => termId)}::int[]) and ${during(sql`captured_at`, time)}`,
  )
  const known = new Set(captured.map(({ termId }) => termId))
  return terms
    .filter(({ termId }) => !known.has(termId))
    .map((one) => ({
      what: `Search results for "${one.term}" (${storefrontOf(country).name})`,
      why: 'no valid results collected',
      at: null,
    }))
}

/** Names of the apps missing in a query of ids. */
async function appsWithout(
  db: Database,
  read: RawBuilder<unknown>,
  apps: ReadonlyMap<string, string>,
): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ storeId: string }>`
      select distinct store_id::text as "storeId" from (${read}) one
      where store_id in (
        select least(value::numeric, 9223372036854775807)::bigint
        from json_array_elements_text(${JSON.stringify([...apps.keys()])}::json))`,
  )
  const known = new Set(found.map(({ storeId }) => storeId))
  return [...apps].filter(([storeId]) => !known.has(storeId)).map(([, name]) => name)
}

/**
 * Failing sources in the storefronts of the watches, or without a storefront; all of them where a watch of sources names
 * none.
 */
async function failingSources(db: Database, watches: readonly Watch[]): Promise<Missing[]> {
  if (watches.length === 0) return []
  const countries = watches.flatMap(({ definition }) =>
    'country' in definition && definition.country !== undefined ? [definition.country] : [],
  )
  const all = watches.some(({ definition }) => definition.kind === 'source' && definition.country === undefined)
  const failing = await rows(
    db,
    sql<{ source: string; country: string; since: Date; reason: string | null }>`
      select source, country, failing_since as since, failure_message as reason from source_health
      where failing_since is not null and (${all} or country = any(${[...countries, noStorefront]}::text[]))
      order by failing_since, source, country`,
  )
  return failing.map(({ source, country, since, reason }) => ({
    what: `Source ${source}${country === noStorefront ? '' : ` (${country})`}`,
    why: `fails: ${reason ?? 'no reason given'}`,
    at: since,
  }))
}
