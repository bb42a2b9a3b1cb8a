import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An ad that both libraries can return, each in its own format. */
export interface PlayedAd {
  id: string
  advertiserId: string
  advertiser: string
  text: string
}

export interface LibraryRequest {
  /** With the query. */
  path: string
  headers: Record<string, string>
  body: string
}

/** What the server does instead of the usual answer. */
export type LibraryMood =
  | { does: 'fail'; status: number; error: object; headers?: Record<string, string> }
  /** The usual answer, with additional headers. */
  | { does: 'tell'; headers: Record<string, string> }
  | { does: 'serve'; body: string; status?: number }
  | { does: 'hang' }

export interface PlayedLibraries extends AsyncDisposable {
  url: string
  /** The ads of Meta and TikTok; may be changed at any time. */
  ads: PlayedAd[]
  requests: LibraryRequest[]
  tokens: { meta: [token: string]; tiktok: [clientKey: string, clientSecret: string] }
  /** Maximum ads in one answer of Meta; a request for more fails. */
  mostAtOnce: number
  /** Ads that Meta adds to every page beyond the requested limit. */
  extra: number
  behave(matches: (request: LibraryRequest) => boolean, mood: LibraryMood, times?: number): void
  recover(): void
  /** Makes TikTok reject the tokens it has issued. */
  revoke(): void
}

/** Ids beyond 2^53, like those of the libraries. */
export function playedAds(count: number, from = 0): PlayedAd[] {
  return Array.from({ length: count }, (_, index) => {
    const at = from + index
    const maker = at % 3
    return {
      id: String(73_182_645_000_000_000n * 100n + BigInt(at) * 7n + 1n),
      advertiserId: `7318264509182736${400 + maker}`,
      advertiser: ['Tidepool Habits', 'Lantern Öko GmbH', '潮騒アプリ'][maker] ?? '',
      text: `Small tides number ${at}, every day.`,
    }
  })
}

