import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { playedSources, startApple } from '../support/apple.ts'
import { type Running, start } from '../support/command-line.ts'
import { run } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'

/** What an operator reads of jobs in the log of a service, at the level it has when nothing is said. */

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
let service: Running
let post: (path: string, body: object) => Promise<void>
before(async () => {
  const installation = parts.use(await openInstallation())
  const apple = parts.use(await startApple())
  apple.behave('/us/rss/', { does: 'status', status: 500 })
  const chart = { charts: ['top-free'], devices: ['iphone'], categories: [36], everyHours: 24 }
  const config = installation.configure({
    sources: playedSources(apple, { attempts: 1 }),
    schedule: { charts: [{ countries: ['us', 'jp'], ...chart }] },
    watches: { allowPrivateAddresses: true },
  })
  const account = async (...words: string[]) => {
    const { code, out, err } = await run([...words, ...installation.location])
    assert.equal(code, 0, err)
    return out.trim()
  }
  const key = await account('keys', 'create', '--name', 'n', '--scopes', 'context:read,content:write')
  const imported = async (rank: number) => {
    const places = Array.from(
      { length: 50 },
      (_, at) => `${at + 1},${at + 1 === rank ? 71 : 900_000 + at},An app`,
    )
    writeFileSync(`${installation.folder}/${rank}.csv`, ['rank,id,name', ...places, ''].join('\n'))
    const of = ['--country', 'de', '--chart', 'top-free', '--category', '36', '--observed-at']
    await account('import', 'charts', `${installation.folder}/${rank}.csv`, ...of, new Date().toISOString())
  }
  const receiver = createServer((_request, reply) => reply.writeHead(500).end())
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  parts.defer(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  await imported(40)
  await account('watches', 'add', 'top', '--app', '71', '--country', 'de', '--places', '10')
  await account('channels', 'add', 'webhook', `http://127.0.0.1:${port}/secret-path`, '--config', config)
  await imported(5)
  service = parts.use(start(['serve', ...installation.location, '--config', config, '--port', '0']))
  const [, address = ''] = await service.says(/^ready (\S+)/m)
  post = async (path, body) => {
    const reply = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    assert.equal(reply.status, 202, await reply.text())
  }
})

type Line = Record<string, unknown>

/** Waits for a line of a job that says all of this. */
async function told(expected: Line): Promise<Line> {
  const lines = () =>
    service.said.err
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line): Line => JSON.parse(line))
  const fits = (line: Line) => Object.entries(expected).every(([name, value]) => line[name] === value)
  const found = await until(
    async () => lines().find(fits),
    (line) => line !== undefined,
  )
  assert.ok(found && Number.isInteger(found.ms), JSON.stringify(found))
  return found
}

test('what was collected is told with how it ended, and what failed with the reason', async () => {
  await told({ level: 30, msg: 'a job ended', task: 'collect-chart', country: 'jp', outcome: 'stored' })
  const failed = await told({ level: 40, msg: 'a job failed', task: 'collect-chart', country: 'us' })
  assert.match(String(failed.reason), /500/)
})

test('an import is told with its counts, and work that failed for good with its code', async () => {
  const records = [
    { id: '900000000000000077', page_id: '12', page_name: 'A', ad_creative_bodies: ['x'] },
    { id: 'none', page_id: '12' },
  ]
  await post('/v1/admin/paid-ads/imports', { platform: 'meta', records })
  const ended = await told({ level: 30, task: 'ad-import', outcome: 'succeeded' })
  assert.deepEqual([ended.read, ended.stored, ended.rejected, ended.attempts], [2, 1, 1, 1])
  await post('/v1/competitors/intake/requested', { app: '9999999999', country: 'us' })
  const failed = await told({ level: 40, msg: 'a job failed', task: 'intake', code: 'not-found-in-store' })
  assert.equal(failed.subject, '9999999999 us')
})

test('what is to be told to an account is told with its count, and a message that could not be delivered with the reason alone', async () => {
  await told({ level: 30, task: 'evaluate-watches', outcome: 'done', events: 1 })
  const failed = await told({ level: 40, task: 'tell-events', outcome: 'failed', events: 1 })
  assert.match(String(failed.reason), /answered 500/)
  assert.doesNotMatch(service.said.err, /secret-path|rsk_/)
})
