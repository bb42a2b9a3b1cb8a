import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { z } from 'zod'
import { loadCommand, summaries } from '../src/commands.ts'
import { command } from '../src/operator/command.ts'
import { given } from '../src/operator/field-help.ts'
import { openFolder } from './support/files.ts'
import { run } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import type { CommandCall } from './support/operator.ts'
import { callOf } from './support/operator-words.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const folder = parts.use(openFolder())
let installation: Installation
before(async () => {
  installation = parts.use(await openInstallation())
})

/** One plain sentence or two, and nothing of where in the program it happened. */
function assertPlain(err: string): void {
  assert.doesNotMatch(err, /^\s+at |node:internal|\.ts:\d+|Error:/m, err)
  assert.ok(err.trim().split('\n').length <= 3, err)
}

describe('What goes wrong is told in a sentence that says what to do', () => {
  test('a database that is not there, not known, or not let in to', async () => {
    const url = new URL(installation.databaseUrl)
    const other = (change: (url: URL) => void) => {
      const changed = new URL(url)
      change(changed)
      return changed.href
    }
    const cases: [string, number, RegExp][] = [
      ['postgres://user:secret@127.0.0.1:1/x', 1, /cannot be reached.*127\.0\.0\.1:1.*--database-url/],
      [other((to) => (to.pathname = '/no_such_database')), 1, /no_such_database.*--database-url/],
      [other((to) => (to.username = 'nobody_of_that_name')), 1, /nobody_of_that_name.*--database-url/],
      ['nonsense', 2, /--database-url.*postgres:\/\//],
      ['http://127.0.0.1:1/x', 2, /--database-url.*postgres:\/\//],
    ]
    for (const [address, code, pattern] of cases) {
      const said = await run(['migrate', '--database-url', address])
      assert.equal(said.code, code, said.err)
      assert.match(said.err, pattern)
      assert.doesNotMatch(said.err, /secret/)
      assertPlain(said.err)
    }
  })

  test('a port that is taken, an address that is none of ours', async () => {
    const taken = createServer()
    await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', ready))
    const { port } = taken.address() as AddressInfo
    const serve = ['serve', '--database-url', installation.databaseUrl, '--data-dir', folder.path, '--port']
    const busy = await run([...serve, String(port)])
    assert.equal(busy.code, 1)
    assert.match(busy.err, new RegExp(`${port}.*taken.*--port`))
    taken.close()
    const strange = await run([...serve, '0', '--host', '203.0.113.7'])
    assert.equal(strange.code, 1)
    assert.match(strange.err, /203\.0\.113\.7.*--host/)
    for (const { err } of [busy, strange]) assertPlain(err.replace(/^First start[\s\S]*?rsk_\S+\s+/, ''))
  })

  test('a data directory that cannot be one', async () => {
    const file = join(folder.path, 'a-file')
    writeFileSync(file, '')
    for (const dataDir of [file, join(file, 'below'), '/proc/rivalscope']) {
      const said = await run(['migrate', '--data-dir', dataDir])
      assert.equal(said.code, 1, said.err)
      assert.match(said.err, /data directory .*cannot be used/)
      assertPlain(said.err)
    }
  })

  test('files that are not there, or cannot be written', async () => {
    const said = await run(['export', 'organic', ...installation.location, '--out', '/nonexistent/posts.csv'])
    assert.equal(said.code, 1)
    assertPlain(said.err)
    const config = join(folder.path, 'no-such.yaml')
    const unread = await run(['serve', '--config', config, ...installation.location])
    assert.equal(unread.code, 2)
    assert.match(unread.err, /no-such\.yaml/)
    assertPlain(unread.err)
  })
})

test('a demo whose port is taken says so before it makes anything', async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const dataDir = join(folder.path, 'demo')
  const { code, err } = await run(['demo', '--data-dir', dataDir, '--port', String(port)])
  taken.close()
  assert.equal(code, 1)
  assert.match(err, new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is taken by another process.*--port\\.$`, 'm'))
  assertPlain(err)
  assert.ok(!existsSync(join(dataDir, 'postgresql')))
})

test('what only looks at a store, or changes what is in it, makes none where there is none', async () => {
  const rows = await Promise.all(
    Object.keys(summaries).map(async (name) => ({ name, row: await loadCommand(name) })),
  )
  const making = rows.filter(({ row }) => row.makesStore).map(({ name }) => name)
  assert.deepEqual(
    making.filter((name) => !/^(collect|import) /.test(name)),
    ['keys create'],
  )
  assert.ok(!making.includes('import saved'))
  for (const [index, { name, row }] of rows.entries()) {
    if (row.makesStore) continue
    const command = callOf(name, row, new Set())
    const dataDir = join(folder.path, `none-${index}`)
    const said = await run([...command, '--data-dir', dataDir])
    assert.equal(said.code, 1, `${command}: ${said.err}`)
    assert.match(said.err, /There is no store in .*--data-dir/)
    assertPlain(said.err)
    assert.ok(!existsSync(dataDir))
  }
  const empty = new URL(installation.databaseUrl)
  empty.pathname = '/postgres'
  const said = await run(['export', 'saved', '--database-url', empty.href])
  assert.equal(said.code, 1)
  assert.match(said.err, /no store in the database/)
})

test('a row of an operator command that leaves something out does not compile, nor a call with the input of another', () => {
  const room = given('<room>', 'which one', z.string())
  const whole = { input: { room }, perform: async () => 0 as const }
  assert.deepEqual(Object.keys(command(whole).fields), ['room'])
  const { input: _input, ...inputless } = whole
  // @ts-expect-error what it takes is not said
  assert.throws(() => command(inputless))
  const { perform: _perform, ...idle } = whole
  // @ts-expect-error nothing performs it
  assert.ok(command(idle))
  // @ts-expect-error there is no such field to give by its place
  assert.ok(command({ ...whole, places: ['floor'] }))
  // @ts-expect-error a room has no size
  assert.ok(command({ input: { room }, perform: async (_, { size }) => size }))
  assert.throws(() => command({ ...whole, input: { room: z.string() } }), /nobody has said how room is given/)
  // @ts-expect-error a key is named by its key
  const call: CommandCall = { command: 'keys revoke', options: { id: 'x' } }
  assert.ok(call)
})

describe('A country that has no App Store', () => {
  test('is answered with the one that is meant', async () => {
    const cases: [string, string][] = [
      ['uk', 'gb'],
      ['United Kingdom', 'gb'],
      ['usa', 'us'],
      ['germany', 'de'],
      ['ja', 'jp'],
    ]
    for (const [given, meant] of cases) {
      const commands = [
        ['collect', 'apps', '1', '--country', given, '--data-dir', join(folder.path, 'unused')],
        ['search-competitors', '--country', given, '--server', 'http://127.0.0.1:1', '--key', 'k'],
      ]
      for (const command of commands) {
        const said = await run(command)
        assert.equal(said.code, 2)
        assert.match(said.err, new RegExp(`"${given}" is .*did you mean "${meant}"\\?`, 'i'), said.err)
      }
    }
  })

  test('in a configuration, too', async () => {
    const config = installation.configure({ schedule: { charts: [{ countries: ['uk'] }] } }, 'uk.json')
    const said = await run(['work', ...installation.location, '--config', config])
    assert.equal(said.code, 2)
    assert.match(said.err, /"uk".*did you mean "gb"\?/)
  })
})
