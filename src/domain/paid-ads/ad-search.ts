import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { storedTerms } from '../../text/search-terms.ts'
import type { AdFormat } from '../../vocabulary/ad-fields.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import {
  advertiserTerm,
  advertiserWordsQuery,
  anyValueQuery,
  dateTerms,
  epochSecondsOf,
  filterTerm,
  languageTerms,
  quotedSearchTerm,
  type SortKeyRange,
  stepTerms,
  wordTerms,
} from '../creatives/search/condition.ts'
import {
  type RankingValues,
  type SearchableKind,
  type SearchDocument,
  type SharedFilters,
  savedCreativeNumbers,
  writeDocuments,
} from '../creatives/search/searched-kind.ts'
import type { Stated } from '../facts/merge.ts'
import { type AdFacts, adKind, type CreativeFields, daysRunning } from './ad.ts'
import { deliveryIn } from './by-country.ts'

interface AdFilters extends SharedFilters {
  platform?: AdPlatform | undefined
  /** An id, or words of the name. */
  advertiser?: string | undefined
  country?: string | undefined
  active?: boolean | undefined
  format?: readonly AdFormat[] | undefined
  callToAction?: readonly string[] | undefined
  publisherPlatform?: readonly string[] | undefined
  placement?: readonly string[] | undefined
  /** BCP 47. */
  language?: readonly string[] | undefined
  /** `YYYY-MM-DD`, included. */
  startedFrom?: string | undefined
  startedTo?: string | undefined
  minDaysRunning?: number | undefined
  /** This account has saved it with this tag. */
  tagged?: { accountId: string; tag: string } | undefined
  hasTranscript?: boolean | undefined
  hasAnalysis?: boolean | undefined
}

type AdSort = 'recent' | 'longest-running' | 'last-observed'

/** Days after which popularity is at its maximum: nobody pays for long for an ad that does not work. */
const mostDays = 365

/** Steps of days with a term of their own; every ad with measured days has the first. */
const daySteps = [1, 3, 7, 14, 30, 60, 90, 180, 365, 730]

export const searchableAds: SearchableKind<AdFilters, AdSort, AdKey> = {
  ...adKind,
  orders: {
    recent: { table: 's', column: 'started' },
    'longest-running': { table: 't', column: 'days_running', measured: quotedSearchTerm(filterTerm('d', '1')) },
    'last-observed': { table: 't', column: 'observed' },
  },
  terms: {
    advertiser: (advertiser) => advertiserTerms(advertiser.trim()),
    platform: (platform) => anyValueQuery('p', [platform]),
    country: (country) => anyValueQuery('c', [country]),
    active: (active) => anyValueQuery('active', [String(active)]),
    format: (formats) => anyValueQuery('f', formats),
    callToAction: (codes) => anyValueQuery('cta', codes),
    publisherPlatform: (platforms) => anyValueQuery('pp', platforms),
    placement: (placements) => anyValueQuery('pl', placements),
    language: (tags) => anyValueQuery('l', tags),
    hasTranscript: (is) => `${is ? '' : '!'}${quotedSearchTerm(transcribed)}`,
  },
  dates: {
    asked: ({ startedFrom, startedTo }) => ({ from: startedFrom, to: startedTo }),
    lastDay: 0,
  },
  reach: {
    order: 'longest-running',
    asked: ({ minDaysRunning }) => minDaysRunning,
    term: 'd',
    steps: daySteps,
    popularity: (days) => Math.log(1 + days) / Math.log(1 + mostDays),
  },
  sets: ({ tagged, hasAnalysis }) => [
    ...(tagged
      ? [
          {
            is: true,
            numbers: sql`${savedCreativeNumbers(adKind, tagged.accountId)} and ${tagged.tag} = any(v.tags)`,
          },
        ]
      : []),
    ...(hasAnalysis === undefined ? [] : [{ is: hasAnalysis, numbers: analysed }]),
  ],
  narrowed: narrowedByDays,
  newest: { table: 'ad_sort_keys', column: 'observed' },
  rankable: rankableAds,
}

const analysed: RawBuilder<unknown> = sql`
  select ad_number from ads where (platform, archive_id) in (select platform, archive_id from ad_analyses)`

function advertiserTerms(advertiser: string): string | undefined {
  const words = advertiserWordsQuery(advertiser)
  return words && `(${anyValueQuery('ad', [advertiser])} | (${words}))`
}

/**
 * An ad cannot have run for longer than from its start to the newest evidence, both days counted (`daysRunning`). Allowing
 * one more day would scan all ads of a day that cannot match.
 */
function narrowedByDays(
  span: SortKeyRange,
  { minDaysRunning, startedFrom }: AdFilters,
  sort: AdSort,
  newestDay: Date,
): SortKeyRange {
  const days = (ms: number) => ms / 86_400_000
  if (sort === 'recent' && minDaysRunning !== undefined) {
    const latest = (days(newestDay.getTime()) - minDaysRunning + 1) * 86_400
    return { ...span, to: Math.min(span.to ?? latest, latest) }
  }
  if (sort === 'longest-running' && startedFrom !== undefined)
    return { ...span, to: days(newestDay.getTime() - Date.parse(startedFrom)) + 1 }
  return span
}

