import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import type { ChannelMade, ChannelsShown } from '../src/api/account-channels.ts'
import type { EventShown, WatchShown } from '../src/api/account-watches.ts'
import type { ReportLinkShown } from '../src/api/weekly-reports.ts'
import { evaluateWatches } from '../src/domain/watches/evaluate.ts'
import { lookAtSchedule } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { operate } from './support/operator.ts'
import { openScriptedServer, type ScriptedServer } from './support/scripted-server.ts'
import { isSignedBy } from './support/signed-webhook.ts'
import { storeTracked } from './support/tracking.ts'
import { until } from './support/until.ts'
import { WebBrowser } from './support/web-browser.ts'
import { openWorld, type Reply, type World } from './support/world.ts'

/** Watches, channels and shared reports as the pages ask for them. Each test has accounts and countries of its own. */

let world: World
let receiver: ScriptedServer
const folder = openFolder()
before(async () => {
  world = await openWorld({
    works: true,
    watches: {
      allowPrivateAddresses: true,
      accounts: [{ account: 'configured', watch: [{ kind: 'source', hours: 24 }] }],
    },
  })
  receiver = await openScriptedServer()
  receiver.plays((reply) => reply.writeHead(204).end())
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

interface Refused {
  code: string
  detail: string
  errors?: { pointer: string; message: string }[]
}
type Body = Partial<Refused> & {
  items?: (WatchShown & ReportLinkShown & EventShown & ChannelsShown['items'][number])[]
  next?: string | null
} & Partial<
    ChannelMade & Omit<ChannelsShown, 'items'> & ReportLinkShown & { path: string; watchId: string }
  > & {
    failure?: string | null
    events?: number
  }

/** Asks as somebody of an account. */
async function person(account: string, scopes?: string[]) {
  const authorization = `Bearer ${await world.key(scopes, account)}`
  return (method: InjectOptions['method'], url: string, payload?: object): Promise<Reply<Body>> =>
    world.request<Body>({
      ...{ method, url, headers: { authorization } },
      ...(payload ? { payload } : {}),
    } as InjectOptions)
}

const refusedAt = ({ status, body }: Reply<Body>) => [
  status,
  ...(body.errors ?? []).map(({ pointer }) => pointer),
]

/** A chart of fifty apps with one at a rank. */
async function chart(country: string, day: number, storeId: string, rank: number): Promise<void> {
  const lines = Array.from({ length: 50 }, (_, index) =>
    index + 1 === rank ? `${rank},${storeId},Tidepool` : `${index + 1},${800_000 + index},Another app`,
  )
  await importContent(world, folder, 'charts', `rank,id,name\n${lines.join('\n')}\n`, {
    country,
    chart: 'top-free',
    category: '36',
    observedAt: `2026-03-${String(day).padStart(2, '0')}T06:00:00Z`,
  })
}

const top = (app: string, country: string) => ({ watch: { kind: 'top', app, country, places: [10] } })

test('a watch is made once however often it is asked for, listed in full, muted and removed, by its account alone', async () => {
  const [ask, other] = [await person('maker'), await person('other maker')]
  const made = await ask('POST', '/watches', top('711', 'de'))
  assert.deepEqual([made.status, made.headers['cache-control']], [201, 'no-store'])
  const again = await ask('POST', '/watches', top('711', 'de'))
  assert.deepEqual([again.status, again.body.watchId], [200, made.body.watchId])
  const { items: [watch] = [] } = (await ask('GET', '/watches')).body
  assert.deepEqual(watch?.watch, { kind: 'top', app: '711', country: 'de', in: 'charts', places: [10] })
  assert.deepEqual([watch?.appName, watch?.events, watch?.mutedAt], ['App 711', 0, null])

  const url = `/watches/${made.body.watchId}`
  assert.deepEqual((await other('GET', '/watches')).body.items, [])
  assert.equal((await other('PATCH', url, { muted: true })).status, 404)
  assert.equal((await other('DELETE', url)).status, 404)
  assert.equal((await ask('PATCH', url, { muted: true })).status, 204)
  assert.match((await ask('GET', '/watches')).body.items?.[0]?.mutedAt ?? '', /^\d{4}-/)
  assert.equal((await ask('DELETE', url)).status, 204)
  assert.equal((await ask('DELETE', url)).status, 404)
  const { out } = await operate(world, { command: 'audit', options: { account: 'maker', json: true } })
  const written = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).operation)
  assert.deepEqual(written, ['watches add', 'watches add', 'watches mute', 'watches remove'])
})

