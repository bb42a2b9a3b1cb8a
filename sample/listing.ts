import { ratingGrowth, type SampleApp } from './app.ts'
import { dayText } from './calendar.ts'
import { type SampleCountry, sampleHost } from './document.ts'
import { type Price, priceIn } from './prices.ts'
import { storeSlug } from './slug.ts'
import { releaseNotes } from './words.ts'

/** The store page of an app in one storefront on one day. */
export type Listing = {
  readonly name: string
  /** Null for an app that is announced and not yet released. */
  readonly price: Price | null
  readonly version: string
  readonly versionDay: number
  /** The first version has none. */
  readonly releaseNotes: string | null
  /** Never falls from one day to a later one. */
  readonly ratingCount: number
  /** 0 without ratings, as in Apple's answers. */
  readonly rating: number
  readonly sizeBytes: number
  readonly url: string
  readonly icon: string
  readonly screenshots: readonly string[]
  readonly tabletScreenshots: readonly string[]
}

/** Null where and while the store does not have the app. */
export function listingOn(app: SampleApp, country: SampleCountry, day: number): Listing | null {
  if (!isListed(app, country, day)) return null
  const name = nameOn(app, country, day)
  const version = Math.floor(Math.max(0, Math.min(day - 1, app.lastUpdateDay) - app.releasedDay) / app.cadence)
  const versionDay = app.releasedDay + version * app.cadence
  const edition = changed(day, app.plot.newScreenshotsDay)
  const shots = (device: string, size: string) =>
    Array.from(
      { length: app.screenshots },
      (_, at) => `${artOf(app)}/${device}/${edition}-${at + 1}/${size}bb.png`,
    )
  const ratingCount = ratingsOn(app, country, day)
  return {
    name,
    price: day <= app.releasedDay ? null : priceIn(country, priceStepOn(app, day)),
    version: versionText(app, version, versionDay),
    versionDay,
    releaseNotes: version === 0 ? null : notesOf(app, version, day),
    ratingCount,
    rating: ratingCount === 0 ? 0 : starsOn(app, country, day),
    sizeBytes: Math.round(app.sizeBytes * (1 + 0.004 * version)),
    url: storeUrl(app, country, name),
    icon: iconOn(app, day),
    screenshots: shots('iphone', '392x696'),
    tabletScreenshots: app.forTablets ? shots('ipad', '576x768') : [],
  }
}

/** A release is visible from the next day on: collectors run in the morning. */
export function isListed(app: SampleApp, country: SampleCountry, day: number): boolean {
  return app.storefronts.includes(country) && day > (app.plot.announcedDay ?? app.releasedDay)
}

export function nameOn(app: SampleApp, country: SampleCountry, day: number): string {
  const { rename } = app.plot
  return rename && day < rename.day ? rename.before[country] : app.names[country]
}

export function priceStepOn(app: SampleApp, day: number): number {
  const { reprice } = app.plot
  return reprice && day < reprice.day ? reprice.before : app.priceStep
}

/** Without the size: `/100x100bb.png` and so on are appended. */
export function iconOn(app: SampleApp, day: number): string {
  return `${artOf(app)}/icon-${changed(day, app.plot.newIconDay)}`
}

export function storeUrl(app: SampleApp, country: SampleCountry, name: string): string {
  return `https://apps.apple.com/${country}/app/${storeSlug(name)}/id${app.storeId}`
}

const artOf = (app: SampleApp) => `${sampleHost}/apps/${app.storeId}`

/** The second edition after a change, the first before it. */
const changed = (day: number, change: number | undefined) => (change !== undefined && day >= change ? 2 : 1)

const ratingsOn = (app: SampleApp, country: SampleCountry, day: number) =>
  Math.floor(app.ratingPace[country] * Math.max(0, day - app.releasedDay) ** ratingGrowth)

function starsOn(app: SampleApp, country: SampleCountry, day: number): number {
  const drift = 0.04 * Math.sin(day / 23 + app.storeId) + 0.08 * app.favour[country]
  const { crashDay } = app.plot
  const anger = crashDay !== undefined && day >= crashDay ? Math.min(0.9, 0.05 * (day - crashDay)) : 0
  return Math.round(Math.min(5, Math.max(1, app.stars + drift - anger)) * 1e5) / 1e5
}

function versionText(app: SampleApp, version: number, day: number): string {
  if (app.storeId % 9 === 0) return `${dayText(day).slice(0, 7).replace('-', '.')}.${version % 10}`
  const patch = version % 4
  const text = `${1 + Math.floor(version / 20)}.${Math.floor((version % 20) / 4)}`
  return patch === 0 ? text : `${text}.${patch}`
}

function notesOf(app: SampleApp, version: number, day: number): string {
  const { crashDay } = app.plot
  if (crashDay !== undefined && day >= crashDay && day < crashDay + 2 * app.cadence) {
    return 'We are sorry. Half of you could not open the app after the last update; this one brings your records back.'
  }
  return releaseNotes[(app.storeId + version * 7) % releaseNotes.length] ?? ''
}
