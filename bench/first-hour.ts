import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sample } from '../sample/demo/evidence.ts'
import { madeUpStore } from '../sample/upstream/made-up-store.ts'
import { openUpstream } from '../sample/upstream/upstream.ts'
import { type Operations, Rivalscope, type Tool } from '../src/client/client.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { upstreams } from '../src/sources/settings.ts'
import { openStore } from '../src/storage/open-store.ts'
import { print, printTable, report } from './figures.ts'
import { startProcess } from './service.ts'

/**
 * The first hour without the person: from an empty folder to the ranks of an app and its competitors, by the writes of the page, at the pace
 * that Apple is asked in earnest. A made-up store on loopback answers. Target: 5 minutes, so that a person has four of them to read and press.
 *
 *   node bench/first-hour.ts                the embedded store
 *   node bench/first-hour.ts --app 9000000137
 */
const { values } = parseArgs({ options: { app: { type: 'string', default: '9000000150' } } })
const competitors = 6
const keywords = 10

await using upstream = await openUpstream(madeUpStore(sample, () => new Date()))
const folder = mkdtempSync(join(tmpdir(), 'rivalscope-first-hour-'))
try {
  await measure()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const config = join(folder, 'config.json')
  const baseUrl = upstream.url
  writeFileSync(
    config,
    JSON.stringify({ sources: Object.fromEntries(upstreams.map((name) => [name, { baseUrl }])) }),
  )
  const dataDir = join(folder, 'store')
  const started = performance.now()
  const marks: [string, number][] = []
  const mark = (what: string) => marks.push([what, (performance.now() - started) / 1_000])

  const key = await keyOf(dataDir)
  const command = [new URL('../bin/rivalscope', import.meta.url).pathname, 'serve', '--data-dir', dataDir]
  const options = [
    '--port',
    '0',
    '--rate-limit',
    '0',
    '--log-level',
    'silent',
    '--work',
    'on',
    '--config',
    config,
  ]
  await using service = await startProcess([...command, ...options])
  mark('the service answers')
  const api = new Rivalscope({ server: service.address, key })
  const country = 'us'

  const { appId } = await api.trackAsoApp({ app: values.app, country, role: 'own' })
  /** One reply: the methods of the client go through all pages, or follow the work. */
  const one = <T extends Tool>(tool: T, given: Operations[T]['arguments']) =>
    api.call(tool, given) as Promise<Operations[T]['reply']>
  const own = () => one('list_aso_apps', { country, limit: 100 })
  await until(async () => (await own()).items.every(({ intake }) => intake === null))
  mark('the app is taken in')
  const similar = await until(async () => {
    const { items } = await one('get_similar_competitors', { storeId: values.app, country, limit: 25 })
    return items.length > 0 && items
  })
  for (const { app } of similar.slice(0, competitors))
    await api.trackAsoApp({ app: app.storeId, country, role: 'rival', rivalOf: appId })
  await until(async () => (await own()).items.every(({ intake }) => intake === null))
  mark(`${competitors} competitors are taken in`)
  const station = () => api.getAsoWorkstation({ appId })
  const terms = await until(async () => {
    const { suggestions, carriedByName } = await station()
    return [...suggestions, ...carriedByName].map(({ term }) => term).slice(0, keywords)
  })
  await api.addAsoKeywords({ appId, terms })
  await api.refreshAsoApp({ appId })
  await until(async () => (await station()).keywords.some(({ rank }) => rank.state === 'measured'))
  mark('the first rank')
  await until(async () => {
    const { refresh } = await station()
    return refresh?.status !== 'queued' && refresh?.status !== 'running'
  })
  mark(`${terms.length} keywords are searched`)

  print('The first hour without the person, from an empty folder, seconds')
  printTable(['until', 'seconds'], marks)
  const last = marks.at(-1)?.[1] ?? Number.NaN
  report({ name: 'first hour without the person', value: last / 60, unit: 'min', goal: { atMost: 5 } })
}

/** Makes the store, as a first start does. */
async function keyOf(dataDir: string): Promise<string> {
  await using store = await openStore({ dataDir }, 'bench')
  return await createKey(store.db, { name: 'bench', scopes: ['context:read', 'content:write'] })
}

async function until<Found>(look: () => Promise<Found | false>): Promise<Found> {
  for (;;) {
    const found = await look()
    if (found) return found
    await setTimeout(500)
  }
}
