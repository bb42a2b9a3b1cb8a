import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { playedSources, startApple } from '../support/apple.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world[Symbol.asyncDispose]())

let apps = 7_000
async function freshApp(more: Record<string, string> = {}): Promise<string> {
  return (await world.call('track_aso_app', { app: String(++apps), role: 'own', ...more })).body.appId
}

describe('A tracked app', () => {
  test('is refreshed once at a time, whatever the case its id is written in', async () => {
    const appId = await freshApp()
    const small = (await world.call('refresh_aso_app', { appId })).body
    const large = (await world.call('refresh_aso_app', { appId: appId.toUpperCase() })).body
    assert.deepEqual([large.appId, large.createdAt], [appId, small.createdAt])
    const { refresh } = (await world.call('get_aso_workstation', { appId: appId.toUpperCase() })).body
    assert.equal(refresh.createdAt, small.createdAt)
  })

  test('tracked twenty times at once is one, and its removal amid other calls leaves nothing half done', async () => {
    const app = String(++apps)
    const tracked = await Promise.all(
      Array.from({ length: 20 }, () => world.call('track_aso_app', { app, role: 'own' })),
    )
    assert.equal(new Set(tracked.map(({ body }) => body.appId)).size, 1)
    assert.equal(tracked.filter(({ status }) => status === 201).length, 1)
    const { appId } = tracked[0]?.body ?? {}
    const calls = await Promise.all([
      world.call('add_aso_keywords', { appId, terms: ['one', 'two'] }),
      world.call('refresh_aso_app', { appId }),
      world.call('remove_aso_app', { appId }),
      world.call('add_aso_keywords', { appId, terms: ['three'] }),
      world.call('get_aso_workstation', { appId }),
    ])
    for (const { status, body } of calls)
      assert.ok(status < 300 || body.code === 'tracked-app-not-found', body.detail)
    assert.equal((await world.call('get_aso_workstation', { appId })).status, 404)
  })

  test('takes no more than it can hold from calls at once, and says what it left', async () => {
    const appId = await freshApp()
    const added = await Promise.all(
      Array.from({ length: 11 }, (_, call) => {
        const terms = Array.from({ length: 200 }, (_, index) => `term ${call} ${index}`)
        return world.call('add_aso_keywords', { appId, terms })
      }),
    )
    assert.equal(added.filter(({ body }) => body.refused.length === 200).length, 1)
    assert.equal((await world.call('get_aso_workstation', { appId })).body.keywords.length, 2_000)
  })
})

describe('An answer of Apple', () => {
  test('of which nothing can be read is no page where everybody is absent: the page before is answered', async () => {
    await using apple = await startApple()
    await using asking = await openWorld({ sources: playedSources(apple, { attempts: 1 }) })
    const search = async () => (await asking.call('search_ios_apps', { term: 'lantern' })).body
    const explore = async () => (await asking.call('explore_aso_keyword', { query: 'lantern' })).body
    assert.equal((await search()).answeredFrom, 'live')
    const known = (await explore()).page
    apple.behave('/search', {
      does: 'serve',
      body: '{"resultCount":2,"results":[{"trackID":1},{"trackId":null}]}',
    })
    const after = await search()
    assert.deepEqual([after.answeredFrom, after.reason], ['stored', 'source-failed'])
    assert.match(after.detail, /no result can be read/)
    assert.deepEqual((await explore()).page, known)
    assert.equal((await asking.call('search_ios_apps', { term: 'unheard of' })).body.code, 'upstream-failed')
  })

  test('with nothing but apps for the Mac is empty: suspect where there were results', async () => {
    await using apple = await startApple()
    await using asking = await openWorld({ sources: playedSources(apple, { attempts: 1 }) })
    const search = async (term: string) => (await asking.call('search_ios_apps', { term })).body
    await search('lantern')
    const results = [{ wrapperType: 'software', kind: 'mac-software', trackId: 5, trackName: 'Desk' }]
    apple.behave('/search', { does: 'serve', body: JSON.stringify({ resultCount: 1, results }) })
    const suspect = await search('lantern')
    assert.deepEqual([suspect.reason, suspect.items.length], ['suspect-empty', 3])
    const nothing = await search('desk')
    assert.deepEqual([nothing.reason, nothing.depth, nothing.items], ['asked', 0, []])
  })
})
