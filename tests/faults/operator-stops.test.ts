import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { benchCharts } from '../../bench/generate.ts'
import { type ImportSummary, runImport } from '../../src/imports/run-import.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { firstKeyOf, runProcess, serve, start } from '../support/command-line.ts'
import { derivedState } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { untilTrue } from '../support/until.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** Places of 600 charts, stored in three transactions. */
const chartRows = [
  ...benchCharts({ charts: 600, days: 1, depth: 100, apps: 2_000, until: '2026-03-01' }),
].flatMap(({ storeIds, ...chart }) =>
  storeIds.map((storeId, place) => ({ ...chart, rank: place + 1, storeId, name: `App ${storeId}` })),
)
const lines = chartRows.map((row) => JSON.stringify(row))
const chartFile = folder.write(
  'places.ndjson',
  `${[...lines.slice(0, 30_000), '{"broken', ...lines.slice(30_000)].join('\n')}\n`,
)

test('told to stop, it answers what is under way and ends with 0, and a command beside it goes on', {
  timeout: 600_000,
}, async () => {
  const dataDir = join(folder.path, 'stopped')
  await using service = await serve(dataDir)
  const key = firstKeyOf(service)
  const write = { path: '/v1/competitors/ios/1/data-requests', body: '{"kinds":["record"]}' }
  const [broken, rejected] = [
    folder.write('broken.json', '{"results":['),
    join(folder.path, 'waiting.rejected'),
  ]
  await using waiting = start([
    'import',
    'catalogue',
    broken,
    '-',
    '--rejected',
    rejected,
    '--data-dir',
    dataDir,
  ])
  await untilTrue(() => existsSync(rejected))
  const calls = await Promise.all([
    underWay(service.address, key, write),
    ...Array.from({ length: 8 }, () => underWay(service.address, key, { path: '/v1/competitors?q=app' })),
  ])

  service.child.kill('SIGTERM')
  await untilTrue(async () => !(await answers(service.address)))
  assert.deepEqual(await Promise.all(calls.map((call) => call.finish())), [201, ...Array(8).fill(200)])
  const { code, err } = await service.ended
  assert.equal(code, 0)
  assert.doesNotMatch(err, /"level"| {4}at /)
  assert.equal(waiting.child.exitCode, null)
  waiting.child.kill('SIGTERM')
  const interrupted = await waiting.ended
  assert.equal(interrupted.code, 1)
  // Where stopping takes long, it says how far it is meanwhile.
  const said = interrupted.err.replaceAll(/^\d+% [\d.]+ MB of [\d.]+ MB .*\n/gm, '')
  assert.equal(said, 'Interrupted. What was stored stays; run the same command again to go on.\n')
})

test('charts whose places were cut apart by a kill are whole when the import is run again', {
  timeout: 600_000,
}, async () => {
  const [rejected, dataDir] = [join(folder.path, 'killed.rejected'), join(folder.path, 'killed')]
  await makeDataDirectory(dataDir)
  const importing = (file: string) => [
    'import',
    'charts',
    file,
    '--data-dir',
    dataDir,
    '--rejected',
    rejected,
    '--json',
  ]
  {
    await using service = await serve(dataDir)
    const key = firstKeyOf(service)
    await using sender = start(importing('-'))
    sender.child.stdin?.write(`${lines.slice(0, 30_000).join('\n')}\n`)
    await untilTrue(() => hasFirstChart(service.address, key))
    sender.child.kill('SIGKILL')
    await sender.ended
  }
  const again = await runProcess(importing(chartFile))
  assert.equal(again.code, 0, again.err)
  const { stored, unchanged, ...completion } = JSON.parse(again.out) as ImportSummary
  assert.ok(stored > 0 && unchanged > 0, 'it was killed in the middle')
  assert.deepEqual([stored + unchanged, completion.rejected], [chartRows.length, 1], again.err)

  const order = { kind: 'charts' as const, paths: [chartFile], directory: folder.path, rejectedFile: rejected }
  await makeDataDirectory(join(folder.path, 'undisturbed'))
  await using undisturbed = await openStore({ dataDir: join(folder.path, 'undisturbed') }, 'test')
  await runImport(undisturbed.db, order, () => {})
  await using completed = await openStore({ dataDir }, 'test')
  assert.deepEqual(await derivedState(completed.db), await derivedState(undisturbed.db))
})

test('an address that cannot be used is refused in one plain line', async () => {
  await makeDataDirectory(join(folder.path, 'address'))
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const address = await runProcess([
    'serve',
    '--port',
    String(port),
    '--data-dir',
    join(folder.path, 'address'),
  ])
  assert.equal(address.code, 1)
  assert.equal(
    address.err,
    `Port ${port} of 127.0.0.1 is taken by another process. End that one, or take another port with --port.\n`,
  )
})

/** Whether the chart that stands first in the file is stored, as it is once the first transaction has ended. */
async function hasFirstChart(address: string, key: string): Promise<boolean> {
  const { country = '', chart = '', categoryId = '' } = chartRows[0] ?? {}
  const query = new URLSearchParams({ country, chart, categoryId })
  const reply = await fetch(`${address}/v1/charts?${query}`, { headers: { authorization: `Bearer ${key}` } })
  await reply.text()
  return reply.ok
}

async function answers(address: string): Promise<boolean> {
  try {
    await (await fetch(`${address}/healthz`, { headers: { connection: 'close' } })).text()
    return true
  } catch {
    return false
  }
}

/** A request whose head the service has read, on a connection of its own; `finish` sends the rest. */
async function underWay(address: string, key: string, { path, body }: { path: string; body?: string }) {
  const call = request(`${address}${path}`, {
    method: body ? 'POST' : 'GET',
    agent: new Agent(),
    headers: {
      authorization: `Bearer ${key}`,
      expect: '100-continue',
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    },
  })
  const status = new Promise<number>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (reply) => reply.resume().on('end', () => resolve(reply.statusCode ?? 0)))
  })
  status.catch(() => {})
  call.flushHeaders()
  await Promise.race([once(call, 'continue'), status])
  return {
    finish(): Promise<number> {
      call.end(body)
      return status
    },
  }
}
