import { z } from 'zod'
import { parseDocument } from '../../ingest/json.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import {
  jsonObjectInAnswer,
  nameInAnswer,
  type ReportedFailure,
  type UpstreamResponse,
} from '../../sources/polite/exchange.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import type { FetchedAnswer, PoliteSource } from '../../sources/polite/polite-source.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import {
  type AdLibrary,
  type AdPageAsk,
  discreet,
  type FoundAdvertiser,
  type LibraryPage,
  type LibraryParts,
} from '../ad-library.ts'

const fields = [
  'ad.id',
  'ad.first_shown_date',
  'ad.last_shown_date',
  'ad.status',
  'ad.status_statement',
  'ad.videos',
  'ad.image_urls',
  'ad.reach',
  'advertiser.business_id',
  'advertiser.business_name',
  'advertiser.paid_for_by',
].join(',')

/** TikTok's commercial content library. Source: TikTok Commercial Content API, `ad/query` and `advertiser/query`. */
export function openTiktokLibrary({ credential, read, source: open }: LibraryParts): AdLibrary {
  const { forbiddenMeans, failureIn } = discreet(() => [...credential], tiktokFailure)
  // The response is the secret, and is not stored. The request waits out holds, but does not count against the rate limit.
  const token = clientToken(open({ forbiddenMeans, failureIn }, { callsPerMinute: 0 }), credential)
  const secrets = () => [...credential, ...[token.current() ?? []].flat()]
  const source = open(discreet(secrets, tiktokFailure))

  interface Call<Value> {
    path: string
    body: string
    read: (bytes: Uint8Array) => Value
    onRequest?: () => void
  }

  /** A rejected token is replaced once. */
  async function ask<Value>(
    call: Call<Value>,
    signal: AbortSignal,
    again = true,
  ): Promise<FetchedAnswer<Value>> {
    const used = await token.get(signal)
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${used}`,
      'content-type': 'application/json',
    }
    return source.get({ ...call, country: null, headers, signal }).catch((error: unknown) => {
      if (!(error instanceof SourceFailure) || error.kind !== 'credential') throw error
      token.clear(used)
      if (!again) throw error
      return ask(call, signal, false)
    })
  }

  return {
    // The largest and smallest page it accepts.
    pageSizes: { usual: 50, least: 10 },
    page: ({ onRequest, ...asked }, signal) =>
      ask(
        {
          path: `/v2/research/adlib/ad/query/?fields=${fields}`,
          body: bodyOf(asked),
          read,
          onRequest,
        },
        signal,
      ),
    /** At most 50. */
    async advertisers(text, signal) {
      const { value } = await ask(
        {
          path: '/v2/research/adlib/advertiser/query/?fields=business_id,business_name,country_code',
          body: JSON.stringify({ search_term: text, max_count: 50 }),
          read: readAdvertisers,
        },
        signal,
      )
      return value
    },
  }
}

const Page = z.object({
  data: z.object({
    ads: z.array(z.unknown()).nullish(),
    has_more: z.boolean().nullish(),
    search_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  }),
})

/** A page of `ad/query`. It may leave the list out when it has none. */
export function tiktokPage(document: unknown): LibraryPage {
  const page = Page.safeParse(document)
  if (!page.success) throw new UnfitPayload('answers JSON that is no page of ads')
  const { ads, has_more, search_id } = page.data.data
  const records = ads ?? []
  return { records, nextPage: records.length > 0 && has_more === true ? (search_id ?? null) : null }
}

/** Ids are numbers in the body and exceed JavaScript's safe integers, so they are inserted as text. */
function bodyOf({ search, cursor, size }: Omit<AdPageAsk, 'onRequest'>): string {
  const { term, advertiserIds, countries, deliveredFrom, deliveredTo } = search
  const compact = (day: string | null) => day?.replaceAll('-', '')
  const filters = {
    ad_published_date_range: { min: compact(deliveredFrom), max: compact(deliveredTo) },
    country_code: countries[0]?.toUpperCase() ?? 'ALL',
    ...(term === null && advertiserIds.length > 0 ? { advertiser_business_ids: '' } : {}),
  }
  const body = {
    filters,
    ...(term === null ? {} : { search_term: term, search_type: 'fuzzy_phrase' }),
    max_count: Math.max(10, Math.min(size, 50)),
    ...(cursor === null ? {} : { search_id: cursor }),
  }
  const place = '"advertiser_business_ids":'
  return JSON.stringify(body).replace(`${place}""`, `${place}[${advertiserIds.join()}]`)
}

const Text = z.union([z.string(), z.number()]).transform(String)
const Advertisers = z.object({ data: z.object({ advertisers: z.array(z.unknown()).nullish() }) })
const Advertiser = z.object({
  business_id: Text.pipe(z.string().regex(/^[0-9]{1,32}$/)),
  business_name: z.string().min(1),
  country_code: z.string().nullish(),
})

/** Unreadable entries are skipped: these answers are not stored. */
function readAdvertisers(bytes: Uint8Array): FoundAdvertiser[] {
  const parsed = Advertisers.safeParse(parseDocument(bytes))
  if (!parsed.success) throw new UnfitPayload('answers JSON that is no list of advertisers')
  return (parsed.data.data.advertisers ?? []).flatMap((entry) => {
    const { success, data } = Advertiser.safeParse(entry)
    if (!success) return []
    const country = data.country_code?.toLowerCase() ?? ''
    return [
      {
        advertiserId: data.business_id,
        name: data.business_name,
        country: /^[a-z]{2}$/.test(country) ? country : null,
      },
    ]
  })
}

/** Renewed this long before it expires, so that none expires in flight. */
const earlyMs = 300_000

/** The access token for a client key and secret. One for each process, in memory only. */
interface ClientToken {
  get(signal: AbortSignal): Promise<string>
  /** Drops a rejected token, unless it was already replaced. */
  clear(token: string): void
  /** The current token, if there is one. */
  current(): string | undefined
}

/** Source: TikTok for Developers, client access token management. */
function clientToken(
  source: PoliteSource,
  [clientKey = '', clientSecret = '']: readonly string[],
): ClientToken {
  let held: { token: string; until: number } | undefined
  return {
    async get(signal) {
      if (held && held.until > Date.now()) return held.token
      const { value } = await source.get({
        path: '/v2/oauth/token/',
        country: null,
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_key: clientKey,
          client_secret: clientSecret,
          grant_type: 'client_credentials',
        }).toString(),
        read: readToken,
        signal,
      })
      const livesMs = value.expires_in * 1000
      held = { token: value.access_token, until: Date.now() + Math.max(livesMs - earlyMs, livesMs / 2) }
      return held.token
    },
    clear(token) {
      if (held?.token === token) held = undefined
    },
    current: () => held?.token,
  }
}

const Token = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.number().positive(),
})

function readToken(bytes: Uint8Array): z.output<typeof Token> {
  const parsed = Token.safeParse(parseDocument(bytes))
  if (!parsed.success) throw new UnfitPayload('answers no token')
  return parsed.data
}

/**
 * Classifies an error of TikTok's API: an `error.code` other than "ok", which can also come with status 200, or a text in
 * `error` from the token endpoint. Source: TikTok for Developers, error handling.
 */
function tiktokFailure({ bytes, status }: UpstreamResponse): ReportedFailure | undefined {
  const document = jsonObjectInAnswer(bytes)
  const error = document?.error
  if (typeof error === 'string' && error !== '')
    return reported('credential', error.slice(0, 60), document?.error_description)
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, http_status_code } = error as Record<string, unknown>
  if (code === 'ok' || code === undefined || code === 0) return undefined
  const name = nameInAnswer(code) ?? 'none'
  return reported(kindOf(name, Number(nameInAnswer(http_status_code)) || status), name, message)
}

const reported = (kind: FailureKind, code: string, said: unknown): ReportedFailure => ({
  kind,
  code,
  message: `${meaning[kind] ?? 'refuses the call'}, error ${code}: ${typeof said === 'string' ? said.slice(0, 300) : 'without a word'}`,
})

const meaning: Partial<Record<FailureKind, string>> = {
  throttled: 'asked too often',
  credential: 'RIVALSCOPE_TIKTOK_CLIENT_KEY and RIVALSCOPE_TIKTOK_CLIENT_SECRET are not accepted',
  permission: 'the client is not allowed to read the ad library, it needs the scope research.adlib.basic',
  unavailable: 'out of order',
}

function kindOf(code: string, status: number): FailureKind {
  if (code === 'rate_limit_exceeded' || status === 429) return 'throttled'
  if (/^scope_/.test(code) || status === 403) return 'permission'
  if (/^access_token_|^invalid_(client|grant|token)/.test(code) || status === 401) return 'credential'
  return /^(internal_error|timeout|server_)/.test(code) || status >= 500 ? 'unavailable' : 'refused'
}