test('what a watch cannot be is refused by its name, and a reader changes nothing', async () => {
  const [ask, reader] = [await person('wrong'), await person('wrong', ['context:read'])]
  const refusals: [body: object, at: string][] = [
    [{}, '/body/watch'],
    [{ watch: { kind: 'rumours' } }, '/body/watch/kind'],
    [{ watch: { kind: 'top', country: 'xx' } }, '/body/watch/country'],
    [{ watch: { kind: 'top', in: 'keywords', chart: 'top-free' } }, '/body/watch/chart'],
    [{ watch: { kind: 'ads', app: '711', advertiser: 'meta/1' } }, '/body/watch/advertiser'],
    [{ watch: { kind: 'ads', advertiser: 'nowhere/1' } }, '/body/watch/advertiser'],
    [{ watch: { kind: 'import' }, more: 1 }, '/body/more'],
  ]
  for (const [body, at] of refusals) assert.deepEqual(refusedAt(await ask('POST', '/watches', body)), [400, at])
  assert.equal((await ask('POST', '/watches', { watch: { kind: 'top', app: 'x'.repeat(20_000) } })).status, 413)
  assert.equal((await reader('POST', '/watches', top('711', 'de'))).body.code, 'scope-missing')
  assert.equal(
    (await reader('POST', '/channels', { channelId: randomUUID(), kind: 'feed' })).body.code,
    'scope-missing',
  )
  assert.equal((await reader('POST', '/report-links', { linkId: randomUUID() })).body.code, 'scope-missing')
  const writer = await person('wrong', ['content:write'])
  for (const url of ['/watches', '/watch-events', '/channels', '/weekly-report', '/report-links'])
    assert.equal((await writer('GET', url)).body.code, 'scope-missing', url)
  assert.equal((await world.request({ method: 'GET', url: '/watches' })).status, 401)
  assert.equal((await ask('PUT', '/watches')).status, 405)
  assert.deepEqual(refusedAt(await ask('GET', '/watch-events?before=x')), [400, '/query/before'])
  assert.deepEqual(refusedAt(await ask('GET', '/watch-events?watch=1&watch=2')), [400, '/query/watch'])
  assert.deepEqual((await ask('GET', '/watches')).body.items, [])
})

test('a watch of the configuration can be muted, and is removed there', async () => {
  const ask = await person('configured')
  await lookAtSchedule(world)
  const { items: [watch] = [] } = (await ask('GET', '/watches')).body
  assert.equal(watch?.fromConfiguration, true)
  const removed = await ask('DELETE', `/watches/${watch?.watchId}`)
  assert.deepEqual([removed.status, removed.body.code], [400, 'invalid-request'])
  assert.equal((await ask('PATCH', `/watches/${watch?.watchId}`, { muted: true })).status, 204)
})

