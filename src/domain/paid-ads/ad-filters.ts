import { type RawBuilder, sql } from 'kysely'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import {
  advertiserWordsOf,
  anyOf,
  type Condition,
  quoted,
  spanHint,
  stepHint,
  wordsOf,
} from '../creatives/condition.ts'
import type { Order, Shelf, Span } from '../creatives/shelf.ts'
import { filterTerm } from '../creatives/terms.ts'
import type { AdFormat } from './ad.ts'
import { daySteps, transcribed } from './ad-document.ts'

export const ads: Shelf = { search: 'ad_search', standing: 'ad_standing', number: 'ad_number' }

/** Filters over ads, combined with and; several values of one with or. One on a value leaves out ads without it. */
export interface AdFilters {
  q?: string | undefined
  platform?: AdPlatform | undefined
  /** An id, or words of the name. */
  advertiser?: string | undefined
  /** Digits: linked to any of these apps. */
  apps?: readonly string[] | undefined
  country?: string | undefined
  active?: boolean | undefined
  format?: readonly AdFormat[] | undefined
  callToAction?: readonly string[] | undefined
  publisherPlatform?: readonly string[] | undefined
  /** BCP 47. */
  language?: readonly string[] | undefined
  /** `YYYY-MM-DD`, included. */
  startedFrom?: string | undefined
  startedTo?: string | undefined
  minDaysRunning?: number | undefined
  /** Whether this account has saved it. */
  saved?: { accountId: string; is: boolean } | undefined
  /** This account has saved it with this tag. */
  tagged?: { accountId: string; tag: string } | undefined
  hasTranscript?: boolean | undefined
  hasAnalysis?: boolean | undefined
}

export type AdSort = 'recent' | 'longest-running' | 'last-observed'

export const adOrders: Record<AdSort, Order> = {
  recent: { table: 's', column: 'started' },
  'longest-running': { table: 't', column: 'days_running', measured: quoted(filterTerm('d', '1')) },
  'last-observed': { table: 't', column: 'observed' },
}

/** Undefined where a text to look for holds no word: nothing matches. */
export function adCondition(filters: AdFilters): Condition | undefined {
  const { q, platform, advertiser, country, active, format, callToAction, publisherPlatform, language } =
    filters
  const { hasTranscript, minDaysRunning } = filters
  const words = q === undefined ? undefined : wordsOf(q)
  const advertisers = advertiser === undefined ? undefined : advertiserTerms(advertiser.trim())
  if (q !== undefined && words === undefined) return undefined
  if (advertiser !== undefined && advertisers === undefined) return undefined
  const span = startedSpan(filters)
  return {
    words: words === undefined ? [] : [words],
    terms: [
      ...(advertisers === undefined ? [] : [advertisers]),
      ...(platform ? [anyOf('p', [platform])] : []),
      ...(country ? [anyOf('c', [country])] : []),
      ...(active === undefined ? [] : [anyOf('active', [String(active)])]),
      ...(format ? [anyOf('f', format)] : []),
      ...(callToAction ? [anyOf('cta', callToAction)] : []),
      ...(publisherPlatform ? [anyOf('pp', publisherPlatform)] : []),
      ...(language ? [anyOf('l', language)] : []),
      ...(hasTranscript === undefined ? [] : [`${hasTranscript ? '' : '!'}${quoted(transcribed)}`]),
    ],
    hints: [
      ...spanHint(filters.startedFrom, filters.startedTo),
      ...(minDaysRunning === undefined ? [] : stepHint('d', minDaysRunning, daySteps)),
    ],
    others: [
      ...(span.from === undefined ? [] : [sql`s.started >= ${span.from}::double precision`]),
      ...(span.to === undefined
        ? []
        : [sql`s.started > '-infinity' and s.started <= ${span.to}::double precision`]),
      ...(minDaysRunning === undefined ? [] : [sql`t.days_running >= ${minDaysRunning}::double precision`]),
      ...setsOf(filters),
    ],
    onStanding: minDaysRunning !== undefined,
  }
}

function advertiserTerms(advertiser: string): string | undefined {
  const words = advertiserWordsOf(advertiser)
  return /^\d{1,32}$/.test(advertiser) && words ? `(${anyOf('ad', [advertiser])} | (${words}))` : words
}

/** What stands in tables of its own: links, what accounts saved, analyses. */
function setsOf({ apps, saved, tagged, hasAnalysis }: AdFilters): RawBuilder<unknown>[] {
  const within = (is: boolean, set: RawBuilder<unknown>) =>
    sql`s.ad_number ${is ? sql`in` : sql`not in`} (${set})`
  const savedBy = (accountId: string) => sql`
    select a.ad_number from saved_ads v join ads a using (platform, archive_id) where v.account_id = ${accountId}::uuid`
  return [
    ...(apps
      ? [within(true, sql`select ad_number from ad_links where store_id = any(${[...apps]}::bigint[])`)]
      : []),
    ...(saved ? [within(saved.is, savedBy(saved.accountId))] : []),
    ...(tagged ? [within(true, sql`${savedBy(tagged.accountId)} and ${tagged.tag} = any(v.tags)`)] : []),
    ...(hasAnalysis === undefined
      ? []
      : [
          within(
            hasAnalysis,
            sql`select a.ad_number from ad_analyses n join ads a using (platform, archive_id)`,
          ),
        ]),
  ]
}

/** Keys of an order that the filters allow; an ad started on a day has not run for longer than since then. */
export function adSpan(filters: AdFilters, sort: AdSort, asOf: Date): Span {
  const { minDaysRunning, startedFrom } = filters
  const days = (ms: number) => ms / 86_400_000
  // Days count from both ends, and the libraries' zones may be a day ahead.
  const spare = 2
  if (sort === 'recent') {
    const started = startedSpan(filters)
    if (minDaysRunning === undefined) return started
    const latest = (days(asOf.getTime()) - minDaysRunning + spare) * 86_400
    return { ...started, to: Math.min(started.to ?? latest, latest) }
  }
  if (sort !== 'longest-running') return {}
  return {
    ...(minDaysRunning === undefined ? {} : { from: minDaysRunning }),
    ...(startedFrom === undefined
      ? {}
      : { to: Math.ceil(days(asOf.getTime() - Date.parse(startedFrom))) + spare }),
  }
}

function startedSpan({ startedFrom, startedTo }: AdFilters): Span {
  return {
    ...(startedFrom === undefined ? {} : { from: Date.parse(startedFrom) / 1000 }),
    ...(startedTo === undefined ? {} : { to: Date.parse(startedTo) / 1000 }),
  }
}
