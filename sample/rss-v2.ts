import type { SampleApp } from './app.ts'
import { dayText } from './calendar.ts'
import { type SampleCountry, sampleHost } from './document.ts'
import { iconOn, nameOn, storeUrl } from './listing.ts'

type Asked = {
  readonly country: SampleCountry
  readonly day: number
  readonly limit: number
  readonly kind: string
}

const titles: Readonly<Record<string, string>> = { 'top-free': 'Top Free Apps', 'top-paid': 'Top Paid Apps' }

/** A chart in the format of Apple's marketing tools: the rank is the position in the list, and genres are always empty. */
/** @param storefront in the feed's spelling, where it is one without apps */
export function feedV2(
  apps: readonly SampleApp[],
  { country, day, limit, kind }: Asked,
  storefront: string = country,
) {
  const self = `https://rss.marketingtools.apple.com/api/v2/${storefront}/apps/${kind}/${limit}/apps.json`
  return {
    feed: {
      title: titles[kind] ?? kind,
      id: self,
      author: { name: 'Apple', url: 'https://www.apple.com/' },
      links: [{ self }],
      copyright: 'Sample evidence made by the demo',
      country: storefront,
      icon: `${sampleHost}/favicon.ico`,
      updated: mailDate(day),
      results: apps.map((app) => {
        const name = nameOn(app, country, day)
        return {
          artistName: app.developer.name,
          id: String(app.storeId),
          name,
          releaseDate: dayText(app.releasedDay),
          kind: 'apps',
          artworkUrl100: `${iconOn(app, day)}/100x100bb.png`,
          genres: [],
          url: storeUrl(app, country, name),
        }
      }),
    },
  }
}

/** Unlike Apple's other feeds, this one uses the date format of mail: `Fri, 20 Nov 2026 09:41:00 +0000`. */
function mailDate(day: number): string {
  return new Date(`${dayText(day)}T09:41:00Z`).toUTCString().replace('GMT', '+0000')
}
