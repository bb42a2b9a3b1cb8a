import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeWordWeights } from '../src/domain/catalogue/word-weights.ts'
import { type MadeListing, storeListings } from './support/listings.ts'
import { connectMcp } from './support/mcp.ts'
import { QueryPlans } from './support/query-plans.ts'
import { appsOf, storePages, storeSuggestions } from './support/result-pages.ts'
import { track } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

const observedAt = '2026-03-01T06:00:00.000Z'
/** Result pages tell names too: older ones leave the listings as they are. */
const searchedAt = '2026-02-27T06:00:00.000Z'

interface Suggestion {
  term: string
  reasons: { kind: string; text: string; storeId: string | null }[]
  relevance: { state: string; value?: number }
  opportunity: { state: string; value?: number; reason?: string }
  rank: { state: string; value?: number }
}

const listing = (trackId: number, trackName: string, more: Partial<MadeListing> = {}): MadeListing => ({
  trackId,
  trackName,
  observedAt,
  artistName: `Maker ${trackId}`,
  ...more,
})

async function suggestionsFor(world: World, appId: string) {
  const { status, body } = await world.call('get_aso_workstation', { appId })
  assert.equal(status, 200)
  const suggestions: Suggestion[] = body.suggestions
  return {
    suggestions,
    terms: suggestions.map(({ term }) => term),
    brands: body.brandsOfRivals.map(({ term }: { term: string }) => term),
    carried: body.carriedByName.map(({ term }: { term: string }) => term),
    from: body.suggestedFrom,
    reasonsOf: (term: string) => suggestions.find((one) => one.term === term)?.reasons ?? [],
  }
}

test('keywords are suggested from the names of rivals, their ranks and what Apple suggests, however few apps are stored', async () => {
  await using world = await openWorld()
  await storeListings(world, [
    listing(1, 'Brook: Focus Timer', { description: 'Deep work for students. Deep work every day.' }),
    listing(2, 'Larkspur Pomodoro', { subtitle: 'Study timer' }),
    listing(3, 'Heron Pomodoro'),
    listing(4, 'Quietly'),
  ])
  await storePages(world, [
    { term: 'exam', observedAt: searchedAt, apps: appsOf([9, 3, 1]) },
    { term: 'homework', observedAt: searchedAt, apps: appsOf([2, 3]) },
  ])
  await storeSuggestions(world, { typed: 'focus ti', observedAt, terms: ['focus timer', 'focus time app'] })
  await storeSuggestions(world, { typed: 'f', observedAt, terms: ['face swap'] })
  const { appId } = await track(world, 1, ['focus timer'])
  for (const rival of [2, 3, 4]) await track(world, rival, [], { role: 'rival' })
  const { terms, reasonsOf, suggestions, from } = await suggestionsFor(world, appId)

  assert.deepEqual(from, { state: 'not-measured', reason: 'too-little-evidence' })
  assert.ok(!terms.includes('deep work'), 'four listings tell nothing of what an app repeats')
  assert.ok(!terms.includes('focus timer'), 'the app has it already')
  assert.ok(!terms.includes('for'), 'words without meaning are none')
  assert.ok(!terms.includes('face swap'), 'one letter of a keyword leads anywhere')
  assert.deepEqual(reasonsOf('pomodoro'), [
    { kind: 'rival-name', text: '2 of your 3 competitors have it in their name.', storeId: null },
  ])
  assert.deepEqual(reasonsOf('study timer'), [
    { kind: 'rival-name', text: '1 of your 3 competitors has it in its subtitle.', storeId: '2' },
  ])
  assert.deepEqual(reasonsOf('exam'), [
    { kind: 'rival-ranks', text: 'Heron Pomodoro ranks #2 for it.', storeId: '3' },
  ])
  assert.deepEqual(reasonsOf('homework'), [
    {
      kind: 'rival-ranks',
      text: '2 of your 3 competitors rank for it, Larkspur Pomodoro best at #1.',
      storeId: null,
    },
  ])
  assert.deepEqual(reasonsOf('focus time app'), [
    { kind: 'autocomplete', text: 'App Store suggestion #2 for "focus ti".', storeId: null },
  ])
  const rankOf = (term: string) => suggestions.find((one) => one.term === term)?.rank
  assert.deepEqual(rankOf('exam'), { state: 'measured', value: 3, depth: 3 })
  assert.deepEqual(rankOf('homework'), { state: 'absent', depth: 2 })
  assert.deepEqual(rankOf('pomodoro'), { state: 'not-measured', reason: 'never-collected' })
})

