import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordSearchFailure } from '../src/domain/aso/pages/search-failures.ts'
import { appsOf, type MadePage, storePage, storePages } from './support/result-pages.ts'
import { storeTracked, track } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world?.[Symbol.asyncDispose]())

interface Related {
  term: string
  strength: { value: number; formula: string }
  reasons: { kind: string; text: string }[]
  observedAt: string
}
interface Explored {
  related: Related[]
  relatedBasis: { state: string; reason?: string; pages?: number }
}

const explore = async (query: string, country = 'us', key?: string): Promise<Explored> =>
  (await world.call('explore_aso_keyword', { query, country }, key ? { key } : {})).body
const named = ({ related }: Explored) => related.map(({ term }) => term)
const tooLittle = { state: 'not-measured', reason: 'too-little-evidence' }
const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`
const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

/** Pages of terms that have nothing to do with each other, each of apps of its own. */
const unrelated = (country: string, count: number): MadePage[] =>
  from(1, count).map((topic) => ({
    term: ['weather', 'chess', 'radio', 'yoga', 'taxi', 'bible', 'karaoke', 'banking'][topic - 1] ?? '',
    country,
    observedAt: at(1),
    apps: appsOf(from(100_000 * topic, 10)),
  }))

test('terms are related by the apps at the top of their pages and by their words, strongest first, with what it rests on', async () => {
  await storePages(world, [
    ...unrelated('us', 8),
    { term: 'focus timer', observedAt: at(2), apps: appsOf(from(1, 10)) },
    { term: 'focus timers app', observedAt: at(2), apps: appsOf([...from(1, 4), ...from(40, 6)]) },
    { term: 'study clock', observedAt: at(3), apps: appsOf([...from(1, 5), ...from(50, 5)]) },
    { term: 'planner', observedAt: at(3), apps: appsOf([60, ...from(1, 5), ...from(61, 4)]) },
    { term: 'egg timer', observedAt: at(3), apps: appsOf(from(70, 10)) },
    { term: 'timers', observedAt: at(3), apps: appsOf([1, 2]) },
    { term: 'focus timer', country: 'gb', observedAt: at(3), apps: appsOf(from(1, 10)) },
    { term: 'pomodoro', country: 'gb', observedAt: at(3), apps: appsOf(from(1, 10)) },
  ])
  const found = await explore('focus timer')
  assert.deepEqual(
    found.related.map(({ term, observedAt, reasons }) => [term, observedAt, reasons.map(({ text }) => text)]),
    [
      [
        'focus timers app',
        at(2),
        ['4 of the top 10 apps also rank in the top 10 for it.', 'Same words: "focus", "timer".'],
      ],
      ['study clock', at(3), ['5 of the top 10 apps also rank in the top 10 for it.']],
      ['planner', at(3), ['5 of the top 10 apps also rank in the top 10 for it.']],
    ],
  )
  const strengths = found.related.map(({ strength }) => strength.value)
  assert.deepEqual(
    strengths,
    strengths.toSorted((one, other) => other - one),
  )
  assert.equal(found.related[0]?.strength.formula, 'related-terms/2')
  assert.deepEqual(found.relatedBasis, { state: 'measured', pages: 12 })
})

test('an app that stands on every page relates nothing to anything', async () => {
  const everywhere = from(900, 3)
  const country = 'ca'
  await storePages(world, [
    ...unrelated(country, 8).map((page) => ({
      ...page,
      apps: [...appsOf(everywhere), ...page.apps.slice(0, 7)],
    })),
    {
      term: 'focus timer',
      country,
      observedAt: at(2),
      apps: [...appsOf(everywhere), ...appsOf(from(1, 7))],
    },
    {
      term: 'pomodoro',
      country,
      observedAt: at(2),
      apps: appsOf([...from(1, 3), ...from(40, 7)]),
    },
  ])
  assert.deepEqual(named(await explore('focus timer', country)), ['pomodoro'])
  assert.deepEqual((await explore('weather', country)).relatedBasis, { state: 'absent', pages: 9 })
})

test('too little evidence is said: a page of few apps, few other pages, none but thin ones that share its words', async () => {
  const country = 'au'
  const ten = { country, observedAt: at(2), apps: appsOf(from(1, 10)) }
  await storePages(world, [
    { ...ten, term: 'focus timer' },
    { ...ten, term: 'pomodoro' },
    ...unrelated(country, 3),
    { ...ten, term: 'study timer', apps: appsOf(from(1, 4)) },
  ])
  const few = await explore('focus timer', country)
  assert.deepEqual([few.related, few.relatedBasis], [[], tooLittle], 'four other pages')
  await storePages(world, unrelated(country, 8))
  const enough = await explore('focus timer', country)
  assert.deepEqual([named(enough), enough.relatedBasis], [['pomodoro'], { state: 'measured', pages: 9 }])
  const thin = await explore('study timer', country)
  assert.deepEqual([thin.related, thin.relatedBasis], [[], tooLittle], 'a page of four apps')
  await storePage(world, { term: 'weather radar', country, observedAt: at(2), apps: appsOf([100_001]) })
  const words = await explore('weather', country)
  assert.deepEqual([words.related, words.relatedBasis], [[], tooLittle], 'only a thin page shares a word')
  assert.deepEqual((await explore('chess', country)).relatedBasis, { state: 'absent', pages: 9 })
})

test('a term without a page says that nobody looked, or that the search failed', async () => {
  assert.deepEqual((await explore('violin', 'nz')).relatedBasis, {
    state: 'not-measured',
    reason: 'never-collected',
  })
  const failure = { at: new Date(), code: 'unreachable', message: 'nobody answers' } as const
  await track(world, 77, ['violin'], { country: 'nz' })
  await recordSearchFailure(world.store.db, { country: 'nz', term: 'violin' }, failure)
  assert.deepEqual((await explore('violin', 'nz')).relatedBasis, {
    state: 'not-measured',
    reason: 'source-failed',
  })
})

test('words count by the stems of the storefront, in German and Japanese too; "free" and "app" count for nothing', async () => {
  const wordsOf = async (country: string, term: string, other: string) => {
    const apps = (own: number) => appsOf([...from(1, 4), ...from(own, 6)])
    await storePages(world, [
      ...unrelated(country, 6),
      { term, country, observedAt: at(2), apps: apps(20) },
      { term: other, country, observedAt: at(2), apps: apps(40) },
    ])
    const [first] = (await explore(term, country)).related
    return first?.reasons.map(({ text }) => text).slice(1)
  }
  assert.deepEqual(await wordsOf('de', 'rezept', 'die besten rezepte'), ['Same words: "rezept".'])
  assert.deepEqual(await wordsOf('jp', '家計簿', '簡単家計簿'), ['Same words: "家計簿".'])
  assert.deepEqual(await wordsOf('ie', 'free chat app', 'free notes app'), [])
})

test('the order in which pages come makes no difference', async () => {
  const pages = (country: string): MadePage[] => [
    ...unrelated(country, 8),
    ...from(1, 12).map((number) => ({
      term: `focus ${['timer', 'music', 'clock', 'app'][number % 4]} ${'abc'[number % 3]}`,
      country,
      observedAt: at(2),
      apps: appsOf([...from(1, 4), ...from(1_000 * number, 6)]),
    })),
  ]
  for (const page of pages('at')) await storePage(world, page)
  for (const page of pages('ch').reverse()) await storePage(world, page)
  const [one, other] = [await explore('focus timer a', 'at'), await explore('focus timer a', 'ch')]
  assert.ok(one.related.length > 5)
  assert.deepEqual([other.related, other.relatedBasis], [one.related, one.relatedBasis])
})

test('what others track and nobody has searched for is neither named nor counted', async () => {
  const country = 'es'
  const bee = await world.key(undefined, 'bee')
  await storePages(world, [
    ...unrelated(country, 6),
    { term: 'focus timer', country, observedAt: at(2), apps: appsOf(from(1, 10)) },
    { term: 'pomodoro', country, observedAt: at(2), apps: appsOf(from(1, 10)) },
  ])
  const first = await explore('focus timer', country, bee)
  assert.deepEqual(named(first), ['pomodoro'])
  const terms = ['focus timer secret', 'timer', 'pomodoro focus', 'weather radar']
  await storeTracked(world, { storeId: '4', country, keywords: terms, account: 'ann' })
  for (const term of ['focus timer', 'weather'])
    assert.deepEqual(
      (await explore(term, country, bee)).relatedBasis,
      term === 'weather' ? { state: 'absent', pages: 7 } : first.relatedBasis,
    )
  assert.deepEqual(await explore('focus timer', country, bee), first)
})