test('a webhook tells its secret once, is tested once by a double click, and the history says what it was sent and why', async () => {
  const [ask, other] = [await person('told'), await person('other told')]
  receiver.arrived.length = 0
  const channelId = randomUUID()
  const asked = {
    channelId,
    kind: 'webhook',
    address: `${receiver.address}hook?token=hidden`,
    shape: 'generic',
  }
  const made = await ask('POST', '/channels', asked)
  assert.equal(made.status, 201)
  assert.match(made.body.secret ?? '', /^whsec_/)
  for (const id of [channelId, randomUUID()]) {
    const again = await ask('POST', '/channels', { ...asked, channelId: id })
    assert.deepEqual([again.status, again.body.channelId, again.body.secret], [200, channelId, null])
  }
  assert.deepEqual(refusedAt(await other('POST', '/channels', asked)), [400, '/body/channelId'])
  const shown = await ask('GET', '/channels')
  assert.deepEqual(
    shown.body.items?.map(({ address }) => address),
    [`${new URL(receiver.address).origin}/…`],
  )
  assert.doesNotMatch(JSON.stringify(shown.body), /hidden|whsec/)

  const url = `/channels/${channelId}`
  assert.equal((await other('POST', `${url}/test`)).status, 404)
  const tests = await Promise.all([ask('POST', `${url}/test`), ask('POST', `${url}/test`)])
  assert.deepEqual(tests.map(({ status }) => status).toSorted(), [200, 429])
  assert.equal(receiver.arrived.length, 1)
  const [message] = receiver.arrived
  assert.ok(message && isSignedBy(made.body.secret ?? '', message))
  const tested = (await ask('GET', '/channels')).body.items?.[0]
  assert.deepEqual([typeof tested?.testedAt, tested?.testError], ['string', null])

  await chart('fr', 1, '712', 40)
  await ask('POST', '/watches', top('712', 'fr'))
  await chart('fr', 2, '712', 8)
  await lookAtSchedule(world)
  const history = await until(
    async () => (await ask('GET', '/watch-events')).body.items ?? [],
    ([event]) => event?.told[0]?.state === 'delivered',
  )
  const [event] = history
  assert.equal(event?.title, 'Tidepool entered the top 10: 40 to 8 in top-free of All apps (iphone, fr)')
  assert.equal(event?.page, '/apps/712/ranks?country=fr&categoryId=36&device=iphone')
  assert.match(JSON.stringify(event?.evidence), /"readingId":"[0-9a-f-]{36}"/)
  assert.deepEqual([event?.muted, event?.told.length, event?.told[0]?.kind], [false, 1, 'webhook'])
  assert.deepEqual((await other('GET', '/watch-events')).body.items, [])
  assert.equal(receiver.arrived.length, 2)
})

test('an account tests one channel in ten seconds, also where it removes it and adds another; others test theirs meanwhile', async () => {
  const [ask, other] = [await person('impatient'), await person('other impatient')]
  receiver.arrived.length = 0
  const add = async (one: typeof ask) => {
    const channelId = randomUUID()
    const address = `${receiver.address}${channelId}`
    assert.equal((await one('POST', '/channels', { channelId, kind: 'webhook', address })).status, 201)
    return `/channels/${channelId}`
  }
  const [first, second] = [await add(ask), await add(ask)]
  const tests = await Promise.all([ask('POST', `${first}/test`), ask('POST', `${second}/test`)])
  assert.deepEqual(tests.map(({ status }) => status).toSorted(), [200, 429])
  for (const url of [first, second]) assert.equal((await ask('DELETE', url)).status, 204)
  const third = await add(ask)
  const refused = await ask('POST', `${third}/test`)
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10'])
  assert.match(refused.body.detail ?? '', /^Your account tested a channel a moment ago/)
  assert.equal((await other('POST', `${await add(other)}/test`)).status, 200)
  assert.equal(receiver.arrived.length, 2)
  await sql`update watch_ways set tested_at = tested_at - interval '11 seconds'`.execute(world.store.db)
  assert.equal((await ask('POST', `${third}/test`)).status, 200)
})

