import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BacktestRecord } from '../research/record.ts'
import { operate } from './support/operator.ts'
import { storePages, storeSuggestions } from './support/result-pages.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

async function outcomes(): Promise<BacktestRecord['outcome'][]> {
  const models = ['difficulty', 'autocomplete', 'opportunity'] as const
  const { code, out } = await operate(world, {
    command: 'backtest',
    options: { models: [...models], json: true },
  })
  assert.equal(code, 0)
  return JSON.parse(out).results.map(({ outcome }: BacktestRecord) => outcome)
}

/** Easy terms at even places: their apps have few ratings, and Apple suggests them early. */
const terms = Array.from({ length: 32 }, (_, index) => ({
  term: `${'abcdefghijklmnop'[index >> 1]}${index % 2 === 0 ? 'uartzite' : 'olomites'}`,
  isEasy: index % 2 === 0,
}))
const own = [901, 902, 903]
const app = (trackId: number, userRatingCount: number) => ({
  trackId,
  trackName: `Stone ${trackId}`,
  userRatingCount,
})

/** Ten apps of a term; of an easy one the last three are the own apps in the end, and an app more is offered. */
function pageOf({ term, isEasy }: (typeof terms)[number], index: number, observedAt: string, isLate: boolean) {
  const apps = Array.from({ length: 10 }, (_, at) => app(1_000 * (index + 1) + at, isEasy ? 900 : 700_000))
  const came = [...apps.slice(0, 7), ...own.map((trackId) => app(trackId, 40)), app(990, 5)]
  return { term, observedAt, apps: isLate && isEasy ? came : apps }
}

test('scores of terms are judged by what became of their pages, where enough pages lie months apart', async () => {
  await storePages(
    world,
    terms.map((one, index) => pageOf(one, index, '2026-01-02T12:00:00Z', false)),
  )
  for (const { term, isEasy } of terms)
    await storeSuggestions(world, {
      typed: term.slice(0, isEasy ? 2 : 7),
      observedAt: '2026-01-02T12:00:00Z',
      terms: [term],
    })
  for (const outcome of await outcomes()) assert.equal(outcome.state, 'not-validated')
  await storePages(
    world,
    terms.map((one, index) => pageOf(one, index, '2026-03-20T12:00:00Z', true)),
  )
  const keywords = terms.map(({ term }) => term)
  for (const storeId of own) await storeTracked(world, { storeId: String(storeId), keywords })
  const [difficulty, autocomplete, opportunity] = await outcomes()
  assert.ok(difficulty?.state === 'measured')
  assert.deepEqual([difficulty.figure, difficulty.cases], [100, 16 * 16])
  assert.ok(opportunity?.state === 'measured')
  assert.deepEqual([opportunity.figure, opportunity.baselineFigure, opportunity.cases], [100, 50, 3 * 16 * 16])
  assert.ok(autocomplete?.state === 'measured')
  assert.deepEqual([autocomplete.figure, autocomplete.cases], [1, 32])
})
