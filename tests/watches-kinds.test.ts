import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { writeCandidates } from '../src/domain/emerging/candidate-queries.ts'
import { countChange } from '../src/domain/evidence/changes.ts'
import { inTransaction } from '../src/storage/database.ts'
import { lookAtSchedule } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { appsOf, storePage } from './support/result-pages.ts'
import { openScriptedServer } from './support/scripted-server.ts'
import { storeTracked } from './support/tracking.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

/** What can be watched beside charts and listings. Each test has an account of its own. */

let world: World
const parts = new AsyncDisposableStack()
before(async () => {
  world = parts.use(
    await openWorld({
      works: true,
      watches: {
        allowPrivateAddresses: true,
        publicUrl: 'https://r.example',
        accounts: [
          {
            account: 'configured',
            times: { timeZone: 'Asia/Tokyo', quietHours: { from: '22:00', until: '07:30' } },
            watch: [{ kind: 'source', hours: 24 }, { kind: 'import' }],
          },
        ],
      },
    }),
  )
})
after(() => parts.disposeAsync())

/** A moment after all watches of this test. */
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const dayOf = (at: string) => at.slice(0, 10)

async function add(
  account: string,
  kind: 'ads' | 'emerging' | 'import' | 'top' | 'chart',
  more: object = {},
): Promise<void> {
  await world.key(undefined, account)
  const { code, notes } = await operate(world, { command: 'watches add', options: { kind, account, ...more } })
  assert.equal(code, 0, notes)
}

