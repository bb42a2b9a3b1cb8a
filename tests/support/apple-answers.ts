/** An app of the fake store: the data behind every surface. */
export interface PlayedApp {
  storeId: string
  bundleId: string
  name: string
  subtitle: string
  developer: string
  developerId: string
  description: string
  genreId: number
  /** 0 is free. */
  price: number
  ratingCount: number
  rating: number
  /** Storefronts that sell it. */
  countries: readonly string[]
  /** Its texts in other languages, by what `l` asks for; in all others it answers with the ones above. */
  localized?: Readonly<Record<string, { name: string; subtitle: string; description: string }>>
}

/** Twenty-four invented apps in three genres; every fourth costs something, every fifth is sold in the US only. */
export function playedApps(): PlayedApp[] {
  const things = ['Lantern', 'Harbour', 'Thimble', 'Orchard', 'Compass', 'Kettle', 'Meadow', 'Anchor']
  const uses = ['Chat', 'Budget', 'Puzzle']
  return Array.from({ length: 24 }, (_, at) => {
    const thing = things[at % things.length] ?? ''
    const use = uses[Math.floor(at / things.length)] ?? ''
    const maker = Math.floor(at / 2)
    return {
      storeId: String(8_000_000_001 + at),
      bundleId: `example.${thing}.${use}`.toLowerCase(),
      name: `${thing} ${use}`,
      subtitle: `${use} made quiet`,
      developer: `Maker ${maker + 1}`,
      developerId: String(7_000_000_001 + maker),
      description: `${thing} is a ${use.toLowerCase()} app for people who like ${thing.toLowerCase()}s.`,
      genreId: [6005, 6015, 6014][Math.floor(at / things.length)] ?? 6002,
      price: at % 4 === 3 ? 2.99 : 0,
      ratingCount: 10_000 - at * 100,
      rating: 4.5 - at / 20,
      countries: at % 5 === 4 ? ['us'] : ['us', 'jp', 'de', 'gb'],
    }
  })
}

export interface AppleAnswer {
  status: number
  type: string
  body: string
  headers: Record<string, string>
}

/** Apple's answer; with `empty`, its answer when there is nothing. */
export function answerOf(
  apps: readonly PlayedApp[],
  request: { path: string; headers: Record<string, string> },
  empty: boolean,
): AppleAnswer {
  const { pathname, searchParams } = new URL(request.path, 'http://played')
  const sold = (country: string) => (empty ? [] : apps.filter((app) => app.countries.includes(country)))
  const legacy = /^\/([a-z]{2})\/rss\/([a-z]+)\/limit=(\d+)(?:\/genre=(\d+))?\/json$/.exec(pathname)
  const newer = /^\/api\/v2\/([a-z]{2})\/apps\/([a-z-]+)\/(\d+)\/apps\.json$/.exec(pathname)
  const searched = /^\/([a-z]{2})\/iphone\/search$/.exec(pathname)
  const page = /^\/([a-z]{2})\/app\/(?:([^/]+)\/)?id(\d+)$/.exec(pathname)
  if (pathname === '/search') return json(search(sold(searchParams.get('country') ?? 'us'), searchParams))
  if (pathname === '/lookup') return json(lookup(sold(searchParams.get('country') ?? 'us'), searchParams))
  if (legacy) {
    const [, country = '', feed = '', limit, genre] = legacy
    return json(legacyFeed(sold(country), pathname, feed, Math.min(Number(limit), 100), Number(genre ?? 36)))
  }
  if (newer) {
    const [, country = '', kind = '', limit] = newer
    return Number(limit) > 100 ? missing(500) : json(feedV2(sold(country), pathname, country, kind))
  }
  if (pathname.endsWith('/wa/hints')) {
    const storefront = /^\d+(?:-\d+)?,29$/.test(request.headers['x-apple-store-front'] ?? '')
    return {
      ...json(''),
      type: 'text/xml',
      body: hints(storefront && !empty ? apps : [], searchParams.get('term') ?? ''),
    }
  }
  if (searched) {
    const [country, term] = [searched[1] ?? '', searchParams.get('term') ?? '']
    const found = appsFor(sold(country), term).toReversed()
    return { ...json(''), type: 'text/html', body: searchPage({ term, country, entries: found.map(lockupOf) }) }
  }
  const app = page && sold(page[1] ?? '').find(({ storeId }) => storeId === page[3])
  if (!page || !app) return missing(404)
  const slug = app.name.toLowerCase().replaceAll(' ', '-')
  if (page[2] === undefined)
    return {
      ...missing(301),
      headers: {
        location: `/${page[1]}/app/${slug}/id${app.storeId}${new URL(request.path, 'http://played').search}`,
      },
    }
  return { ...json(''), type: 'text/html', body: appPage(app, sold(page[1] ?? ''), searchParams.get('l')) }
}

