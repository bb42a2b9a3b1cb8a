import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { begin, run } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'

let installation: Installation
before(async () => {
  installation = await openInstallation()
})
after(() => installation[Symbol.asyncDispose]())

test('a store is distributed where there is a cluster, and refused by name elsewhere', async () => {
  const migrate = (...words: string[]) => run(['migrate', ...words])
  const plain = await migrate(...installation.location, '--cluster')
  assert.equal(plain.code, 1)
  assert.match(plain.err, /This PostgreSQL has no Citus|The database is no cluster yet/)
  const embedded = await migrate('--data-dir', installation.folder, '--cluster')
  assert.equal(embedded.code, 2)
  assert.match(embedded.err, /the embedded store is one PostgreSQL: --cluster needs --database-url/)
  const alone = await migrate(...installation.location, '--shards', '8')
  assert.equal(alone.code, 2)
  assert.match(alone.err, /--shards belongs to --cluster/)
  for (const shards of ['0', 'many', '1.5']) {
    const refused = await migrate(...installation.location, '--cluster', '--shards', shards)
    assert.equal(refused.code, 2, shards)
    assert.match(refused.err, /--shards/)
  }
})

test('servers named as replicas that are none or away fail no request: the primary answers', async () => {
  const primary = installation.databaseUrl
  const away = 'postgres://nobody@127.0.0.1:9/away'
  const { out: key } = await run([
    'keys',
    'create',
    '--name',
    'k',
    '--scopes',
    'context:read',
    ...installation.location,
  ])
  const asked = [
    '--replica-url',
    primary,
    '--replica-url',
    away,
    '--port',
    '0',
    '--work',
    'off',
    '--log-level',
    'silent',
  ]
  await using service = begin(['serve', ...installation.location, ...asked])
  const [, address = ''] = await service.says(/^ready (http\S+)$/m)
  const reply = await fetch(`${address}/v1/competitors/categories`, {
    headers: { authorization: `Bearer ${key.trim()}` },
  })
  assert.equal(reply.status, 200)
  assert.equal((await fetch(`${address}/readyz`)).status, 200)
  const measured = await (await fetch(`${address}/metrics`)).text()
  assert.match(measured, /^rivalscope_reads_total\{from="primary"\} 1$/m)
  assert.doesNotMatch(measured, /^rivalscope_replica_connected\{.*\} 1$/m)
})
