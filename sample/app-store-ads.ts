import { type Repository, type RepositoryAd, repositoryAnswer } from './ad-repository.ts'
import type { SampleApp } from './app.ts'
import { dayText, firstDay, lastDay, type Span, timeText } from './calendar.ts'
import { type Dice, dice } from './dice.ts'
import { type SampleDocument, sampleHost } from './document.ts'
import { iconOn, isListed, nameOn } from './listing.ts'
import { themes } from './words.ts'

/** Days before the last on which the repository was asked: a week apart, as a schedule does. */
const collections = [22, 15, 8, 1]

/** Apps that advertise in the App Store. The tutorials' app and its rivals are among them. */
const advertised = 24
const always = new Set([9_000_000_150, 9_000_000_137, 9_000_000_218, 9_000_000_001])

const countries = ['DE', 'AT', 'FR', 'NL', 'IE', 'ES', 'IT', 'SE']

/** What the repository answered on these days, one file for each, oldest first. */
export function* sampleAppStoreAds(apps: readonly SampleApp[], span: Span): Generator<SampleDocument> {
  const ads = appStoreAds(apps, span)
  for (const back of collections) {
    const day = lastDay(span) - back
    if (day <= firstDay(span)) continue
    const repository: Repository = { today: () => day, ads }
    const url = new URL('http://made-up.invalid/api/v1/ad-repository-ads')
    const answers = portions(countries, 5).map((some) => {
      url.search = new URLSearchParams({ ql: `countryOrRegion=in=(${some.join()})`, limit: '500' }).toString()
      return repositoryAnswer(repository, url).body
    })
    yield {
      kind: 'paid-ads',
      format: 'paid-ads-file',
      fileName: `app-store-ads-${dayText(day)}.ndjson`,
      country: null,
      observedAt: timeText(day, 9 * 3600),
      content: answers.map((body) => `${body}\n`).join(''),
    }
  }
}

const portions = <One>(all: readonly One[], size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

/** All ads of the made-up repository, whenever they were shown. */
export function appStoreAds(apps: readonly SampleApp[], span: Span): RepositoryAd[] {
  const sold = apps.filter((app) => isListed(app, 'de', lastDay(span)) || always.has(app.storeId))
  const others = sold.filter(({ storeId }) => !always.has(storeId))
  const known = others.toSorted((one, other) => other.popularity - one.popularity).slice(0, advertised)
  return [...sold.filter(({ storeId }) => always.has(storeId)), ...known].flatMap((app) => {
    const fortune = dice(span.seed, 'app-store-ads', app.storeId)
    return Array.from({ length: fortune.between(1, 3) }, (_, at) => draftAd(app, at, span, fortune))
  })
}

const placements = [
  'APPSTORE_SEARCH_RESULTS',
  'APPSTORE_SEARCH_RESULTS',
  'APPSTORE_TODAY_TAB',
  'APPSTORE_SEARCH_TAB',
  'APPSTORE_PRODUCT_PAGE',
]

function draftAd(app: SampleApp, at: number, span: Span, fortune: Dice): RepositoryAd {
  const day = lastDay(span)
  const hasAssets = fortune.chance(0.7)
  // Most run for weeks; some since more than a year.
  const ranSince = fortune.chance(0.15) ? 420 : fortune.between(9, 80)
  const first = Math.max(app.releasedDay, day - ranSince)
  const last = fortune.chance(0.55) ? day + 30 : first + fortune.between(3, 40)
  const topic = fortune.pick(topicsOf(app))
  const address = `${sampleHost}/apps/${app.storeId}/app-store-ad-${at + 1}`
  // An address of another page of the app is the only sign of one.
  const page = fortune.chance(0.25) ? `?ppid=${uuidOf(fortune)}` : ''
  const placement = fortune.pick(placements)
  return {
    adId: Array.from({ length: 32 }, () => fortune.between(0, 15).toString(16)).join(''),
    appId: app.storeId,
    appName: nameOn(app, 'us', day),
    developerId: app.developer.id,
    developerName: app.developer.name,
    legalName: `${app.developer.name} Ltd`,
    placement,
    format: hasAssets ? 'Icon + Asset Ad' : 'Icon Ad',
    subFormat: placement === 'APPSTORE_SEARCH_RESULTS' ? fortune.pick(['condensed_1', 'medium_1', null]) : null,
    shown: fortune.some(countries, fortune.between(2, 6)).map((country) => ({
      country,
      first: first + fortune.between(0, 2),
      last: last - fortune.between(0, 1),
    })),
    languages: [
      {
        tag: 'de-DE',
        name: 'German',
        appName: nameOn(app, 'de', day),
        subtitle: topic.de.slice(0, 30),
        text: `${app.brand}: ${topic.de}, ganz einfach. Jetzt kostenlos testen.`,
      },
      {
        tag: 'en-GB',
        name: 'English (UK)',
        appName: nameOn(app, 'us', day),
        subtitle: topic.en.slice(0, 30),
        text: `${app.brand}: ${topic.en.toLowerCase()}, the easy way. Try it free.`,
      },
    ],
    icon: `${iconOn(app, day)}/512x512bb.jpg`,
    assets: hasAssets
      ? Array.from({ length: fortune.between(1, 3) }, (_, asset) => {
          const isVideo = asset === 0 && fortune.chance(0.3)
          const url = isVideo
            ? `${sampleHost}/app-store-ads/${app.storeId}-${at + 1}.mp4`
            : `${address}/${asset + 1}/600x1300bb.jpg${page}`
          return { kind: isVideo ? 'video' : 'image', url, width: 600, height: 1300 } as const
        })
      : [],
    byAge: fortune.chance(0.3),
  }
}

const topicsOf = (app: SampleApp) =>
  themes.filter(({ theme }) => app.genreIds.includes(theme.genreId)).flatMap(({ theme }) => theme.topics)

const uuidOf = (fortune: Dice) =>
  [8, 4, 4, 4, 12]
    .map((length) => Array.from({ length }, () => fortune.between(0, 15).toString(16)).join(''))
    .join('-')
