import { closeSync, openSync, writeSync } from 'node:fs'
import { mulberry32 } from '../sample/dice.ts'
import { genreName } from '../sample/genres.ts'
import { themes } from '../sample/words.ts'
import { type ChartKind, chartKinds } from '../src/vocabulary/chart-kinds.ts'
import { cjkVocabulary, latinVocabulary, type Vocabulary } from './vocabulary.ts'

/** Made-up load of any size, the same every time: `node bench/generate.ts apps 100000 /tmp/apps.ndjson us`. */

/** Every benchmark's evidence is of this instant. */
export const observedAt = '2026-11-20T00:00:00Z'

/** Beyond the ids Apple has given out, and apart from those of the sample. */
export const benchStoreId = (app: number): number => 8_000_000_001 + app

/** An app in the shape of the iTunes Lookup API, without the fields that only repeat others. */
export type BenchApp = ReturnType<typeof benchApp>

const genres = themes.map(({ theme }) => theme.genreId)
const firstRelease = Date.UTC(2010, 0, 1)
const lastRelease = Date.UTC(2026, 0, 1)
const ages = ['4+', '4+', '4+', '9+', '12+', '17+']
const prices = [0.99, 0.99, 1.99, 2.99, 4.99, 9.99]
const host = 'https://bench.invalid'

/** Records of `count` apps by about a third as many developers, of one storefront. */
export function* benchApps(count: number, seed = 1, country = 'us'): Generator<BenchApp> {
  const world: World = {
    country,
    roll: mulberry32(seed),
    latin: latinVocabulary(seed),
    cjk: cjkVocabulary(seed),
    developers: Math.max(1, Math.floor(count / 3)),
  }
  for (let app = 0; app < count; app++) yield benchApp(app, world)
}

type World = {
  readonly country: string
  readonly roll: () => number
  readonly latin: Vocabulary
  readonly cjk: Vocabulary
  readonly developers: number
}

