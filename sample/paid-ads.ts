import type { SampleApp } from './app.ts'
import { dayText, firstDay, lastDay, type Span, timeText } from './calendar.ts'
import { adMedia, type Creative, writeCreative } from './creatives.ts'
import { type Dice, dice } from './dice.ts'
import type { SampleDocument } from './document.ts'
import { otherAdvertisers } from './words.ts'

/** One line of the file: an ad as the library showed it at its observation. */
export type SamplePaidAd = {
  readonly platform: 'meta' | 'tiktok'
  readonly archiveId: string
  readonly advertiser: { readonly id: string; readonly name: string }
  readonly creatives: readonly Creative[]
  readonly startedOn: string
  /** Left out while it runs. */
  readonly endedOn?: string
  readonly active: boolean
  readonly countries: readonly string[]
  /** Of Meta alone. */
  readonly publisherPlatforms?: readonly string[]
  readonly languages: readonly string[]
  readonly observedAt: string
}

const count = 200

/** Days before the last on which the libraries were collected. */
const collections = [45, 20, 1]

/** About 200 ads, one file for each collection, oldest first. Long-running ads are in several of them. */
export function* samplePaidAds(apps: readonly SampleApp[], span: Span): Generator<SampleDocument> {
  const ads = draftAds(apps, span)
  const days = collections.map((back) => lastDay(span) - back).filter((day) => day > firstDay(span))
  for (const [at, day] of days.entries()) {
    const before = days[at - 1] ?? Number.NEGATIVE_INFINITY
    const observedAt = timeText(day, 8 * 3600)
    // New since the last collection, or still running then: its end is new information.
    const seen = ads.filter((ad) => ad.startDay <= day && (ad.startDay > before || ad.endDay > before))
    yield {
      kind: 'paid-ads',
      format: 'paid-ads-file',
      fileName: `paid-ads-${dayText(day)}.ndjson`,
      country: null,
      observedAt,
      content: seen.map((ad) => `${JSON.stringify(observe(ad, day, observedAt))}\n`).join(''),
    }
  }
}

/** The ads in the libraries on a day: those of the sample, and some that were never collected. */
export function adsInLibraries(apps: readonly SampleApp[], span: Span, day: number): SamplePaidAd[] {
  return draftAds(apps, span, count + unreadCount)
    .filter(({ startDay }) => startDay <= day)
    .map((ad) => observe(ad, day, timeText(day, 0)))
}

const unreadCount = 80

type DraftAd = {
  readonly startDay: number
  readonly endDay: number
  readonly fixed: Omit<SamplePaidAd, 'startedOn' | 'endedOn' | 'active' | 'observedAt' | 'languages'>
  readonly language: string
}

type Advertiser = { readonly id: number; readonly name: string; readonly apps: readonly SampleApp[] }

function draftAds(apps: readonly SampleApp[], span: Span, length = count): DraftAd[] {
  const advertisers = chooseAdvertisers(apps, dice(span.seed, 'advertisers'))
  return Array.from({ length }, (_, at) => draftAd(advertisers, dice(span.seed, 'ad', at), span)).sort(
    (a, b) => a.startDay - b.startDay,
  )
}

/** Developers of well-known or new apps, and a few unrelated advertisers. */
function chooseAdvertisers(apps: readonly SampleApp[], fortune: Dice): Advertiser[] {
  const makers = new Map<number, SampleApp[]>()
  for (const app of apps.filter((each) => each.plot.launch || each.popularity > 1.7)) {
    makers.set(app.developer.id, [...(makers.get(app.developer.id) ?? []), app])
  }
  const known = fortune.some([...makers.values()], 28).map((own) => ({
    name: own[0]?.developer.name ?? '',
    apps: own,
  }))
  const others = otherAdvertisers.map((name) => ({ name, apps: [] }))
  return [...known, ...others].map((each, at) => ({ ...each, id: 100_200_300_400_000 + at * 7919 }))
}

const markets: readonly (readonly string[])[] = [
  ['us'],
  ['us', 'gb', 'ie'],
  ['de', 'at'],
  ['de', 'fr', 'nl'],
  ['fr'],
  ['jp'],
  ['gb'],
]

const languages: Readonly<Record<string, 'de' | 'ja'>> = { de: 'de', jp: 'ja' }

function draftAd(advertisers: readonly Advertiser[], fortune: Dice, span: Span): DraftAd {
  const advertiser =
    advertisers[Math.floor(advertisers.length * fortune.roll() ** 1.4)] ?? fortune.pick(advertisers)
  const app = advertiser.apps.length > 0 ? fortune.pick(advertiser.apps) : null
  const platform = fortune.chance(0.72) ? 'meta' : 'tiktok'
  const countries = fortune.pick(platform === 'tiktok' ? markets.slice(2, 5) : markets)
  const language = app ? (languages[countries[0] ?? ''] ?? 'en') : 'en'
  const digits = Array.from({ length: 15 }, () => fortune.between(0, 9)).join('')
  const archiveId = platform === 'meta' ? `1${digits}` : `174${digits}0`
  const startDay = Math.max(app?.releasedDay ?? 0, lastDay(span) - 1 - Math.floor(fortune.roll() * 110))
  // Most ads end within two weeks; successful ones run much longer.
  const endDay = startDay + Math.floor(2 + 9 * -Math.log(1 - fortune.roll()) * (fortune.chance(0.2) ? 8 : 1))
  const variants = fortune.chance(0.25) ? fortune.between(2, 4) : 1
  const media = () => adMedia(platform, archiveId, app, language, fortune)
  return {
    startDay,
    endDay,
    language,
    fixed: {
      platform,
      archiveId,
      advertiser: { id: String(advertiser.id), name: advertiser.name },
      creatives: Array.from({ length: variants }, () =>
        writeCreative(app, language, startDay, media(), fortune),
      ),
      countries,
      ...(platform === 'meta' && {
        publisherPlatforms: fortune.some(
          ['facebook', 'instagram', 'messenger', 'audience_network', 'threads'],
          fortune.between(1, 4),
        ),
      }),
    },
  }
}

function observe(
  { fixed, startDay, endDay, language }: DraftAd,
  day: number,
  observedAt: string,
): SamplePaidAd {
  const active = endDay >= day
  return {
    ...fixed,
    startedOn: dayText(startDay),
    ...(!active && { endedOn: dayText(endDay) }),
    active,
    languages: [language],
    observedAt,
  }
}
