import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openWorld, sharedData, type World } from './support/world.ts'

const skip = existsSync(join(sharedData, 'apple/search'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

let world: World
before(async () => {
  if (skip) return
  world = await openWorld()
  await world.import({ kind: 'catalogue', paths: ['apple/search'] })
})
after(() => world?.[Symbol.asyncDispose]())

const apps = ['1163852619', '382617920', '414478124', '333903271', '985746746', '304878510', '284882215']

interface Change {
  at: string
  kind: string
  device: string
  comparison: string
}
const media = async (storeId: string): Promise<Change[]> =>
  (await world.call('get_competitor_media', { platform: 'ios', storeId })).body.changes

test('a new build is no new icon: seven real apps over fourteen months have had one icon each', {
  skip,
}, async () => {
  for (const storeId of apps) {
    const { changes, items } = (await world.call('get_competitor_media', { platform: 'ios', storeId })).body
    const isIcon = ({ kind }: { kind: string }) => kind === 'icon'
    assert.deepEqual(changes.filter(isIcon), [], storeId)
    assert.deepEqual(
      items.filter(isIcon).map(({ current }: { current: boolean }) => current),
      [true],
      storeId,
    )
  }
})

test('screenshots that Apple moved to other addresses are the same ones', { skip }, async () => {
  const shots = (await media('382617920')).filter(
    ({ kind, device }) => kind === 'screenshot' && device === 'iphone',
  )
  const days = shots.map(({ at }) => at.slice(0, 10))
  assert.ok(days.includes('2023-01-20'), 'new uploads are told')
  assert.ok(!days.includes('2023-04-03'), 'the same uploads under other addresses are not')
})

test('the timeline and the versions of a listing say of pictures what is known of them', { skip }, async () => {
  const app = { platform: 'ios', storeId: '382617920' }
  const { timeline } = (await world.call('get_competitor_aso', app)).body
  const fields = timeline.flatMap(({ fields }) => fields)
  assert.deepEqual(
    fields.filter(({ field }) => field === 'icon'),
    [],
  )
  assert.ok(fields.some(({ field, comparison }) => field === 'screenshots-iphone' && comparison === 'changed'))
  assert.ok(
    fields.filter(({ field }) => field === 'version').every(({ comparison }) => comparison === 'changed'),
  )
  const { listingHistory } = (await world.call('get_competitor', app)).body
  const versions: { field: string; comparison: string | null }[] = listingHistory
  assert.ok(!versions.some(({ field }) => field === 'icon'))
  assert.ok(
    versions.some(({ field, comparison }) => field === 'screenshots-iphone' && comparison === 'changed'),
  )
})
