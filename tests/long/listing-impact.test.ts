import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFolder } from '../support/files.ts'
import { appsOf, type ResultApp, storePages } from '../support/result-pages.ts'
import { openWorld, type World } from '../support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const at = (day: number) => new Date(Date.UTC(2026, 0, day, 18)).toISOString()
const storeId = 7
const others = Array.from({ length: 60 }, (_, index) => 1001 + index)

/** A chart of every day but those, with the app where it stood that day; one file, newest rows first. */
function charts(rankOn: (day: number) => number, missing: readonly number[]) {
  const days = Array.from({ length: 60 }, (_, index) => 60 - index).filter((day) => !missing.includes(day))
  return days.flatMap((day) =>
    others
      .toSpliced(rankOn(day) - 1, 0, storeId)
      .slice(0, 50)
      .map((id, index) => ({
        country: 'us',
        chart: 'top-free',
        category: '6015',
        capturedAt: at(day),
        rank: index + 1,
        id,
        name: `App ${id}`,
      })),
  )
}

const lookup = (description: string) => ({
  resultCount: 1,
  results: [
    { wrapperType: 'software', kind: 'software', trackId: storeId, trackName: `App ${storeId}`, description },
  ],
})

/** What is told of ranks after the one change of the listing, which carries its caution. */
async function impactOfTheChange(world: World) {
  const { timeline } = (
    await world.call('get_competitor_aso', { platform: 'ios', storeId: String(storeId), country: 'us' })
  ).body
  assert.equal(timeline.length, 1)
  const [{ impact, caution }] = timeline
  assert.match(caution, /do not prove/)
  return impact
}

test('a change of the listing is shown with the ranks 7, 14 and 28 days after it, the usual movement and a caution', async () => {
  await using world = await openWorld()
  const rankOn = (day: number) => (day <= 30 ? 40 + (day % 2) : 20 + (day % 2))
  // No chart around the fourteenth day after the change.
  const rows = JSON.stringify(charts(rankOn, [44, 45, 46]))
  await world.import({ kind: 'charts', paths: [folder.write('charts.json', rows)] })
  for (const [day, text] of [
    [31, 'Plans every meal of the week.'],
    [30, 'Plans meals.'],
  ] as const) {
    const path = folder.write(`lookup-${day}.json`, JSON.stringify(lookup(text)))
    await world.import({ kind: 'catalogue', paths: [path], country: 'us', observedAt: at(day) })
  }
  const impact = await impactOfTheChange(world)
  assert.deepEqual(
    impact.map(({ afterDays, charts }: { afterDays: number; charts: object }) => [afterDays, charts]),
    [
      [7, { state: 'measured', compared: 1, places: 20, usual: 0 }],
      [14, { state: 'not-measured', reason: 'no-snapshot' }],
      [28, { state: 'measured', compared: 1, places: 19, usual: null }],
    ],
  )
  for (const { keywords, otherChanges } of impact)
    assert.deepEqual([keywords, otherChanges], [{ state: 'not-measured', reason: 'never-collected' }, 0])
})

test('ranks for keywords 7, 14 and 28 days after a change are compared over all keywords with a page on both sides', async () => {
  await using world = await openWorld()
  // Of each term the place before the change and after it; "meals" is seen on day 30 and never again.
  const terms = { 'meal planner': [9, 4], 'weekly menu': [12, 6], 'shopping list': [16, 9], meals: [3, 3] }
  const days = Array.from({ length: 60 }, (_, index) => index + 1).filter((day) => day < 44 || day > 46)
  // A page tells the whole listing of its apps, so that of the app changes there.
  const page = (term: string, [before = 0, after = 0]: readonly number[], day: number) => {
    const [app] = lookup(day <= 30 ? 'Plans meals.' : 'Plans every meal of the week.').results
    assert.ok(app)
    const apps: ResultApp[] = appsOf(others.slice(0, 20))
    return { term, observedAt: at(day), apps: apps.toSpliced((day <= 30 ? before : after) - 1, 0, app) }
  }
  await storePages(
    world,
    Object.entries(terms).flatMap(([term, places]) =>
      days.filter((day) => term !== 'meals' || day === 30).map((day) => page(term, places, day)),
    ),
  )
  const impact = await impactOfTheChange(world)
  assert.deepEqual(
    impact.map(({ afterDays, keywords }: { afterDays: number; keywords: object }) => [afterDays, keywords]),
    [
      [7, { state: 'measured', compared: 3, places: 6, usual: 0 }],
      [14, { state: 'not-measured', reason: 'no-snapshot' }],
      [28, { state: 'measured', compared: 3, places: 6, usual: null }],
    ],
  )
  for (const { charts } of impact)
    assert.deepEqual(charts, { state: 'not-measured', reason: 'never-collected' })
})
