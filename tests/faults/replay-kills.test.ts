import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { rebuildSchema, replacedSchema } from '../../src/projections/rebuild-tables.ts'
import { rows } from '../../src/storage/database.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { appLines } from '../support/app-lines.ts'
import { serve, start } from '../support/command-line.ts'
import { derivedState, leftovers } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { pause } from '../support/pause.ts'
import { untilTrue } from '../support/until.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

test('a replay that is killed at any moment leaves what was served, and the next one makes all anew and tidies up', {
  timeout: 600_000,
}, async () => {
  const dataDir = join(folder.path, 'store')
  await makeDataDirectory(dataDir)
  const located = ['--data-dir', dataDir]
  for (let part = 0; part < 6; part++) {
    const file = folder.write(`apps-${part}.ndjson`, appLines(1 + part * 400, 401 + part * 400))
    const imported = await run(['import', 'catalogue', file, '--observed-at', '2026-03-01', ...located])
    assert.equal(imported.code, 0, imported.err)
  }
  await using service = await serve(dataDir)
  await using store = await openStore({ dataDir }, 'test')
  const before = await derivedState(store.db)
  assert.ok((before.app_records?.length ?? 0) > 2_000)
  const isThere = (schema: string) => async () => (await leftovers(store.db)).includes(schema)
  const hasBegun = isThere(rebuildSchema)
  const hasRead = async () => {
    if (!(await hasBegun())) return false
    const [found] = await rows(
      store.db,
      sql<{ position: string | null }>`select position from ${sql.table(`${rebuildSchema}.replay`)}`,
    ).catch(() => [])
    return Boolean(found?.position)
  }
  const moments: [condition: () => Promise<boolean>, laterMs: number][] = [
    [hasBegun, 0],
    [hasBegun, 100],
    [hasRead, 0],
    [hasRead, 150],
    [hasRead, 300],
    [isThere(replacedSchema), 0],
    [hasRead, 0],
  ]
  const signals: (string | null)[] = []
  for (const [condition, laterMs] of moments) {
    // What the one before left is not to be taken for what this one makes.
    for (const schema of [rebuildSchema, replacedSchema])
      await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(store.db)
    await using replaying = start(['replay', 'catalogue', ...located])
    await untilTrue(async () => replaying.child.exitCode !== null || (await condition()))
    await pause(laterMs, 'it is killed at some moment of its work')
    replaying.child.kill('SIGKILL')
    signals.push((await replaying.ended).signal)
    assert.deepEqual(await derivedState(store.db), before, `killed at moment ${signals.length}`)
    const asked = await fetch(`${service.address}/health`).catch(() => undefined)
    assert.ok(asked !== undefined && asked.status < 500)
  }
  assert.ok(signals.filter((signal) => signal === 'SIGKILL').length >= 4, String(signals))
  assert.deepEqual(await leftovers(store.db), [rebuildSchema])
  const again = await run(['replay', 'catalogue', '--json', ...located])
  assert.equal(again.code, 0, again.err)
  assert.deepEqual(await derivedState(store.db), before)
  assert.deepEqual(await leftovers(store.db), [])
})
