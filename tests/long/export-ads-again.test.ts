import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { replay } from '../../src/projections/replay.ts'
import { adsState } from '../support/ads-state.ts'
import { forgetDerived } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { asLines, listed, takenOut, toldAgain } from '../support/taken-out.ts'
import { until } from '../support/until.ts'
import { openWorld, sharedData, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const storeUrl = (id = 6449912345) => `https://apps.apple.com/us/app/id${id}`
const real = ['ads/meta', 'ads/tiktok'].map((path) => join(sharedData, path)).filter(existsSync)

const tide = { platform: 'meta', archiveId: '1127384950617284' }
const tide31 = { platform: 'meta', archiveId: '31' }
const made = [
  {
    ...tide,
    observedAt: '2026-03-01T06:00:00Z',
    advertiser: {
      id: '104829173650281',
      name: 'Tidepool',
      url: 'https://example.com/tidepool',
      paidBy: ['Tidepool Ltd', 'Tides, Inc.'],
      beneficiaries: [],
    },
    active: true,
    startedOn: '2026-02-20',
    reachText: '11K',
    countries: ['de', 'fr'],
    publisherPlatforms: ['facebook', 'instagram'],
    format: 'video',
    creatives: [
      { title: 'Verschwunden', text: 'Dieser Text wurde von der Anzeige wieder entfernt, so viel steht fest.' },
      {
        title: 'Small tides',
        text: 'Missed a day again? That is fine, nobody does everything every day of the year.',
        displayLink: `${storeUrl(448999087)} first`,
        linkUrl: `${storeUrl()}?fbclid=b`,
        callToAction: 'INSTALL_NOW',
        media: [
          {
            kind: 'video',
            url: 'https://media.example.com/1.mp4?sig=1',
            width: 1080,
            durationSeconds: 14.8,
            captions: { language: 'en', segments: [{ startSeconds: 0.2, endSeconds: 2.9, text: 'I missed.' }] },
          },
          { kind: 'thumbnail' },
        ],
      },
    ],
  },
  ...Array.from({ length: 8 }, (_, day) => ({
    ...tide,
    observedAt: `2026-03-0${day + 2}T06:00:00.120Z`,
    active: day % 2 === 0,
    reachText: day === 3 ? '' : `${day + 12}K`,
  })),
  {
    ...tide,
    observedAt: '2026-03-10T06:00:00Z',
    advertiser: { id: '104829173650281', name: 'Tidepool Habits' },
    endedOn: null,
    creatives: [
      {
        title: 'Small tides',
        text: 'Missed a day again? That is fine, nobody does everything every day of the year.',
        displayLink: 'apps.apple.com',
        linkUrl: `${storeUrl()}?fbclid=a`,
        media: [{ kind: 'video', url: 'https://media.example.com/1.mp4?sig=2' }, { kind: 'thumbnail' }],
      },
    ],
  },
  // A source that carries less of the same creative.
  {
    ...tide,
    observedAt: '2026-03-12T06:00:00Z',
    creatives: [{ title: 'Small tides' }],
  },
  {
    platform: 'meta',
    archiveId: '22',
    observedAt: '2026-03-01',
    creatives: [{ text: 'Only words', media: [] }],
  },
  { platform: 'meta', archiveId: '23', observedAt: '2026-03-01', languages: ['pt-BR'], creatives: [] },
  {
    platform: 'tiktok',
    archiveId: '7',
    observedAt: '2026-03-02',
    advertiser: { id: '9', name: null },
    active: false,
  },
]

async function replies(world: World) {
  const all = await listed(world, 'search_paid_ads')
  const answers: unknown[] = all.map((ad) => toldAgain(ad))
  for (const { platform, archiveId } of all)
    answers.push(toldAgain((await world.call('get_paid_ad', { platform, archiveId })).body))
  for (const more of [
    { q: 'tides' },
    { q: 'verschwunden' },
    { active: false },
    { format: ['video'] },
    { language: ['en', 'pt-BR'] },
    { sort: 'longest-running' },
    { sort: 'recent' },
    { competitor: '6449912345' },
    { competitor: '448999087' },
  ])
    answers.push((await listed(world, 'search_paid_ads', more)).map(({ archiveId }) => archiveId))
  for (const more of [
    { q: 'tidepool', platform: 'meta' },
    { q: 'a', platform: 'meta' },
  ])
    answers.push(toldAgain((await world.call('admin_search_paid_ad_advertisers', more)).body))
  return answers
}

test('ads that were taken out and brought into an empty store answer the same', async () => {
  await using from = await openWorld()
  await from.import({ kind: 'paid-ads', paths: [folder.write('made.ndjson', asLines(made))] })
  await from.import({ kind: 'paid-ads', paths: real, observedAt: '2026-10-01T06:00:00Z' })
  const expected = await replies(from)
  const file = await takenOut(from, 'paid-ads', folder, 'ads-again.ndjson')
  await using to = await openWorld()
  const brought = await to.import({ kind: 'paid-ads', paths: [file] })
  assert.deepEqual([brought.firstRejection, brought.weaklyDated, brought.notes], [null, 0, []])
  const again = await to.import({ kind: 'paid-ads', paths: [file] })
  assert.deepEqual([again.stored, again.unchanged], [0, brought.stored])
  const answersTheSame = async () => {
    const answered = await replies(to)
    assert.equal(answered.length, expected.length)
    // One by one: what differs is shown, not the difference of everything.
    for (const [index, reply] of answered.entries()) assert.deepEqual(reply, expected[index])
  }
  await answersTheSame()
  await replay(to.store.db, () => {}, new AbortController().signal)
  await answersTheSame()
})

const small = fc.nat({ max: 2 })
const creative = fc.record(
  {
    title: fc.constantFrom('Small tides', 'Big tides', null),
    text: fc.constantFrom('Look', `Get it: ${storeUrl(100000001)}`, 'Nobody does everything every day.'),
    displayLink: fc.constantFrom('example.com', storeUrl(100000002), storeUrl(100000003)),
    linkUrl: fc.oneof(
      small.map((click) => `${storeUrl(100000003)}?fbclid=${click}`),
      fc.constant('unreadable'),
    ),
    callToAction: fc.constantFrom('SHOP_NOW', null, '¿?'),
    media: fc.array(
      fc.record({
        kind: fc.constantFrom('video', 'image'),
        url: small.map((name) => `https://media.example.com/${name}.mp4?sig=${name * 7}`),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
)
const ad = fc.record(
  {
    platform: fc.constantFrom('meta', 'tiktok'),
    archiveId: small.map((id) => `70000000000000000${id}`),
    observedAt: fc.nat({ max: 8 }).map((day) => `2026-03-0${day + 1}T12:00:00Z`),
    advertiser: fc.record(
      {
        id: small.map(String),
        name: fc.constantFrom('Tides', 'Pools', null),
        url: fc.constantFrom('https://example.com', 'unreadable'),
      },
      { requiredKeys: ['id', 'name'] },
    ),
    active: fc.boolean(),
    startedOn: small.map((day) => `2026-02-0${day + 1}`),
    endedOn: fc.option(small.map((day) => `2026-03-0${day + 1}`)),
    reachText: fc.constantFrom('11K', '12K', ''),
    languages: fc.constantFrom(['de'], []),
    countries: fc.subarray(['de', 'fr']),
    creatives: fc.array(creative, { maxLength: 3 }),
  },
  { requiredKeys: ['platform', 'archiveId', 'observedAt', 'creatives'] },
)

test('whatever was observed of ads, and in whatever order, comes back from an export', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const bring = (path: string) => world.import({ kind: 'paid-ads', paths: [path] })
  const state = async () => {
    const { observations, creatives, grounds, links, searched } = await adsState(db)
    return { observations, creatives, grounds, links, searched, replies: await replies(world) }
  }
  const empty = async () => {
    await forgetDerived(db)
    for (const table of ['readings', 'reading_identities', 'payloads'])
      await sql`delete from ${sql.table(table)}`.execute(db)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(ad, { minLength: 1, maxLength: 12 }), async (records) => {
      await empty()
      await bring(folder.write('records.ndjson', asLines(records)))
      const before = await state()
      const file = await takenOut(world, 'paid-ads', folder, 'records-again.ndjson')
      await empty()
      assert.equal((await bring(file)).firstRejection, null)
      assert.deepEqual(await state(), before)
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

test('a table of exported ads comes back as far as it carries, its texts without the mark that spreadsheets need', async () => {
  await using from = await openWorld()
  const words = { title: '=1+1', text: '-50% today', description: "'tis; so", callToAction: 'INSTALL_NOW' }
  const records = [
    { ...tide, observedAt: '2026-03-01T06:00:00Z', creatives: [{ title: 'Gone', media: [] }] },
    {
      ...tide,
      observedAt: '2026-03-02T06:00:00Z',
      advertiser: { id: '104829173650281', name: '@tidepool', paidBy: ['-Tides', 'Pools'], beneficiaries: [] },
      ...{ active: true, startedOn: '2026-02-20', reachText: '+11K', countries: ['de', 'fr'], format: 'image' },
      creatives: [
        { ...words, media: [] },
        { title: 'Other', linkUrl: storeUrl(), media: [] },
      ],
    },
  ]
  await from.import({ kind: 'paid-ads', paths: [folder.write('table.ndjson', asLines(records))] })
  const before = (await from.call('get_paid_ad', tide)).body
  const file = await takenOut(from, 'paid-ads', folder, 'ads.csv')
  await using to = await openWorld()
  const brought = await to.import({ kind: 'paid-ads', paths: [file] })
  assert.equal(brought.firstRejection, null)
  assert.match(
    brought.notes.join(),
    /^ads\.csv: a table holds the newest figures.* NDJSON brings back everything$/,
  )
  const archive = await to.import({
    kind: 'paid-ads',
    paths: [await takenOut(from, 'paid-ads', folder, 'ads.zip')],
  })
  assert.match(String(archive.firstRejection?.reason), /^a zip archive: unpack it, .* ads\.ndjson$/)
  const { body } = await to.call('get_paid_ad', tide)
  const same = (ad: Record<string, unknown>) => {
    const {
      evidence: _,
      observations: _o,
      creatives,
      callToActionText: _c,
      ...reported
    } = toldAgain(ad) as typeof ad
    const shown = (creatives as Record<string, unknown>[]).filter(({ current }) => current)
    return { ...reported, creatives: shown.map(({ firstObservedAt: _f, callToActionText: _t, ...one }) => one) }
  }
  assert.deepEqual(same(body), same(before))
})

test('what accounts brought of ads stays where they brought it', async () => {
  await using from = await openWorld({ works: true })
  const of = (archiveId: string, more: object) => ({ platform: 'meta', archiveId, ...more })
  const shown = of('31', {
    observedAt: '2026-03-01T06:00:00Z',
    creatives: [{ title: 'Shown', linkUrl: storeUrl() }],
  })
  await from.import({ kind: 'paid-ads', paths: [folder.write('shown.ndjson', asLines([shown]))] })
  const before = toldAgain((await from.call('get_paid_ad', tide31)).body)
  const records = [
    of('31', { observedAt: '2026-03-05T06:00:00Z', reachText: '9K', creatives: [{ title: 'Brought' }] }),
    of('32', { observedAt: '2026-03-05T06:00:00Z', creatives: [{ title: 'Brought alone' }] }),
  ]
  const { body: run } = await from.call('admin_import_paid_ads', { platform: 'meta', records })
  await until(
    async () => (await from.call('admin_get_paid_ad_import', { runId: run.runId })).body,
    ({ status }) => status === 'succeeded',
  )
  assert.equal((await from.call('get_paid_ad', tide31)).body.reachText.value, '9K')
  const file = await takenOut(from, 'paid-ads', folder, 'brought.ndjson')
  await using to = await openWorld()
  const brought = await to.import({ kind: 'paid-ads', paths: [file] })
  assert.deepEqual(brought.notes, ['brought.ndjson: of 1 of its ads, what accounts brought is left out'])
  assert.deepEqual([brought.stored, brought.rejected], [1, 1])
  assert.match(String(brought.firstRejection?.reason), /^only an account brought it/)
  assert.deepEqual(toldAgain((await to.call('get_paid_ad', tide31)).body), before)
  const table = await to.import({
    kind: 'paid-ads',
    paths: [await takenOut(from, 'paid-ads', folder, 'brought.csv')],
  })
  assert.deepEqual([table.stored, table.rejected], [0, 3])
  assert.match(String(table.firstRejection?.reason), /^an account brought a part of it, .* as NDJSON/)
})
