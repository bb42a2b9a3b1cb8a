import type { SampleApp } from '../app.ts'
import { sampleApps } from '../apps.ts'
import { dayText, firstDay, lastDay, type Span } from '../calendar.ts'
import type { Ranked } from '../charts.ts'
import { type SampleCountry, sampleCountries } from '../document.ts'
import { isListed } from '../listing.ts'
import { namedApps, untakenApp } from '../named-apps.ts'
import { type Popularity, popularityIn } from '../popularity.ts'

/** The App Store that never was, as it stands today: what the sample tells of its past goes on from day to day. */
export interface MadeUpStore {
  span: Span
  /** Days since 1970; never before the sample ends. */
  today(): number
  /** Everything that is sold somewhere, also what the sample does not know. */
  apps: readonly SampleApp[]
  /** Those that made the sample's past. */
  sampleApps: readonly SampleApp[]
  popularity(country: SampleCountry): Popularity
  /** What a storefront lists today, most popular first. */
  ranked(country: SampleCountry): readonly Ranked[]
}

const dayMs = 86_400_000

export function madeUpStore(span: Span, now: () => Date): MadeUpStore {
  const past = sampleApps(span)
  const apps = [...past, ...namedApps(span), untakenApp(span), ...unknownApps(span)]
  const today = () => Math.max(lastDay(span), Math.floor(now().getTime() / dayMs))
  const known = new Map<string, Popularity>()
  const popularity = (country: SampleCountry) => {
    const day = today()
    const key = `${country} ${day}`
    const found =
      known.get(key) ??
      popularityIn(apps, country, { ...span, until: dayText(day), days: day - firstDay(span) + 1 })
    known.set(key, found)
    return found
  }
  return {
    span,
    today,
    apps,
    sampleApps: past,
    popularity,
    ranked(country) {
      const day = today()
      const popularityOn = popularity(country)
      return apps
        .filter((app) => app.releasedDay < day && isListed(app, country, day))
        .map((app) => ({ app, popularity: popularityOn(app, day) }))
        .sort((a, b) => b.popularity - a.popularity)
    },
  }
}

/** The storefronts of the made-up store; every other one is empty. */
export const madeUpCountry = (text: string): SampleCountry | undefined =>
  sampleCountries.find((country) => country === text)

const unknownCount = 60

/** Apps that nobody has seen in a chart or on a page yet, for those who search, collect and take in. */
function unknownApps(span: Span): SampleApp[] {
  const others = sampleApps({ ...span, seed: span.seed + 1 })
  const step = Math.floor(others.length / unknownCount)
  return others
    .filter((_, at) => at % step === 0)
    .map((app) => ({
      ...app,
      storeId: app.storeId + 1_000,
      bundleId: app.bundleId.replace('com.example.', 'com.example.new.'),
      developer: { ...app.developer, id: app.developer.id + 50_000 },
    }))
}
