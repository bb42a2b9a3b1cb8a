import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchLive } from '../src/jobs/collecting/ask-while-waiting.ts'
import { type PlayedApple, playedSources, startApple } from './support/apple.ts'
import { appsOf, storePage } from './support/result-pages.ts'
import { openWorld, type World } from './support/world.ts'

const search = async (world: World, input: Record<string, unknown>) =>
  (await world.call('search_ios_apps', input)).body
const positions = (body: { items: { position: number; app: { name: string } }[] }) =>
  body.items.map(({ position, app }) => [position, app.name])

/** An installation that asks a server of its own, once for each call. */
async function openSearch(
  more: Record<string, unknown> = {},
): Promise<{ apple: PlayedApple; world: World } & AsyncDisposable> {
  await using parts = new AsyncDisposableStack()
  const apple = parts.use(await startApple())
  const world = parts.use(await openWorld({ sources: playedSources(apple, { attempts: 1, ...more }) }))
  const opened = parts.move()
  return { apple, world, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test("a live search answers Apple's order, and its whole page is evidence from then on", async () => {
  await using opened = await openSearch()
  const { world, apple } = opened
  const live = await search(world, { term: '  BUDGET ', limit: 2 })
  assert.deepEqual(
    [live.term, live.answeredFrom, live.reason, live.basis, live.depth, live.trouble],
    ['budget', 'live', 'asked', 'result-page', 8, []],
  )
  assert.deepEqual(positions(live), [
    [1, 'Lantern Budget'],
    [2, 'Harbour Budget'],
  ])
  assert.equal(live.detail, 'Apple was asked during this call and has 8 apps for the term.')
  assert.deepEqual(
    [live.page.surface, live.page.origin, live.page.country],
    ['iTunes Search API', 'collected', 'us'],
  )
  const explored = (await world.call('explore_aso_keyword', { query: 'budget' })).body
  assert.deepEqual(
    [explored.page.depth, explored.page.requested, explored.page.evidence],
    [8, 200, [live.page]],
  )
  const stored = await search(world, { term: 'budget', limit: 2, live: false })
  assert.deepEqual([stored.answeredFrom, stored.reason, stored.items], ['stored', 'not-asked', live.items])
  assert.equal(apple.requests.length, 1, 'nobody was asked the second time')
})

test('an answer whose resultCount is not the length of its list is as deep as its list, and says what it said', async () => {
  await using opened = await openSearch()
  const { world, apple } = opened
  const answers = (resultCount: unknown, ids: readonly number[]) => {
    const results = appsOf(ids).map((app) => ({ wrapperType: 'software', kind: 'software', ...app }))
    apple.behave('/search', { does: 'serve', body: JSON.stringify({ resultCount, results }) })
  }
  const seen = async (term: string, live = true) => {
    const found = await search(world, { term, live })
    const { page } = (await world.call('explore_aso_keyword', { query: term })).body
    return [found.depth, found.stated, page.depth ?? page.state, page.stated ?? null]
  }
  answers(50, [1, 2])
  assert.deepEqual(await seen('fifty'), [2, 50, 2, 50])
  assert.deepEqual(await seen('fifty', false), [2, 50, 2, 50], 'also of the stored page')
  answers(1e300, [1, 2])
  assert.deepEqual(await seen('garbled'), [2, null, 2, null], 'what is no count says nothing')
  answers(3, [1, 2, 3])
  assert.deepEqual(await seen('fifty'), [3, null, 3, null], 'the newest page is what counts')
  answers(7, [])
  const hollow = await world.call('search_ios_apps', { term: 'hollow' })
  assert.match(hollow.body.detail, /it says it has 7 results, and lists none/)
  const { page } = (await world.call('explore_aso_keyword', { query: 'hollow' })).body
  assert.deepEqual(page, { state: 'not-measured', reason: 'source-failed' }, 'which is no absence')
})

test('an empty list with the reason asked means that Apple has no app', async () => {
  await using opened = await openSearch()
  const none = await search(opened.world, { term: 'no such thing' })
  assert.deepEqual(
    [none.answeredFrom, none.reason, none.basis, none.depth, none.items],
    ['live', 'asked', 'result-page', 0, []],
  )
  assert.equal(none.detail, 'Apple was asked during this call and has no apps for the term.')
})

test('when Apple fails, the newest stored page is answered, with the reason', async () => {
  const failures = {
    'source-failed': { does: 'unavailable' },
    'source-throttled': { does: 'throttle', status: 403 },
    'source-timeout': { does: 'hang' },
    'suspect-empty': { does: 'empty' },
  } as const
  for (const [reason, behaviour] of Object.entries(failures)) {
    // Short where nothing is ever answered, and nowhere else.
    await using opened = await openSearch(behaviour.does === 'hang' ? { timeoutSeconds: 1 } : {})
    const { world, apple } = opened
    await storePage(world, { term: 'budget', observedAt: '2026-03-01T06:02:00.000Z', apps: appsOf([3, 1]) })
    apple.behave('/search', behaviour)
    const found = await search(world, { term: 'budget' })
    assert.deepEqual(
      [found.answeredFrom, found.reason, found.basis, found.depth],
      ['stored', reason, 'result-page', 2],
    )
    assert.deepEqual(positions(found), [
      [1, 'App 3'],
      [2, 'App 1'],
    ])
    assert.match(found.detail, /^Apple .*, so this is the page of 2026-03-01 06:02 UTC\.$/)
    assert.equal(found.page.observedAt, '2026-03-01T06:02:00.000Z')
    assert.equal(found.trouble.length, 1, reason)
  }
})

test('while Apple wants to be left alone it is not asked, and nobody waits for it', async () => {
  await using opened = await openSearch()
  const { world, apple } = opened
  await storePage(world, { term: 'budget', observedAt: '2026-03-01T06:02:00.000Z', apps: appsOf([3]) })
  apple.behave('/search', { does: 'throttle', status: 429, retryAfter: '240' })
  await search(world, { term: 'budget' })
  const again = await search(world, { term: 'budget' })
  assert.deepEqual([again.reason, apple.requests.length], ['source-throttled', 1])
  const [, seconds] =
    /^Apple refuses searches for now, for about (\d+) more seconds, so this is the page/.exec(again.detail) ??
    []
  assert.ok(Number(seconds) > 0 && Number(seconds) <= 240, again.detail)
})

test('a search that has to wait for its turn ends at the deadline', async () => {
  await using opened = await openSearch({ callsPerMinute: 1 })
  const { world } = opened
  assert.equal((await search(world, { term: 'budget' })).reason, 'asked')
  const late = await searchLive(world.store.db, world.collecting, 'chat', 'us', 300)
  assert.deepEqual(late, { came: 'timed-out', message: 'Apple did not answer within 0.3 seconds' })
})

test('without a page of the term, stored apps whose text matches are answered', async () => {
  await using opened = await openSearch()
  const { world, apple } = opened
  await search(world, { term: 'budget' })
  apple.behave('/search', { does: 'unavailable' })
  const found = await search(world, { term: 'lantern' })
  assert.deepEqual(
    [found.basis, found.page, found.depth, positions(found)],
    ['catalogue', null, null, [[null, 'Lantern Budget']]],
  )
  assert.match(found.detail, /so these are stored apps whose text matches\.$/)
})

test('the call fails only when Apple fails and nothing stored fits', async () => {
  for (const [behaviour, more, failure] of [
    [{ does: 'html' }, {}, [502, 'upstream-failed']],
    [{ does: 'hang' }, { timeoutSeconds: 1 }, [504, 'upstream-timeout']],
  ] as const) {
    await using opened = await openSearch(more)
    const { world, apple } = opened
    const asked = async (input: Record<string, unknown>) => {
      const { status, body } = await world.call('search_ios_apps', { term: 'xylophone', ...input })
      return [status, body.code ?? [body.basis, body.reason, body.items]]
    }
    apple.behave('/search', behaviour)
    assert.deepEqual(await asked({}), failure)
    const requests = apple.requests.length
    assert.deepEqual(await asked({ live: false }), [200, ['none', 'not-asked', []]])
    assert.equal(apple.requests.length, requests)
  }
})

test('terms that cannot be searched for are refused before anybody is asked', async () => {
  await using opened = await openSearch()
  const { world, apple } = opened
  for (const term of ['🙂', '   ', '!!', 'x'.repeat(300), '']) {
    const { status, body } = await world.call('search_ios_apps', { term })
    assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'invalid-request', '/body/term'], term)
  }
  assert.equal(apple.requests.length, 0)
  // Right to left, and of another storefront.
  const found = await search(world, { term: 'מחשבון', country: 'jp' })
  assert.deepEqual([found.term, found.country, found.reason], ['מחשבון', 'jp', 'asked'])
})