/** A fake of both ad libraries on loopback, which checks their credentials. */
export async function startAdLibraries(ads: PlayedAd[] = playedAds(25)): Promise<PlayedLibraries> {
  const moods: { matches: (request: LibraryRequest) => boolean; mood: LibraryMood; times: number }[] = []
  const given = new Set<string>()
  let giving = 0
  const played: PlayedLibraries = {
    url: '',
    ads,
    requests: [],
    tokens: {
      meta: [`EAAB${'x9'.repeat(30)}meta`],
      tiktok: ['played-client-key-77', 'played-client-secret-99'],
    },
    mostAtOnce: 1_000,
    extra: 0,
    behave: (matches, mood, times = Number.POSITIVE_INFINITY) => moods.push({ matches, mood, times }),
    recover: () => moods.splice(0),
    revoke: () => given.clear(),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
  const giveToken = () => {
    const token = `clt.played-token-number-${++giving}-0123456789`
    given.add(token)
    return token
  }
  const play = async (incoming: IncomingMessage, reply: ServerResponse) => {
    const request: LibraryRequest = {
      path: incoming.url ?? '',
      headers: Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: await bodyOf(incoming),
    }
    played.requests.push(request)
    const found = moods.findLast(({ matches, times }) => times > 0 && matches(request))
    if (found) found.times--
    const mood = found?.mood
    const send = (status: number, body: string, headers: Record<string, string> = {}) => {
      reply.writeHead(status, { 'content-type': 'application/json', ...headers })
      reply.end(body)
    }
    if (mood?.does === 'hang') return
    if (mood?.does === 'fail') return send(mood.status, JSON.stringify({ error: mood.error }), mood.headers)
    if (mood?.does === 'serve') return send(mood.status ?? 200, mood.body)
    const { status, body } = answerOf(played, request, given, giveToken)
    send(status, body, mood?.does === 'tell' ? mood.headers : {})
  }
  const server = createServer((incoming, reply) => void play(incoming, reply).catch(() => reply.destroy()))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  played.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return played
}

/** A `sources` section for this server, without rate limit and with short timeouts. */
export function playedLibrarySources(
  { url }: Pick<PlayedLibraries, 'url'>,
  more: Record<string, unknown> = {},
) {
  const each = { baseUrl: url, callsPerMinute: 0, timeoutSeconds: 20, attempts: 1, ...more }
  return { 'meta-ad-library': each, 'tiktok-ad-library': each }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString()
}

interface Answer {
  status: number
  body: string
}

function answerOf(
  played: PlayedLibraries,
  request: LibraryRequest,
  given: ReadonlySet<string>,
  giveToken: () => string,
): Answer {
  const url = new URL(request.path, 'http://played')
  const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
  if (url.pathname.endsWith('/ads_archive')) return metaAnswer(played, url.searchParams, bearer)
  if (url.pathname === '/v2/oauth/token/') {
    const form = new URLSearchParams(request.body)
    const [clientKey, clientSecret] = played.tokens.tiktok
    const isRight = form.get('client_key') === clientKey && form.get('client_secret') === clientSecret
    if (!isRight || form.get('grant_type') !== 'client_credentials')
      return json({ error: 'invalid_client', error_description: `no client ${form.get('client_secret')}` })
    return json({ access_token: giveToken(), expires_in: 7_200, token_type: 'Bearer' })
  }
  if (!given.has(bearer))
    return json(
      { error: { code: 'access_token_invalid', message: `The token ${bearer} is invalid`, log_id: '1' } },
      401,
    )
  if (url.pathname.endsWith('/advertiser/query/')) return tiktokAdvertisers(played, request.body)
  return tiktokAnswer(played, request.body)
}

const json = (body: unknown, status = 200): Answer => ({ status, body: JSON.stringify(body) })

function metaAnswer(
  { ads, tokens, mostAtOnce, extra }: PlayedLibraries,
  asked: URLSearchParams,
  bearer: string,
) {
  const error = (code: number, message: string) =>
    json({ error: { message, type: 'OAuthException', code } }, 400)
  if (bearer !== tokens.meta[0]) return error(190, `Malformed access token ${bearer}`)
  if (!asked.has('ad_reached_countries') || !asked.has('ad_active_status'))
    return error(100, 'Missing parameter')
  const limit = Number(asked.get('limit'))
  if (limit > mostAtOnce)
    return json(
      { error: { message: "Please reduce the amount of data you're asking for, then retry", code: 1 } },
      500,
    )
  const pages = asked.get('search_page_ids')?.match(/\d+/g)
  const term = asked.get('search_terms')?.toLowerCase()
  const found = ads.filter(
    (ad) => (!pages || pages.includes(ad.advertiserId)) && (!term || ad.text.toLowerCase().includes(term)),
  )
  const from = Number(asked.get('after')?.replace('after-', '') ?? 0)
  const page = found.slice(from, from + limit + extra)
  const after = `after-${from + page.length}`
  // As the real one does, with the caller's token.
  const next = `https://graph.facebook.com/v24.0/ads_archive?after=${after}&access_token=${encodeURIComponent(bearer)}`
  return json({ data: page.map((ad) => metaAd(ad, bearer)), paging: { cursors: { after }, next } })
}

const metaAd = (ad: PlayedAd, token: string) => ({
  id: ad.id,
  ad_creation_time: '2026-02-19',
  ad_creative_bodies: [ad.text],
  ad_creative_link_titles: ['Tidepool'],
  ad_delivery_start_time: '2026-02-20',
  ad_snapshot_url: `https://www.facebook.com/ads/archive/render_ad/?id=${ad.id}&access_token=${token}`,
  languages: ['en'],
  page_id: ad.advertiserId,
  page_name: ad.advertiser,
  publisher_platforms: ['facebook', 'instagram'],
  eu_total_reach: 11_000,
})

function tiktokAnswer({ ads }: PlayedLibraries, body: string): Answer {
  const asked = JSON.parse(body) as {
    filters: { ad_published_date_range?: { min?: string; max?: string } }
    search_term?: string
    max_count: number
    search_id?: string
  }
  const failed = (message: string) =>
    json({ error: { code: 'invalid_params', message, log_id: '1' }, data: {} })
  const { min, max } = asked.filters.ad_published_date_range ?? {}
  if (!min || !max || min < '20221002') return failed('The dates are invalid')
  if (asked.max_count < 10 || asked.max_count > 50) return failed('max_count is invalid')
  const ids = /"advertiser_business_ids":\[([\d,]*)\]/.exec(body)?.[1]?.split(',')
  const term = asked.search_term?.toLowerCase()
  const found = ads.filter((ad) =>
    term ? ad.text.toLowerCase().includes(term) : !ids || ids.includes(ad.advertiserId),
  )
  const from = Number(asked.search_id?.replace('search-', '') ?? 0)
  const page = found.slice(from, from + asked.max_count)
  const more = from + page.length < found.length
  // Ids are numbers in this format, so the text is assembled by hand.
  const items = page.map(
    (ad) =>
      `{"ad":{"id":${ad.id},"first_shown_date":20260220,"last_shown_date":"20260301","status":"active",` +
      `"videos":[{"url":"https://media.example/${ad.id}.mp4"}],"image_urls":[],"reach":{"unique_users_seen":"11K"}},` +
      `"advertiser":{"business_id":${ad.advertiserId},"business_name":${JSON.stringify(ad.advertiser)},"paid_for_by":"Example Ltd"}}`,
  )
  return {
    status: 200,
    body: `{"data":{"ads":[${items.join()}],"has_more":${more},"search_id":"search-${from + page.length}"},"error":{"code":"ok","http_status_code":200,"log_id":"1","message":""}}`,
  }
}

function tiktokAdvertisers({ ads }: PlayedLibraries, body: string): Answer {
  const { search_term } = JSON.parse(body) as { search_term: string }
  const found = new Map(
    ads
      .filter((ad) => ad.advertiser.toLowerCase().includes(search_term.toLowerCase()))
      .map((ad) => [ad.advertiserId, ad.advertiser]),
  )
  const items = [...found].map(
    ([id, name]) => `{"business_id":${id},"business_name":${JSON.stringify(name)},"country_code":"DE"}`,
  )
  return { status: 200, body: `{"data":{"advertisers":[${items.join()}]},"error":{"code":"ok"}}` }
}
