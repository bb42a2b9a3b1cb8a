import { storefrontOf } from '../src/vocabulary/storefronts.ts'
import type { SampleApp } from './app.ts'
import { timeText } from './calendar.ts'
import type { SampleCountry } from './document.ts'
import { genreName } from './genres.ts'
import type { Listing } from './listing.ts'

/** Apple sends about a hundred of these. */
const phones = ['iPhone11', 'iPhone12', 'iPhoneSESecondGen', 'iPhone13', 'iPhone14Pro', 'iPhone15', 'iPhone16']
const tablets = ['iPadAir4', 'iPadPro11M4', 'iPadTenthGen', 'iPadMiniA17Pro']
const supported = (devices: readonly string[]) => devices.map((device) => `${device}-${device}`)
const phonesOnly = supported(phones)
const everyDevice = supported([...phones, ...tablets])

/**
 * One app in the format of the iTunes Search and Lookup APIs. Like theirs, it omits `sellerUrl`, `releaseNotes` and (before
 * release) `price` when empty, and has the size as text.
 */
export function itunesRecord(app: SampleApp, country: SampleCountry, listing: Listing) {
  const { developer } = app
  const [primary = ''] = app.genreIds
  return {
    screenshotUrls: listing.screenshots,
    ipadScreenshotUrls: listing.tabletScreenshots,
    appletvScreenshotUrls: [],
    artworkUrl60: `${listing.icon}/60x60bb.jpg`,
    artworkUrl512: `${listing.icon}/512x512bb.jpg`,
    artworkUrl100: `${listing.icon}/100x100bb.jpg`,
    artistViewUrl: `https://apps.apple.com/${country}/developer/${developer.slug}/id${developer.id}?uo=4`,
    features: app.forTablets ? ['iosUniversal'] : [],
    supportedDevices: app.forTablets ? everyDevice : phonesOnly,
    advisories: app.genreIds.includes('7006') ? ['Frequent/Intense Simulated Gambling'] : [],
    isGameCenterEnabled: app.area === 'games',
    kind: 'software',
    artistId: developer.id,
    artistName: developer.name,
    genres: app.genreIds.map((id) => genreName(id, country)),
    ...(listing.price && { price: listing.price.amount }),
    description: app.descriptions[country],
    releaseDate: timeText(app.releasedDay, app.releasedSecond),
    bundleId: app.bundleId,
    ...(listing.releaseNotes && { releaseNotes: listing.releaseNotes }),
    trackId: app.storeId,
    trackName: listing.name,
    primaryGenreName: genreName(primary, country),
    primaryGenreId: Number(primary),
    sellerName: developer.seller,
    genreIds: app.genreIds,
    isVppDeviceBasedLicensingEnabled: true,
    currentVersionReleaseDate: timeText(listing.versionDay, app.releasedSecond),
    ...(developer.site && { sellerUrl: developer.site }),
    currency: storefrontOf(country).currency,
    version: listing.version,
    wrapperType: 'software',
    contentAdvisoryRating: app.ageRating,
    averageUserRating: listing.rating,
    averageUserRatingForCurrentVersion: listing.rating,
    userRatingCountForCurrentVersion: listing.ratingCount,
    trackViewUrl: `${listing.url}?uo=4`,
    trackContentRating: app.ageRating,
    minimumOsVersion: app.minimumOs,
    trackCensoredName: listing.name,
    languageCodesISO2A: app.languages,
    fileSizeBytes: String(listing.sizeBytes),
    ...(listing.price && { formattedPrice: listing.price.text }),
    userRatingCount: listing.ratingCount,
  }
}

/** An answer of either API. It contains neither the request, nor its storefront, nor its time. */
export const itunesAnswer = (results: readonly ReturnType<typeof itunesRecord>[]) =>
  JSON.stringify({ resultCount: results.length, results })
