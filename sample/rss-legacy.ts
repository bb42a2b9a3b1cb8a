import type { SampleApp } from './app.ts'
import { dayText, timeText } from './calendar.ts'
import { type SampleCountry, sampleHost } from './document.ts'
import { genreName } from './genres.ts'
import { iconOn, nameOn, priceStepOn, storeUrl } from './listing.ts'
import { priceIn } from './prices.ts'

type Asked = {
  readonly country: SampleCountry
  readonly day: number
  readonly limit: number
  readonly kind: string
  readonly genreId: string
}

const feeds: Readonly<Record<string, readonly [path: string, title: string]>> = {
  'top-free': ['topfreeapplications', 'Top Free Applications'],
  'top-paid': ['toppaidapplications', 'Top Paid Applications'],
  'top-grossing': ['topgrossingapplications', 'Top Grossing Applications'],
}

/** A chart in the format of Apple's older feed: XML converted to JSON, every text under `label`. */
/** @param storefront in the feed's spelling, where it is one without apps */
export function legacyFeed(
  apps: readonly SampleApp[],
  { country, day, limit, kind, genreId }: Asked,
  storefront: string = country,
) {
  const [path, title] = feeds[kind] ?? [kind, kind]
  const genre = genreId === '36' ? '' : `/genre=${genreId}`
  const self = `https://itunes.apple.com/${storefront}/rss/${path}/limit=${limit}${genre}/json`
  const entry = apps.map((app) => entryOf(app, country, day))
  return {
    feed: {
      author: { name: { label: 'iTunes Store' }, uri: { label: 'http://www.apple.com/itunes/' } },
      // Omitted when empty, and not a list when there is only one: an effect of the conversion from XML.
      ...(entry.length > 0 && { entry: entry.length === 1 ? entry[0] : entry }),
      updated: { label: pacificTime(day, 9.5 * 3600) },
      rights: { label: 'Sample evidence made by the demo' },
      title: { label: `iTunes Store: ${title}` },
      icon: { label: `${sampleHost}/favicon.ico` },
      link: [{ attributes: { rel: 'self', href: self } }],
      id: { label: self },
    },
  }
}

function entryOf(app: SampleApp, country: SampleCountry, day: number) {
  const { developer } = app
  const [primary = ''] = app.genreIds
  const name = nameOn(app, country, day)
  const icon = iconOn(app, day)
  const price = priceIn(country, priceStepOn(app, day))
  const address = `${storeUrl(app, country, name)}?uo=2`
  const page = { attributes: { rel: 'alternate', type: 'text/html', href: address } }
  const preview = { attributes: { title: 'Preview', rel: 'enclosure', href: `${icon}/preview.jpg` } }
  return {
    'im:name': { label: name },
    'im:image': [53, 75, 100].map((height) => ({
      label: `${icon}/${height}x${height}bb.png`,
      attributes: { height: String(height) },
    })),
    // Apple repeats the whole description in every chart; its beginning is enough here.
    summary: { label: app.descriptions[country].slice(0, 80) },
    'im:price': {
      label: price.text,
      attributes: { amount: price.amount.toFixed(2), currency: price.currency },
    },
    // An object or a list, as in the real feed.
    link: app.storeId % 5 === 0 ? [page, preview] : page,
    id: { label: address, attributes: { 'im:id': String(app.storeId), 'im:bundleId': app.bundleId } },
    'im:artist': {
      label: developer.name,
      attributes: {
        href: `https://apps.apple.com/${country}/developer/${developer.slug}/id${developer.id}?uo=2`,
      },
    },
    category: {
      attributes: { 'im:id': primary, term: genreName(primary, 'us'), label: genreName(primary, country) },
    },
    'im:releaseDate': {
      label: pacificTime(app.releasedDay, app.releasedSecond),
      attributes: { label: dayText(app.releasedDay) },
    },
  }
}

/** The feed uses the time of Cupertino, with an offset of seven hours all year. */
const pacificTime = (day: number, second: number) => timeText(day, second - 7 * 3600).replace('Z', '-07:00')