test('a term with a stored page comes measured, tracked by nobody: the form that was searched, with its page, before those without', async () => {
  await using world = await openWorld()
  await storeListings(world, [
    listing(1, 'Brook', { description: 'Exam planners for students. Homework.' }),
    listing(2, 'Larkspur Exam Planners', { subtitle: 'Flashcards' }),
    listing(3, 'Heron Exam Planners'),
  ])
  await storePages(world, [
    { term: 'exam planner', observedAt: searchedAt, apps: appsOf([9, 3, 1, 5, 6]) },
    { term: 'homework', observedAt: searchedAt, apps: appsOf([2, 3]) },
  ])
  const { appId } = await track(world, 1)
  for (const rival of [2, 3]) await track(world, rival, [], { role: 'rival' })
  const { suggestions, terms } = (({ body }) => ({
    suggestions: body.suggestions,
    terms: body.suggestions.map(({ term }: { term: string }) => term),
  }))(await world.call('get_aso_workstation', { appId }))
  const [planner] = suggestions.filter(({ term }) => term.startsWith('exam planner'))
  assert.equal(planner?.term, 'exam planner', terms.join(', '))
  assert.deepEqual(planner.rank, { state: 'measured', value: 3, depth: 5 })
  assert.equal(planner.results, 5)
  assert.equal(planner.evidence?.source, 'itunes-search')
  assert.equal(planner.evidence.observedAt, searchedAt)
  const homework = suggestions.find(({ term }) => term === 'homework')
  assert.deepEqual([homework?.results, homework?.rank], [2, { state: 'absent', depth: 2 }])
  const unseen = suggestions.find(({ term }) => term === 'flashcards')
  assert.deepEqual([unseen?.results, unseen?.evidence, unseen?.rank.state], [null, null, 'not-measured'])
  const pages = suggestions.map(({ results }) => results !== null)
  assert.deepEqual(
    pages,
    pages.toSorted((one, other) => Number(other) - Number(one)),
    terms.join(', '),
  )
})

test('the best opportunity for a relevant term comes first, then the others by relevance', async () => {
  await using world = await openWorld()
  await storeListings(world, [
    listing(1, 'Brook', { description: 'Focus timer and music. Focus timer, music and noise, noise.' }),
    listing(2, 'Larkspur'),
  ])
  const rivals = (term: string, ratings: number) => ({
    term,
    observedAt: searchedAt,
    apps: [2, 11, 12, 13, 14, 15].map((trackId) => ({
      trackId,
      trackName: `App ${trackId}`,
      userRatingCount: ratings,
      averageUserRating: 4,
    })),
  })
  await storePages(world, [rivals('focus', 10), rivals('timer', 200_000), rivals('weather', 10)])
  for (const term of ['focus', 'timer', 'weather'])
    await storeSuggestions(world, { typed: term.slice(0, 2), observedAt, terms: [term] })
  const { appId } = await track(world, 1)
  await track(world, 2, [], { role: 'rival' })
  const { suggestions, terms } = await suggestionsFor(world, appId)
  assert.deepEqual(terms.slice(0, 2), ['focus', 'timer'])
  assert.ok(suggestions.slice(0, 2).every(({ opportunity }) => opportunity.state === 'estimated'))
  const rest = suggestions.slice(2)
  const relevance = rest.map((one) => one.relevance.value ?? 0)
  assert.deepEqual(
    relevance,
    relevance.toSorted((one, other) => other - one),
  )
  assert.equal(terms.at(-1), 'weather', 'easy to enter, and not what the app is for')
})