test('the limits of an account hold for channels and watches that are added at once', async () => {
  const ask = await person('full')
  const { db } = world.store
  const accountId = sql`(select account_id from accounts where name = 'full')`
  const made = async (adding: () => Promise<Reply<Body>>) =>
    (await Promise.all(Array.from({ length: 12 }, adding))).filter(({ status }) => status === 201).length

  await sql`insert into watch_ways (way_id, account_id, kind, address, shape)
    select gen_random_uuid(), ${accountId}, 'webhook', 'https://example.com/' || n, 'generic' from generate_series(1, 19) n`.execute(
    db,
  )
  const feed = () => ask('POST', '/channels', { channelId: randomUUID(), kind: 'feed' })
  assert.equal(await made(feed), 1)
  const { items: channels = [] } = (await ask('GET', '/channels')).body
  assert.equal(channels.length, 20)
  assert.match((await feed()).body.detail ?? '', /at most 20 channels/)
  assert.equal((await ask('DELETE', `/channels/${channels[0]?.channelId}`)).status, 204)
  assert.equal((await feed()).status, 201, 'those that were removed do not count')

  await sql`insert into watches (watch_id, account_id, kind, definition, from_configuration)
    select gen_random_uuid(), ${accountId}, 'source', jsonb_build_object('kind', 'source', 'hours', n), false
    from generate_series(1001, 1499) n`.execute(db)
  let hours = 0
  const watch = () => ask('POST', '/watches', { watch: { kind: 'source', hours: ++hours } })
  assert.equal(await made(watch), 1)
  assert.match((await watch()).body.detail ?? '', /at most 500 watches/)
})

test('what a muted watch finds stands in the history alone, and a muted channel is sent nothing', async () => {
  const ask = await person('muted')
  receiver.arrived.length = 0
  const channelId = randomUUID()
  await ask('POST', '/channels', { channelId, kind: 'webhook', address: `${receiver.address}muted` })
  const feed = await ask('POST', '/channels', { channelId: randomUUID(), kind: 'feed' })
  await chart('it', 1, '713', 40)
  const { watchId } = (await ask('POST', '/watches', top('713', 'it'))).body
  await ask('PATCH', `/watches/${watchId}`, { muted: true })
  await chart('it', 2, '713', 8)
  await evaluateWatches(world.store.db)
  await ask('PATCH', `/watches/${watchId}`, { muted: false })
  await ask('PATCH', `/channels/${channelId}`, { muted: true })
  await chart('it', 3, '713', 30)
  await evaluateWatches(world.store.db)
  await ask('PATCH', `/channels/${channelId}`, { muted: false })
  await chart('it', 4, '713', 9)
  await lookAtSchedule(world)
  await until(
    async () => receiver.arrived,
    ([message]) => message !== undefined && message.body !== '',
  )
  const titles = (JSON.parse(receiver.arrived[0]?.body ?? '') as { events: { title: string }[] }).events
  assert.deepEqual(
    titles.map(({ title }) => title.split(' in ')[0]),
    ['Tidepool entered the top 10: 30 to 9'],
  )
  const { items = [] } = (await ask('GET', `/watch-events?watch=${watchId}`)).body
  assert.deepEqual(
    items.map(({ title, muted, told }) => [title.split(':')[0], muted, told.length]),
    [
      ['Tidepool entered the top 10', false, 1],
      ['Tidepool left the top 10', false, 0],
      ['Tidepool entered the top 10', true, 0],
    ],
  )
  const atom = (await world.request<string>({ method: 'GET', url: feed.body.secret ?? '' })).body
  assert.equal(
    atom.match(/<entry>/g)?.length,
    2,
    'a feed holds what was told, and has no channel that is muted',
  )
})

test('what a channel refused for good is given up, and sent again once it works', async () => {
  const [ask, other] = [await person('given up'), await person('other given up')]
  receiver.plays((reply) => reply.writeHead(410).end())
  const channelId = randomUUID()
  await ask('POST', '/channels', { channelId, kind: 'webhook', address: `${receiver.address}gone` })
  await chart('es', 1, '718', 40)
  await ask('POST', '/watches', top('718', 'es'))
  await chart('es', 2, '718', 8)
  await lookAtSchedule(world)
  await until(
    async () => (await ask('GET', '/channels')).body.items?.[0]?.dead,
    (dead) => dead === 1,
  )
  receiver.plays((reply) => reply.writeHead(204).end())
  assert.equal((await other('POST', `/channels/${channelId}/resend`)).status, 404)
  const again = await ask('POST', `/channels/${channelId}/resend`)
  assert.deepEqual([again.status, again.body.events], [200, 1])
  await lookAtSchedule(world)
  const [event] = await until(
    async () => (await ask('GET', '/watch-events')).body.items ?? [],
    ([one]) => one?.told[0]?.state === 'delivered',
  )
  assert.equal(event?.told[0]?.attempts, 2)
  assert.equal(receiver.arrived.length, 1)
})

