import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refreshWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { replay } from '../../src/projections/replay.ts'
import { storeReadings } from '../../src/projections/store-readings.ts'
import { parsePayload } from '../../src/suppliers/formats.ts'
import type { ParsedInput } from '../../src/suppliers/parsed-input.ts'
import { playedSources, startApple } from '../support/apple.ts'
import { derivedState } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { storeListings } from '../support/listings.ts'
import { appsOf, storePages } from '../support/result-pages.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

/** The page of an app, as it was collected, with the apps Apple showed beside it. */
function page(day: number, storeId: number, beside: readonly number[], country = 'us'): ParsedInput {
  const lockup = (id: number) => ({ adamId: String(id), title: `App ${id}` })
  const shelfMapping = { similarItems: { items: beside.map(lockup) } }
  const data = { data: [{ intent: { id: String(storeId) }, data: { lockup: lockup(storeId), shelfMapping } }] }
  const bytes = Buffer.from(`<script id="serialized-server-data">${JSON.stringify(data)}</script>`)
  const context = { layout: 'document' as const, country, storeId: String(storeId) }
  return {
    bytes,
    format: 'app-page',
    context,
    origin: 'collected',
    country,
    observedAt: new Date(Date.UTC(2026, 2, day, 12)),
    timeBasis: 'clock',
    parsed: parsePayload('app-page', bytes, context),
  }
}

async function appleReasons(world: World, storeId: number, country = 'us') {
  const { body } = await world.call('get_similar_competitors', {
    platform: 'ios',
    storeId: String(storeId),
    country,
  })
  const reasons = body.items.flatMap((item: { app: { storeId: string }; reasons: { kind: string }[] }) =>
    item.reasons
      .filter(({ kind }) => kind === 'apple-list')
      .map((reason) => ({ storeId: Number(item.app.storeId), ...reason })),
  )
  return { reasons, basis: body.basis.find(({ kind }: { kind: string }) => kind === 'apple-list') }
}

test("Apple's own list is a reason, the first strongest, and a list of the other app counts half", async () => {
  await using world = await openWorld()
  await storeReadings(world.store.db, [page(1, 1, [2, 3, 4, 5]), page(2, 9, [1, 8])])
  const { reasons, basis } = await appleReasons(world, 1)
  const kind = 'apple-list'
  assert.deepEqual(reasons, [
    { storeId: 2, kind, strength: 1, detail: "position 1 of 4 in Apple's list" },
    { storeId: 3, kind, strength: 0.75, detail: "position 2 of 4 in Apple's list" },
    { storeId: 4, kind, strength: 0.5, detail: "position 3 of 4 in Apple's list" },
    { storeId: 9, kind, strength: 0.5, detail: 'this app is at position 1 of 2 in its Apple list' },
    { storeId: 5, kind, strength: 0.25, detail: "position 4 of 4 in Apple's list" },
  ])
  assert.deepEqual(basis, {
    kind,
    state: 'measured',
    detail: "Apple's list of 4 apps, collected 2026-03-01; in the list of one other app",
  })
})

test('apps that name each other have one reason, the stronger one', async () => {
  await using world = await openWorld()
  await storeReadings(world.store.db, [page(1, 1, [2, 3, 4, 5]), page(2, 5, [1])])
  const { reasons } = await appleReasons(world, 1)
  assert.deepEqual(
    reasons.find((reason: { storeId: number }) => reason.storeId === 5),
    {
      storeId: 5,
      kind: 'apple-list',
      strength: 0.5,
      detail: 'this app is at position 1 of 1 in its Apple list',
    },
  )
  assert.equal(reasons.length, 4)
})

test('a list that was not collected is not measured, in other storefronts too', async () => {
  await using world = await openWorld()
  await storeReadings(world.store.db, [page(1, 1, [2])])
  const notCollected = {
    kind: 'apple-list',
    state: 'not-measured',
    detail: "Apple's list not collected yet",
  }
  assert.deepEqual(await appleReasons(world, 1, 'jp'), { reasons: [], basis: notCollected })
  assert.deepEqual((await appleReasons(world, 2)).basis, {
    ...notCollected,
    detail: `${notCollected.detail}; in the list of one other app`,
  })
  await storeReadings(world.store.db, [page(1, 6, [], 'de')])
  assert.deepEqual(await appleReasons(world, 6), { reasons: [], basis: notCollected })
})