test('what only names one product is no suggestion', async () => {
  await using world = await openWorld()
  const others = Array.from({ length: 60 }, (_, at) =>
    listing(100 + at, at < 6 ? 'Study Music' : `Garden ${'abcdefghijklmnopqrstuvwxyz'[at % 26]}`),
  )
  await storeListings(world, [
    ...others,
    listing(1, 'Brook'),
    listing(2, 'Zyxomat Study', { artistName: 'Zyxomat Inc.' }),
    listing(3, 'Qwertle Music'),
  ])
  await computeWordWeights(world.store.db, new Date())
  const { appId } = await track(world, 1)
  for (const rival of [2, 3]) await track(world, rival, [], { role: 'rival' })
  const { terms, brands } = await suggestionsFor(world, appId)
  assert.ok(terms.includes('study') && terms.includes('music'), terms.join(', '))
  assert.ok(!terms.some((term) => /zyxomat|qwertle/.test(term)), terms.join(', '))
  assert.ok(brands.includes('zyxomat') && brands.includes('qwertle'), 'they are named apart')
})

test('what apps like it say beyond what all apps do comes first, however often all say something else', async () => {
  await using world = await openWorld()
  const every = 'A wonderful way to spend the evening with your family.'
  await storeListings(world, [
    ...Array.from({ length: 80 }, (_, at) =>
      listing(100 + at, `Garden ${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${at}`, { description: every }),
    ),
    ...[...'abcdef'].map((letter, at) =>
      listing(200 + at, `Recipe Box ${letter}: Weekly Meal Planner`, {
        description: `${every} Plan meals with a weekly meal planner. Works with Zyxomat and Qwertle.`,
      }),
    ),
    listing(1, 'Brook - Recipe Box', {
      description: `${every} Wonderful family, family evening. A weekly meal planner for your family, with Zyxomat.`,
    }),
  ])
  await computeWordWeights(world.store.db, new Date())
  const { appId } = await track(world, 1)
  const { terms, reasonsOf } = await suggestionsFor(world, appId)
  assert.ok(terms.includes('weekly meal planner'), 'phrases have up to three words')
  assert.ok(!terms.includes('family') && !terms.includes('wonderful'), terms.join(', '))
  assert.ok(!terms.some((term) => /zyxomat|qwertle/.test(term)), 'names of other companies')
  assert.deepEqual(
    reasonsOf('weekly meal planner').map(({ kind }) => kind),
    ['similar-apps'],
  )
})

/** Listings of a catalogue: gardens, and more. */
async function catalogue(world: World, more: MadeListing[]) {
  const gardens = Array.from({ length: 80 }, (_, at) =>
    listing(1000 + at, `Garden ${'abcdefghijklmnopqrstuvwxyz'[at % 26]}${at}`, {
      description: 'A garden to grow flowers and to spend the evening with your family in the sun.',
    }),
  )
  await storeListings(world, [...gardens, ...more])
  await computeWordWeights(world.store.db, new Date())
}

test('apps that share a word of the name and nothing else say nothing of the app', async () => {
  await using world = await openWorld()
  const drive =
    'Turn by turn navigation for drivers with live traffic, lanes and a route planner for every trip.'
  const blocks = 'Download mansion worlds for your block sandbox: castles, dungeons, mansion tours and zombies.'
  await catalogue(world, [
    ...[...'abcdef'].map((letter, at) =>
      listing(200 + at, `Maps ${letter}q: Route Planner, Live Traffic`, { description: drive }),
    ),
    ...[...'ghijklmnop'].map((letter, at) =>
      listing(300 + at, `Mansion Maps ${letter}q`, { description: blocks }),
    ),
    listing(1, 'Brook - Maps', { description: `${drive} Traffic, lanes and a route planner.` }),
  ])
  const { appId } = await track(world, 1)
  const { terms } = await suggestionsFor(world, appId)
  assert.ok(terms.includes('route planner') && terms.includes('live traffic'), terms.join(', '))
  assert.ok(!terms.some((term) => /mansion|zombies|dungeons/.test(term)), terms.join(', '))
})

