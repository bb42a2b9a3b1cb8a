import { parseArgs } from 'node:util'
import { Rivalscope } from '../src/client/client.ts'
import { print, printTable } from './figures.ts'
import { serveStore } from './service.ts'
import { catalogueStore } from './stores.ts'

/**
 * Memory of going through 10,000 apps with the client, page after page, under one signal, beside holding them all:
 *
 *   node --expose-gc bench/client.ts             20,000 apps on PostgreSQL; target: flat
 *   node --expose-gc bench/client.ts --limit 10  with a thousand pages
 */
const { values } = parseArgs({
  options: {
    apps: { type: 'string', default: '20000' },
    items: { type: 'string', default: '10000' },
    limit: { type: 'string', default: '100' },
  },
})
const { gc } = globalThis
if (!gc) throw new Error('run it with --expose-gc')
const items = Number(values.items)
const limit = Number(values.limit)

await using service = await serveStore(await catalogueStore('postgres', Number(values.apps)))
const rivalscope = new Rivalscope({ server: service.address, key: service.key })
const { signal } = new AbortController()
const apps = () => rivalscope.searchCompetitors({ limit }, { signal })
const marks = new Set([0.01, 0.1, 0.25, 0.5, 1].map((share) => share * items))

const iterated = await measure(async function* () {
  for await (const _ of apps()) yield
})
const held = await measure(async function* () {
  const all: unknown[] = []
  for await (const app of apps()) yield all.push(app)
})
print(`search_competitors, pages of ${limit}, heap in use after a collection`)
printTable(
  ['items', 'iterated, MB', 'all held, MB', 'ms so far'],
  iterated.map(({ at, megabytes, ms }, index) => [String(at), megabytes, held[index]?.megabytes ?? 0, ms]),
)

async function measure(walk: () => AsyncGenerator<unknown>) {
  const seen: { at: number; megabytes: number; ms: number }[] = []
  const started = performance.now()
  let at = 0
  for await (const _ of walk()) {
    if (marks.has(++at)) {
      gc?.()
      const megabytes = process.memoryUsage().heapUsed / 1e6
      seen.push({ at, megabytes, ms: Math.round(performance.now() - started) })
    }
    if (at === items) break
  }
  return seen
}