test('a newer list replaces an older one as a whole, an older one changes nothing, and a replay restores it', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const listed = async () =>
    (await appleReasons(world, 1)).reasons.map((reason: { storeId: number }) => reason.storeId)
  await storeReadings(db, [page(5, 1, [2, 3, 4])])
  await storeReadings(db, [page(9, 1, [7, 3])])
  assert.deepEqual(await listed(), [7, 3])
  await storeReadings(db, [page(7, 1, [6, 6, 5])])
  assert.deepEqual(await listed(), [7, 3])
  const record = await world.call('get_competitor', { platform: 'ios', storeId: '1' })
  const freshness = record.body.freshness.find(({ part }: { part: string }) => part === 'similar')
  assert.deepEqual(
    [freshness.state, freshness.evidence.source, freshness.evidence.observedAt],
    ['measured', 'app-store-page', '2026-03-09T12:00:00.000Z'],
  )
  const before = await derivedState(db)
  assert.equal(before.apple_lists?.length, 2)
  await replay(db, () => {}, new AbortController().signal)
  assert.deepEqual(await derivedState(db), before)
})

test('an app taken in has the lists of its page', async () => {
  await using apple = await startApple()
  await using world = await openWorld({ works: true, sources: playedSources(apple) })
  const app = apple.apps.find((one) =>
    apple.apps.some((other) => other !== one && other.genreId === one.genreId),
  )
  await world.call('request_ios_competitor', { app: app?.storeId })
  const basis = await until(
    async () => {
      const found = await world.call('get_similar_competitors', { platform: 'ios', storeId: app?.storeId })
      return found.body.basis?.find(({ kind }: { kind: string }) => kind === 'apple-list')
    },
    (found) => found?.state === 'measured',
  )
  assert.match(basis.detail, /^Apple's list of \d+ apps, collected /)
})

const listed = (trackId: number, trackName: string, description: string, more: object = {}) => ({
  trackId,
  trackName,
  description,
  artistId: 500_000 + trackId,
  artistName: `Maker ${trackId}`,
  observedAt: '2026-03-01T06:00:00.000Z',
  ...more,
})

async function similarTo(world: World, storeId: number) {
  const { body } = await world.call('get_similar_competitors', { platform: 'ios', storeId: String(storeId) })
  assert.equal(body.formula, 'similarity/4')
  return body.items as {
    app: { storeId: string }
    score: number
    reasons: { kind: string; strength: number; detail: string }[]
  }[]
}

test('an app beside it at the top of all its pages comes first, before apps that stand on pages of all kinds', async () => {
  await using world = await openWorld()
  const everywhere = 50
  const page = (term: string, ids: number[]) => ({
    term,
    observedAt: '2026-03-02T06:00:00.000Z',
    apps: appsOf(ids),
  })
  await storePages(world, [
    page('focus', [1, everywhere, 2, 11, 12]),
    page('pomodoro', [2, 1, everywhere, 13]),
    page('study timer', [1, 2, everywhere, 14]),
    ...Array.from({ length: 30 }, (_, index) => page(`other ${index}`, [everywhere, 100 + index])),
  ])
  const items = await similarTo(world, 1)
  assert.deepEqual(
    items.slice(0, 2).map(({ app }) => Number(app.storeId)),
    [2, everywhere],
  )
  assert.match(items[0]?.reasons[0]?.detail ?? '', /^both in the top 10 for 3 of 3 keywords/)
})

const schoolwork = 'Plan homework, exams, essays and timetables for school and university.'
const likewise = 'A timetable and homework diary: plan exams, essays and lessons of your school or university.'

test('other apps of the developer stand apart, most ratings first, and an edition of the app is one of them', async () => {
  await using world = await openWorld()
  const maker = { artistId: 284882218, artistName: 'Brook', primaryGenreId: 6007, genreIds: ['6007'] }
  const other = { artistId: 284882219, artistName: 'Otter', primaryGenreId: 6007, genreIds: ['6007'] }
  await storeListings(world, [
    listed(1, 'Brook Planner', schoolwork, maker),
    listed(2, 'Exam Planner', likewise, other),
    listed(3, 'Ocean Sounds', 'Waves and rain.', { ...maker, userRatingCount: 9 }),
    listed(4, 'Brook Planner HD', schoolwork, { ...maker, userRatingCount: 90 }),
  ])
  const { body } = await world.call('get_similar_competitors', { platform: 'ios', storeId: '1', country: 'us' })
  assert.deepEqual(
    body.items.map(({ app }) => app.storeId),
    ['2'],
  )
  assert.deepEqual(
    body.sameDeveloper.map(({ storeId }) => storeId),
    ['4', '3'],
  )
  for (const { reasons } of body.items) {
    assert.ok(
      reasons.every(({ detail }) => !/#|\d{6}/.test(detail)),
      'in words of the listings: no filter, developer or category of the index',
    )
    assert.equal(new Set(reasons.map(({ kind }) => kind)).size, reasons.length)
  }
})

test('a store of ten apps that have little in common, and apps without words, show no similar app and say what was looked at', async () => {
  await using world = await openWorld()
  const apps = [
    ['Strømpris', 'Se hva strømmen koster time for time.'],
    ['Havlyd', 'Bølger og regn når du skal sove.'],
    ['Turkart', 'Merkede stier i hele landet.'],
    ['Bussen', 'Kjøp billett og følg bussen.'],
    ['Pizza', 'Bestill pizza og hent selv.'],
    ['Bankboka', 'Betal regninger og se saldo.'],
    ['Fugler', 'Kjenn fugler på sangen.'],
    ['Bensin', 'Finn den billigste stasjonen.'],
    ['😀', ''],
    ['★ ★', '—'],
  ] as const
  await storeListings(
    world,
    apps.map(([name, description], index) =>
      listed(index + 1, name, description, {
        primaryGenreId: 6000 + index,
        genreIds: [String(6000 + index)],
      }),
    ),
  )
  for (const index of apps.keys()) {
    const { body } = await world.call('get_similar_competitors', {
      platform: 'ios',
      storeId: String(index + 1),
      country: 'us',
    })
    assert.deepEqual([body.items, body.sameDeveloper], [[], []], apps[index]?.[0])
    assert.equal(body.basis.find(({ kind }) => kind === 'charting-together')?.state, 'not-measured')
  }
})

test('apps that rise and fall on the same days are more alike than others of the same chart', async () => {
  await using world = await openWorld()
  const days = Array.from({ length: 14 }, (_, day) => day)
  const chart = (day: number) => {
    const others = Array.from({ length: 10 }, (_, index) => 20 + ((index + day * 3) % 10))
    const at = day % 4
    return [...others.slice(0, at), 1, 2, ...others.slice(at)]
  }
  const places = days.flatMap((day) =>
    chart(day).map((id, index) => ({
      ...{ country: 'us', chart: 'top-free', category: '6015', rank: index + 1, id, name: `App ${id}` },
      capturedAt: `2026-03-${String(day + 1).padStart(2, '0')}T18:00:00Z`,
    })),
  )
  const paths = [folder.write('charts.json', JSON.stringify(places))]
  assert.equal((await world.import({ kind: 'charts', paths })).rejected, 0)
  const [first] = await similarTo(world, 1)
  assert.equal(first?.app.storeId, '2')
  assert.match(
    first?.reasons[0]?.detail ?? '',
    /^in the same category chart for 14 of 14 ranks .*with similar rank changes$/,
  )
})

test('texts say too little to show anything before the words of the catalogue were ever counted', async () => {
  await using world = await openWorld()
  await storeListings(world, [
    listed(1, 'Brook Planner', schoolwork),
    listed(2, 'Exam Days', likewise),
    ...Array.from({ length: 60 }, (_, index) =>
      listed(index + 3, `Other ${index}`, 'A new puzzle every weekday.'),
    ),
  ])
  assert.deepEqual(await similarTo(world, 1), [])
  await refreshWordWeights(world.store.db, new Date())
  const items = await similarTo(world, 1)
  assert.deepEqual(
    items.map(({ app }) => app.storeId),
    ['2'],
  )
})

test('of two apps with the same words the better known one comes first, and words behind a brand tell most', async () => {
  await using world = await openWorld()
  await storeListings(world, [
    listed(1, 'Brook: Exam Planner', 'Plan homework and exams.'),
    listed(2, 'Homework Diary', 'Plan exams and homework.', { userRatingCount: 12 }),
    listed(3, 'Homework Journal', 'Plan exams and homework.', { userRatingCount: 90_000 }),
    listed(4, 'Exam Planner', 'For school.', { userRatingCount: 12 }),
    listed(5, 'Brook Fishing', 'For school.', { userRatingCount: 12 }),
  ])
  const order = (await similarTo(world, 1)).map(({ app }) => Number(app.storeId))
  const place = (id: number) => (order.includes(id) ? order.indexOf(id) : order.length)
  assert.ok(order.length > 2 && place(3) < place(2), order.join())
  assert.ok(place(4) < place(5), order.join())
})
