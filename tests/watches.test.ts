import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { InputOf } from '../src/commands.ts'
import { recordFailure } from '../src/domain/collecting/health.ts'
import { evaluateWatches } from '../src/domain/watches/evaluate.ts'
import { rows } from '../src/storage/database.ts'
import { lookAtSchedule } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { storeListings } from './support/listings.ts'
import { operate } from './support/operator.ts'
import { openScriptedServer, type ScriptedServer } from './support/scripted-server.ts'
import { isSignedBy } from './support/signed-webhook.ts'
import { storeTracked } from './support/tracking.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

/** What accounts watch, and how they are told. Each test has an account and a country of its own. */

let world: World
let receiver: ScriptedServer
const folder = openFolder()
before(async () => {
  world = await openWorld({
    works: true,
    watches: { allowPrivateAddresses: true, publicUrl: 'https://r.example' },
  })
  receiver = await openScriptedServer()
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const taken = (reply: { writeHead(status: number): { end(): void } }) => reply.writeHead(204).end()

/** A chart of a hundred apps: the named ones at their ranks, fillers elsewhere. */
async function chart(country: string, day: number, ranks: Record<string, number>, depth = 100): Promise<void> {
  const at = new Map(Object.entries(ranks).map(([storeId, rank]) => [rank, storeId]))
  const rows = Array.from({ length: depth }, (_, index) => {
    const storeId = at.get(index + 1) ?? String(900_000 + index)
    return `${index + 1},${storeId},App ${storeId}`
  })
  await importContent(world, folder, 'charts', `rank,id,name\n${rows.join('\n')}\n`, {
    country,
    chart: 'top-free',
    category: '36',
    observedAt: `2026-03-${String(day).padStart(2, '0')}T06:00:00Z`,
  })
}

const add = async (account: string, kind: 'top' | 'moved' | 'chart', more: object) => {
  const { code, out, notes } = await operate(world, {
    command: 'watches add',
    options: { kind, account, ...more },
  })
  assert.equal(code, 0, notes)
  return out.trim()
}

interface Told {
  title: string
  link: string
  kind: string
  evidence: Record<string, { rank?: number | null; readingId?: string }>
}

/** All that an account was told so far, oldest first. */
async function toldTo(account: string): Promise<Told[]> {
  const { out } = await operate(world, {
    command: 'watch',
    options: { account, once: true, since: '2020-01-01', json: true },
  })
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const titles = async (account: string) => (await toldTo(account)).map(({ title }) => title)

test('an import that brings an app into the top ten is told by a signed webhook, once, with its evidence', async () => {
  await world.key([], 'first')
  receiver.plays(taken)
  const channel = await operate(world, {
    command: 'channels add',
    options: { kind: 'webhook', address: `${receiver.address}hook`, account: 'first' },
  })
  const secret = channel.out.trim()
  await chart('de', 1, { '71': 40 })
  await add('first', 'top', { app: '71', country: 'de', places: [10] })
  await chart('de', 2, { '71': 8 })
  await lookAtSchedule(world)
  await until(
    async () => receiver.arrived,
    (arrived) => arrived[0]?.body !== undefined && arrived[0].body !== '',
  )
  const [message] = receiver.arrived
  const { account, events } = JSON.parse(message?.body ?? '')
  assert.equal(account, 'first')
  assert.equal(events.length, 1)
  assert.equal(events[0].title, 'App 71 entered the top 10: 40 to 8 in top-free of All apps (iphone, de)')
  assert.equal(events[0].link, 'https://r.example/apps/71/ranks?country=de&categoryId=36&device=iphone')
  assert.equal(events[0].evidence.before.rank, 40)
  assert.match(events[0].evidence.now.readingId, /^[0-9a-f-]{36}$/)

  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.ok(message && isSignedBy(secret, message))

  await chart('de', 2, { '71': 8 })
  await evaluateWatches(world.store.db)
  await lookAtSchedule(world)
  assert.equal((await titles('first')).length, 1)
  assert.equal(receiver.arrived.length, 1)
})

test('moves, entries and exits are told between two captures, and a day without one tells nothing', async () => {
  await world.key([], 'moves')
  await chart('fr', 1, { '81': 20, '82': 60 })
  await add('moves', 'moved', { app: '81', country: 'fr', by: 10 })
  await add('moves', 'chart', { app: '82', country: 'fr' })
  await chart('fr', 2, { '81': 15, '82': 61 })
  assert.deepEqual(await titles('moves'), [])
  await chart('fr', 5, { '81': 5 })
  assert.deepEqual(await titles('moves'), [
    'App 81 moved up by 10: 15 to 5 in top-free of All apps (iphone, fr)',
    'App 82 left, from 61 to below 100 in top-free of All apps (iphone, fr)',
  ])
})

test('a capture with far fewer places waits for the next, and places beyond its depth are no exit', async () => {
  await world.key([], 'short')
  await chart('it', 1, { '83': 8, '84': 90 })
  await add('short', 'chart', { app: '83', country: 'it' })
  await add('short', 'chart', { app: '84', country: 'it' })
  await chart('it', 2, {}, 20)
  await chart('it', 3, { '83': 8 }, 60)
  assert.deepEqual(await titles('short'), [])
  await chart('it', 4, {}, 60)
  assert.deepEqual(await titles('short'), [
    'App 83 left, from 8 to below 60 in top-free of All apps (iphone, it)',
  ])
})

test('ranks of some apps are no capture: nobody moves, enters or leaves by them', async () => {
  await world.key([], 'told')
  await chart('lu', 1, { '86': 1, '87': 2 })
  await add('told', 'moved', { app: '86', country: 'lu', by: 10 })
  await add('told', 'chart', { app: '87', country: 'lu' })
  const rows = Array.from(
    { length: 60 },
    (_, index) => `${2 * index + 1},${index === 22 ? 86 : 950_000 + index}`,
  )
  await importContent(world, folder, 'charts', `rank,id\n${rows.join('\n')}\n`, {
    country: 'lu',
    chart: 'top-free',
    category: '36',
    observedAt: '2026-03-02T06:00:00Z',
  })
  await chart('lu', 3, { '86': 1, '87': 2 })
  assert.deepEqual(await titles('told'), [])
})

test('what is imported of a time before the last capture is history', async () => {
  await world.key([], 'history')
  await chart('es', 10, { '85': 50 })
  await add('history', 'top', { app: '85', country: 'es' })
  await chart('es', 3, { '85': 1 })
  await chart('es', 4, { '85': 90 })
  assert.deepEqual(await titles('history'), [])
})

test('rivals of the account are watched as they are tracked at that time', async () => {
  await world.key([], 'rivals')
  await chart('jp', 1, { '86': 80, '87': 81 })
  await add('rivals', 'top', { country: 'jp', places: [50] })
  await storeTracked(world, { storeId: '87', country: 'jp', role: 'rival', account: 'rivals' })
  await chart('jp', 2, { '86': 5, '87': 6 })
  assert.deepEqual(await titles('rivals'), [
    'App 87 entered the top 50: 81 to 6 in top-free of All apps (iphone, jp)',
  ])
})

test('a listing that changes and a version that is released are two kinds of event', async () => {
  await world.key([], 'listings')
  const seen = (observedAt: string, more: object) =>
    storeListings(world, [{ trackId: 91, trackName: 'Lantern', country: 'nl', observedAt, ...more }])
  await seen('2026-03-01T00:00:00Z', { version: '1.0', description: 'Old words' })
  for (const kind of ['listing', 'release'] as const)
    await operate(world, {
      command: 'watches add',
      options: { kind, app: '91', country: 'nl', account: 'listings' },
    })
  const later = new Date(Date.now() + 60_000).toISOString()
  await seen(later, { version: '1.1', description: 'New words' })
  const told = await toldTo('listings')
  assert.deepEqual(told.map(({ title }) => title).sort(), [
    'Lantern changed its description (nl)',
    'Lantern released 1.1, after 1.0',
  ])
  assert.match(told[0]?.link ?? '', /\/apps\/91\/listing\?country=nl$/)
})

test('a source is told of once its failures lie a day apart, and not before', async () => {
  await world.key([], 'sources')
  await operate(world, {
    command: 'watches add',
    options: { kind: 'source', country: 'se', account: 'sources' },
  })
  const fail = (at: string) =>
    recordFailure(world.store.db, 'itunes-lookup', 'se', {
      at: new Date(at),
      kind: 'refused',
      message: 'it answers 403',
    })
  await fail('2026-03-01T00:00:00Z')
  await fail('2026-03-01T23:00:00Z')
  assert.deepEqual(await titles('sources'), [])
  await fail('2026-03-02T01:00:00Z')
  await fail('2026-03-02T02:00:00Z')
  assert.deepEqual(await titles('sources'), [
    'itunes-lookup has failed in se since 2026-03-01T00:00Z: it answers 403',
  ])
})

test('a feed tells its account alone, by a token that can be taken back', async () => {
  await world.key([], 'feed')
  await chart('at', 1, { '88': 30 })
  await add('feed', 'top', { app: '88', country: 'at', places: [10] })
  await chart('at', 2, { '88': 2 })
  const made = await operate(world, { command: 'channels add', options: { kind: 'feed', account: 'feed' } })
  const path = made.out.trim().replace('https://r.example', '')
  assert.match(path, /^\/feeds\/[\w-]{43}\.atom$/)
  assert.equal((await titles('feed')).length, 1)
  const { status, body, headers } = await world.request<string>({ method: 'GET', url: path })
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/atom\+xml/)
  assert.equal(body.match(/<entry>/g)?.length, 1)
  assert.match(body, /<title>App 88 entered the top 10: 30 to 2 in/)
  assert.match(body, /href="https:\/\/r\.example\/apps\/88\/ranks\?country=at&amp;categoryId=36/)
  const elsewhere = await world.request({ method: 'GET', url: path, headers: { host: 'evil.example' } })
  assert.equal(elsewhere.body, body, 'whoever asks does not say where links lead')
  const channels = JSON.parse(
    (await operate(world, { command: 'channels list', options: { account: 'feed', json: true } })).out,
  )
  await operate(world, { command: 'channels remove', options: { wayId: channels[0].wayId } })
  for (const url of [path, '/feeds/unknown.atom', `/feeds/${'a'.repeat(43)}.atom`])
    assert.equal((await world.request({ method: 'GET', url })).status, 404)
})

test('a name of several lines is told on one, in the feed and in whatever is sent', async () => {
  await world.key([], 'lines')
  const observedAt = '2026-03-05T00:00:00Z'
  await storeListings(world, [{ trackId: 89, trackName: 'One\u2028Two\nThree', country: 'be', observedAt }])
  await chart('be', 1, { '89': 30 })
  await add('lines', 'top', { app: '89', country: 'be', places: [10] })
  await chart('be', 2, { '89': 2 })
  assert.equal((await titles('lines')).length, 1)
  const { db } = world.store
  const stored = await rows(db, sql<{ title: string }>`select title from watch_events where title like 'One%'`)
  assert.match(stored[0]?.title ?? '', /^One Two Three entered the top 10/)
})

test('a watch that cannot be is refused by the name of what is wrong', async () => {
  await world.key([], 'wrong')
  const refused = async (options: InputOf<'watches add'>) => {
    const { code, notes } = await operate(world, {
      command: 'watches add',
      options: { account: 'wrong', ...options },
    })
    assert.equal(code, 1)
    return notes
  }
  assert.match(await refused({ kind: 'import', by: 5 }), /kind import does not take --by/)
  assert.match(await refused({ kind: 'listing', app: 'nobody' }), /--app: "nobody" is neither an App Store id/)
  assert.match(await refused({ kind: 'top', term: 'notes' }), /--term: does not belong to ranks in charts/)
  assert.match(await refused({ kind: 'top', account: 'unknown' }), /No account is named "unknown"/)
})

test('a channel that cannot be is refused, and a webhook of a private network where that is not allowed', async () => {
  await world.key([], 'ways')
  const strict = {
    ...world,
    notifications: {
      ...world.notifications,
      settings: { ...world.notifications.settings, allowPrivateAddresses: false },
    },
  }
  const refused = async (address: string) =>
    (await operate(strict, { command: 'channels add', options: { kind: 'webhook', address, account: 'ways' } }))
      .notes
  assert.match(await refused('http://example.com/'), /Only https/)
  assert.match(await refused('https://127.0.0.1/'), /not an address of the public internet/)
  assert.match(await refused('https://me:pass@example.com/'), /credentials/)
  assert.match(await refused('ftp://example.com/'), /no https address/)
})