const json = (value: unknown): AppleAnswer => ({
  status: 200,
  type: 'application/json',
  body: typeof value === 'string' ? value : JSON.stringify(value),
  headers: {},
})

const missing = (status: number): AppleAnswer => ({
  status,
  type: 'text/html',
  body: '<html></html>',
  headers: {},
})

function search(apps: readonly PlayedApp[], query: URLSearchParams) {
  const found = appsFor(apps, query.get('term') ?? '')
  return itunesAnswer(found.slice(0, Number(query.get('limit') ?? 50)))
}

function appsFor(apps: readonly PlayedApp[], term: string): PlayedApp[] {
  const words = term.toLowerCase().split(/\s+/)
  return apps.filter((app) =>
    words.every((word) => `${app.name} ${app.description}`.toLowerCase().includes(word)),
  )
}

/** What a search page is made of. */
export interface PlayedSearchPage {
  term: string
  country: string
  /** Lockups in the order of the page: the first twelve as entries, the rest by their ids; a string is an id alone. */
  entries: readonly (Record<string, unknown> & { adamId?: unknown })[]
  platform?: string
  /** Entries that are no apps, before all others. */
  before?: readonly Record<string, unknown>[]
  /** Of the list after the entries: the ids of the rest where it is left out. */
  further?: readonly Record<string, unknown>[]
}

const fullEntries = 12

/** A web search page of the store. */
export function searchPage({
  term,
  country,
  entries,
  platform = 'iphone',
  before = [],
  further,
}: PlayedSearchPage) {
  const items = [
    ...before,
    ...entries
      .slice(0, fullEntries)
      .map((lockup) => ({ $kind: 'AppSearchResult', resultType: 'content', lockup })),
  ]
  const rest = entries.slice(fullEntries).map(({ adamId }) => ({ type: 'apps', id: adamId }))
  const data = {
    $kind: 'SearchResultsPage',
    shelves: items.length > 0 ? [{ contentType: 'searchResult', items }] : [],
    nextPage: { results: further ?? rest },
  }
  const intent = { $kind: 'SearchResultsPageIntent', term, storefront: country, platform }
  const page = { data: [{ intent, data }], userTokenHash: '' }
  return `<!DOCTYPE html><html><head><title>search</title></head><body><h1>search</h1>
<script type="application/json" id="serialized-server-data">${JSON.stringify(page).replaceAll('<', '\\u003c')}</script></body></html>`
}

function lookup(apps: readonly PlayedApp[], query: URLSearchParams) {
  const ids = new Set((query.get('id') ?? '').split(','))
  return itunesAnswer(apps.filter((app) => ids.has(app.storeId) || query.get('bundleId') === app.bundleId))
}

const itunesAnswer = (apps: readonly PlayedApp[]) => ({
  resultCount: apps.length,
  results: apps.map((app) => ({
    wrapperType: 'software',
    kind: 'software',
    trackId: Number(app.storeId),
    trackName: app.name,
    bundleId: app.bundleId,
    artistId: Number(app.developerId),
    artistName: app.developer,
    sellerName: app.developer,
    description: app.description,
    price: app.price,
    currency: 'USD',
    primaryGenreId: app.genreId,
    genreIds: [String(app.genreId)],
    averageUserRating: app.rating,
    userRatingCount: app.ratingCount,
    releaseDate: '2021-03-04T08:00:00Z',
    currentVersionReleaseDate: '2026-05-06T08:00:00Z',
    version: '2.1',
    fileSizeBytes: '52428800',
    artworkUrl512: picture(app, 'icon', 512, 512),
    screenshotUrls: [picture(app, 'phone', 392, 696)],
    ipadScreenshotUrls: [],
    appletvScreenshotUrls: [],
  })),
})

const picture = (app: PlayedApp, what: string, width: number, height: number) =>
  `https://pictures.example/${app.storeId}/${what}/${width}x${height}bb.jpg`