test('channels are refused by what is wrong with them, feeds are not tested, and quiet hours are set', async () => {
  const ask = await person('careful')
  const channelId = randomUUID()
  const refusals: [body: object, at: string][] = [
    [{ kind: 'feed' }, '/body/channelId'],
    [{ channelId, kind: 'webhook' }, '/body/address'],
    [{ channelId, kind: 'webhook', address: 'ftp://example.com' }, '/body/address'],
    [{ channelId, kind: 'webhook', address: 'https://user:pass@example.com/' }, '/body/address'],
    [{ channelId, kind: 'email', address: 'nobody' }, '/body/address'],
    [{ channelId, kind: 'email', address: 'me@example.com' }, '/body/address'],
    [{ channelId, kind: 'feed', shape: 'slack' }, '/body/shape'],
    [{ channelId, kind: 'webhook', address: receiver.address, digest: 'daily' }, '/body/digest'],
  ]
  for (const [body, at] of refusals)
    assert.deepEqual(refusedAt(await ask('POST', '/channels', body)), [400, at])
  const { items, noMail, times } = (await ask('GET', '/channels')).body
  assert.deepEqual([items, times], [[], { timeZone: 'UTC', quietHours: null }])
  assert.match(noMail ?? '', /RIVALSCOPE_SMTP_URL/)
  const feed = await ask('POST', '/channels', { channelId, kind: 'feed' })
  assert.match(feed.body.secret ?? '', /^\/feeds\/[\w-]{43}\.atom$/)
  assert.equal((await ask('POST', `/channels/${channelId}/test`)).status, 400)
  assert.equal((await ask('DELETE', `/channels/${channelId}`)).status, 204)
  assert.deepEqual(refusedAt(await ask('POST', '/channels', { channelId, kind: 'feed' })), [
    400,
    '/body/channelId',
  ])

  const quiet = { timeZone: 'Europe/Berlin', quietHours: { from: '22:00', until: '07:30' } }
  assert.deepEqual((await ask('PUT', '/watch-times', quiet)).body, quiet)
  assert.deepEqual((await ask('GET', '/channels')).body.times, quiet)
  assert.deepEqual(refusedAt(await ask('PUT', '/watch-times', { ...quiet, timeZone: 'Mars' })), [
    400,
    '/body/timeZone',
  ])
  const noHours = { timeZone: 'UTC', quietHours: { from: '25:00', until: '07:30' } }
  assert.deepEqual(refusedAt(await ask('PUT', '/watch-times', noHours)), [400, '/body/quietHours/from'])
})

test('where private addresses are refused for commands, a channel to one is refused here', async () => {
  await using strict = await openWorld()
  const authorization = `Bearer ${await strict.key()}`
  for (const address of [
    'https://127.0.0.1/hook',
    'https://10.1.2.3/',
    'http://example.com/',
    'https://[::1]/',
  ]) {
    const payload = { channelId: randomUUID(), kind: 'webhook', address }
    const made = await strict.request<Body>({
      method: 'POST',
      url: '/channels',
      headers: { authorization },
      payload,
    })
    assert.deepEqual(refusedAt(made), [400, '/body/address'], address)
  }
})

test('where nothing is sent, as in the demo, only a feed is added, and what was there before is sent nothing', async () => {
  await using silent = await openWorld({ watches: { allowPrivateAddresses: true } })
  const authorization = `Bearer ${await silent.key()}`
  const ask = (method: InjectOptions['method'], url: string, payload: object = {}) =>
    silent.request<Body>({
      ...{ method, url, headers: { authorization } },
      ...(method === 'GET' ? {} : { payload }),
    } as InjectOptions)
  const [before, later] = [randomUUID(), randomUUID()]
  const webhook = { kind: 'webhook', address: receiver.address }
  assert.equal((await ask('POST', '/channels', { channelId: before, ...webhook })).status, 201)
  receiver.plays((reply) => reply.writeHead(204).end())
  silent.notifications.notSent = 'In the demo nothing is sent.'
  assert.deepEqual(refusedAt(await ask('POST', '/channels', { channelId: later, ...webhook })), [
    400,
    '/body/address',
  ])
  assert.equal((await ask('POST', '/channels', { channelId: later, kind: 'feed' })).status, 201)
  assert.equal((await ask('POST', `/channels/${before}/test`)).body.failure, 'In the demo nothing is sent.')
  assert.equal((await ask('GET', '/channels')).body.notSent, 'In the demo nothing is sent.')
  assert.deepEqual(receiver.arrived, [])
})

