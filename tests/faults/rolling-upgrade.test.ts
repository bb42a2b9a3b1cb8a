import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appliedMigrations } from '../../src/storage/migrate.ts'
import { openPostgres } from '../../src/storage/open-store.ts'
import { openTestServer } from '../../src/storage/testing.ts'
import { appLines } from '../support/app-lines.ts'
import { type Running, runProcess, start } from '../support/command-line.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { openFolder } from '../support/files.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'
import { newestMigration, noVersionBefore, openVersionBefore } from '../support/version-before.ts'

/** A balancer, asked without a pause: each request goes to the next of the services that it knows. */
class Asked implements AsyncDisposable {
  readonly services: string[] = []
  /** Answers by service, and what was no answer that belongs there. */
  readonly answered = new Map<string, number>()
  readonly failed: string[] = []
  readonly #key: string
  readonly #stopped = new AbortController()
  readonly #asking: Promise<void>[]

  constructor(key: string, first: string) {
    this.#key = key
    this.services.push(first)
    this.#asking = [1, 2, 3].map((nth) => this.#ask(nth))
  }

  async #ask(nth: number): Promise<void> {
    for (let turn = nth; !this.#stopped.signal.aborted; turn++) {
      const service = this.services[turn % this.services.length] ?? ''
      const app = 1 + (turn % 400)
      const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' }
      const sent =
        turn % 5 === 0
          ? { path: '/v1/aso/apps', method: 'POST', body: JSON.stringify({ app: `${app}`, role: 'rival' }) }
          : { path: `/v1/competitors/ios/${app}`, method: 'GET' }
      try {
        const reply = await fetch(`${service}${sent.path}`, { ...sent, headers })
        const body = await reply.text()
        if (reply.ok) this.answered.set(service, (this.answered.get(service) ?? 0) + 1)
        else this.failed.push(`${sent.method} ${sent.path}: ${reply.status} ${body}`)
      } catch (error) {
        this.failed.push(`${sent.method} ${sent.path} of ${service}: ${error}`)
      }
      await pause(5, 'leaves the machine to the services')
    }
  }

  /** Waits until a service has answered some more requests. */
  async goesOn(service: string): Promise<void> {
    const before = this.answered.get(service) ?? 0
    await until(
      async () => this.answered.get(service) ?? 0,
      (now) => now > before + 30,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await Promise.all(this.#asking)
  }
}

async function serving(words: string[], version?: string): Promise<Running & { address: string }> {
  const command = start(
    ['serve', '--work', 'off', '--port', '0', '--rate-limit', '0', '--log-level', 'warn', ...words],
    {
      ...(version && { version }),
    },
  )
  const [, address = ''] = await command.says(/^ready (http\S+)$/m)
  return { ...command, address }
}

async function lastMigration(url: string): Promise<string | undefined> {
  await using store = openPostgres(url)
  return (await appliedMigrations(store.db)).at(-1)
}

async function stops(command: Running): Promise<void> {
  command.child.kill('SIGTERM')
  const { code, err } = await command.ended
  assert.equal(code, 0, err)
}

test('an upgrade in the order of docs/operations.md fails no request, and is rolled back as it says', {
  skip: noVersionBefore,
  timeout: 600_000,
}, async () => {
  using old = openVersionBefore()
  const version = old.path
  const before = { version }
  await using server = await openTestServer()
  await using upgraded = await emptyDatabase(server.url)
  await using restored = await emptyDatabase(server.url)
  using folder = openFolder()
  const locationOf = ({ url }: { url: string }) => ['--database-url', url, '--data-dir', folder.path]
  const location = locationOf(upgraded)
  const succeeds = async (words: string[], options = {}) => {
    const { code, out, err } = await runProcess(words, options)
    assert.equal(code, 0, err)
    return out.trim()
  }
  const backups = `${folder.path}/backups`

  const scopes = ['--scopes', 'context:read,content:write']
  const key = await succeeds(['keys', 'create', '--name', 'a', ...scopes, ...location], before)
  const file = folder.write('apps.ndjson', appLines(1, 401))
  await succeeds(['import', 'catalogue', file, '--observed-at', '2026-03-01', ...location], before)
  await using oldServe = await serving(location, version)
  await using oldWork = start(['work', ...location], before)
  await oldWork.says(/^working$/m)
  await using asked = new Asked(key, oldServe.address)
  await asked.goesOn(oldServe.address)

  await succeeds(['backup', '--to', backups, ...location], before)
  assert.notEqual(await lastMigration(upgraded.url), newestMigration)
  await succeeds(['migrate', ...location])
  assert.equal(await lastMigration(upgraded.url), newestMigration)
  await asked.goesOn(oldServe.address)
  await using work = start(['work', ...location])
  await work.says(/^working$/m)
  await stops(oldWork)
  await using serve = await serving(location)
  asked.services.push(serve.address)
  await asked.goesOn(oldServe.address)
  await asked.goesOn(serve.address)
  asked.services.shift()
  await pause(100, 'what was asked of the old one is answered')
  await stops(oldServe)
  await asked.goesOn(serve.address)
  await asked[Symbol.asyncDispose]()
  assert.deepEqual(asked.failed.slice(0, 5), [])

  await stops(serve)
  await stops(work)
  const refused = await runProcess(['serve', '--port', '0', ...location], before)
  assert.equal(refused.code, 1)
  assert.match(refused.err, new RegExp(`newer version of Rivalscope \\(it has .*${newestMigration}`))
  await succeeds(['restore', '--from', backups, ...locationOf(restored)], before)
  await using back = await serving(locationOf(restored), version)
  const reply = await fetch(`${back.address}/v1/competitors/ios/400`, {
    headers: { authorization: `Bearer ${key}` },
  })
  assert.equal(reply.status, 200)
  assert.equal(((await reply.json()) as { name: string }).name, 'App number 400')
  await stops(back)
})
