import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { playedSources, startApple } from './support/apple.ts'
import { openWorld, type World } from './support/world.ts'

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