test('names of works and companies, one and many of a term, and words empty by themselves are no suggestions', async () => {
  await using world = await openWorld()
  const text =
    'Track your budgets with a weekly expense report. It syncs with Zyxomat and reads Minecraft news for our products.'
  await catalogue(world, [
    ...[...'abcdef'].map((letter, at) =>
      listing(200 + at, `Expense ${letter}q: Budget Budgets, Weekly Expense Report`, { description: text }),
    ),
    listing(1, 'Brook - Ledger', { description: `${text} Budgets, products, minecraft, expense report.` }),
  ])
  const { appId } = await track(world, 1)
  const { terms } = await suggestionsFor(world, appId)
  assert.equal(terms.filter((term) => /^budgets?$/.test(term)).length, 1, terms.join(', '))
  assert.ok(terms.includes('weekly expense report'), terms.join(', '))
  assert.ok(!terms.some((term) => /zyxomat|minecraft|^products$/.test(term)), terms.join(', '))
})

test('forms of verbs and halves of words are no suggestions in Japanese', async () => {
  await using world = await openWorld()
  const texts = ['家計簿が読める。レシートも。', 'レシートが読める。家計簿も。', '家計簿とレシートが読める。']
  await storeListings(world, [
    ...Array.from({ length: 60 }, (_, at) =>
      listing(1000 + at, `庭${at}`, { country: 'jp', description: '花を育てる庭です。' }),
    ),
    ...texts.map((description, at) =>
      listing(200 + at, `家計簿 レシート ${at}`, { country: 'jp', description: `${description}便利な節約。` }),
    ),
    listing(1, 'ブルック', {
      country: 'jp',
      description: 'レシートが読める。家計簿とレシートが読める。節約。',
    }),
  ])
  await computeWordWeights(world.store.db, new Date())
  const { appId } = await track(world, 1, [], { country: 'jp' })
  for (const rival of [200, 201, 202]) await track(world, rival, [], { country: 'jp', role: 'rival' })
  const { terms } = await suggestionsFor(world, appId)
  assert.ok(terms.includes('家計簿') && terms.includes('レシート'), terms.join(' '))
  assert.ok(!terms.some((term) => /読め/.test(term)), terms.join(' '))
})

test('suggestions come in the language of the storefront, in any script', async () => {
  await using world = await openWorld()
  await storeListings(world, [
    listing(1, '写真加工', {
      country: 'jp',
      description: '写真加工はこれで。写真とコラージュ。コラージュも。',
    }),
    listing(2, '写真コラージュ', { country: 'jp' }),
  ])
  await storeSuggestions(world, { country: 'jp', typed: '写真', observedAt, terms: ['写真加工', '写真整理'] })
  const { appId } = await track(world, 1, ['写真'], { country: 'jp' })
  await track(world, 2, [], { country: 'jp', role: 'rival' })
  const { terms, carried } = await suggestionsFor(world, appId)
  assert.ok(terms.includes('コラージュ') && terms.includes('写真整理'), terms.join(' '))
  assert.ok(!terms.includes('写真') && !terms.includes('を'))
  assert.ok(carried.includes('写真加工') && !terms.includes('写真加工'), 'its name carries it')
})

test('what the name of the app carries stands apart, whole or in parts', async () => {
  await using world = await openWorld()
  const text =
    'A budget planner with a savings tracker and bill reminders. The budget planner and savings tracker for you.'
  await catalogue(
    world,
    ['Budget Planner: Savings Tracker', 'Planner for Budgets, Savings Tracker'].flatMap((name, kind) =>
      [...'abcd'].map((letter, at) =>
        listing(200 + 10 * kind + at, `${name} ${letter}q`, { description: text }),
      ),
    ),
  )
  await storeListings(world, [listing(1, 'Brook: Budget Planner', { description: text })])
  const { appId } = await track(world, 1)
  const { terms, carried, from } = await suggestionsFor(world, appId)
  assert.deepEqual(from, { state: 'measured', developers: 8 })
  assert.ok(terms.includes('savings tracker'), terms.join(', '))
  assert.ok(carried.includes('budget planner'), carried.join(', '))
  assert.ok(!terms.some((term) => /^(budgets?|planner|budget planner|brook)$/.test(term)), terms.join(', '))
})

