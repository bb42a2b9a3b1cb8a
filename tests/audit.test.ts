import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { loadCommand, summaries } from '../src/commands.ts'
import { run } from './support/in-process.ts'
import { openInstallation } from './support/installation.ts'
import { connectMcp } from './support/mcp.ts'
import { operate } from './support/operator.ts'
import { WebBrowser } from './support/web-browser.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
const world = parts.use(await openWorld())
after(() => parts.disposeAsync())

const audited = async (options: { account?: string; from?: string; to?: string } = {}) => {
  const { out } = await operate(world, { command: 'audit', options: { ...options, json: true } })
  return out
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test('every write of an account is told with who wrote it through which door, and what reads is not', async () => {
  const key = await world.key(undefined, 'writers')
  const track = { app: '9000000001', country: 'us' }
  await world.call('request_ios_competitor', track, { key })
  await world.call('request_ios_competitor', track, { key, headers: { 'idempotency-key': 'again' } })
  await world.call('search_competitors', {}, { key })
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await using mcp = await connectMcp(address, key)
  await mcp.client.callTool({ name: 'request_ios_competitor', arguments: track })
  const events = await audited({ account: 'writers' })
  assert.deepEqual(
    events.map(({ door, operation, outcome, account }) => [door, operation, outcome, account]),
    ['http', 'http', 'mcp'].map((door) => [door, 'request_ios_competitor', 'accepted', 'writers']),
  )
  assert.match(events[0].actor, /^key:[0-9a-f-]{36}$/)
  assert.deepEqual(events[0].subject, { app: '9000000001', country: 'us' })
})

test('a write that answers what it wrote is told like one that answers where it stands', async () => {
  const key = await world.key(undefined, 'followers')
  const { body: app } = await world.call(
    'track_aso_app',
    { app: '9000000001', country: 'us', role: 'rival' },
    { key },
  )
  const { appId } = app
  await world.call('update_aso_app_role', { appId, role: 'own' }, { key })
  await world.call('add_aso_keywords', { appId, terms: ['chess'] }, { key })
  const events = await audited({ account: 'followers' })
  assert.deepEqual(
    events.map(({ operation, outcome }) => [operation, outcome]),
    [
      ['track_aso_app', 'created'],
      ['update_aso_app_role', 'done'],
      ['add_aso_keywords', 'done'],
    ],
  )
})

test('a write that fails leaves no event, and one that cannot be recorded is not made', async () => {
  const key = await world.key(undefined, 'failing')
  const refused = await world.call('request_ios_competitor', { app: 'x'.repeat(300), country: 'us' }, { key })
  assert.equal(refused.status, 400)
  const { db } = world.store
  await sql`alter table audit_events add constraint full_disk check (operation <> 'request_ios_competitor') not valid`.execute(
    db,
  )
  const unrecorded = await world.call('request_ios_competitor', { app: '9000000007', country: 'us' }, { key })
  await sql`alter table audit_events drop constraint full_disk`.execute(db)
  assert.equal(unrecorded.status, 500)
  assert.deepEqual(await audited({ account: 'failing' }), [])
  const { rows } = await sql`select from work where subject like '%9000000007%'`.execute(db)
  assert.equal(rows.length, 0)
})

test('who signs in to the pages and out of them is told, and a failed attempt is not a write', async () => {
  const key = await world.key(undefined, 'people')
  const [laptop, phone] = [new WebBrowser(world), new WebBrowser(world)]
  assert.equal((await laptop.signIn(key)).status, 200)
  assert.equal((await laptop.signIn(`${key}x`)).status, 401)
  assert.equal((await laptop.signIn(key)).status, 200)
  const { sessionId } = (await phone.signIn(key)).body
  assert.equal((await laptop.ask('DELETE', `/sessions/${sessionId}`)).status, 204)
  assert.equal((await laptop.ask('DELETE', `/sessions/${sessionId}`)).status, 404)
  assert.equal((await laptop.ask('DELETE', '/session')).status, 204)
  assert.equal((await laptop.ask('DELETE', '/session')).status, 204)
  const events = await audited({ account: 'people' })
  assert.deepEqual(
    events.map(({ door, operation, outcome }) => [door, operation, outcome]),
    [...Array(3).fill(['pages', 'sign in', 'created']), ...Array(2).fill(['pages', 'sign out', 'removed'])],
  )
  assert.deepEqual(new Set(events.map(({ actor }) => actor)).size, 1)
  assert.deepEqual(events[0].subject.from, '127.0.0.1')
})

test('events are never changed or deleted', async () => {
  for (const change of [sql`update audit_events set actor = 'somebody else'`, sql`delete from audit_events`])
    await assert.rejects(change.execute(world.store.db), /never changed or deleted/)
})

test('commands that write leave an event before and after, without passwords', async () => {
  const installation = parts.use(await openInstallation())
  const at = ['--database-url', installation.databaseUrl]
  const created = await run([
    'keys',
    'create',
    '--name',
    'n',
    '--scopes',
    'context:read',
    '--account',
    'a',
    ...at,
  ])
  assert.equal(created.code, 0, created.err)
  assert.equal((await run(['keys', 'list', ...at])).code, 0)
  assert.equal((await run(['keys', 'revoke', 'https://me:secret@example.com', ...at])).code, 1)
  const told = await run(['audit', ...at])
  const lines = told.out.trim().split('\n')
  assert.deepEqual(
    lines.map((line) =>
      line
        .split(/ {2,}/)
        .slice(1, 6)
        .map((word) => word.replace(/^user:.+/, 'user')),
    ),
    [
      ['command-line', 'begun', '-', 'user', 'keys create'],
      ['command-line', 'done', 'a', 'user', 'keys create'],
      ['command-line', 'begun', '-', 'user', 'keys revoke'],
      ['command-line', 'failed', '-', 'user', 'keys revoke'],
    ],
  )
  assert.doesNotMatch(told.out, /secret/)
})

test('every command of the operator says whether it writes', async () => {
  const rows = await Promise.all(
    Object.keys(summaries).map(async (name) => ({ name, ...(await loadCommand(name)) })),
  )
  const reading = rows
    .filter(({ writes }) => !writes)
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('export '))
  assert.deepEqual(reading, [
    'sources',
    'retention show',
    'backtest',
    'keys list',
    'accounts list',
    'audit',
    'requests list',
    'evidence list',
    'posts decisions',
    'handles list',
    'report',
    'watch',
    'watches list',
    'watches deliveries',
    'channels list',
  ])
})

test('an account, a beginning and an end narrow what is told', async () => {
  const all = await audited()
  const [first] = all
  assert.ok(all.length >= 3)
  assert.deepEqual(await audited({ to: first.at }), [])
  assert.equal((await audited({ from: first.at })).length, all.length)
  assert.deepEqual(await audited({ account: 'nobody' }), [])
})
