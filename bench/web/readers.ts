/**
 * What people who are signed in to the pages cost the service beside programs that make the same calls with keys: the same
 * reads of a record, over as many connections, in turn. Who a credential belongs to is remembered for a second, so that a
 * thousand of them are looked up each second, of either kind.
 *
 *   bin/node bench/web/readers.ts [--rounds 5]       on the PostgreSQL of bench/stores.ts
 */
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { median, printTable } from '../figures.ts'
import { benchStoreId } from '../generate.ts'
import { serveStore } from '../service.ts'
import { catalogueStore } from '../stores.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const readers = 1_000
const connections = 64
const calls = 5_000
const path = `/v1/competitors/ios/${benchStoreId(7)}`

const location = await catalogueStore('postgres', 5_000)
const keys = await createKeys()
await using service = await serveStore(location, { core: 0, logLevel: 'info' })
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const cookies = await Promise.all(keys.map(signIn))
const byKey = (key = '') => ({ authorization: `Bearer ${key}` })
const bySession = (cookie = '') => ({ cookie })
const ways: Record<string, (call: number) => Record<string, string>> = {
  'one key': () => byKey(keys[0]),
  'one session': () => bySession(cookies[0]),
  [`${readers} keys`]: (call) => byKey(keys[call % readers]),
  [`${readers} sessions`]: (call) => bySession(cookies[call % readers]),
}
const measured = new Map<string, { rate: number; cpuMs: number }[]>(Object.keys(ways).map((name) => [name, []]))
for (let round = 0; round < Number(values.rounds); round++)
  for (const [name, headersOf] of Object.entries(ways)) measured.get(name)?.push(await measure(headersOf))
printTable(
  ['reads of a record', 'calls/s', 'processor time of the server, ms'],
  [...measured].map(([name, each]) => [
    name,
    Math.round(median(each.map(({ rate }) => rate))),
    median(each.map(({ cpuMs }) => cpuMs)),
  ]),
)
agent.destroy()

async function measure(headersOf: (call: number) => Record<string, string>) {
  let next = 0
  const [started, cpu] = [performance.now(), service.cpuMs()]
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < calls) await get(headersOf(next++))
    }),
  )
  return {
    rate: (calls / (performance.now() - started)) * 1_000,
    cpuMs: (service.cpuMs() - cpu) / calls,
  }
}

function get(headers: Record<string, string>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request(`${service.address}${path}`, { agent, headers }, (reply) => {
    reply.resume()
    reply.on('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`${reply.statusCode}`))))
  })
    .on('error', reject)
    .end()
  return promise
}

async function createKeys(): Promise<string[]> {
  await using store = await openStore(location, 'bench')
  const keys = []
  for (let reader = 0; reader < readers; reader++)
    keys.push(await createKey(store.db, { name: `reader ${reader}`, scopes: ['context:read'] }))
  return keys
}

async function signIn(key: string): Promise<string> {
  const reply = await fetch(`${service.address}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-rivalscope-page': '1' },
    body: JSON.stringify({ key }),
  })
  if (!reply.ok) throw new Error(`signing in: ${reply.status}`)
  return reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}