function charted(apps: readonly PlayedApp[], feed: string): PlayedApp[] {
  const paid = /^top-?paid/.test(feed)
  return apps.filter((app) => /^top-?grossing/.test(feed) || app.price > 0 === paid)
}

function legacyFeed(apps: readonly PlayedApp[], path: string, feed: string, limit: number, genre: number) {
  const inGenre = charted(apps, feed).filter((app) => genre === 36 || app.genreId === genre)
  const entries = inGenre.slice(0, limit).map((app) => ({
    'im:name': { label: app.name },
    'im:image': [{ label: picture(app, 'icon', 100, 100), attributes: { height: '100' } }],
    summary: { label: app.description },
    'im:price': { label: 'Get', attributes: { amount: app.price.toFixed(2), currency: 'USD' } },
    'im:artist': {
      label: app.developer,
      attributes: { href: `https://apps.apple.com/us/developer/x/id${app.developerId}` },
    },
    id: { label: 'x', attributes: { 'im:id': app.storeId, 'im:bundleId': app.bundleId } },
    category: { attributes: { 'im:id': String(app.genreId), label: 'Genre' } },
    'im:releaseDate': { label: '2021-03-04T00:00:00-07:00' },
  }))
  return {
    feed: {
      id: { label: `https://itunes.apple.com${path}` },
      updated: { label: '2026-05-06T03:00:00-07:00' },
      ...(entries.length > 0 && { entry: entries.length === 1 ? entries[0] : entries }),
    },
  }
}

const feedV2 = (apps: readonly PlayedApp[], path: string, country: string, kind: string) => ({
  feed: {
    id: `https://rss.marketingtools.apple.com${path}`,
    country,
    updated: 'Wed, 6 May 2026 10:00:00 +0000',
    results: charted(apps, kind).map((app) => ({
      id: app.storeId,
      name: app.name,
      artistName: app.developer,
      releaseDate: '2021-03-04',
      kind: 'apps',
      artworkUrl100: picture(app, 'icon', 100, 100),
      genres: [],
    })),
  },
})

function hints(apps: readonly PlayedApp[], term: string): string {
  const terms = apps.map((app) => app.name.toLowerCase()).filter((name) => name.startsWith(term.toLowerCase()))
  const entries = terms.map((each) => `<dict><key>term</key><string>${each}</string></dict>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>title</key><string>Suggestions</string><key>hints</key><array>
${entries.join('\n')}
</array></dict></plist>`
}

const lockupOf = (each: PlayedApp) => ({
  $kind: 'Lockup',
  adamId: each.storeId,
  bundleId: each.bundleId,
  title: each.name,
  subtitle: each.subtitle,
  developerName: each.developer,
  icon: artwork(each, 'icon', 512, 512),
})

function appPage(played: PlayedApp, sold: readonly PlayedApp[], language: string | null): string {
  const app = { ...played, ...(language ? played.localized?.[language] : {}) }
  const others = sold.filter((each) => each !== played)
  const data = {
    title: app.name,
    lockup: lockupOf(app),
    shelfMapping: {
      ...(language ? { description: { items: [{ paragraph: { text: app.description } }] } } : {}),
      product_media_phone_: {
        items: [
          { video: { videoUrl: `https://pictures.example/${app.storeId}/preview.m3u8` } },
          { screenshot: artwork(app, 'phone', 1284, 2778) },
        ],
      },
      productRatings: { items: [{ ratingAverage: app.rating, totalNumberOfRatings: app.ratingCount }] },
      privacyTypes: { items: [{ identifier: 'DATA_NOT_COLLECTED', title: 'Data Not Collected' }] },
      information: { items: [{ title: 'Seller', items: [{ text: app.developer }] }] },
      similarItems: { items: others.filter((each) => each.genreId === app.genreId).map(lockupOf) },
      moreByDeveloper: { items: others.filter((each) => each.developerId === app.developerId).map(lockupOf) },
    },
  }
  const page = { data: [{ intent: { id: app.storeId }, data }], userTokenHash: '' }
  return `<!DOCTYPE html><html${language ? ` lang="${language}"` : ''}><head><title>${app.name}</title></head><body><h1>${app.name}</h1>
<script type="application/json" id="serialized-server-data">${JSON.stringify(page)}</script></body></html>`
}

const artwork = (app: PlayedApp, what: string, width: number, height: number) => ({
  template: `https://pictures.example/${app.storeId}/${what}/{w}x{h}{c}.{f}`,
  width,
  height,
})
