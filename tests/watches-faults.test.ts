import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { channelOf, listChannels } from '../src/domain/watches/channels.ts'
import { claimDeliveries, dueChannels } from '../src/domain/watches/deliveries.ts'
import { evaluateWatches } from '../src/domain/watches/evaluate.ts'
import { notifyChannel } from '../src/jobs/notifications/notify.ts'
import { notificationsFrom, WatchSettings } from '../src/jobs/notifications/settings.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { type CommandCall, operate } from './support/operator.ts'
import { openScriptedServer, type ScriptedServer } from './support/scripted-server.ts'
import { openWorld, type World } from './support/world.ts'

/** Receivers that fail, processes that end in the middle, and several at once: nothing is lost, nothing recorded twice. */

let world: World
let receiver: ScriptedServer
const folder = openFolder()
before(async () => {
  world = await openWorld({ watches: { allowPrivateAddresses: true } })
  receiver = await openScriptedServer()
})
after(async () => {
  await receiver?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const patient = new AbortController().signal
const status = (code: number) => (reply: { writeHead(status: number): { end(): void } }) => {
  reply.writeHead(code).end()
}

/** An account that watches an app, and is told by a webhook; the app then enters the top ten. @returns its channel */
async function news(account: string, country: string): Promise<string> {
  await world.key([], account)
  const chart = (day: number, rank: number) =>
    importContent(
      world,
      folder,
      'charts',
      `rank,id,name\n${Array.from({ length: 50 }, (_, index) => `${index + 1},${index + 1 === rank ? 71 : 900_000 + index},An app`).join('\n')}\n`,
      { country, chart: 'top-free', category: '36', observedAt: `2026-03-0${day}T06:00:00Z` },
    )
  await chart(1, 40)
  const calls: CommandCall[] = [
    { command: 'channels add', options: { kind: 'webhook', address: receiver.address, account } },
    { command: 'watches add', options: { kind: 'top', app: '71', country, places: [10], account } },
  ]
  for (const call of calls) assert.equal((await operate(world, call)).code, 0)
  await chart(2, 4)
  const [channel] = await listChannels(world.store.db, account)
  return channel?.wayId ?? assert.fail('no channel')
}

const send = (wayId: string, notifications = world.notifications) =>
  notifyChannel(world.store.db, notifications, wayId, patient)
/** Waits no longer than it has to for who never answers. */
const hasty = notificationsFrom(WatchSettings.parse({ allowPrivateAddresses: true, timeoutSeconds: 1 }), {})

const deliveries = async (account: string) =>
  JSON.parse(
    (await operate(world, { command: 'watches deliveries', options: { account, json: true } })).out,
  ) as { deliveryId: string; state: string; attempts: number; lastError: string | null }[]

/** Moves what a channel waits for into the past, as time does. */
const laterOn = (wayId: string, days = 0) =>
  sql`with moved as (
      update watch_deliveries set since = since - make_interval(days => ${days}) where way_id = ${wayId}::uuid)
    update watch_ways set retry_at = retry_at - interval '7 hours', claimed_until = claimed_until - interval '7 hours'
    where way_id = ${wayId}::uuid`.execute(world.store.db)

test('several that evaluate and send at once record an event once, and send it once', async () => {
  receiver.plays(status(204))
  const wayId = await news('several', 'de')
  const recorded = await Promise.all([1, 2, 3, 4].map(() => evaluateWatches(world.store.db)))
  assert.deepEqual(
    recorded.filter((count) => count > 0),
    [1],
  )
  await Promise.all([1, 2, 3, 4].map(() => send(wayId)))
  assert.equal(receiver.arrived.length, 1)
  assert.deepEqual(
    (await deliveries('several')).map(({ state, attempts }) => [state, attempts]),
    [['delivered', 1]],
  )
})

test('a receiver that answers 500 for days is left with a dead letter, which is sent again by command', async () => {
  receiver.plays(status(500))
  const wayId = await news('broken', 'fr')
  await evaluateWatches(world.store.db)
  await send(wayId)
  assert.deepEqual(
    (await deliveries('broken')).map(({ state, attempts, lastError }) => [state, attempts, lastError]),
    [['pending', 1, 'The receiver answered 500.']],
  )
  assert.ok(!(await dueChannels(world.store.db)).includes(wayId))
  await send(wayId)
  assert.equal(receiver.arrived.length, 1)
  await laterOn(wayId, 4)
  assert.ok((await dueChannels(world.store.db)).includes(wayId))
  await send(wayId)
  const [dead] = await deliveries('broken')
  assert.deepEqual([dead?.state, dead?.attempts], ['dead', 2])
  receiver.plays(status(204))
  const again = await operate(world, {
    command: 'watches resend',
    options: { deliveryId: dead?.deliveryId ?? '' },
  })
  assert.equal(again.out, '1 delivery is sent again\n')
  await send(wayId)
  assert.equal((await deliveries('broken'))[0]?.state, 'delivered')
})

test('a receiver that hangs is left after its time, and one that redirects is not followed', async () => {
  receiver.plays(
    () => {},
    (reply) => reply.writeHead(302, { location: `${receiver.address}elsewhere` }).end(),
    status(200),
  )
  const wayId = await news('hanging', 'it')
  await evaluateWatches(world.store.db)
  const reasons: (string | null | undefined)[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    await send(wayId, attempt === 0 ? hasty : undefined)
    reasons.push((await deliveries('hanging'))[0]?.lastError)
    await laterOn(wayId)
  }
  assert.deepEqual(reasons, [
    'The receiver did not answer within 1 s.',
    'The receiver answered 302, and redirects are not followed.',
    null,
  ])
})

test('what a process had taken when it was killed is sent by another once its claim has lapsed', async () => {
  receiver.plays(status(204))
  const wayId = await news('killed', 'es')
  await evaluateWatches(world.store.db)
  const channel = (await channelOf(world.store.db, wayId)) ?? assert.fail('no channel')
  assert.equal((await claimDeliveries(world.store.db, channel, 20))?.events.length, 1)
  await send(wayId)
  assert.equal(receiver.arrived.length, 0)
  await laterOn(wayId)
  await send(wayId)
  assert.equal(receiver.arrived.length, 1)
  assert.equal((await deliveries('killed'))[0]?.state, 'delivered')
})

test('a retry and a claim of a clock that was years ahead hold nothing up', async () => {
  receiver.plays(status(204))
  const wayId = await news('clock', 'nl')
  await evaluateWatches(world.store.db)
  await sql`update watch_ways set retry_at = now() + interval '2 years', claimed_until = now() + interval '2 years'
    where way_id = ${wayId}::uuid`.execute(world.store.db)
  assert.ok((await dueChannels(world.store.db)).includes(wayId))
  await send(wayId)
  assert.equal(receiver.arrived.length, 1)
})

test('quiet hours keep what happens, and send it after them', async () => {
  receiver.plays(status(204))
  const wayId = await news('quiet', 'se')
  await evaluateWatches(world.store.db)
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const now = new Date().getUTCHours() * 60 + new Date().getUTCMinutes() + 1_440
  const quiet = (from: number, until: number) =>
    operate(world, {
      command: 'watches times',
      options: { account: 'quiet', timeZone: 'UTC', quiet: `${clock(from)}-${clock(until)}` },
    })
  assert.equal((await quiet(now - 30, now + 30)).code, 0)
  await send(wayId)
  assert.equal(receiver.arrived.length, 0)
  await quiet(now + 60, now + 90)
  await send(wayId)
  assert.equal(receiver.arrived.length, 1)
})