test('a session changes watches from our own pages alone', async () => {
  const browser = new WebBrowser(world)
  await browser.signIn(await world.key(undefined, 'session'))
  const payload = top('714', 'de')
  const foreign: Record<string, string>[] = [
    { 'x-rivalscope-page': '' },
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign)
    assert.equal(
      (await browser.ask<Body>('POST', '/watches', { payload, headers })).body.code,
      'origin-refused',
    )
  assert.equal((await browser.ask<Body>('POST', '/watches', { payload })).status, 201)
  const headers = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await browser.ask<Body>('GET', '/weekly-report', { headers })).body.code, 'origin-refused')
})

test('a watch of an advertiser tells of its ads, whichever app they are for', async () => {
  const ask = await person('advertiser')
  assert.equal((await ask('POST', '/watches', { watch: { kind: 'ads', advertiser: 'meta/5077' } })).status, 201)
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const shown = (archiveId: string, observedAt: string, advertiser: string, more: object = {}) =>
    world.import({
      kind: 'paid-ads',
      paths: [
        folder.write(
          `${archiveId}-${observedAt.slice(11, 19)}.ndjson`,
          JSON.stringify({
            platform: 'meta',
            archiveId,
            advertiser: { id: advertiser, name: 'Tidepool Habits' },
            creatives: [{ title: 'Small tides', media: [] }],
            startedOn: later(0).slice(0, 10),
            active: true,
            observedAt,
            ...more,
          }),
        ),
      ],
    })
  await shown('7701', later(1), '5077')
  await shown('7702', later(1), '5078')
  await shown('7701', later(2), '5077', { active: false, endedOn: later(0).slice(0, 10) })
  await evaluateWatches(world.store.db)
  const { items = [] } = (await ask('GET', '/watch-events')).body
  assert.deepEqual(
    items.map(({ title, page }) => [title.replace(/\d{4}-.*/, ''), page]),
    ['stopped', 'started'].map((what) => [
      `An ad by Tidepool Habits on meta ${what} on `,
      '/creatives/ads/meta/7701',
    ]),
  )
})

