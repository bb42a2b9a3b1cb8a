import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { appLines } from '../support/app-lines.ts'
import { start } from '../support/command-line.ts'
import { openFolder } from '../support/files.ts'
import { type Installation, openInstallation } from '../support/installation.ts'
import { pause } from '../support/pause.ts'
import { pausingLineTo } from '../support/pausing-line.ts'

/**
 * A machine with more to do than it has cores, or one that sleeps, lets a process wait for half a minute wherever it is. Here it is
 * stopped for that long, at moments spread over what the command takes when nothing stops it.
 */
const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const folder = parts.use(openFolder())
const apps = folder.write('apps.ndjson', appLines(1, 801))
const importing = ({ location }: Installation, rejected: string) => [
  ...['import', 'catalogue', apps, '--observed-at', '2026-03-01', '--json'],
  ...['--rejected', join(folder.path, rejected), ...location],
]

/** Runs a command that is stopped once, so many milliseconds after its start. */
async function stoppedAfter(milliseconds: number, args: readonly string[]) {
  await using command = start(args)
  await pause(milliseconds, 'the stop comes at any moment')
  command.child.kill('SIGSTOP')
  await pause(30_000, 'longer than a session may usually wait inside a transaction')
  command.child.kill('SIGCONT')
  return await command.ended
}

/** So many moments of a command, evenly spread. */
async function momentsOf(count: number, args: readonly string[]): Promise<number[]> {
  const begun = performance.now()
  const { code, err } = await start(args).ended
  assert.equal(code, 0, err)
  const whole = performance.now() - begun
  return Array.from({ length: count }, (_, at) => (whole * (at + 0.5)) / count)
}

/** One of its own: a replay and a backup that are stopped would wait for each other. */
async function openFilled(): Promise<Installation> {
  const filled = await openInstallation()
  assert.equal((await start(importing(filled, `rejected-first-${randomUUID()}`)).ended).code, 0)
  return filled
}

describe('What is stopped for half a minute at any moment goes on as if nothing had been', {
  timeout: 900_000,
  concurrency: true,
}, () => {
  test('an import', async () => {
    await using undisturbed = await openInstallation()
    const moments = await momentsOf(5, importing(undisturbed, 'rejected-undisturbed'))
    await Promise.all(
      moments.map(async (moment, round) => {
        await using installation = await openInstallation()
        const { code, out, err } = await stoppedAfter(moment, importing(installation, `rejected-${round}`))
        assert.equal(code, 0, `after ${moment} ms: ${err}`)
        const { read, stored, rejected } = JSON.parse(out)
        assert.deepEqual({ read, stored, rejected }, { read: 800, stored: 800, rejected: 0 })
      }),
    )
  })

  test('a replay', async () => {
    await using filled = await openFilled()
    const replaying = ['replay', ...filled.location]
    for (const moment of await momentsOf(3, replaying)) {
      const { code, err } = await stoppedAfter(moment, replaying)
      assert.equal(code, 0, `after ${moment} ms: ${err}`)
    }
  })

  test('a backup', async () => {
    await using filled = await openFilled()
    const backup = (to: string) => ['backup', '--to', join(folder.path, to), ...filled.location]
    for (const [round, moment] of (await momentsOf(3, backup('first'))).entries()) {
      const { code, err } = await stoppedAfter(moment, backup(`round-${round}`))
      assert.equal(code, 0, `after ${moment} ms: ${err}`)
    }
  })
})

test('what gives way to others may wait between any two statements of a transaction, also after BEGIN', async () => {
  await using installation = await openInstallation()
  await using line = await pausingLineTo(installation.databaseUrl)
  const location = ['--database-url', line.url, '--data-dir', installation.folder]
  for (const args of [
    importing({ ...installation, location }, `rejected-${randomUUID()}`),
    ['replay', ...location],
    ['backup', '--to', join(folder.path, 'paused'), ...location],
  ]) {
    const { code, err } = await start(args).ended
    assert.equal(code, 0, `${args[0]}: ${err}`)
  }
})
