import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { readBenchmark } from '../../research/benchmark.ts'
import type { BacktestRecord } from '../../research/record.ts'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { operate } from '../support/operator.ts'
import { appsOf, storePage, storePages } from '../support/result-pages.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

type Judged = 'telling' | 'relevance' | 'brand-term' | 'related-terms' | 'similarity'

async function outcomeOf(model: Judged, of = world): Promise<BacktestRecord['outcome']> {
  const { code, out } = await operate(of, { command: 'backtest', options: { models: [model], json: true } })
  assert.equal(code, 0)
  return JSON.parse(out).results[0].outcome
}

const storeApps = (apps: readonly { trackId: number; trackName: string; description: string }[]) =>
  storePage(world, { term: 'made up', observedAt: '2026-03-01T00:00:00Z', apps })

test('relevance is judged by pairs of terms of apps that are stored; those of others are left out and counted', async () => {
  const none = await outcomeOf('relevance')
  assert.ok(none.state === 'not-validated')
  assert.match(none.why, /^0 of the \d+ judged cases are in this store; 60 are needed\.$/)
  const Pair = z.strictObject({
    country: z.literal('us'),
    storeId: z.string(),
    relevant: z.string(),
    other: z.string(),
  })
  const { cases } = await readBenchmark('relevance', Pair)
  const [absent, ...stored] = Map.groupBy(cases, ({ storeId }) => storeId)
  await storeApps(
    stored.map(([storeId, pairs]) => ({
      trackId: Number(storeId),
      trackName: `App ${storeId}`,
      description: pairs.map(({ relevant }) => relevant).join('\n'),
    })),
  )
  const outcome = await outcomeOf('relevance')
  assert.ok(outcome.state === 'measured')
  assert.deepEqual([outcome.leftOut, outcome.cases], [absent?.[1].length, cases.length - outcome.leftOut])
  assert.equal(outcome.figure, 100)
})

test('telling is judged by pairs of words that stand in stored listings', async () => {
  const Pair = z.strictObject({ more: z.string(), less: z.string() })
  const { cases } = await readBenchmark('telling', Pair)
  const words = (of: 'more' | 'less') => cases.map((pair) => pair[of]).join(' ')
  await storeApps(
    Array.from({ length: 60 }, (_, index) => ({
      trackId: index + 1,
      trackName: `Listing ${index}`,
      description: index < 3 ? `${words('more')} ${words('less')}` : words('less'),
    })),
  )
  await computeWordWeights(world.store.db, new Date())
  const outcome = await outcomeOf('telling')
  assert.ok(outcome.state === 'measured')
  assert.ok(outcome.cases >= 100)
  assert.ok(outcome.figure > 95 && outcome.figure > outcome.baselineFigure, `${outcome.figure}`)
})

test('the flag of brands is judged by the stored pages of judged terms, and by pages made of stored apps for others', async () => {
  const none = await outcomeOf('brand-term')
  assert.ok(none.state === 'not-validated', 'hardly any name of this store holds a judged term')
  const Term = z.strictObject({ term: z.string(), brand: z.boolean() })
  const { cases } = await readBenchmark('brand-term', Term)
  const kept = cases.filter(({ use }) => use === 'check')
  const [brands, others] = [true, false].map((brand) => kept.filter((one) => one.brand === brand).slice(0, 20))
  const named = (trackId: number, trackName: string, userRatingCount: number) => ({
    trackId,
    trackName,
    userRatingCount,
  })
  const strong = appsOf([800_001, 800_002, 800_003, 800_004, 800_005, 800_006])
  await storePages(
    world,
    [...(brands ?? []), ...(others ?? [])].map(({ term, brand }, index) => ({
      term,
      observedAt: '2026-03-02T00:00:00Z',
      apps: brand
        ? [named(900_000 + index, `${term} - the app`, 5_000_000), ...strong]
        : Array.from({ length: 8 }, (_, at) =>
            named(1_000 * (index + 1_000) + at, `${term} ${at}`, 5_000 + at),
          ),
    })),
  )
  const outcome = await outcomeOf('brand-term')
  assert.ok(outcome.state === 'measured')
  assert.deepEqual([outcome.figure, outcome.cases >= 40], [100, true])
})

test('related terms are judged on the stored pages of terms, both of what is shown and of what is not', async () => {
  await using own = await openWorld()
  const none = await outcomeOf('related-terms', own)
  assert.ok(none.state === 'not-validated')
  assert.match(none.why, /^0 of the \d+ judged cases are in this store; 60 are needed\.$/)
  const Term = z.strictObject({
    country: z.string(),
    language: z.string(),
    term: z.string(),
    related: z.array(z.string()),
  })
  const { cases } = await readBenchmark('related-terms', Term)
  const checked = cases.filter(({ use }) => use === 'check')
  const english = checked.filter(({ language }) => language === 'en')
  // Pages of one pair that is related, and of one that is not, show the same apps; all others have apps of their own.
  const [related, unrelated] = [
    ['video editor', 'movie maker'],
    ['baby names', 'alarm clock'],
  ]
  const appsFor = (term: string, index: number) =>
    related.includes(term) ? 1_000 : unrelated.includes(term) ? 2_000 : 10_000 + 100 * index
  await storePages(
    own,
    english.map(({ country, term }, index) => ({
      term,
      country,
      observedAt: '2026-03-01T00:00:00Z',
      apps: appsOf(Array.from({ length: 10 }, (_, place) => appsFor(term, index) + place)),
    })),
  )
  const outcome = await outcomeOf('related-terms', own)
  assert.ok(outcome.state === 'measured')
  const { figure, cases: shown, leftOut } = outcome
  assert.deepEqual([figure, shown, leftOut], [50, 4, checked.length - english.length])
})

test('similar apps are judged by known apps that are stored, none of them in two sets', async () => {
  const outcome = await outcomeOf('similarity')
  assert.ok(outcome.state === 'not-validated')
  assert.match(outcome.why, /^\d of the 25 judged cases are in this store; 10 are needed\.$/)
  const Known = z.looseObject({ storeId: z.string(), country: z.string() })
  const ids = await Promise.all(
    ['similar-apps', 'similar-apps-drawn'].map(async (name) => {
      const text = await readFile(new URL(`../../benchmarks/${name}.json`, import.meta.url), 'utf8')
      return z
        .object({ cases: z.array(Known) })
        .parse(JSON.parse(text))
        .cases.map(({ storeId }) => storeId)
    }),
  )
  assert.equal(new Set(ids.flat()).size, ids.flat().length)
})
