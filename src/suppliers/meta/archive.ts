import { z } from 'zod'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import {
  errorInAnswer,
  nameInAnswer,
  type ReportedFailure,
  retryAfterMs,
  type UpstreamResponse,
} from '../../sources/polite/exchange.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import { type AdLibrary, type AdPageAsk, discreet, type LibraryPage, type LibraryParts } from '../ad-library.ts'

/**
 * Requested fields of each ad. Nothing about spend, and not `ad_snapshot_url`: that address contains the token. Source:
 * fields of `ads_archive`.
 */
const fields = [
  'id',
  'ad_creation_time',
  'ad_creative_bodies',
  'ad_creative_link_captions',
  'ad_creative_link_descriptions',
  'ad_creative_link_titles',
  'ad_delivery_start_time',
  'ad_delivery_stop_time',
  'languages',
  'page_id',
  'page_name',
  'publisher_platforms',
  'bylines',
  'beneficiary_payers',
  'eu_total_reach',
  'age_country_gender_reach_breakdown',
  'total_reach_by_location',
].join(',')

/** Meta's Ad Library. The token goes in a header, never into an address. */
export function openMetaLibrary({ credential, settings, read, source: open }: LibraryParts): AdLibrary {
  const [token = ''] = credential
  const source = open({ ...discreet(() => [token], metaFailure), restAfter: restMs })
  return {
    pageSizes: { usual: 250, least: 10 },
    page: (ask, signal) =>
      source.get({
        path: `/${settings.metaApiVersion}/ads_archive?${parametersOf(ask)}`,
        country: null,
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        onRequest: ask.onRequest,
        read,
        signal,
      }),
  }
}

const Page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({
      cursors: z.object({ after: z.string().nullish() }).nullish(),
      next: z.string().nullish(),
    })
    .nullish(),
})

/**
 * A page of `ads_archive`. The end is a page without ads, even when it names a next one, or one that names none. `next` is never
 * followed: it carries the token, and its host is not ours to trust.
 */
export function metaPage(document: unknown): LibraryPage {
  const page = Page.safeParse(document)
  if (!page.success) throw new UnfitPayload('answers JSON that is no page of ads')
  const { data: records, paging } = page.data
  if (records.length === 0 || typeof paging?.next !== 'string') return { records, nextPage: null }
  const nextPage = paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after') ?? null
  return { records, nextPage }
}

function parametersOf({ search, cursor, size }: AdPageAsk): URLSearchParams {
  const { term, advertiserIds, countries, active, deliveredFrom, deliveredTo, mediaType, languages } = search
  const list = (values: readonly string[]) => JSON.stringify(values)
  return new URLSearchParams({
    ad_type: 'ALL',
    ad_reached_countries: list(
      countries.length === 0 ? ['ALL'] : countries.map((country) => country.toUpperCase()),
    ),
    // Meta's documentation of the default has changed over the years.
    ad_active_status: active === null ? 'ALL' : active ? 'ACTIVE' : 'INACTIVE',
    ...(term === null ? {} : { search_terms: term, search_type: 'KEYWORD_UNORDERED' }),
    ...(advertiserIds.length === 0 ? {} : { search_page_ids: `[${advertiserIds.join()}]` }),
    ...(deliveredFrom === null ? {} : { ad_delivery_date_min: deliveredFrom }),
    ...(deliveredTo === null ? {} : { ad_delivery_date_max: deliveredTo }),
    ...(mediaType === null ? {} : { media_type: mediaType.toUpperCase() }),
    ...(languages.length === 0 ? {} : { languages: list(languages) }),
    fields,
    limit: String(size),
    ...(cursor === null ? {} : { after: cursor }),
  })
}

/** Usage is counted over a rolling hour. */
const hourMs = 3_600_000

/**
 * Classifies an error of the Graph API, which can also come with status 200. Source: Graph API, error handling and rate
 * limits; observed answers of `ads_archive`.
 */
function metaFailure({ bytes, headers }: UpstreamResponse): ReportedFailure | undefined {
  const error = errorInAnswer(bytes)
  if (!error) return undefined
  const name = nameInAnswer(error.code) ?? 'none'
  const kind = kindOf(Number(name), error)
  const said = typeof error.message === 'string' ? error.message : 'without a word'
  return {
    kind,
    code: name,
    message: `${meaning[kind] ?? 'refuses the call'}, error ${name}: ${said.slice(0, 300)}`,
    ...(kind === 'throttled' ? { retryAfterMs: waitMs(headers) } : {}),
  }
}

/** From the reported usage, else `Retry-After`, else until the whole quota is free again. */
const waitMs = (headers: Headers) =>
  restMs(headers) || (retryAfterMs(headers.get('retry-after'), new Date()) ?? hourMs)

const credential = new Set([102, 190, 463, 467])

const meaning: Partial<Record<FailureKind, string>> = {
  throttled: 'asked too often',
  'too-much': 'asked for too much at once',
  credential: 'the token has expired or is not accepted, put a new one into RIVALSCOPE_META_TOKEN',
  permission: 'the token is not allowed to read the Ad Library, its account must confirm its identity',
  unavailable: 'out of order',
}

const throttling = new Set([4, 17, 32, 613])

function kindOf(code: number, { message, is_transient }: Record<string, unknown>): FailureKind {
  if (throttling.has(code) || (code >= 80_000 && code <= 80_014)) return 'throttled'
  if (credential.has(code)) return 'credential'
  if (code === 3 || code === 10 || (code >= 200 && code <= 299)) return 'permission'
  if (code === 1 && typeof message === 'string' && /reduce the amount/i.test(message)) return 'too-much'
  return code === 1 || code === 2 || is_transient === true ? 'unavailable' : 'refused'
}

/** The share of the quota at which requests stop. */
const fullAt = 80
const minuteMs = 60_000
/** The hold where Meta names no end: usage is counted over a rolling hour. */
const quietMs = 15 * minuteMs
const longestMs = 24 * 60 * minuteMs

/**
 * How long to hold requests to Meta, in milliseconds, from the usage in its headers; 0 when it may be asked. Never throws,
 * whatever the headers contain. Source: Graph API, rate limits.
 */
export function restMs(headers: Headers): number {
  const businesses = Object.values(objectIn(headers.get('x-business-use-case-usage')))
  const uses = [...businesses.flat(), objectIn(headers.get('x-app-usage'))]
  return Math.max(0, ...uses.map(restOfUse))
}

function restOfUse(use: unknown): number {
  if (typeof use !== 'object' || use === null) return 0
  const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = use as Record<
    string,
    unknown
  >
  if (Math.max(...[call_count, total_cputime, total_time].map(numberOf)) < fullAt) return 0
  const minutes = numberOf(estimated_time_to_regain_access)
  return Math.min(minutes > 0 ? minutes * minuteMs : quietMs, longestMs)
}

const numberOf = (value: unknown) => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return Number.isFinite(number) ? Math.max(0, number) : 0
}

function objectIn(header: string | null): object {
  try {
    const value: unknown = JSON.parse(header ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