test('a report is shared as it is, with whoever has its link, until it expires or is revoked', async () => {
  const [ask, other] = [await person('sharer'), await person('other sharer')]
  assert.match((await ask('GET', '/weekly-report')).body.detail ?? '', /tracks no app/)
  assert.match(
    (await ask('POST', '/report-links', { linkId: randomUUID() })).body.detail ?? '',
    /tracks no app/,
  )
  await storeTracked(world, { storeId: '715', account: 'sharer' })
  const own = await world.request<string>({
    ...{ method: 'GET', url: '/weekly-report?week=2026-W10' },
    headers: { authorization: `Bearer ${await world.key(undefined, 'sharer')}` },
  })
  assert.match(own.body, /Weekly report, 2–8 Mar 2026/)
  assert.match(own.body, /href="\/apps\/715\?country=us"/)
  assert.match(own.headers['content-security-policy'] ?? '', /frame-ancestors 'self'/)

  const linkId = randomUUID()
  const made = await ask('POST', '/report-links', { linkId, week: '2026-W10', days: 7 })
  assert.equal(made.status, 201)
  const { path = '', title, expiresAt } = made.body
  assert.match(path, /^\/shared\/[\w-]{43}$/)
  assert.equal(title, 'Weekly report, 2–8 Mar 2026')
  const again = await ask('POST', '/report-links', { linkId, week: '2026-W10', days: 7 })
  assert.deepEqual(refusedAt(again), [400, '/body/linkId'])
  const listed = await ask('GET', '/report-links')
  assert.deepEqual(
    listed.body.items?.map((one) => [one.linkId, one.expiresAt]),
    [[linkId, expiresAt]],
  )
  assert.ok(!JSON.stringify(listed.body).includes(path.slice('/shared/'.length)))

  const open = (url = path) => world.request<string>({ method: 'GET', url })
  const read = await open()
  assert.equal(read.status, 200)
  assert.match(read.body, /Weekly report, 2–8 Mar 2026/)
  assert.doesNotMatch(read.body, /href="\/|<script/, 'it leads into no page of the app')
  const { headers } = read
  assert.deepEqual(
    [headers['x-robots-tag'], headers['referrer-policy'], headers['cache-control']],
    ['noindex, nofollow', 'no-referrer', 'private, no-store'],
  )
  assert.match(headers['content-security-policy'] ?? '', /default-src 'none'.*sandbox/)
  assert.equal((await world.request({ method: 'POST', url: path, payload: {} })).status, 405)
  const token = path.slice('/shared/'.length)
  const asKey = { headers: { authorization: `Bearer ${token}` } }
  assert.equal((await world.request({ method: 'GET', url: '/weekly-report', ...asKey })).status, 401)

  await storeTracked(world, { storeId: '716', account: 'sharer' })
  assert.doesNotMatch((await open()).body, /App 716/, 'what is tracked later does not come into it')
  assert.equal((await other('DELETE', `/report-links/${linkId}`)).status, 404)
  assert.deepEqual((await other('GET', '/report-links')).body.items, [])
  assert.equal((await ask('DELETE', `/report-links/${linkId}`)).status, 204)
  const gone = await open()
  assert.equal(gone.status, 404)
  assert.match(gone.body, /expired, was revoked/)

  const short = await ask('POST', '/report-links', { linkId: randomUUID(), days: 1 })
  await sql`update report_links set expires_at = now() where link_id = ${short.body.linkId}`.execute(
    world.store.db,
  )
  assert.equal((await open(short.body.path)).status, 404)
  assert.deepEqual((await ask('GET', '/report-links')).body.items, [])
  for (const [body, at] of [
    [{ days: 1 }, 'linkId'],
    [{ linkId: randomUUID(), days: 91 }, 'days'],
    [{ linkId: randomUUID(), week: '2026-W60' }, 'week'],
    [{ linkId: randomUUID(), country: 'xx' }, 'country'],
  ] as const)
    assert.deepEqual(refusedAt(await ask('POST', '/report-links', body)), [400, `/body/${at}`])
  assert.deepEqual(refusedAt(await ask('GET', '/weekly-report?week=last')), [400, '/query/week'])
  const ahead = await ask('GET', '/weekly-report?week=2990-W01')
  assert.match(ahead.body.detail ?? '', /has not begun yet/)
})

test('an account shares fifty reports at a time, and readers of a link are counted', async () => {
  await using limited = await openWorld({ rateLimit: 3 })
  const { db } = limited.store
  await storeTracked(limited, { storeId: '717', account: 'many' })
  const authorization = `Bearer ${await limited.key(undefined, 'many')}`
  const share = () =>
    limited.request<Body>({
      ...{ method: 'POST', url: '/report-links', headers: { authorization } },
      payload: { linkId: randomUUID() },
    })
  const { path = '' } = (await share()).body
  await sql`
    insert into report_links (link_id, account_id, token_hash, title, page, expires_at)
    select gen_random_uuid(), account_id, decode(md5(n::text), 'hex'), title, page, expires_at
    from report_links, generate_series(1, 49) n`.execute(db)
  assert.match((await share()).body.detail ?? '', /at most 50 reports/)
  const statuses: number[] = []
  while (statuses.length < 8 && statuses.at(-1) !== 429)
    statuses.push((await limited.request({ method: 'GET', url: path })).status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
})
