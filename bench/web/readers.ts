/**
 * What people who are signed in to the pages cost the service beside programs that make the same calls with a key: the same
 * reads, over as many connections, by a bearer key, by the cookie of one session and by the cookies of a thousand, in turn. Who a
 * credential belongs to is remembered for a second, so a thousand of either are looked up more often than one.
 *
 * The service must not limit requests (`serve --rate-limit 0`), and hold an app.
 *
 *   bin/node bench/web/readers.ts --address http://127.0.0.1:8787 --key rsk_… [--rounds 5]
 */
import { Agent, request } from 'node:http'
import { median, printTable } from '../figures.ts'
import { address, key, rounds } from './visitor.ts'

const people = 1_000
const connections = 64
const calls = 5_000

const path = `/v1/competitors/ios/${await anyApp()}`
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const cookies = await Promise.all(Array.from({ length: people }, signIn))
const ways = {
  'bearer key': () => ({ authorization: `Bearer ${key}` }),
  'one session': () => ({ cookie: cookies[0] ?? '' }),
  [`${people} sessions`]: (call: number) => ({ cookie: cookies[call % people] ?? '' }),
}
const rates = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]))
for (let round = 0; round < rounds; round++)
  for (const [name, headersOf] of Object.entries(ways)) rates.get(name)?.push(await rateOf(headersOf))
const [floor = []] = rates.values()
printTable(
  ['reads of an app', 'calls/s', 'beside the key'],
  [...rates].map(([name, each]) => [name, Math.round(median(each)), median(each) / median(floor)]),
)
agent.destroy()

async function rateOf(headersOf: (call: number) => Record<string, string>): Promise<number> {
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < calls) await get(headersOf(next++))
    }),
  )
  return (calls / (performance.now() - started)) * 1_000
}

function get(headers: Record<string, string>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request(`${address}${path}`, { agent, headers }, (reply) => {
    reply.resume()
    reply.on('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`${reply.statusCode}`))))
  })
    .on('error', reject)
    .end()
  return promise
}

async function anyApp(): Promise<string> {
  const reply = await fetch(`${address}/v1/competitors?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { items } = (await reply.json()) as { items?: { storeId: string }[] }
  if (!items?.[0]) throw new Error(`no app is found: ${reply.status}`)
  return items[0].storeId
}

async function signIn(): Promise<string> {
  const reply = await fetch(`${address}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-rivalscope-page': '1' },
    body: JSON.stringify({ key }),
  })
  if (!reply.ok) throw new Error(`signing in: ${reply.status}`)
  return reply.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}
