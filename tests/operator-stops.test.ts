import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { benchCharts } from '../bench/generate.ts'
import { type ImportSummary, runImport } from '../src/imports/run-import.ts'
import { openStore } from '../src/storage/store.ts'
import { run, serve, start } from './support/command-line.ts'
import { derivedState } from './support/derived-state.ts'
import { openFolder } from './support/files.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** Places of 180 charts, stored in three transactions; the broken row is read once the first of them has ended. */
const chartRows = [
  ...benchCharts({ charts: 180, days: 1, depth: 100, apps: 2_000, until: '2026-03-01' }),
].flatMap(({ storeIds, ...chart }) =>
  storeIds.map((storeId, place) => ({ ...chart, rank: place + 1, storeId, name: `App ${storeId}` })),
)
const lines = chartRows.map((row) => JSON.stringify(row))
const chartFile = folder.write(
  'places.ndjson',
  `${[...lines.slice(0, 16_000), '{"broken', ...lines.slice(16_000)].join('\n')}\n`,
)

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

test('told to stop, it answers what is under way, ends an import that waits for more, and ends with 0', {
  timeout: 240_000,
}, async () => {
  const dataDir = join(folder.path, 'stopped')
  await using service = await serve(dataDir)
  const key = /rsk_[\w-]+/.exec(service.said.err)?.[0] ?? ''
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
  await until(() => existsSync(rejected))
  const calls = await Promise.all([
    underWay(service.address, key, write),
    ...Array.from({ length: 8 }, () => underWay(service.address, key, { path: '/v1/competitors?q=app' })),
  ])

  service.child.kill('SIGTERM')
  await until(async () => !(await answers(service.address)))
  assert.deepEqual(await Promise.all(calls.map((call) => call.finish())), [201, ...Array(8).fill(200)])
  const { code, err } = await service.ended
  assert.equal(code, 0)
  assert.doesNotMatch(err, /"level"| {4}at /)
  const interrupted = await waiting.ended
  assert.equal(interrupted.code, 1)
  assert.equal(interrupted.err, 'Interrupted. What was stored stays; run the same command again to go on.\n')
})

test('charts whose places were cut apart by a kill are whole when the import is run again', {
  timeout: 240_000,
}, async () => {
  const rejected = join(folder.path, 'killed.rejected')
  const killedAfter = async (waitMs: number) => {
    const dataDir = join(folder.path, `killed-${waitMs}`)
    const importing = ['import', 'charts', chartFile, '--data-dir', dataDir, '--rejected', rejected, '--json']
    rmSync(rejected, { force: true })
    {
      await using service = await serve(dataDir)
      const sender = start(importing)
      await until(() => existsSync(rejected))
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      service.child.kill('SIGKILL')
      const { code, err } = await sender.ended
      assert.equal(code, 1)
      assert.match(err, /^The serving process went away before the command ended\. Run it again to go on\.$/m)
    }
    const again = await run(importing)
    return { dataDir, err: again.err, ...(JSON.parse(again.out || '{}') as ImportSummary) }
  }
  // The bad row is told before the first batch is stored: on a slow machine the kill comes too early, and later ones are tried.
  let killed = await killedAfter(0)
  for (let waitMs = 150; killed.unchanged === 0 && waitMs <= 600; waitMs += 150)
    killed = await killedAfter(waitMs)
  const { dataDir, stored, unchanged } = killed
  assert.ok(stored > 0 && unchanged > 0, 'it was killed in the middle')
  assert.deepEqual([stored + unchanged, killed.rejected], [chartRows.length, 1], killed.err)

  const order = { kind: 'charts' as const, paths: [chartFile], directory: folder.path, rejectedFile: rejected }
  await using undisturbed = await openStore({ dataDir: join(folder.path, 'undisturbed') }, 'test')
  await runImport(undisturbed.db, order, () => {})
  await using completed = await openStore({ dataDir }, 'test')
  assert.deepEqual(await derivedState(completed.db), await derivedState(undisturbed.db))
})

test('a directory or an address that cannot be used is refused in one plain line', async () => {
  folder.write('file', '')
  const long = 'd'.repeat(150)
  await using taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const [tooLong, file, address] = await Promise.all([
    run(['keys', 'list', '--data-dir', long], { cwd: folder.path }),
    run(['keys', 'list', '--data-dir', 'file'], { cwd: folder.path }),
    run(['serve', '--port', String(port), '--data-dir', join(folder.path, 'address')]),
  ])
  assert.deepEqual([tooLong.code, file.code, address.code], [1, 1, 1])
  assert.match(tooLong.err, /^The path of the data directory d+ is too long: .+\n$/)
  assert.match(file.err, /^The data directory file cannot be used: .+\n$/)
  assert.match(address.err, new RegExp(`^listen EADDRINUSE: .*:${port}\n$`))
  assert.ok(!existsSync(join(folder.path, long)), 'nothing is left behind')
})

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
