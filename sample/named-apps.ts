import type { SampleApp } from './app.ts'
import { lastDay, type Span } from './calendar.ts'
import { describe } from './descriptions.ts'
import { dice } from './dice.ts'
import { sampleHost } from './document.ts'
import { sameName } from './names.ts'
import { perCountry } from './per-country.ts'
import { slug } from './slug.ts'
import { themeOf } from './words.ts'

type Named = {
  readonly storeId: number
  readonly name: string
  readonly developer: string
  readonly genreId: string
  readonly popularity: number
  readonly bundleId?: string
}

/** The apps named in the examples of the reference, so that their calls find data; sold in the United States. */
const named: readonly Named[] = [
  ['6449120387', 'Brook: Focus Timer', 'Brook Labs Ltd', '6007', 1.4],
  ['1573204466', 'Larkspur Deep Work & Pomodoro', 'Larkspur GmbH', '6007', 1.9],
  ['6738815509', 'Focus Timer by Heron', 'Heron Apps', '6007', 1.6],
  ['1480077251', 'Quietly: Pomodoro Timer', 'Oda Studio', '6007', 2.2],
  ['1620441907', 'Sprig Study Timer', 'Sprig Learning Inc.', '6007', 1.1],
  ['1356027714', 'Hourstone', 'Kaito Mori', '6007', 1.2],
  ['6449912345', 'Tidepool Habits', 'Example Tidepool Ltd', '6013', 2],
].map(([storeId, name, developer, genreId, popularity]) => ({
  storeId: Number(storeId),
  name: String(name),
  developer: String(developer),
  genreId: String(genreId),
  popularity: Number(popularity),
}))

/** An app in the examples that is not in the catalogue: only the fake store has it. */
const untaken: Named = {
  storeId: 9_000_002_001,
  name: 'Tidesong: Sea Sounds',
  developer: 'Lark & Loam',
  genreId: '6013',
  popularity: 1.5,
  bundleId: 'example.larkandloam.tidesong',
}

export const namedApps = (span: Span): SampleApp[] => named.map((app, at) => appOf(app, at, span))

export const untakenApp = (span: Span): SampleApp => appOf(untaken, named.length, span)

function appOf({ storeId, name, developer, genreId, popularity, bundleId }: Named, at: number, span: Span) {
  const fortune = dice(span.seed, 'named', storeId)
  const theme = themeOf(genreId)
  const maker = slug(developer)
  const description = describe(name, name, theme, fortune)
  return {
    storeId,
    bundleId: bundleId ?? `com.example.${maker}.${slug(name)}`,
    developer: {
      id: 9_600_000_001 + at,
      name: developer,
      seller: developer,
      slug: maker,
      site: `${sampleHost}/${maker}`,
    },
    area: theme.area,
    genreIds: [genreId],
    brand: name.split(':')[0] ?? name,
    names: sameName(name),
    descriptions: perCountry(() => description),
    storefronts: ['us'],
    releasedDay: lastDay(span) - fortune.between(400, 1_500),
    releasedSecond: 30_000,
    popularity,
    favour: perCountry(() => 0),
    earning: fortune.roll(),
    priceStep: 0,
    stars: 4.3 + 0.5 * fortune.roll(),
    ratingPace: perCountry(() => popularity * (0.2 + fortune.roll())),
    cadence: 21,
    lastUpdateDay: lastDay(span),
    sizeBytes: 40_000_000 + fortune.between(0, 40_000_000),
    languages: ['EN', 'DE'],
    minimumOs: '17.0',
    ageRating: '4+',
    forTablets: true,
    screenshots: 4,
    plot: {},
  } satisfies SampleApp
}
