import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppLabel } from '../../evidence/shapes.ts'
import type { Entry } from './chart-search.ts'
import { biggestMoveCount, compareSnapshots, entriesShown } from './snapshots.ts'

const label = (storeId: string): AppLabel => ({
  platform: 'ios',
  storeId,
  name: `App ${storeId}`,
  developer: null,
  iconUrl: null,
  namedIn: 'us',
  catalogued: true,
})

const entry = (storeId: string, rank: number, given: Partial<Entry> = {}): Entry => ({
  rank,
  app: label(storeId),
  previousRank: { state: 'not-measured', reason: 'no-snapshot' },
  change: null,
  entry: 'unknown',
  ...given,
})

const chart = (...storeIds: string[]) => ({
  items: storeIds.map((storeId, index) => entry(storeId, index + 1)),
})

const told = (before: string[], after: string[]) =>
  compareSnapshots(chart(...before), chart(...after)).map(({ app, kind, change }) => [
    app.storeId,
    kind,
    change,
  ])

test('apps of two snapshots climbed, fell, stayed, entered or left', () => {
  assert.deepEqual(told(['1', '2', '3', '4'], ['2', '1', '3', '5']), [
    ['2', 'climbed', 1],
    ['1', 'fell', -1],
    ['3', 'same', 0],
    ['5', 'entered', null],
    ['4', 'left', null],
  ])
})

test('an app is not called new or gone where the other snapshot was not read that deep', () => {
  assert.deepEqual(told(['1', '2'], ['1', '2', '3']).at(-1), ['3', 'unclear', null])
  assert.deepEqual(told(['1', '2', '3'], ['1', '2']).at(-1), ['3', 'unclear', null])
})

test('where an app is missing, the depth that was read is told', () => {
  const [entered, left] = compareSnapshots(chart('1'), chart('2'))
  assert.deepEqual(entered?.before, { state: 'absent', depth: 1 })
  assert.deepEqual(left?.after, { state: 'absent', depth: 1 })
})

test('the biggest moves are in both directions, the furthest first, and never those that stayed', () => {
  const entries = [
    entry('1', 1, { change: 0, entry: 'same' }),
    entry('2', 2, { change: 3, entry: 'up' }),
    entry('3', 3, { change: -8, entry: 'down' }),
    entry('4', 4, { entry: 'new' }),
  ]
  const shown = entriesShown(entries, 'moves', () => false)
  assert.deepEqual(
    shown.map(({ app }) => app.storeId),
    ['3', '2'],
  )
  const many = Array.from({ length: 60 }, (_, index) => entry(String(index), index + 1, { change: index + 1 }))
  assert.equal(entriesShown(many, 'moves', () => false).length, biggestMoveCount)
})

test('the quick filters keep new, returning and tracked apps', () => {
  const entries = [entry('1', 1, { entry: 'new' }), entry('2', 2, { entry: 'returning' }), entry('3', 3)]
  const ids = (show: 'new' | 'returning' | 'tracked') =>
    entriesShown(entries, show, (storeId) => storeId === '3').map(({ app }) => app.storeId)
  assert.deepEqual([ids('new'), ids('returning'), ids('tracked')], [['1'], ['2'], ['3']])
})
