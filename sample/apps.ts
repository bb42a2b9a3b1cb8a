import { ratingGrowth, type SampleApp } from './app.ts'
import { lastDay, type Span } from './calendar.ts'
import { describe, describeAbroad, describeIn } from './descriptions.ts'
import { type Dice, dice } from './dice.ts'
import { type SampleCountry, sampleCountries } from './document.ts'
import { type Draft, draftApps } from './drafts.ts'
import { inventBrand, nameApp, sameName } from './names.ts'
import { type PerCountry, perCountry } from './per-country.ts'
import { cast, plotOf, type Role } from './plots.ts'
import { dearestStep } from './prices.ts'
import { slug } from './slug.ts'
import type { Theme } from './words.ts'
import { themes } from './words.ts'

/** About 400 invented apps by about 120 makers, oldest first. Store ids count up from 9000000001. */
export function sampleApps(span: Span): SampleApp[] {
  const drafts = draftApps(span.seed)
  const roles = cast(drafts, dice(span.seed, 'roles'))
  const taken = new Set<string>()
  return drafts
    .map((draft, at) => develop(draft, roles.get(at) ?? null, taken, span, dice(span.seed, 'app', at)))
    .sort((a, b) => a.releasedDay - b.releasedDay || a.releasedSecond - b.releasedSecond)
    .map((app, at) => ({ ...app, storeId: 9_000_000_001 + at }))
}

function develop(
  draft: Draft,
  role: Role,
  taken: Set<string>,
  span: Span,
  fortune: Dice,
): Omit<SampleApp, 'storeId'> {
  const { theme, topic, developer, popularity, native } = draft
  const end = lastDay(span)
  const releasedDay = releaseDay(role, end, fortune)
  const age = Math.max(1, end - releasedDay)
  const storefronts = sampleCountries.filter((country) => isSold(country, native, fortune))
  const localised = storefronts.filter((country) => country !== 'us' && !native && fortune.chance(0.35))
  const brand = native ? nativeBrand(native.name) : inventBrand(theme, taken, fortune)
  const names = native ? sameName(native.name) : nameApp(brand, topic, localised, fortune)
  const paid = role === 'reprice' || (!native && role === null && fortune.chance(0.24))
  const priceStep = paid ? Math.max(1, Math.floor(dearestStep * fortune.roll() ** 1.6)) : 0
  const earns = paid || fortune.chance(0.5)
  const dormant = role === null && fortune.chance(0.12)
  const plot = plotOf(role, { theme, topic, brand, names, priceStep }, span, fortune)
  const favour = perCountry((country) => fortune.bell() * 0.45 + homeFavour(country, native))
  const fame = popularity + 0.6 * (plot.launch?.height ?? 0)
  const ratings = 10 ** (1.2 + 0.9 * fame + 0.2 * fortune.bell()) * Math.min(1, 0.04 + age / 1500)
  return {
    bundleId: `com.example.${developer.slug}.${native?.slug ?? slug(brand)}`,
    developer,
    area: theme.area,
    genreIds: genresOf(theme, fortune),
    brand,
    names,
    descriptions: describeEverywhere(draft, brand, localised, fortune),
    storefronts,
    releasedDay,
    releasedSecond: fortune.between(0, 86_399),
    popularity,
    favour,
    earning: earns ? fortune.bell() * 0.8 + (theme.area === 'games' ? 0.6 : 0) : null,
    priceStep,
    stars: Math.min(4.95, Math.max(1.6, 4.45 + fortune.bell() * 0.4)),
    ratingPace: perCountry(
      (country) => (ratings * ratingShare[country] * 10 ** (0.4 * favour[country])) / age ** ratingGrowth,
    ),
    cadence: fortune.pick([7, 14, 14, 21, 21, 30, 30, 45, 60, 90, 180]),
    lastUpdateDay: dormant ? releasedDay + Math.floor(age * fortune.roll() * 0.8) : end,
    sizeBytes: Math.round(10 ** (7.2 + fortune.roll() * (theme.area === 'games' ? 2.3 : 1.4))),
    languages: languagesOf(native, localised, fortune),
    minimumOs: fortune.pick(['12.0', '13.0', '14.0', '15.0', '15.1', '16.0', '16.4', '17.0', '18.0']),
    ageRating: theme.genreId === '7006' ? '17+' : fortune.pick(['4+', '4+', '4+', '4+', '9+', '12+', '17+']),
    forTablets: fortune.chance(0.7),
    screenshots: fortune.between(3, 8),
    plot,
  }
}

type Native = Draft['native']

const homes = { ja: 'jp', de: 'de', zh: null } as const

/** Ratings left in a storefront for each one left in the United States. */
const ratingShare: PerCountry<number> = { us: 1, jp: 0.2, de: 0.14 }

/** Everything is sold in the United States; a third is missing from Japan, and another third from Germany. */
const isSold = (country: SampleCountry, native: Native, fortune: Dice) =>
  country === 'us' || (native && homes[native.language] === country) || fortune.chance(0.69)

const homeFavour = (country: SampleCountry, native: Native) => {
  if (!native) return 0
  return homes[native.language] === country ? 1.6 : -0.9
}

const nativeBrand = (name: string) => (name.split(/ [-–] |[:：（？?！!]/)[0] ?? name).trim()

function releaseDay(role: Role, end: number, fortune: Dice): number {
  if (role === 'launch') return end - fortune.between(8, 55)
  if (role === 'announced') return end + fortune.between(10, 30)
  const firstEver = Date.UTC(2010, 1, 1) / 86_400_000
  const newest = end - 120
  return Math.floor(newest - (newest - firstEver) * fortune.roll() ** 1.4)
}

function genresOf(theme: Theme, fortune: Dice): string[] {
  if (theme.area === 'games') {
    const games = themes.filter((each) => each.theme.area === 'games')
    return [...new Set(['6014', theme.genreId, fortune.pick(games).theme.genreId])]
  }
  return theme.beside && fortune.chance(0.75) ? [theme.genreId, theme.beside] : [theme.genreId]
}

function describeEverywhere(
  { theme, topic, native }: Draft,
  brand: string,
  localised: readonly SampleCountry[],
  fortune: Dice,
): PerCountry<string> {
  if (native) {
    const own = describeIn(native.language, brand, native.topic, fortune)
    const text = `${own}\n\n${describeAbroad(theme, fortune)}`
    return perCountry(() => text)
  }
  const us = describe(brand, topic.en, theme, fortune)
  const local = (country: SampleCountry, language: 'ja' | 'de') =>
    localised.includes(country) ? `${describeIn(language, brand, topic[language], fortune)}\n\n${us}` : us
  return { us, jp: local('jp', 'ja'), de: local('de', 'de') }
}

function languagesOf(native: Native, localised: readonly SampleCountry[], fortune: Dice): string[] {
  if (native) return [native.language.toUpperCase(), 'EN']
  const others = ['FR', 'ES', 'IT', 'PT', 'KO', 'NL', 'PL', 'SV', 'TR', 'DA']
  const local = localised.map((country) => (country === 'jp' ? 'JA' : 'DE'))
  return ['EN', ...local, ...fortune.some(others, fortune.between(0, 7))].sort()
}
