import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ImportSummary } from '../../src/imports/run-import.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { appLines } from '../support/app-lines.ts'
import { serve, start } from '../support/command-line.ts'
import { derivedState, keptEvidence } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { pause } from '../support/pause.ts'
import { untilTrue } from '../support/until.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** Polling for as long as an import takes on a busy machine exceeds the usual limit. */
const withoutLimit = { env: { RIVALSCOPE_RATE_LIMIT: '0' } }

/** So many that reading them takes several batches. */
const manyApps = 2_500
const dated = ['--observed-at', '2026-03-01']

let directories = 0
async function dataDirectory(): Promise<string> {
  const path = join(folder.path, `store-${++directories}`)
  await makeDataDirectory(path)
  return path
}

async function createKey(dataDir: string, name: string): Promise<string> {
  const scopes = ['--scopes', 'context:read,content:write']
  return (await run(['keys', 'create', '--name', name, ...scopes, '--data-dir', dataDir])).out.trim()
}

async function appsStored(address: string, key: string): Promise<number> {
  const reply = await fetch(`${address}/v1/competitors/categories`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const text = await reply.text()
  assert.equal(reply.status, 200, text)
  const { items } = JSON.parse(text) as { items: { apps: number }[] }
  return items[0]?.apps ?? 0
}

test('an import that fails at once does not wait for its standard input to end', {
  timeout: 600_000,
}, async () => {
  const dataDir = await dataDirectory()
  await using waiting = start(['import', 'catalogue', '-', '--map', 'absent.json', '--data-dir', dataDir])
  waiting.child.stdin?.write(appLines(1, 3_000))
  const { code, err } = await waiting.ended
  assert.equal(code, 1)
  assert.match(err, /cannot be read/)
})

test('an import beside a service that is interrupted or killed stops, and what it stored stays whole', async () => {
  const dataDir = await dataDirectory()
  await using service = await serve(dataDir, withoutLimit)
  const key = await createKey(dataDir, 'reader')
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const first = signal === 'SIGINT' ? 100_000 : 200_000
    const before = await appsStored(service.address, key)
    await using sender = start(['import', 'catalogue', '-', ...dated, '--data-dir', dataDir])
    sender.child.stdin?.write(appLines(first, first + 1_500))
    await untilTrue(async () => (await appsStored(service.address, key)) > before)
    sender.child.kill(signal)
    const { code, err } = await sender.ended
    if (signal === 'SIGINT') {
      assert.equal(code, 1, err)
      assert.match(err, /^Interrupted/m)
    }
    const file = folder.write(`whole-${signal}.ndjson`, appLines(first, first + 1_500))
    const completed = await run(['import', 'catalogue', file, ...dated, '--data-dir', dataDir])
    const [, stored, unchanged] = /stored (\d+), unchanged (\d+), rejected 0/.exec(completed.out) ?? []
    assert.equal(Number(stored) + Number(unchanged), 1_500, completed.out + completed.err)
    assert.ok(Number(unchanged) > 0, 'what was acknowledged as stored is there')
    assert.equal(await appsStored(service.address, key), before + 1_500)
  }
})

test('a service that is killed does not stop an import beside it; both killed, nothing acknowledged is lost, and the import completes', async () => {
  const dataDir = await dataDirectory()
  const flags = [...dated, '--data-dir', dataDir]
  const keys: string[] = []
  let seen = 0
  {
    await using service = await serve(dataDir, withoutLimit)
    keys.push(await createKey(dataDir, 'before'))
    await using sender = start(['import', 'catalogue', '-', ...flags])
    sender.child.stdin?.write(appLines(1, manyApps - 500))
    await untilTrue(async () => (await appsStored(service.address, keys[0] ?? '')) > 0)
    keys.push(await createKey(dataDir, 'during'))
    seen = await appsStored(service.address, keys[0] ?? '')
    service.child.kill('SIGKILL')
    await service.ended
    assert.equal(sender.child.exitCode, null)
    sender.child.kill('SIGKILL')
    await sender.ended
  }
  await using service = await serve(dataDir, withoutLimit)
  for (const key of keys) assert.ok((await appsStored(service.address, key)) >= seen)
  const file = folder.write('killed.ndjson', appLines(1, 1 + manyApps))
  const { out, err } = await run(['import', 'catalogue', file, ...flags, '--json'])
  const summary = JSON.parse(out || '{}') as ImportSummary
  assert.deepEqual([summary.read, summary.rejected], [manyApps, 0], err)
  assert.ok(summary.unchanged >= seen && summary.stored > 0, 'it was cut off in the middle')
  assert.equal(await appsStored(service.address, keys[0] ?? ''), manyApps)
  service.child.kill('SIGTERM')
  assert.equal((await service.ended).code, 0)
  await assertSameAsUninterrupted(dataDir, file)
})

test('an import that is killed and run again ends as one that was never interrupted', async () => {
  const dataDir = await dataDirectory()
  const file = folder.write('alone.ndjson', appLines(1, 1 + manyApps))
  const flags = [...dated, '--data-dir', dataDir]
  let readings = 0
  for (let wait = 500; readings === 0; wait *= 2) {
    await using sender = start(['import', 'catalogue', '-', ...flags])
    await new Promise((resolve) => sender.child.stdin?.write(appLines(1, manyApps - 500), resolve))
    await pause(wait, 'it is killed at some moment of its work')
    sender.child.kill('SIGKILL')
    await sender.ended
    await using store = await openStore({ dataDir }, 'test')
    readings = (await keptEvidence(store.db)).readings
  }
  const { out, err } = await run(['import', 'catalogue', file, ...flags, '--json'])
  const summary = JSON.parse(out || '{}') as ImportSummary
  assert.equal(summary.read, manyApps, err)
  assert.ok(summary.unchanged > 0 && summary.stored > 0, 'it was cut off in the middle')
  await assertSameAsUninterrupted(dataDir, file)
})

/** Compares a store with one that the file was imported into in one go. */
let uninterrupted: Promise<Record<string, unknown[]>> | undefined
async function assertSameAsUninterrupted(dataDir: string, file: string): Promise<void> {
  uninterrupted ??= importedInOneGo(file)
  await using store = await openStore({ dataDir }, 'test')
  assert.deepEqual(await derivedState(store.db), await uninterrupted)
}

async function importedInOneGo(file: string): Promise<Record<string, unknown[]>> {
  const dataDir = await dataDirectory()
  assert.equal((await run(['import', 'catalogue', file, ...dated, '--data-dir', dataDir])).code, 0)
  await using store = await openStore({ dataDir }, 'test')
  return await derivedState(store.db)
}
