import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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