test('of ten apps, of an app without a description and of a text without words nothing is suggested that nobody carries', async () => {
  await using world = await openWorld()
  const text = 'A budget planner with a savings tracker. The budget planner and savings tracker for you.'
  const few = [...'abcdefghi'].map((letter, at) =>
    listing(200 + at, `Savings Tracker ${letter}q`, { description: text }),
  )
  await storeListings(world, [...few, listing(1, 'Brook', { description: text })])
  await computeWordWeights(world.store.db, new Date())
  const { appId } = await track(world, 1)
  const nothing = { state: 'not-measured', reason: 'too-little-evidence' }
  const ofTen = await suggestionsFor(world, appId)
  assert.deepEqual([ofTen.from, ofTen.terms, ofTen.carried], [nothing, [], []])
  await catalogue(world, [
    listing(2, 'Heron Budget Planner'),
    listing(3, '🍅🍅', { description: '🍅 🍅 1 2 3 … '.repeat(30) }),
  ])
  for (const id of [2, 3]) {
    const tracked = await track(world, id)
    const { from, terms } = await suggestionsFor(world, tracked.appId)
    assert.deepEqual([from, terms], [nothing, []])
  }
})

test('an app without a stored listing still hears what rivals rank for, and at most twenty-five', async () => {
  await using world = await openWorld()
  await storePages(
    world,
    Array.from({ length: 40 }, (_, at) => ({ term: `term number ${at}`, observedAt, apps: appsOf([2, 3]) })),
  )
  const { appId } = await track(world, 77)
  await track(world, 2, [], { role: 'rival' })
  const { suggestions } = await suggestionsFor(world, appId)
  assert.equal(suggestions.length, 25)
  assert.ok(suggestions.every(({ relevance }) => relevance.state === 'not-measured'))
})

test('they are made once, and anew when something is stored that they can rest on or the app has other keywords', async () => {
  await using world = await openWorld()
  await storeListings(world, [
    listing(1, 'Brook: Focus Timer', { description: 'Deep work for students. Deep work every day.' }),
    listing(2, 'Larkspur Pomodoro'),
    listing(3, 'Heron Pomodoro'),
  ])
  const { appId } = await track(world, 1, ['focus timer'])
  for (const rival of [2, 3]) await track(world, rival, [], { role: 'rival' })
  const plans = await QueryPlans.on(world.store, 2_000)
  const asked = async () => {
    let terms: string[] = []
    const { statements } = await plans.of(async () => {
      terms = (await suggestionsFor(world, appId)).terms
    })
    return { statements, terms }
  }
  const first = await asked()
  const again = await asked()
  assert.deepEqual(again.terms, first.terms)
  assert.ok(first.terms.includes('pomodoro') && again.statements < first.statements - 3, JSON.stringify(again))
  await storeListings(world, [listing(4, 'Quietly')])
  assert.equal((await asked()).statements, first.statements)
  await world.call('add_aso_keywords', { appId, terms: ['pomodoro'] })
  assert.ok(!(await asked()).terms.includes('pomodoro'))
})

test('which keywords to add and which are hopeless is two calls of an agent and at most 15 kB', async () => {
  await using world = await openWorld()
  await storeListings(world, [listing(1, 'Brook'), listing(2, 'Larkspur'), listing(3, 'Heron')])
  const kept = Array.from({ length: 12 }, (_, at) => `kept number ${at}`)
  const others = Array.from({ length: 40 }, (_, at) => `term number ${at}`)
  await storePages(
    world,
    [...kept, ...others].map((term, at) => ({ term, observedAt, apps: appsOf([2, 3, 40 + at, 50, 51, 52]) })),
  )
  await track(world, 1, kept)
  for (const rival of [2, 3]) await track(world, rival, [], { role: 'rival' })
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await using agent = await connectMcp(address, await world.key())
  const apps = await agent.call('list_aso_apps', {})
  const { appId } = apps.reply.items.find(({ role }: { role: string }) => role === 'own')
  const station = await agent.call('get_aso_workstation', { appId })
  const { suggestions } = station.reply
  assert.ok(suggestions.length >= 10)
  for (const { difficulty, rank, results, observedAt: seen, surface } of suggestions)
    assert.deepEqual(
      [typeof difficulty.estimated, rank.state, results, seen, surface],
      ['number', 'absent', 6, observedAt, 'iTunes Search API'],
    )
  const bytes = [apps, station].map(({ reply }) => Buffer.byteLength(JSON.stringify(reply)))
  assert.ok(bytes.reduce((sum, one) => sum + one, 0) <= 15_000, `${bytes.join(' and ')} bytes`)
})