function rankableAds(db: Database, numbers: readonly string[]): Promise<RankingValues[]> {
  return rows(
    db,
    sql<RankingValues>`
      select a.ad_number::text as number, to_json(array[a.facts ->> 'advertiserName'] || coalesce(c.titles, '{}')) as leading, c.text,
        nullif(t.days_running, '-infinity') as reached, nullif(s.started, '-infinity') as date
      from ads a
      join ad_search s using (ad_number)
      join ad_sort_keys t using (ad_number)
      left join (
        select ad_number, array_agg(facts ->> 'title') as titles, string_agg(facts ->> 'body', e'\n') as text
        from ad_creatives where ad_number = any(${numbers}::bigint[]) group by ad_number
      ) c using (ad_number)
      where a.ad_number = any(${numbers}::bigint[])`,
  )
}

/** The input of an ad's search document. */
interface AdToIndex {
  adNumber: string
  platform: AdPlatform
  advertiserId: string | null
  facts: Stated<AdFacts>
  /** Current and earlier creatives. */
  creatives: readonly Stated<CreativeFields>[]
  lastObservedAt: Date
  /** The spoken text; null without a transcript. */
  transcript: string | null
}

/** Sort keys of ads. */
type AdKey = 'started' | 'days_running' | 'observed'

/** The term of ads with a transcript. */
const transcribed = filterTerm('has', 'transcript')

function adDocument(ad: AdToIndex): SearchDocument<AdKey> {
  const { advertiserName, active, format, language, detectedLanguage, countries } = ad.facts
  const { publisherPlatforms, placements } = ad.facts
  const startedOn = ad.facts.startedOn ?? null
  const running = daysRunning({ ...deliveryIn(ad.facts), lastObservedAt: ad.lastObservedAt })
  const days = running?.value ?? null
  const titles = ad.creatives.map(({ title }) => title)
  const bodies = ad.creatives.flatMap(({ body, description }) => [body, description])
  return {
    number: ad.adNumber,
    terms: [
      ...wordTerms([advertiserName, ...titles].join('\n'), [...bodies, ad.transcript].join('\n')),
      ...[...storedTerms(advertiserName ?? '')].map(advertiserTerm),
      filterTerm('p', ad.platform),
      ...(ad.advertiserId ? [filterTerm('ad', ad.advertiserId)] : []),
      ...languageTerms(language ?? detectedLanguage),
      ...(format ? [filterTerm('f', format)] : []),
      ...(active === null || active === undefined ? [] : [filterTerm('active', String(active))]),
      ...(countries ?? []).map((country) => filterTerm('c', country)),
      ...(publisherPlatforms ?? []).map((platform) => filterTerm('pp', platform)),
      ...(placements ?? []).map((placement) => filterTerm('pl', placement)),
      ...ad.creatives.flatMap(({ callToAction }) => (callToAction ? [filterTerm('cta', callToAction)] : [])),
      ...(ad.transcript === null ? [] : [transcribed]),
      ...dateTerms(startedOn),
      ...stepTerms('d', days, daySteps),
    ],
    keys: {
      started: epochSecondsOf(startedOn),
      days_running: days,
      observed: ad.lastObservedAt.getTime() / 1000,
    },
  }
}

/**
 * Indexes stored ads for search, new or changed, with their creatives and transcripts, as read from the store. Two
 * statements.
 */
export async function indexAds(db: Database, adNumbers: readonly string[]): Promise<void> {
  await indexAdRows(db, await adsToIndex(db, adNumbers))
}

/** As `indexAds`, for callers that already have the rows. */
export const indexAdRows = (db: Database, rows: readonly AdToIndex[]): Promise<void> =>
  writeDocuments(db, searchableAds, rows.map(adDocument))

function adsToIndex(db: Database, adNumbers: readonly string[]): Promise<AdToIndex[]> {
  return rows(
    db,
    sql<AdToIndex>`
      with a as materialized (
        select a.*, coalesce(c.creatives, '[]') as creatives
        from ads a
        left join (
          select ad_number, json_agg(facts order by creative_id) as creatives from ad_creatives
          where ad_number = any(${adNumbers}::bigint[]) group by ad_number
        ) c using (ad_number)
        where a.ad_number = any(${adNumbers}::bigint[])
      )
      select a.ad_number::text as "adNumber", a.platform, a.advertiser_id as "advertiserId", a.facts,
        a.last_observed_at as "lastObservedAt", a.creatives, t.result ->> 'text' as transcript
      from a
      left join ad_transcripts t
        on t.platform = a.platform and t.archive_id = a.archive_id and t.outcome = 'available'`,
  )
}
