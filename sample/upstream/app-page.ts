import type { SampleApp } from '../app.ts'
import { timeText } from '../calendar.ts'
import type { SampleCountry } from '../document.ts'
import { genreName } from '../genres.ts'
import { iconOn, isListed, type Listing, nameOn } from '../listing.ts'
import type { MadeUpStore } from './made-up-store.ts'

/** Number of apps in a list. */
const shelfLength = 12

/** The page of an app on the web site, reduced to the data for its own scripts. */
export function appPage(store: MadeUpStore, app: SampleApp, country: SampleCountry, listing: Listing): string {
  const day = store.today()
  const lockup = (each: SampleApp) => ({
    adamId: String(each.storeId),
    bundleId: each.bundleId,
    title: nameOn(each, country, day),
    subtitle: subtitleOf(each, country),
    developerName: each.developer.name,
    icon: artwork(iconOn(each, day), 512, 512),
  })
  const others = store
    .ranked(country)
    .map((one) => one.app)
    .filter((each) => each !== app && isListed(each, country, day))
  const similar = others.filter((each) => each.genreIds.at(-1) === app.genreIds.at(-1))
  const data = {
    title: listing.name,
    lockup: lockup(app),
    shelfMapping: {
      description: {
        items: [{ paragraph: { text: `${listing.name}.` }, tags: tagsOf(app, country) }],
      },
      ...eventsOf(app, day),
      product_media_phone_: {
        items: listing.screenshots.map((address) => ({
          screenshot: artwork(address.slice(0, address.lastIndexOf('/')), 392, 696),
        })),
      },
      productRatings: {
        items: [{ ratingAverage: listing.rating, totalNumberOfRatings: listing.ratingCount }],
      },
      privacyTypes: { items: [{ identifier: 'DATA_NOT_COLLECTED', title: 'Data Not Collected' }] },
      information: {
        contentType: 'annotation',
        items: [{ title: 'Seller', items: [{ text: app.developer.seller }] }],
      },
      similarItems: { items: similar.slice(0, shelfLength).map(lockup) },
      moreByDeveloper: {
        items: others
          .filter((each) => each.developer.id === app.developer.id)
          .slice(0, shelfLength)
          .map(lockup),
      },
    },
  }
  const page = JSON.stringify({ data: [{ intent: { id: String(app.storeId) }, data }] })
  return `<!DOCTYPE html><html lang="en"><head><title>${app.storeId}</title></head><body>
<script type="application/json" id="serialized-server-data">${page.replaceAll('<', '\\u003c')}</script></body></html>`
}

const subtitleOf = ({ genreIds, brand }: SampleApp, country: SampleCountry) =>
  `${genreName(genreIds.at(-1) ?? '36', country)}, ${brand}`.slice(0, 30)

const tagsOf = ({ genreIds }: SampleApp, country: SampleCountry) =>
  genreIds.map((genreId) => ({ title: genreName(genreId, country) }))

/** Days between the events of an app, and how long each runs. */
const [everyDays, longDays] = [28, 12]

/** Every third app has an event each month, and shows it while it runs. */
function eventsOf(app: SampleApp, day: number) {
  const start = day - (day % everyDays)
  if (app.storeId % 3 !== 0 || day >= start + longDays) return {}
  const event = {
    promotionType: 'appEvent',
    appEventId: String(app.storeId + start),
    title: `${app.brand} Challenge`,
    kind: 'Challenge',
    subtitle: 'Twelve days, together',
    startDate: timeText(start, 9 * 3600),
    endDate: timeText(start + longDays, 9 * 3600),
  }
  return { appEvents: { contentType: 'appPromotion', items: [event] } }
}

const artwork = (place: string, width: number, height: number) => ({
  template: `${place}/{w}x{h}{c}.{f}`,
  width,
  height,
})
