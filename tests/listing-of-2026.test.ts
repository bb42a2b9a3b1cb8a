import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
import { replay } from '../src/projections/replay.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import type { ParsedInput } from '../src/suppliers/parsed-input.ts'
import { collected } from './support/collected.ts'
import { openFolder } from './support/files.ts'
import { importPosts, madePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

/** What Apple added to listings until 2026: events, tags, summaries of reviews, media of their own and custom product pages. */

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

let storeId = 8_200_000_000
beforeEach(() => {
  storeId++
})
const app = () => ({ platform: 'ios', storeId: String(storeId) }) as const

/** The page of the app, as it was collected on a day in March 2026. */
function page(day: number, shelves: object, description: object = {}): ParsedInput {
  const shelfMapping = {
    description: { items: [{ paragraph: { text: 'A light.' }, ...description }] },
    ...shelves,
  }
  const data = { data: [{ data: { lockup: { adamId: String(storeId), title: 'Lantern' }, shelfMapping } }] }
  const html = `<script id="serialized-server-data">${JSON.stringify(data)}</script>`
  const at = new Date(Date.UTC(2026, 2, day)).toISOString()
  return collected('app-page', Buffer.from(html), { country: 'us', storeId: String(storeId) }, at)
}

const event = (id: number, startDate: unknown, endDate: unknown, more: object = {}) => ({
  promotionType: 'appEvent',
  appEventId: String(id),
  title: `Event ${id}`,
  kind: 'Challenge',
  subtitle: 'Run with friends',
  detail: 'Run with friends, all day.',
  startDate,
  endDate,
  moduleArtwork: {
    template: `https://is1-ssl.mzstatic.com/image/${id}/{w}x{h}{c}.{f}`,
    width: 1920,
    height: 1080,
  },
  ...more,
})
const appEvents = (...items: unknown[]) => ({ appEvents: { contentType: 'appPromotion', items } })

const store = (...pages: ParsedInput[]) => storeReadings(world.store.db, pages)
const record = async () => (await world.call('get_competitor', app())).body
const media = async (kind?: string) =>
  (await world.call('get_competitor_media', { ...app(), ...(kind ? { kind } : {}) })).body
const coverageOf = async (kind: string) => {
  const [{ state, reason }] = (await media(kind)).coverage
  return [state, reason]
}

test('an event has the dates that Apple states and those on which it was seen, and ends or is taken down', async () => {
  const over = event(1, '2026-03-01T09:00:00Z', '2026-03-12T09:00:00Z')
  const takenDown = event(2, '2026-03-05T09:00:00+01:00', '2026-03-30T09:00:00Z')
  const gone = event(3, '2026-03-06T09:00:00Z', undefined)
  const running = event(4, '2026-03-07T09:00:00Z', null)
  const upcoming = event(5, '2999-01-01T00:00:00Z', '2999-01-08T00:00:00Z', {
    moduleVideo: { videoUrl: 'https://v.example/5.m3u8' },
  })
  const pages = [
    page(10, appEvents(gone, over, takenDown)),
    page(15, appEvents(running, gone, takenDown)),
    page(20, appEvents(upcoming, running)),
  ]
  await store(...pages.toReversed())
  const { events, coverage } = await media('event')
  assert.deepEqual(
    events.map((one) => [
      one.name,
      one.state,
      one.current,
      one.firstSeenAt.slice(0, 10),
      one.lastSeenAt.slice(0, 10),
    ]),
    [
      ['Event 4', 'running', true, '2026-03-15', '2026-03-20'],
      ['Event 5', 'upcoming', true, '2026-03-20', '2026-03-20'],
      ['Event 2', 'taken-down', false, '2026-03-10', '2026-03-15'],
      ['Event 3', 'gone', false, '2026-03-10', '2026-03-15'],
      ['Event 1', 'over', false, '2026-03-10', '2026-03-10'],
    ],
  )
  const { firstSeenAt: _first, lastSeenAt: _last, ...stated } = events[2] as object as Record<string, unknown>
  assert.deepEqual(stated, {
    eventId: '2',
    name: 'Event 2',
    kind: 'Challenge',
    startsAt: '2026-03-05T08:00:00.000Z',
    endsAt: '2026-03-30T09:00:00.000Z',
    shortDescription: 'Run with friends',
    description: 'Run with friends, all day.',
    imageUrl: 'https://is1-ssl.mzstatic.com/image/2/1920x1080bb.jpg',
    videoUrl: null,
    current: false,
    state: 'taken-down',
  })
  assert.deepEqual(coverage, [
    {
      kind: 'event',
      device: 'any',
      state: 'measured',
      reason: null,
      sources: ['app-store-page'],
      lastLookedAt: '2026-03-20T00:00:00.000Z',
    },
  ])
  assert.deepEqual(
    (await record()).events.value.map(({ eventId }: { eventId: string }) => eventId),
    ['4', '5'],
  )
  const { timeline } = (await world.call('get_competitor_aso', app())).body
  assert.deepEqual(
    timeline.map(({ firstSeenAt, fields }) => [firstSeenAt.slice(0, 10), fields.map(({ field }) => field)]),
    [
      ['2026-03-20', ['events']],
      ['2026-03-15', ['events']],
    ],
  )
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual((await media('event')).events, events)
  // The page as a whole has no event any more.
  await store(page(25, {}))
  assert.deepEqual(await coverageOf('event'), ['absent', null])
  assert.equal((await record()).events.state, 'absent')
  assert.equal((await media()).events.find(({ eventId }) => eventId === '5')?.state, 'taken-down')
})

test('the same events in another order, or with pictures on another host, are no change; another end is one', async () => {
  const [one, other] = [event(1, '2026-03-01T00:00:00Z', null), event(2, '2026-03-02T00:00:00Z', null)]
  const elsewhere = JSON.parse(JSON.stringify(one).replace('is1-ssl', 'is5-ssl'))
  await store(page(10, appEvents(one, other)), page(11, appEvents(other, elsewhere)))
  assert.deepEqual((await record()).listingHistory, [])
  await store(page(12, appEvents(other, { ...one, endDate: '2026-04-01T00:00:00Z' })))
  const { listingHistory } = await record()
  assert.deepEqual(
    listingHistory.map(({ field, comparison }) => [field, comparison]),
    [
      ['events', 'changed'],
      ['events', null],
    ],
  )
  assert.match(
    String(listingHistory[0]?.value),
    /^Event 1\tChallenge\t2026-03-01T00:00:00.000Z to 2026-04-01T00:00:00.000Z\t/,
  )
  assert.deepEqual(
    (await media('event')).events.map(({ endsAt, firstSeenAt }) => [endsAt, firstSeenAt.slice(0, 10)]),
    [
      ['2026-04-01T00:00:00.000Z', '2026-03-10'],
      [null, '2026-03-10'],
    ],
  )
})

test("tags and the summary of reviews are Apple's words, with their history; a page without them tells nothing of them", async () => {
  await store(page(1, {}))
  const before = await record()
  for (const field of ['tags', 'reviewSummary'] as const)
    assert.deepEqual(before[field], { state: 'not-measured', reason: 'not-carried' })
  const summary = (text: string) => ({
    reviewSummary: { items: [{ bodyNoTitle: `^[${text}](jetFont: 'reviewSummaryText')` }] },
  })
  const tags = (...titles: string[]) => ({ tags: titles.map((title) => ({ title, clickAction: {} })) })
  await store(
    page(2, summary('People (and pets) like it.'), tags('Productivity', 'Night light')),
    page(3, summary('Some miss a timer.'), tags('Night light', 'Productivity')),
  )
  const known = await record()
  assert.deepEqual(
    [known.tags.value, known.reviewSummary.value],
    [['Night light', 'Productivity'], 'Some miss a timer.'],
  )
  // The order of tags is Apple's, not the app's.
  assert.deepEqual(
    known.listingHistory.map(({ field, value }) => [field, value]),
    [
      ['review-summary', 'Some miss a timer.'],
      ['review-summary', 'People (and pets) like it.'],
    ],
  )
  await store(page(4, {}, tags()))
  assert.equal((await record()).tags.state, 'absent')
})

test('shelves that cannot be read are named, and the page counts all the same', async () => {
  const fine = event(1, '2026-03-01T00:00:00Z', null)
  const unfit: [string, object, object?][] = [
    [
      'events',
      appEvents(...Array.from({ length: 10_000 }, (_, at) => event(at + 1, '2026-03-01T00:00:00Z', null))),
    ],
    ['events', appEvents(fine, event(2, 'soon', null))],
    ['events', appEvents(fine, event(2, '2026-03-01', null))],
    ['events', appEvents(fine, event(2, '2026-03-01T00:00:00Z', 7))],
    ['events', appEvents(fine, { surprise: true })],
    ['events', appEvents(event(1, '2026-03-01T00:00:00Z', null, { title: 'x'.repeat(501) }))],
    ['events', { appEvents: { items: 'many' } }],
    ['tags', {}, { tags: [{ title: 'Light' }, { title: 7 }] }],
    ['tags', {}, { tags: 'Light' }],
    ['reviewSummary', { reviewSummary: { items: [] } }],
    ['reviewSummary', { reviewSummary: { items: [{ bodyNoTitle: 'x'.repeat(5_001) }] } }],
  ]
  for (const [field, shelves, description] of unfit) {
    storeId++
    await store(page(1, { privacyTypes: { items: [] }, ...shelves }, description))
    const known = await record()
    assert.deepEqual(known[field as 'tags'], { state: 'not-measured', reason: 'unreadable' }, field)
    assert.equal(known.name, 'Lantern')
  }
  assert.deepEqual(await coverageOf('event'), ['absent', null])
})

test('an event is kept as it is stated, an offer is none, and a hostile picture is left out', async () => {
  await store(
    page(
      1,
      appEvents(
        { promotionType: 'offerItem', titleFormatted: 'Half price' },
        event(7, '2026-03-09T00:00:00Z', '2026-03-01T00:00:00Z', {
          title: '<script>\talert(1)\nEnd',
          moduleArtwork: { template: 'javascript:alert(1)//{w}x{h}{c}.{f}', width: 1, height: 1 },
          moduleVideo: { videoUrl: 'file:///etc/passwd' },
        }),
        // Also seen so: the event of the page to which its card leads.
        { clickAction: { pageData: { appEvent: event(8, '2026-03-02T00:00:00Z', null) } } },
        event(8, '2026-03-03T00:00:00Z', null),
      ),
    ),
  )
  const { events } = await media('event')
  assert.deepEqual(
    events.map((one) => [
      one.eventId,
      one.name,
      one.startsAt.slice(0, 10),
      one.endsAt,
      one.state,
      one.imageUrl === null,
      one.videoUrl,
    ]),
    [
      ['8', 'Event 8', '2026-03-02', null, 'running', false, null],
      ['7', '<script> alert(1) End', '2026-03-09', '2026-03-01T00:00:00.000Z', 'over', true, null],
    ],
  )
})

test('media of the header and of search are not carried by pages, and have dates of their own where a file brings them', async () => {
  await store(page(1, { product_media_phone_: { items: [] } }))
  for (const kind of ['header', 'search-result'])
    assert.deepEqual(await coverageOf(kind), ['not-measured', 'not-carried'])
  const fields = { storeId: 'id', name: 'name', headerMedia: 'header', searchMedia: 'search' }
  const mapping = parseMapping({ fields }, 'catalogue', 'the mapping')
  const bring = (day: string, header: string, search: string) =>
    world.import({
      kind: 'catalogue',
      paths: [folder.write('assets.csv', `id,name,header,search\n${storeId},Lantern,${header},${search}\n`)],
      observedAt: `2026-03-${day}T00:00:00Z`,
      country: 'us',
      mapping,
    })
  await bring('02', 'https://e.com/h1.png', 'https://e.com/s1.mp4')
  await bring('05', 'https://e.com/h2.png', 'https://e.com/s1.mp4')
  const { items, coverage } = await media()
  assert.deepEqual(
    items.map(({ kind, device, url, firstSeenAt, current }) => [
      kind,
      device,
      url,
      firstSeenAt.slice(8, 10),
      current,
    ]),
    [
      ['header', 'any', 'https://e.com/h2.png', '05', true],
      ['search-result', 'any', 'https://e.com/s1.mp4', '02', true],
      ['header', 'any', 'https://e.com/h1.png', '02', false],
    ],
  )
  assert.deepEqual(
    coverage.filter(({ state }) => state === 'measured').map(({ kind }) => kind),
    ['header', 'search-result'],
  )
  const { timeline } = (await world.call('get_competitor_aso', app())).body
  assert.deepEqual(
    timeline.flatMap(({ fields }) => fields.map(({ field }) => field)),
    ['header-media'],
  )
})

const pageId = (at: number) => `0aa1bb22-33cc-44dd-55ee-${String(at).padStart(12, '0')}`
const landing = (id: number, at: number) =>
  `https://apps.apple.com/us/app/lantern/id${id}?pt=1&ppid=${pageId(at)}&mt=8`

async function bringAds(observedAt: string, ads: readonly [archiveId: string, ...links: string[]][]) {
  const records = ads.map(([archiveId, ...links]) => ({
    platform: 'meta',
    archiveId,
    advertiser: { id: '5001', name: 'Harbour' },
    creatives: links.map((linkUrl, at) => ({ title: `Ad ${at}`, media: [], linkUrl })),
    observedAt,
  }))
  await world.import({
    kind: 'paid-ads',
    paths: [folder.write('ads.ndjson', records.map((one) => JSON.stringify(one)).join('\n'))],
  })
}

test('custom product pages are those that ads and posts lead to, with where and when each was seen', async () => {
  await store(page(1, {}))
  assert.deepEqual(await coverageOf('product-page'), ['not-measured', 'not-carried'])
  const other = storeId + 500
  const wrapped = `https://l.facebook.com/l.php?u=${encodeURIComponent(landing(storeId, 2))}&h=x`
  await bringAds('2026-03-01T00:00:00Z', [
    ['8201', landing(storeId, 1), landing(other, 9)],
    ['8202', wrapped, `https://evil.example/?x=${encodeURIComponent(landing(storeId, 8))}`],
    ['8203', `https://apps.apple.com/us/app/id${storeId}?ppid=not-a-page`],
  ])
  await bringAds('2026-03-04T00:00:00Z', [
    ['8204', landing(storeId, 1).toUpperCase().replace('HTTPS', 'https')],
  ])
  await importPosts(world, [
    madePost('8205', {
      text: `Look: ${landing(storeId, 3)}\nand ${landing(other, 9)}`,
      observedAt: '2026-03-06T00:00:00Z',
    }),
    madePost('8206', { linkUrl: landing(storeId, 1), observedAt: '2026-03-02T00:00:00Z' }),
  ])
  const pages = async () =>
    (await media()).productPages.map(({ productPageId, url, firstSeenAt, lastSeenAt, seen }) => [
      productPageId,
      url === `https://apps.apple.com/us/app/id${storeId}?ppid=${productPageId}`,
      firstSeenAt.slice(8, 10),
      lastSeenAt.slice(8, 10),
      seen.map(({ on, count, newest }) => [on, count, newest]),
    ])
  const first = [
    [pageId(3), true, '06', '06', [['tiktok', 1, ['tiktok_8205']]]],
    [
      pageId(1),
      true,
      '01',
      '04',
      [
        ['meta', 2, ['8204', '8201']],
        ['tiktok', 1, ['tiktok_8206']],
      ],
    ],
    [pageId(2), true, '01', '01', [['meta', 1, ['8202']]]],
  ]
  assert.deepEqual(await pages(), first)
  assert.deepEqual(await coverageOf('product-page'), ['measured', null])
  assert.deepEqual((await media('icon')).productPages, [])
  const { creatives } = (await world.call('get_paid_ad', { platform: 'meta', archiveId: '8202' })).body
  assert.deepEqual(
    creatives.map(({ productPageId }) => productPageId.value ?? productPageId.state),
    [pageId(2), 'not-measured'],
  )
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await pages(), first)
  // A person's decision wins: an ad that is not the app's leads to no page of it.
  const { status } = await world.call('admin_link_paid_ads', {
    platform: 'meta',
    action: 'unlink',
    archiveIds: ['8202'],
    competitor: String(storeId),
  })
  assert.equal(status, 201)
  assert.deepEqual((await pages()).length, 2)
})
