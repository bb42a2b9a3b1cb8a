import { parsePayload } from '../../ingest/parse-payload.ts'
import type { AdLibrary, AdPageAsk } from '../ad-library.ts'
import type { PoliteSource } from '../polite/polite-source.ts'

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
export function metaArchive(source: PoliteSource, version: string, token: string): AdLibrary {
  return {
    pageSizes: { usual: 250, least: 10 },
    page: (ask, signal) =>
      source.get({
        path: `/${version}/ads_archive?${parametersOf(ask)}`,
        country: null,
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        onRequest: ask.onRequest,
        read: (bytes) => parsePayload('meta-ads-archive', bytes, { layout: 'document', country: null }),
        signal,
      }),
  }
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
