import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GivenImport } from './acknowledged.ts'

/** Apps in one catalogue import, places in one chart, and charts in one charts import. */
export const appsEach = 80
export const placesEach = 100
export const chartsEach = 3

const firstApp = 5_000_000_000
const firstPlace = 4_000_000_000

export const appOf = (number: number, index: number) => String(firstApp + number * appsEach + index)
export const appRange = (number: number) => [appOf(number, 0), appOf(number, appsEach - 1)] as const
export const capturedAt = (number: number, chart: number) =>
  new Date(Date.UTC(2026, 0, 1, 0, number * chartsEach + chart)).toISOString()
export const postIds = Array.from(
  { length: 60 },
  (_, index) => `tiktok_73000000000000${String(10_000 + index)}`,
)

/** Writes the files of an import, which share no record with any other. */
export function giveImport(folder: string, number: number): GivenImport {
  return number % 2 === 0 ? giveCatalogue(folder, number) : giveCharts(folder, number)
}

function giveCatalogue(folder: string, number: number): GivenImport {
  const lines = Array.from({ length: appsEach }, (_, index) => {
    const trackId = Number(appOf(number, index))
    return JSON.stringify({
      wrapperType: 'software',
      kind: 'software',
      trackId,
      trackName: `App ${trackId} of ${number}`,
      artistId: 600_000_000 + number,
      artistName: `Maker ${number}`,
      bundleId: `com.example.a${trackId}`,
      description: `What app ${trackId} does, told at length. `.repeat(12),
      releaseDate: '2020-01-01T08:00:00Z',
      price: 0,
      currency: 'USD',
      primaryGenreId: 6007,
      userRatingCount: 1000 + index,
      averageUserRating: 4.5,
    })
  })
  const path = join(folder, `apps-${number}.ndjson`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  const options = ['--country', 'us', '--observed-at', '2026-03-01T00:00:00Z']
  return { number, kind: 'catalogue', arguments: ['catalogue', path, ...options], done: false }
}

function giveCharts(folder: string, number: number): GivenImport {
  const path = join(folder, `charts-${number}`)
  mkdirSync(path)
  for (let chart = 0; chart < chartsEach; chart++) {
    const results = Array.from({ length: placesEach }, (_, place) => {
      const id = String(firstPlace + ((place * 7 + number) % 400))
      return { id, name: `Place ${id}`, artworkUrl100: 'https://example.com/i.png' }
    })
    const id = `https://rss.marketingtools.apple.com/api/v2/us/apps/top-free/${placesEach}/apps.json`
    const feed = { id, updated: capturedAt(number, chart), results }
    writeFileSync(join(path, `${chart}.json`), JSON.stringify({ feed }))
  }
  return { number, kind: 'charts', arguments: ['charts', path], done: false }
}

/** Posts to save, as a file. */
export function givePosts(folder: string): string {
  const path = join(folder, 'posts.ndjson')
  const lines = postIds.map((postId) =>
    JSON.stringify({ postId, text: `Post ${postId}`, observedAt: '2026-03-01T00:00:00Z' }),
  )
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}
