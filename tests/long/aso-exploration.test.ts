import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { replay } from '../../src/projections/replay.ts'
import { playedSources, startApple } from '../support/apple.ts'
import { patient } from '../support/collecting.ts'
import { appsOf, storePage, storePages, storeSuggestions } from '../support/result-pages.ts'
import { track } from '../support/tracking.ts'
import { openWorld, type World } from '../support/world.ts'

const at = (day: number, hour = 12) =>
  `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`
async function explore(world: World, query: string, more: Record<string, unknown> = {}) {
  const { status, body } = await world.call('explore_aso_keyword', { query, ...more })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const notCollected = { state: 'not-measured', reason: 'never-collected' }

test('a keyword nobody has looked at is no error: everything says that it was never collected', async () => {
  await using world = await openWorld()
  const { status, body } = await world.call('explore_aso_keyword', { query: '  Focus   TIMER ' })
  assert.equal(status, 200)
  const { asOf, surface, ...others } = body
  assert.equal(surface.name, 'itunes-search')
  assert.deepEqual([asOf.newestEvidenceAt, asOf.state], [null, 'unknown'])
  assert.deepEqual(others, {
    term: 'focus timer',
    country: 'us',
    page: notCollected,
    pagesStored: 0,
    firstObservedAt: null,
    difficulty: notCollected,
    opportunity: notCollected,
    autocomplete: { strength: notCollected, prefixes: [], continuations: notCollected, evidence: [] },
    volatility: { score: notCollected, comparisons: 0, from: null, to: null },
    changes: [],
    related: [],
    relatedBasis: notCollected,
    trackedApps: [],
    refresh: null,
    trouble: [],
  })
})

test('the newest page is shown in its order, with what it carried and how each app stood before', async () => {
  await using world = await openWorld()
  await storePages(world, [
    { term: 'focus timer', observedAt: at(2), apps: appsOf([1, 2, 3, 4, 5, 6, 7]) },
    {
      term: 'focus timer',
      observedAt: at(3),
      apps: [
        { trackId: 7, trackName: 'Focus Timer', userRatingCount: 0, averageUserRating: null },
        { trackId: 1, trackName: 'The Focus Timer: Pomodoro' },
        ...appsOf([9, 3, 4, 5]),
      ],
    },
  ])
  const { page, changes, pagesStored, firstObservedAt, difficulty, volatility } = await explore(
    world,
    'focus timer',
    { limit: 3 },
  )
  assert.deepEqual([page.state, page.requested, page.depth], ['measured', 200, 6])
  assert.deepEqual(
    page.results.map(({ position, app, nameMatch }) => [
      position,
      app?.storeId,
      app?.name,
      app?.catalogued,
      nameMatch,
    ]),
    [
      [1, '7', 'Focus Timer', true, 'exact'],
      [2, '1', 'The Focus Timer: Pomodoro', true, 'phrase'],
      [3, '9', 'App 9', true, 'none'],
    ],
  )
  const [first, second, third] = page.results
  assert.deepEqual(first.ratingCount, { state: 'measured', value: 0, evidence: 0 })
  assert.deepEqual(second.ratingCount, { state: 'absent', evidence: 0 })
  assert.deepEqual(third.rating, { state: 'measured', value: 4.5, evidence: 0 })
  assert.deepEqual(first.change, { state: 'measured', places: 6, comparedOn: '2026-03-02' })
  assert.deepEqual(third.change, { state: 'entered', depth: 7, comparedOn: '2026-03-02' })
  assert.equal(page.evidence.length, 1)
  assert.deepEqual(
    [page.evidence[0].surface, page.evidence[0].observedAt, page.evidence[0].origin],
    ['iTunes Search API', at(3), 'collected'],
  )
  assert.deepEqual([pagesStored, firstObservedAt], [2, at(2)])
  assert.deepEqual(changes, [
    {
      observedAt: at(3),
      comparedWith: at(2),
      surface: 'iTunes Search API',
      depth: 6,
      entered: 1,
      left: 2,
      entrants: [{ storeId: '9', name: 'App 9', position: 3 }],
      leavers: [
        { storeId: '2', name: 'App 2', position: 2 },
        { storeId: '6', name: 'App 6', position: 6 },
      ],
      movers: [{ storeId: '7', name: 'Focus Timer', from: 7, to: 1 }],
    },
  ])
  assert.deepEqual(
    [difficulty.state, difficulty.formula, difficulty.observedAt],
    ['estimated', 'difficulty/5 (common scale)', at(3)],
  )
  assert.deepEqual(
    difficulty.parts.map(({ name }: { name: string }) => name),
    ['rating-strength', 'title-targeting', 'entry-barrier'],
  )
  assert.deepEqual([volatility.comparisons, volatility.from, volatility.to], [1, at(2), at(3)])
  // One day does not tell of a week.
  assert.deepEqual(volatility.score, { state: 'not-measured', reason: 'too-little-evidence' })
})

test('a page that may go on is too thin with few results; a complete one has empty places, and an empty one is not measured', async () => {
  await using world = await openWorld()
  const some = appsOf([1, 2])
  await storePage(world, { term: 'thin', observedAt: at(2), apps: some, requested: 2 })
  await storePage(world, { term: 'long tail', observedAt: at(2), apps: appsOf([900, 800]) })
  await storePage(world, { term: 'nothing there', observedAt: at(2), apps: [] })
  const thin = await explore(world, 'thin')
  const tooLittle = { state: 'not-measured', reason: 'too-little-evidence' }
  assert.deepEqual(
    [thin.difficulty, thin.opportunity, thin.volatility.score],
    [tooLittle, tooLittle, tooLittle],
  )
  const { difficulty: easy } = await explore(world, 'long tail')
  assert.deepEqual(
    [easy.state, easy.formula, easy.results, easy.value],
    ['estimated', 'difficulty/5 (common scale)', 2, 13],
  )
  assert.match(easy.parts[0].text, /8 of the first 10 places are empty/)
  const empty = await explore(world, 'nothing there')
  assert.deepEqual([empty.page.state, empty.page.evidence[0].observedAt], ['absent', at(2)])
  assert.deepEqual([empty.difficulty, empty.opportunity], [tooLittle, tooLittle])
  const six = appsOf([10, 20, 30, 40, 50, 60])
  await storePage(world, { term: 'cut', observedAt: at(2), apps: six, requested: 6 })
  assert.equal((await explore(world, 'cut')).difficulty.formula, 'difficulty/5 (6 places, common scale)')
})

test('singular and plural, word order and stems of the storefront change no difficulty', async () => {
  await using world = await openWorld()
  const named = (names: readonly string[]) =>
    names.map((trackName, index) => ({ trackId: index + 1, trackName, userRatingCount: 4000 - 10 * index }))
  const page = (country: string, names: readonly string[]) => (term: string) => ({
    term,
    country,
    observedAt: at(2),
    apps: named(names),
  })
  const spellings = {
    us: ['photo editor', 'photo editors', 'photos editor', 'editor photo', 'editor for photos'],
    de: ['rezept buch', 'rezepte bücher', 'bücher rezept', 'rezept bucher'],
    fr: ['recette de cheval', 'recettes de chevaux', 'cheval recette'],
  }
  const names = {
    us: ['Photo Editor', 'Best Photos Editor: Filters', 'Collage', 'Editor', 'Camera', 'Video'],
    de: ['Rezept Buch', 'Meine Rezepte und Bücher', 'Kochen', 'Küche', 'Backen', 'Essen'],
    fr: ['Recettes de chevaux', 'Cheval: recette', 'Ferme', 'Poney', 'Course', 'Selle'],
  }
  for (const country of ['us', 'de', 'fr'] as const) {
    await storePages(world, spellings[country].map(page(country, names[country])))
    const found = await Promise.all(
      spellings[country].map(async (term) => (await explore(world, term, { country })).difficulty.value),
    )
    assert.equal(new Set(found).size, 1, `${country}: ${found}`)
    const unlike = page(country, ['Garden', 'Lawn', 'Tree', 'Flower', 'Bee', 'Shed'])('rasen')
    await storePage(world, unlike)
    assert.ok(
      (found[0] ?? 0) > (await explore(world, 'rasen', { country })).difficulty.value + 5,
      `${found} is targeted`,
    )
  }
})

test('a term that is the name of one app far ahead of weak others is a brand, and does not top the opportunities', async () => {
  await using world = await openWorld()
  const weak = Array.from({ length: 9 }, (_, index) => ({
    trackId: 10 + index,
    trackName: index < 3 ? `Zoomly stickers ${index}` : `App ${index}`,
    userRatingCount: 40 + index,
  }))
  const modest = (from: number, name: string) =>
    Array.from({ length: 10 }, (_, index) => ({
      trackId: from + index,
      trackName: `${name} ${index}`,
      userRatingCount: 900,
    }))
  await storePages(world, [
    {
      term: 'zoomly',
      observedAt: at(2),
      apps: [{ trackId: 1, trackName: 'Zoomly - Video Calls', userRatingCount: 900_000 }, ...weak],
    },
    { term: 'zoom lens', observedAt: at(2), apps: modest(100, 'Zoom Lens') },
  ])
  await storeSuggestions(world, { typed: 'zoo', observedAt: at(2), terms: ['zoomly', 'zoom lens'] })
  const [brand, plain] = [await explore(world, 'zoomly'), await explore(world, 'zoom lens')]
  assert.deepEqual(brand.difficulty.brand, {
    storeId: '1',
    name: 'Zoomly - Video Calls',
    formula: 'brand-term/3',
    text: '"Zoomly - Video Calls" at rank 1 has this name and 900,000 ratings; 3 of the 9 other names contain it too, each of an app with a tenth of those ratings or fewer.',
  })
  assert.deepEqual(
    [brand.difficulty.formula, brand.opportunity.formula],
    ['difficulty/5 (brand term, common scale)', 'opportunity/5 (brand term, common scale, without relevance)'],
  )
  assert.deepEqual(
    [plain.difficulty.brand, plain.opportunity.formula],
    [null, 'opportunity/5 (common scale, without relevance)'],
  )
  assert.ok(plain.opportunity.value > brand.opportunity.value, 'what is nobody else’s name is worth more')
  const before = await explore(world, 'zoomly')
  await replay(world.store.db, () => {}, patient)
  assert.deepEqual(await explore(world, 'zoomly'), before)
})

test('an empty answer after results is trouble, not absence, and only trouble of its own keyword', async () => {
  await using world = await openWorld()
  await storePages(world, [
    { term: 'chat', observedAt: at(2), apps: appsOf([1, 2, 3]) },
    { term: 'chat', observedAt: at(3), apps: [] },
    { term: 'chat rooms', observedAt: at(2), apps: appsOf([3, 4]) },
  ])
  const chat = await explore(world, 'chat')
  assert.deepEqual(
    [chat.page.state, chat.page.evidence[0].observedAt, chat.pagesStored, chat.changes.length],
    ['measured', at(2), 2, 0],
  )
  assert.deepEqual(
    chat.trouble.map(({ kind, since }: { kind: string; since: string }) => [kind, since]),
    [['suspect-empty', at(3)]],
  )
  await storePage(world, { term: 'chat rooms', observedAt: at(4), apps: [] })
  await storePage(world, { term: 'chat', observedAt: at(4), apps: appsOf([2, 1]) })
  assert.deepEqual((await explore(world, 'chat')).trouble, [])
  assert.equal((await explore(world, 'chat rooms')).trouble.length, 1)
})

test('autocomplete says which beginnings bring the keyword up, and what follows it', async () => {
  await using world = await openWorld()
  await storeSuggestions(world, { typed: 'fo', observedAt: at(2), terms: ['food', 'football'] })
  await storeSuggestions(world, {
    typed: 'focus',
    observedAt: at(3),
    terms: ['focus', 'focus timer', 'focus music'],
  })
  await storeSuggestions(world, {
    typed: 'focus timer',
    observedAt: at(4),
    terms: ['focus timer', 'focus timer widget'],
  })
  const { autocomplete } = await explore(world, 'focus timer')
  assert.deepEqual(autocomplete.prefixes, [
    { typed: 'fo', rank: { state: 'absent', depth: 2 }, observedAt: at(2), evidence: 2 },
    { typed: 'focus', rank: { state: 'measured', value: 2, depth: 3 }, observedAt: at(3), evidence: 1 },
  ])
  assert.deepEqual(autocomplete.continuations, {
    state: 'measured',
    value: ['focus timer', 'focus timer widget'],
    evidence: 0,
  })
  assert.deepEqual(
    autocomplete.evidence.map(({ observedAt, source }) => [observedAt, source]),
    [4, 3, 2].map((day) => [at(day), 'apple-search-hints']),
  )
  // Second after five letters: half for the four after the first, times 9/10.
  assert.deepEqual(autocomplete.strength, { state: 'estimated', value: 45, formula: 'autocomplete/2' })
  const searched = await explore(world, 'focus timer')
  await storePage(world, { term: 'focus timer', observedAt: at(5), apps: appsOf([1, 2, 3, 4, 5, 6]) })
  const { opportunity, autocomplete: kept } = await explore(world, 'focus timer')
  assert.deepEqual(kept, searched.autocomplete)
  assert.equal(opportunity.formula, 'opportunity/5 (common scale, without relevance)')
})

test('a brand is told among strong others that do not hold its name; a word of the trade is none, however strong the first', async () => {
  await using world = await openWorld()
  const app = (trackId: number, trackName: string, userRatingCount: number) => ({
    trackId,
    trackName,
    userRatingCount,
  })
  const strong = ['Lute Radio', 'Harp Streams', 'Drum Station', 'Cello Live', 'Horn FM'].map((name, index) =>
    app(20 + index, name, 400_000),
  )
  const trade = [1, 2, 3, 4].map((index) => app(30 + index, `My Tuner ${index}`, 900))
  await storePages(world, [
    { term: 'fiddlefy', observedAt: at(2), apps: [app(1, 'Fiddlefy Music', 600_000), ...strong] },
    {
      term: 'fiddle',
      observedAt: at(2),
      apps: [...strong.slice(0, 3), app(1, 'Fiddle', 9_000_000), ...strong.slice(3)],
    },
    { term: 'tuner', observedAt: at(2), apps: [app(2, 'Tuner Pro', 600_000), ...trade, ...strong] },
    { term: 'fiddlr', observedAt: at(2), apps: [app(3, 'Fiddlr', 999), ...strong] },
  ])
  const brands = await Promise.all(
    ['fiddlefy', 'fiddle', 'tuner', 'fiddlr'].map(
      async (term) => (await explore(world, term)).difficulty.brand?.name ?? null,
    ),
  )
  // In the fourth place it is a brand still, by its ratings alone: twenty times those of the others.
  assert.deepEqual(brands, ['Fiddlefy Music', 'Fiddle', null, null])
})

test('new suggestions score a term by the formula of today, also where the value stays', async () => {
  await using world = await openWorld()
  await storePage(world, { term: 'focus timer', observedAt: at(2), apps: appsOf([20, 30, 40, 50, 60]) })
  const suggested = { typed: 'focus', terms: ['focus', 'focus timer'] }
  await storeSuggestions(world, { ...suggested, observedAt: at(2) })
  const before = await explore(world, 'focus timer')
  assert.equal(before.opportunity.state, 'estimated')
  await sql`update term_states set autocomplete_formula = 'autocomplete/0', opportunity_formula = 'opportunity/0'`.execute(
    world.store.db,
  )
  assert.equal((await explore(world, 'focus timer')).opportunity.formula, 'opportunity/0')
  await storeSuggestions(world, { ...suggested, observedAt: at(3) })
  const after = await explore(world, 'focus timer')
  assert.deepEqual(
    [after.autocomplete.strength, after.opportunity],
    [before.autocomplete.strength, before.opportunity],
  )
})

test('what is suggested after three letters is far stronger than what takes nine, however long they are', async () => {
  await using world = await openWorld()
  const long = 'chat with strangers anonymously'
  await storeSuggestions(world, { typed: 'cha', observedAt: at(2), terms: ['chat', 'chatgpt'] })
  await storeSuggestions(world, { typed: 'chat with', observedAt: at(2), terms: ['chat with ai', long] })
  const [early, late] = [await explore(world, 'chat'), await explore(world, long)]
  assert.deepEqual([early.autocomplete.strength.value, late.autocomplete.strength.value], [71, 23])
})

test('volatility is of a week, whether pages are captured every day, thrice a day or once a month', async () => {
  await using world = await openWorld()
  const ten = (from: number) => appsOf(Array.from({ length: 10 }, (_, index) => from + index))
  const weekly = [2, 9, 16, 23, 30]
  await storePages(world, [
    // One place of ten is another each week.
    ...weekly.map((day, week) => ({ term: 'weekly', observedAt: at(day), apps: ten(1 + week) })),
    ...Array.from({ length: 29 }, (_, day) => ({
      term: 'daily',
      observedAt: at(2 + day),
      apps: ten(1 + Math.floor(day / 7)),
    })),
    ...Array.from({ length: 87 }, (_, third) => ({
      term: 'often',
      observedAt: at(2 + Math.floor(third / 3), 6 + 6 * (third % 3)),
      apps: ten(1 + Math.floor(third / 21)),
    })),
    { term: 'monthly', observedAt: at(2), apps: ten(1) },
    { term: 'monthly', observedAt: at(30), apps: ten(5) },
  ])
  const found = await Promise.all(
    ['weekly', 'daily', 'often', 'monthly'].map(async (term) => (await explore(world, term)).volatility),
  )
  assert.deepEqual(
    found.map(({ score, comparisons }) => [score.value, score.formula, comparisons]),
    [
      [10, 'volatility/3', 4],
      [10, 'volatility/3', 28],
      [10, 'volatility/3', 28],
      [12, 'volatility/3', 1],
    ],
  )
})

test("the account's own apps are told with their rank, best first; those of others are not", async () => {
  await using world = await openWorld()
  await storePage(world, { term: 'chat', observedAt: at(2), apps: appsOf([5, 6, 7]) })
  const own = await track(world, 7, ['chat'])
  const rival = await track(world, 5, [], { role: 'rival' })
  const far = await track(world, 99, ['chat', 'other'])
  await track(world, 88, ['other'])
  await track(world, 6, ['chat'], { country: 'de' })
  const stranger = await world.key(['context:read'], 'stranger')
  const { trackedApps, page } = await explore(world, 'chat')
  assert.deepEqual(trackedApps, [
    {
      appId: rival.appId,
      storeId: '5',
      role: 'rival',
      keywordId: null,
      rank: { state: 'measured', value: 1, depth: 3 },
      otherTools: [],
      otherSurfaces: [],
      notListed: null,
    },
    {
      appId: own.appId,
      storeId: '7',
      role: 'own',
      keywordId: own.keywords.get('chat'),
      rank: { state: 'measured', value: 3, depth: 3 },
      otherTools: [],
      otherSurfaces: [],
      notListed: null,
    },
    {
      appId: far.appId,
      storeId: '99',
      role: 'own',
      keywordId: far.keywords.get('chat'),
      rank: { state: 'absent', depth: 3 },
      otherTools: [],
      otherSurfaces: [],
      notListed: null,
    },
  ])
  assert.deepEqual(
    page.results.map(({ role }: { role: string }) => role),
    ['rival', null, 'own'],
  )
  const other = (await explore(world, 'other')).trackedApps
  assert.deepEqual(
    other.map(({ rank }: { rank: unknown }) => rank),
    [notCollected, notCollected],
  )
  const theirs = await world.call('explore_aso_keyword', { query: 'chat' }, { key: stranger })
  assert.deepEqual([theirs.body.trackedApps, theirs.body.page.results[0].role], [[], null])
})

test('keywords of any language and with any sign are found in the address; others are refused by name', async () => {
  await using world = await openWorld()
  const long = 'ö'.repeat(200)
  for (const term of ['天気予報', 'مرحبا بك', 'a/b', '100% c++ & d?', '.net', 'q#1', long]) {
    await storePage(world, { term, observedAt: at(2), apps: appsOf([1]) })
    const found = await explore(world, term)
    assert.deepEqual([found.term, found.page.state], [term, 'measured'], term)
  }
  assert.equal((await explore(world, 'ＡＢＣ')).term, 'abc')
  for (const query of ['🙂🙂', '...', ' ', '---', 'x'.repeat(300), '\u202e']) {
    const { status, body } = await world.call('explore_aso_keyword', { query })
    assert.deepEqual(
      [status, body.code, body.errors[0].pointer],
      [400, 'invalid-request', '/path/query'],
      query,
    )
  }
  const { body } = await world.call('explore_aso_keyword', { query: 'chat', country: 'zz' })
  assert.equal(body.errors[0].pointer, '/query/country')
})

test('thirty pairs of pages are compared at most, and a replay tells the same', async () => {
  await using world = await openWorld()
  await storePages(
    world,
    Array.from({ length: 35 }, (_, day) => ({
      term: 'chat',
      observedAt: new Date(Date.UTC(2026, 0, 1 + day, 12)).toISOString(),
      apps: appsOf(Array.from({ length: 12 }, (_, place) => 1 + ((place + day) % 20))),
    })),
  )
  const before = await explore(world, 'chat')
  assert.deepEqual([before.changes.length, before.volatility.comparisons, before.pagesStored], [30, 30, 35])
  assert.equal(before.changes[0].observedAt, '2026-02-04T12:00:00.000Z')
  await replay(world.store.db, () => {}, patient)
  assert.deepEqual(await explore(world, 'chat'), before)
})

test('a page Apple answered a moment ago is shown at once', async () => {
  await using apple = await startApple()
  await using world = await openWorld({ sources: playedSources(apple) })
  assert.equal(await world.collecting.collector.search('Budget', 'us', patient), 'stored')
  const { page } = await explore(world, 'budget')
  assert.deepEqual([page.depth, page.results[0].app.name], [8, 'Lantern Budget'])
})

test('a refresh that was asked for is told with the keyword to whoever asked for it, and to nobody else', async () => {
  await using world = await openWorld()
  const asked = await world.call('refresh_aso_keyword', { query: 'Focus Timer' })
  const { asOf: _, trouble, ...work } = asked.body
  assert.deepEqual([asked.status, trouble], [202, []])
  assert.deepEqual((await explore(world, 'focus timer')).refresh, work)
  const stranger = await world.key(undefined, 'stranger')
  const toStranger = async () =>
    (await world.call('explore_aso_keyword', { query: 'focus timer' }, { key: stranger })).body.refresh
  assert.equal(await toStranger(), null)
  await world.call('refresh_aso_keyword', { query: 'focus timer' }, { key: stranger })
  assert.deepEqual(await toStranger(), work, 'one work, told to both')
  assert.equal((await explore(world, 'focus')).refresh, null)
})