async function told(account: string): Promise<{ title: string; link: string }[]> {
  const { out } = await operate(world, {
    command: 'watch',
    options: { account, once: true, since: '2020-01-01', json: true },
  })
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test('an ad that starts and ends is told twice, and one that ran long before it was seen is not new', async () => {
  await add('ads', 'ads', { app: '9000000711' })
  using folder = openFolder()
  let files = 0
  const shown = async (archiveId: string, observedAt: string, more: object = {}) => {
    const record = {
      platform: 'meta',
      archiveId,
      advertiser: { id: '5001', name: 'Tidepool Habits' },
      creatives: [
        {
          title: 'Small tides',
          media: [],
          linkUrl: 'https://apps.apple.com/us/app/id9000000711',
        },
      ],
      startedOn: dayOf(later(0)),
      active: true,
      countries: ['us'],
      observedAt,
      ...more,
    }
    const path = folder.write(`${++files}.ndjson`, JSON.stringify(record))
    const { stored } = await world.import({ kind: 'paid-ads', paths: [path] })
    assert.equal(stored, 1)
  }
  await shown('71', later(1))
  await shown('71', later(2))
  await shown('72', later(2), { startedOn: '2025-01-01' })
  assert.deepEqual(
    (await told('ads')).map(({ title, link }) => [title, link]),
    [
      [
        `App 9000000711: an ad by Tidepool Habits on meta started on ${dayOf(later(0))}`,
        'https://r.example/creatives/ads/meta/71',
      ],
    ],
    'one that has run for long before it was seen is not new',
  )
  await shown('71', later(3), { active: false, endedOn: dayOf(later(0)) })
  const titles = (await told('ads')).map(({ title }) => title)
  assert.equal(titles.length, 2)
  assert.match(titles[1] ?? '', /on meta stopped on \d{4}-\d\d-\d\d$/)
})

test('an app that a run finds is told once, with why, however many runs find it again', async () => {
  await add('emerging', 'emerging', { country: 'us' })
  const found = (windowDays: number, at: string) =>
    inTransaction(world.store.db, async (transaction) => {
      await writeCandidates(
        transaction,
        { country: 'us', categoryId: null, windowDays },
        { runId: uuidv7(), at: new Date(at) },
        [
          {
            storeId: '9000000712',
            kind: 'moved-up',
            score: 0.8,
            reasons: [
              {
                kind: 'moved-up',
                detail: 'moved up 28 places in 13 days in Top Free Finance, from 40 to 12',
                weight: 1,
              },
            ],
            evidence: [],
            firstSeenAt: new Date(at),
          },
        ],
      )
      await countChange(transaction, ['charts'])
    })
  await found(7, later(1))
  await found(7, later(2))
  await found(14, later(3))
  assert.deepEqual(
    (await told('emerging')).map(({ title, link }) => [title, link]),
    [
      [
        'App 9000000712: moved up 28 places in 13 days in Top Free Finance, from 40 to 12 (us)',
        'https://r.example/apps/9000000712?country=us',
      ],
    ],
  )
})

test('an import of ads that an account asked for is told to that account once it has ended', async () => {
  await add('imports', 'import')
  await add('others', 'import')
  const key = await world.key(undefined, 'imports')
  const records = [
    {
      platform: 'meta',
      archiveId: '73',
      advertiser: { id: '5001', name: 'Tidepool Habits' },
      creatives: [{ text: 'Mine' }],
      active: true,
      observedAt: '2026-03-01T08:00:00Z',
    },
  ]
  const { status, body } = await world.call('admin_import_paid_ads', { platform: 'meta', records }, { key })
  assert.equal(status, 202)
  const titles = await until(
    async () => (await told('imports')).map(({ title }) => title),
    (all) => all.length > 0,
  )
  assert.deepEqual(titles, ['Import of meta ads succeeded: 1 read, 1 stored, 0 rejected'])
  const [event] = await told('imports')
  assert.equal(event?.link, `https://r.example/admin/imports/${body.runId}`)
  assert.deepEqual(await told('others'), [])
})

test('beside an event of a keyword stands what another tool told before, and no event rests on that', async () => {
  using folder = openFolder()
  const bring = (day: string, rank: number) => {
    const table = `date,keyword,country,rank,app_id\n${day},tool tides,us,${rank},709\n`
    return world.import({ kind: 'keyword-ranks', paths: [folder.write(`${day}.csv`, table)] })
  }
  const page = (day: number, ids: number[]) =>
    storePage(world, { term: 'tool tides', observedAt: `2026-03-0${day}T06:00:00Z`, apps: appsOf(ids) })
  await bring('2026-02-27', 44)
  await storeTracked(world, { storeId: '709', keywords: ['tool tides'], account: 'tools' })
  await page(1, [701, 702, 703, 704, 709])
  await add('tools', 'top', { app: '709', in: 'keywords', places: [3] })
  await bring('2026-02-28', 2)
  await bring('2026-03-05', 90)
  assert.deepEqual(await told('tools'), [])
  await page(2, [709, 702, 703, 704, 701])
  const [event] = (await told('tools')) as unknown as { evidence: { before: object; otherTools: object[] } }[]
  assert.deepEqual(
    event?.evidence.otherTools.map((one) => ({ ...one, readingId: '' })),
    [
      {
        tool: null,
        device: null,
        day: '2026-02-28',
        rank: { state: 'measured', value: 2, depth: null },
        readingId: '',
      },
    ],
  )
})

test('ranks in the results of tracked keywords are watched, and no other keyword', async () => {
  const pages = async (day: number, ids: number[]) => {
    for (const term of ['tide table', 'moon phase'])
      await storePage(world, { term, observedAt: `2026-03-0${day}T06:00:00Z`, apps: appsOf(ids) })
  }
  await storeTracked(world, { storeId: '705', keywords: ['tide table'], account: 'keywords' })
  await pages(1, [701, 702, 703, 704, 705])
  await add('keywords', 'top', { app: '705', in: 'keywords', places: [3] })
  await pages(2, [705, 702, 703, 704, 701])
  assert.deepEqual(
    (await told('keywords')).map(({ title, link }) => [title, link]),
    [
      [
        'App 705 entered the top 3: 5 to 1 in results for "tide table" (us)',
        'https://r.example/apps/705/keywords?country=us&q=tide%20table',
      ],
    ],
  )
})

test('a watch on an app that nobody knows, or that is gone, tells nothing and holds up no other', async () => {
  await add('gone', 'chart', { app: '999999999999', country: 'us' })
  await add('gone', 'ads', { app: '999999999999' })
  assert.deepEqual(await told('gone'), [])
  const { out } = await operate(world, { command: 'watches list', options: { account: 'gone', json: true } })
  assert.deepEqual(
    JSON.parse(out).map(({ lastError, events }: { lastError: string | null; events: number }) => [
      lastError,
      events,
    ]),
    [
      [null, 0],
      [null, 0],
    ],
  )
})

test('the watches and times of an account that a configuration names are those of the file', async () => {
  await lookAtSchedule(world)
  const { out } = await operate(world, {
    command: 'watches list',
    options: { account: 'configured', json: true },
  })
  const listed = JSON.parse(out) as { fromConfiguration: boolean; definition: { kind: string } }[]
  assert.deepEqual(
    listed.map(({ fromConfiguration, definition }) => [fromConfiguration, definition.kind]),
    [
      [true, 'source'],
      [true, 'import'],
    ],
  )
})

test('a test event goes out through each channel that is sent anything, and a feed is none', async () => {
  await world.key(undefined, 'tried')
  const tried = () => operate(world, { command: 'watches test', options: { account: 'tried' } })
  await operate(world, { command: 'channels add', options: { kind: 'feed', account: 'tried' } })
  assert.match((await tried()).notes, /has no channel that is sent anything/)
  await using receiver = await openScriptedServer()
  receiver.plays((reply) => reply.writeHead(204).end())
  const address = `${receiver.address}hook`
  await operate(world, { command: 'channels add', options: { kind: 'webhook', address, account: 'tried' } })
  const { code, notes } = await tried()
  assert.equal(code, 0, notes)
  assert.equal(receiver.arrived.length, 1)
  assert.equal(JSON.parse(receiver.arrived[0]?.body ?? '').account, 'tried')
})
