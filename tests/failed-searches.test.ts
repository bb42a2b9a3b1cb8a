import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { halfPrefixOf } from '../src/domain/aso/scores/autocomplete.ts'
import { collectTerm } from '../src/jobs/kinds/collect-term.ts'
import { appsOf, storePage, storeSuggestions } from './support/result-pages.ts'
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
    collectTerm(
      world.collecting.collector,
      { country: 'us', term, surface: 'search' },
      new AbortController().signal,
    ),
  )
  assert.equal((await explore()).page.reason, 'source-failed', 'also of a term that nobody tracks')
  await world.call('add_aso_keywords', { appId, terms: [term] })
  assert.deepEqual(await seen(), ['source-failed', 'source-failed', 'source-failed', 'source-failed'])
  await storePage(world, { term, observedAt: '2026-03-01T06:02:00.000Z', apps: appsOf([3]) })
  assert.equal((await explore()).page.state, 'measured')
})

test('every list of keywords says of a failed search that it failed', async () => {
  const term = 'quiet river'
  const tracked = (await world.call('track_aso_app', { app: '4', role: 'own', country: 'de' })).body
  const rival = (await world.call('track_aso_app', { app: '5', role: 'rival', country: 'de' })).body
  await storePage(world, {
    term: 'loud river',
    country: 'de',
    observedAt: '2026-03-01T06:02:00.000Z',
    apps: appsOf([4, 5]),
  })
  const { appId } = tracked
  await world.call('add_aso_keywords', { appId, terms: [term] })
  const live = await world.call('search_ios_apps', { term, country: 'de' })
  assert.ok(live.status >= 500 || live.body.reason === 'source-failed', 'the live search failed')
  const reasonsOf = (facts: Record<string, { reason?: string } | undefined>) =>
    Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, fact?.reason]))
  const allFailed = (facts: Record<string, { reason?: string } | undefined>) =>
    assert.deepEqual(
      reasonsOf(facts),
      Object.fromEntries(Object.keys(facts).map((name) => [name, 'source-failed'])),
    )
  const named = (items: { term: string }[]) => items.find((item) => item.term === term) as never

  const explored = (await world.call('explore_aso_keyword', { query: term, country: 'de' })).body
  const { page, difficulty, opportunity, trackedApps } = explored
  allFailed({ page, difficulty, opportunity, rank: trackedApps[0].rank })

  const station = (await world.call('get_aso_workstation', { appId })).body
  const { rank, over1Day, over7Days, over30Days, best, ...scores } = named(station.keywords) as Facts
  allFailed({ rank, over1Day, over7Days, over30Days, best, hard: scores.difficulty, good: scores.opportunity })
  allFailed({ own: station.visibility.share, rival: station.rivals[0].visibility.share })

  const gap = (await world.call('get_aso_keyword_gap', { appId, rivalStoreId: '5' })).body
  const between = named(gap.items) as Facts
  allFailed({ own: between.own, rival: between.rival, hard: between.difficulty, good: between.opportunity })

  const aso = (await world.call('get_competitor_aso', { platform: 'ios', storeId: '4', country: 'de' })).body
  const known = named(aso.keywords.items) as Facts
  allFailed({ rank: known.rank, over30Days: known.over30Days, best: known.best, hard: known.difficulty })

  const { items } = (await world.call('list_aso_apps', { country: 'de' })).body
  const own = items.find((item: { appId: string }) => item.appId === appId)
  allFailed({ share: own.visibility.share })
  assert.notEqual(rival.appId, appId)
})

type Facts = Record<string, { reason?: string }>

test('suggestions that Apple did not give are told as failed, and not as never asked for', async () => {
  const term = 'amber gate'
  const tracked = (await world.call('track_aso_app', { app: '6', role: 'own', country: 'fr' })).body
  const { appId } = tracked
  await world.call('add_aso_keywords', { appId, terms: [term] })
  const observedAt = '2026-03-01T06:02:00.000Z'
  await storePage(world, {
    term,
    country: 'fr',
    observedAt,
    apps: appsOf([...Array(30).keys()].map((index) => index + 6)),
  })
  const reasons = async () => {
    const explored = (await world.call('explore_aso_keyword', { query: term, country: 'fr' })).body
    const { strength, continuations } = explored.autocomplete
    const station = (await world.call('get_aso_workstation', { appId })).body.keywords[0]
    return {
      strength: strength.reason,
      continuations: continuations.reason,
      opportunity: explored.opportunity.reason,
      listed: station.autocomplete.reason,
      listedOpportunity: station.opportunity.reason,
    }
  }
  const all = (reason: string | undefined, continuations = reason) => ({
    strength: reason,
    continuations,
    opportunity: reason,
    listed: reason,
    listedOpportunity: reason,
  })
  const ask = (typed: string) => world.collecting.collector.hints(typed, 'fr', new AbortController().signal)
  assert.deepEqual(await reasons(), all('never-collected'))
  await assert.rejects(ask(halfPrefixOf(term)))
  assert.deepEqual(await reasons(), all('source-failed', 'never-collected'))
  await assert.rejects(ask(term))
  assert.deepEqual(await reasons(), all('source-failed'))
  await storeSuggestions(world, { typed: halfPrefixOf(term), country: 'fr', observedAt, terms: [term] })
  assert.deepEqual(await reasons(), { ...all(undefined), continuations: 'source-failed' })
})