function benchApp(app: number, world: World) {
  const { country, roll, latin, developers } = world
  const genre = Math.floor(roll() ** 1.5 * genres.length)
  const genreId = genres[genre] ?? '6002'
  const genreIds = Number(genreId) > 7000 ? ['6014', genreId] : [genreId]
  const primary = genreIds[0] ?? genreId
  const isCjk = roll() < 0.06
  const name = isCjk ? cjkText(world, 2, 4) : title(world, 2 + Math.floor(roll() * 4), genre)
  const description = isCjk
    ? `${cjkText(world, 60, 140)}\n\n${prose(world, 40, genre)}`
    : prose(world, 60 + Math.floor(roll() * 141), genre)
  const developer = Math.floor(roll() ** 1.4 * developers)
  const developerName = `${capital(latin.words[(developer * 7919) % latin.words.length] ?? '')} ${developer} Ltd.`
  const ratings = Math.min(30_000_000, Math.floor(2 * (1 - roll()) ** (-1 / 0.55)) - 2)
  const rating = ratings === 0 ? 0 : Math.round((5 - 3.2 * roll() ** 2.5) * 1e5) / 1e5
  const price = roll() < 0.9 ? 0 : (prices[Math.floor(roll() * prices.length)] ?? 0.99)
  const releasedAt = firstRelease + Math.floor(roll() ** 0.7 * (lastRelease - firstRelease))
  const updatedAt = releasedAt + Math.floor(roll() * (lastRelease - releasedAt))
  const trackId = benchStoreId(app)
  const art = `${host}/${trackId}`
  return {
    wrapperType: 'software',
    kind: 'software',
    trackId,
    bundleId: `com.example.bench.d${developer}.a${app}`,
    trackName: name,
    trackCensoredName: name,
    artistId: 7_000_000_001 + developer,
    artistName: developerName,
    sellerName: developerName,
    description,
    releaseNotes: prose(world, 12, genre),
    version: `${1 + Math.floor(roll() * 12)}.${Math.floor(roll() * 20)}.${Math.floor(roll() * 10)}`,
    price,
    formattedPrice: price === 0 ? 'Free' : `$${price}`,
    currency: 'USD',
    primaryGenreId: Number(primary),
    primaryGenreName: genreName(primary, 'us'),
    genreIds,
    genres: genreIds.map((id) => genreName(id, 'us')),
    averageUserRating: rating,
    averageUserRatingForCurrentVersion: rating,
    userRatingCount: ratings,
    userRatingCountForCurrentVersion: ratings,
    releaseDate: second(releasedAt),
    currentVersionReleaseDate: second(updatedAt),
    minimumOsVersion: `${12 + Math.floor(roll() * 7)}.0`,
    fileSizeBytes: String(Math.floor(10 ** (7 + 2.3 * roll()))),
    contentAdvisoryRating: ages[Math.floor(roll() * ages.length)] ?? '4+',
    languageCodesISO2A: isCjk ? ['JA', 'ZH'] : ['EN'],
    screenshotUrls: [`${art}/1/392x696bb.png`, `${art}/2/392x696bb.png`, `${art}/3/392x696bb.png`],
    ipadScreenshotUrls: roll() < 0.5 ? [`${art}/4/576x768bb.png`] : [],
    appletvScreenshotUrls: [],
    artworkUrl60: `${art}/60x60bb.jpg`,
    artworkUrl100: `${art}/100x100bb.jpg`,
    artworkUrl512: `${art}/512x512bb.jpg`,
    trackViewUrl: `https://apps.apple.com/${country}/app/id${trackId}?uo=4`,
    artistViewUrl: `https://apps.apple.com/${country}/developer/id${7_000_000_001 + developer}?uo=4`,
  }
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** Names avoid the most frequent words: nobody calls an app "The And". */
function title({ roll, latin }: World, words: number, genre: number): string {
  let text = ''
  for (let at = 0; at < words; at++) {
    const word = capital(latin.draw(roll(), 40 + genre * 13))
    text += at === 0 ? word : ` ${word}`
  }
  return text
}

function prose({ roll, latin }: World, words: number, genre: number): string {
  let text = ''
  let left = 0
  for (let at = 0; at < words; at++) {
    // One word in four belongs to the genre.
    const word = roll() < 0.25 ? latin.draw(roll(), 60 + genre * 29) : latin.draw(roll())
    if (left === 0) {
      text += at === 0 ? capital(word) : `. ${capital(word)}`
      left = 6 + Math.floor(roll() * 12)
    } else text += ` ${word}`
    left -= 1
  }
  return `${text}.`
}

function cjkText({ roll, cjk }: World, fewest: number, most: number): string {
  const words = fewest + Math.floor(roll() * (most - fewest + 1))
  let text = ''
  for (let at = 0; at < words; at++) text += at % 12 === 11 ? `${cjk.draw(roll())}。` : cjk.draw(roll())
  return text
}

export type BenchChart = {
  readonly country: string
  readonly chart: ChartKind
  /** 36 is the whole store. */
  readonly categoryId: string
  readonly capturedAt: string
  /** Best rank first. */
  readonly storeIds: readonly string[]
}

const countries =
  'us jp de gb fr kr cn br ca au it es mx in id tr nl se ch tw hk sg th vn ph my pl pt at be dk no fi ie gr cz ro hu sa ae eg za ng ke ar cl co pe'.split(
    ' ',
  )
const categories = ['36', '6014', ...new Set(genres)]

/**
 * Snapshots of `charts` charts on the `days` days that end with `until`, all charts of a day before the next day. A
 * few places change every day and about one app in fifty is new; `apps` is how many apps `benchApps` made.
 */
export function* benchCharts(load: {
  readonly charts: number
  readonly days: number
  readonly depth: number
  readonly apps: number
  readonly until: string
  readonly seed?: number
  /** Storefronts the charts are spread over. */
  readonly storefronts?: readonly string[]
}): Generator<BenchChart> {
  const { charts, days, depth, apps, until, seed = 1, storefronts = countries } = load
  const most = storefronts.length * chartKinds.length * categories.length
  if (charts > most) throw new RangeError(`at most ${most} charts, not ${charts}`)
  if (apps < depth * 2) throw new RangeError(`charts of ${depth} need at least ${depth * 2} apps, not ${apps}`)
  const roll = mulberry32(seed)
  const ids = Array.from({ length: apps }, (_, app) => String(benchStoreId(app)))
  const ranked = Array.from({ length: charts }, () => firstRanking(depth, apps, roll))
  const last = Date.parse(`${until}T06:00:00Z`)
  for (let day = days - 1; day >= 0; day--) {
    for (const [at, ranking] of ranked.entries()) {
      move(ranking, depth, apps, roll)
      yield {
        country: storefronts[at % storefronts.length] ?? 'us',
        chart: chartKinds[Math.floor(at / storefronts.length) % chartKinds.length] ?? 'top-free',
        categoryId: categories[Math.floor(at / storefronts.length / chartKinds.length)] ?? '36',
        capturedAt: second(last - day * 86_400_000 + (at % 3600) * 1000),
        storeIds: Array.from(ranking.subarray(0, depth), (app) => ids[app] ?? ''),
      }
    }
  }
}

/** The chart and, behind its last place, the apps that wait to enter it. */
function firstRanking(depth: number, apps: number, roll: () => number): Int32Array {
  const ranking = new Int32Array(depth + Math.ceil(depth / 4)).fill(-1)
  for (let place = 0; place < ranking.length; place++) ranking[place] = newcomer(ranking, apps, roll)
  return ranking
}

function newcomer(ranking: Int32Array, apps: number, roll: () => number): number {
  for (;;) {
    // Some apps are in many charts, most in none.
    const app = Math.floor(roll() ** 2 * apps)
    if (!ranking.includes(app)) return app
  }
}

function move(ranking: Int32Array, depth: number, apps: number, roll: () => number): void {
  for (let swap = depth >> 1; swap > 0; swap--) {
    const place = Math.floor(roll() * (ranking.length - 4))
    const other = place + 1 + Math.floor(roll() * 3)
    const app = ranking[place] ?? 0
    ranking[place] = ranking[other] ?? 0
    ranking[other] = app
  }
  for (let entries = Math.max(1, Math.round(depth / 50)); entries > 0; entries--) {
    const place = Math.floor((0.3 + 0.7 * roll()) * ranking.length)
    ranking[place] = newcomer(ranking, apps, roll)
  }
}

if (import.meta.main) {
  const [what, count = '100000', file = '/dev/stdout', country = 'us'] = process.argv.slice(2)
  if (what !== 'apps') {
    process.stderr.write('usage: node bench/generate.ts apps <count> <file> [<storefront>]\n')
    process.exit(2)
  }
  writeLines(benchApps(Number(count), 1, country), file)
}

function writeLines(values: Iterable<unknown>, file: string): void {
  const target = openSync(file, 'w')
  let waiting = ''
  for (const value of values) {
    waiting += `${JSON.stringify(value)}\n`
    if (waiting.length < 1 << 20) continue
    writeSync(target, waiting)
    waiting = ''
  }
  writeSync(target, waiting)
  closeSync(target)
}
