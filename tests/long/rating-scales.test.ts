import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  computeRatingScales,
  lockRatingScales,
  refreshRatingScales,
} from '../../src/domain/aso/pages/rating-scale-runs.ts'
import { replay } from '../../src/projections/replay.ts'
import { assertPagesAgree } from '../support/aso-invariants.ts'
import { lookAtSchedule } from '../support/collecting.ts'
import { type ResultApp, storePage, storePages, storeSuggestions } from '../support/result-pages.ts'
import { openWorld, type World } from '../support/world.ts'

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`
const explore = async (world: World, query: string, country: string) =>
  (await world.call('explore_aso_keyword', { query, country })).body

/** Ratings of twelve hundred apps of a storefront, from none to millions, of which this is the share there. */
const ratingsOf = (app: number, share: number) => Math.round(share * 10 ** (2 + (app % 97) / 20))

/** What a storefront shows for six terms of two hundred apps each. */
const pagesOf = (country: string, share: number) =>
  [1, 2, 3, 4, 5, 6].map((page) => ({
    country,
    term: `shelf ${page}`,
    observedAt: at(2),
    apps: Array.from({ length: 200 }, (_, index): ResultApp => {
      const trackId = 1_000 * page + index
      return { trackId, trackName: `App ${trackId}`, userRatingCount: ratingsOf(7 * trackId, share) }
    }),
  }))

const strong = (share: number) =>
  Array.from({ length: 10 }, (_, index): ResultApp => {
    const trackId = 90 + index
    return { trackId, trackName: `Garden ${index}`, userRatingCount: share * 30_000 * (index + 1) }
  })

test('the same page is as hard in a storefront of a hundredth of the ratings, and says by which scale', async () => {
  await using world = await openWorld()
  const shares = { us: 1, at: 0.01 }
  const now = async (country: 'us' | 'at') => (await explore(world, 'garden', country)).difficulty
  for (const country of ['us', 'at'] as const)
    await storePage(world, { country, term: 'garden', observedAt: at(2), apps: strong(shares[country]) })
  await lookAtSchedule(world)
  const before = { us: await now('us'), at: await now('at') }
  assert.deepEqual(
    [before.us.formula, before.at.formula],
    ['difficulty/5 (common scale)', 'difficulty/5 (common scale)'],
  )
  assert.ok(before.us.value - before.at.value >= 20, 'twenty points between storefronts by the common scale')
  for (const country of ['us', 'at'] as const) await storePages(world, pagesOf(country, shares[country]))
  await computeRatingScales(world.store.db, new Date())
  const after = { us: await now('us'), at: await now('at') }
  assert.deepEqual([after.us.formula, after.at.formula], ['difficulty/5', 'difficulty/5'])
  assert.ok(Math.abs(after.us.value - after.at.value) <= 2, `${after.us.value} and ${after.at.value}`)
  assert.match(after.at.parts[0].text, /of 1,210 apps collected in this storefront, the median has about \d+/)
  await assertPagesAgree(world.store.db)
})

test('a difficulty is the same whether its page came before the ratings of the storefront or after, and after a replay', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const page = (term: string) => ({ country: 'at', term, observedAt: at(2), apps: strong(0.01) })
  const scores = async () =>
    (
      await sql<Record<string, unknown>>`
        select term, difficulty, difficulty_formula, opportunity, opportunity_formula from terms
        where term like '%gardens' order by term`.execute(db)
    ).rows
  await storeSuggestions(world, { country: 'at', typed: 'ea', observedAt: at(2), terms: ['early gardens'] })
  await storePage(world, page('early gardens'))
  await computeRatingScales(db, new Date())
  const [common] = await scores()
  assert.equal(common?.opportunity_formula, 'opportunity/5 (common scale)')
  await storePages(world, pagesOf('at', 0.01))
  await computeRatingScales(db, new Date())
  await storePage(world, page('later gardens'))
  const [early, later] = await scores()
  assert.notEqual(early?.difficulty, common?.difficulty)
  assert.deepEqual([later?.difficulty, later?.difficulty_formula], [early?.difficulty, 'difficulty/5'])
  assert.equal(early?.opportunity_formula, 'opportunity/5')
  const settled = await scores()
  await computeRatingScales(db, new Date())
  assert.deepEqual(await scores(), settled)
  await replay(db, () => {}, new AbortController().signal)
  await computeRatingScales(db, new Date())
  assert.deepEqual(await scores(), settled)
})

test('after an update of the program stored scores are made anew, and none is made of scores of an older formula', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const apps = strong(1)
  await storePage(world, { country: 'us', term: 'garden', observedAt: at(2), apps })
  const suggested = { country: 'us', typed: 'ga', terms: ['garden'] }
  await storeSuggestions(world, { ...suggested, observedAt: at(2) })
  await lookAtSchedule(world)
  const before = await explore(world, 'garden', 'us')
  assert.equal(before.opportunity.formula, 'opportunity/5 (common scale, without relevance)')
  // What an older program left.
  await sql`
    update term_states set difficulty = 3, difficulty_formula = 'difficulty/1', opportunity_formula = 'opportunity/1'`.execute(
    db,
  )
  await sql`update rating_scale_runs set formulas = 'difficulty/1 autocomplete/2 opportunity/1'`.execute(db)
  await storeSuggestions(world, { ...suggested, observedAt: at(3), terms: ['game', 'garden'] })
  await storeSuggestions(world, { ...suggested, observedAt: at(4) })
  const meanwhile = await explore(world, 'garden', 'us')
  assert.deepEqual(meanwhile.opportunity, { state: 'not-measured', reason: 'pending' })
  await lookAtSchedule(world)
  const after = await explore(world, 'garden', 'us')
  assert.deepEqual([after.opportunity, after.difficulty], [before.opportunity, before.difficulty])
  await assertPagesAgree(db)
})

test('scales are replaced once nobody is writing pages by them', async () => {
  await using world = await openWorld()
  const { db } = world.store
  await storePages(world, pagesOf('at', 0.01))
  const scales = async () => (await sql`select country from rating_scales`.execute(db)).rows.length
  await db.transaction().execute(async (writer) => {
    await lockRatingScales(writer)
    await refreshRatingScales(db, new Date())
    assert.equal(await scales(), 0)
  })
  await refreshRatingScales(db, new Date())
  assert.equal(await scales(), 1)
})
