import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { benchApps } from './generate.ts'

/**
 * A server that answers Apple's older chart feed with 100 made-up entries for any chart, as fast as it can:
 * `node bench/legacy-feeds.ts PORT`. Texts are as long as real ones, about 150 kB a chart.
 */

const apps = 20_000
const depth = 100

function serveLegacyFeeds(port: number): void {
  const entries = [...benchApps(apps)].map((app) => JSON.stringify(entryOf(app)))
  createServer((request, reply) => {
    const path = request.url ?? ''
    const start = [...path].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % apps, 7)
    const chosen = Array.from({ length: depth }, (_, place) => entries[(start + place * 7) % apps])
    const id = `https://itunes.apple.com${path}`
    const updated = new Date().toISOString()
    reply.setHeader('content-type', 'text/javascript; charset=utf-8')
    reply.end(
      `{"feed":{"id":{"label":"${id}"},"updated":{"label":"${updated}"},"entry":[${chosen.join(',')}]}}`,
    )
  }).listen(port, '127.0.0.1', () => process.stdout.write('serving\n'))
}

function entryOf(app: ReturnType<typeof benchApps> extends Generator<infer App> ? App : never) {
  const text = app.description.repeat(3).slice(0, 1_000)
  return {
    'im:name': { label: app.trackName },
    'im:image': [{ label: `https://bench.invalid/${app.trackId}/53.png`, attributes: { height: '53' } }],
    summary: { label: text },
    'im:price': { label: 'Get', attributes: { amount: '0.00000', currency: 'USD' } },
    'im:artist': { label: app.artistName, attributes: { href: 'https://bench.invalid/developer/id44' } },
    id: { label: 'x', attributes: { 'im:id': String(app.trackId), 'im:bundleId': `bench.app${app.trackId}` } },
    category: { attributes: { 'im:id': '6002', term: 'Utilities' } },
    'im:releaseDate': { label: '2019-05-01T00:00:00-07:00' },
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) serveLegacyFeeds(Number(process.argv[2]))
