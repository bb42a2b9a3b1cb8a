import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { searchTerm } from '../src/jobs/collecting/search-term.ts'
import { appsOf, storePage } from './support/result-pages.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

test('a term whose search failed says that, and not that nobody has looked, until there is a page', async () => {
  const term = 'failing words'
  const explore = async () => (await world.call('explore_aso_keyword', { query: term })).body
  const tracked = (await world.call('track_aso_app', { app: '3', role: 'own' })).body
  const { appId } = tracked
  const seen = async () => {
    const explored = await explore()
    const [keyword] = (await world.call('get_aso_workstation', { appId })).body.keywords
    return [explored.page, explored.difficulty, explored.volatility.score, keyword?.rank].map(
      (fact) => fact?.reason,
    )
  }
  assert.equal((await explore()).page.reason, 'never-collected')
  await assert.rejects(
    searchTerm(
      world.store.db,
      world.collecting.collector,
      { country: 'us', term },
      AbortSignal.timeout(20_000),
    ),
  )
  assert.equal((await explore()).page.reason, 'source-failed', 'also of a term that nobody tracks')
  await world.call('add_aso_keywords', { appId, terms: [term] })
  assert.deepEqual(await seen(), ['source-failed', 'source-failed', 'source-failed', 'source-failed'])
  await storePage(world, { term, observedAt: '2026-03-01T06:02:00.000Z', apps: appsOf([3]) })
  assert.equal((await explore()).page.state, 'measured')
})
