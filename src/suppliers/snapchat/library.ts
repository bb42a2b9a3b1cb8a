import { z } from 'zod'
import type { AdSearch } from '../../domain/paid-ads/search-plan.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import {
  jsonObjectInAnswer,
  nameInAnswer,
  type ReportedFailure,
  type UpstreamResponse,
} from '../../sources/polite/exchange.ts'
import { askedLibraryRow } from '../../vocabulary/ad-platforms.ts'
import { type AdLibrary, discreet, type LibraryPage, type LibraryParts } from '../ad-library.ts'

const search = '/v1/ads_library/ads/search'

/** Snap's ads library. It takes no credential; a page is asked for by POST with the body of the first one. */
export function openSnapLibrary({ read, source: open }: LibraryParts): AdLibrary {
  const source = open(discreet(() => [], snapFailure))
  return {
    // Its pages have ten ads or so, whatever is asked for.
    pageSizes: { usual: 10, least: 10 },
    page: ({ search: asked, cursor, onRequest }, signal) =>
      source.get({
        path: cursor === null ? search : `${search}?${new URLSearchParams({ cursor })}`,
        country: null,
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(asked)),
        onRequest,
        read,
        signal,
      }),
  }
}

const everywhere = askedLibraryRow('snapchat').countries?.codes ?? []

function bodyOf({ term, advertiserIds, countries, active, deliveredFrom, deliveredTo }: AdSearch) {
  return {
    paying_advertiser_name: term ?? advertiserIds[0],
    // Greece is `el` there.
    countries: (countries.length === 0 ? everywhere : countries).map((code) => (code === 'gr' ? 'el' : code)),
    ...(deliveredFrom === null ? {} : { start_date: `${deliveredFrom}T00:00:00.000Z` }),
    ...(deliveredTo === null ? {} : { end_date: `${deliveredTo}T23:59:59.999Z` }),
    ...(active === null ? {} : { status: active ? 'ACTIVE' : 'PAUSED' }),
  }
}

const Page = z.object({
  request_status: z.literal('SUCCESS'),
  ad_previews: z.array(z.unknown()).nullish(),
  // Some notes of clients call the list so.
  ads: z.array(z.unknown()).nullish(),
  paging: z.object({ next_link: z.string().nullish() }).nullish(),
})

/** A page of its search. Of the address of the next page only the cursor is taken: whom we ask is ours to say. */
export function snapPage(document: unknown): LibraryPage {
  const page = Page.safeParse(document)
  const records = page.data?.ad_previews ?? page.data?.ads
  if (!page.success || !records) throw new UnfitPayload('answers JSON that is no page of ads')
  const next = page.data.paging?.next_link
  if (!next) return { records, nextPage: null }
  const cursor = URL.parse(next, 'https://snap.invalid')?.searchParams.get('cursor')
  if (!cursor) throw new UnfitPayload('names a next page without a cursor')
  return { records, nextPage: cursor }
}

const hourMs = 3_600_000

/**
 * Classifies what the library refuses: too many questions are answered with status 200 and `E1009`, or with 429, without a word on
 * how long to wait.
 */
function snapFailure({ bytes, status, headers }: UpstreamResponse): ReportedFailure | undefined {
  const answer = jsonObjectInAnswer(bytes)
  const code = nameInAnswer(answer?.error_code)
  const isRefused = code !== undefined || (answer?.request_status ?? 'SUCCESS') !== 'SUCCESS'
  if (!isRefused && status !== 429) return undefined
  const said = nameInAnswer(answer?.debug_message ?? answer?.display_message) ?? 'without a word'
  if (code === 'E1009' || status === 429)
    return {
      kind: 'throttled',
      code: code ?? String(status),
      message: `asked too often, ${code ? `error ${code}` : `answers ${status}`}: ${said}`,
      ...(headers.has('retry-after') ? {} : { retryAfterMs: hourMs }),
    }
  return {
    kind: status >= 500 ? 'unavailable' : 'refused',
    code: code ?? 'none',
    message: `refuses the call, error ${code ?? 'none'}: ${said}`,
  }
}
