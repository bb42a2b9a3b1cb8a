import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchApps, benchCharts, benchStoreId } from './generate.ts'
import { directory } from './stores.ts'

const depth = 100
const days = 20

/** A directory of that many charts as Apple's newer feed answers them, a file each, 100 entries in each. */
export function chartFiles(count: number): string {
  const folder = join(directory, `charts-${count}`)
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  const apps = 20_000
  const names = [...benchApps(apps)].map((app) => ({ name: app.trackName, artistName: app.artistName }))
  const charts = benchCharts({ charts: count / days, days, depth, apps, until: '2026-11-20' })
  for (const [index, { country, chart, capturedAt, storeIds }] of [...charts].entries()) {
    const self = `https://rss.marketingtools.apple.com/api/v2/${country}/apps/${chart}/${depth}/apps.json`
    const results = storeIds.map((id) => ({
      ...names[Number(id) - benchStoreId(0)],
      id,
      releaseDate: '2020-01-01',
      kind: 'apps',
      artworkUrl100: `https://bench.invalid/${id}/100x100bb.png`,
      genres: [],
      url: `https://apps.apple.com/${country}/app/id${id}`,
    }))
    const feed = { title: chart, id: self, links: [{ self }], country, updated: capturedAt, results }
    writeFileSync(join(folder, `${String(index).padStart(6, '0')}.json`), JSON.stringify({ feed }))
  }
  return folder
}
