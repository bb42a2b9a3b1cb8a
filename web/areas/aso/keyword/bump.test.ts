import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bumpColumnsOf, linePiecesOf } from './bump.ts'

const at = (value: number) => ({ state: 'measured', value, depth: 50 }) as const
const out = { state: 'absent', depth: 50 } as const

test('the columns are the days with a page, and days without one between them are told', () => {
  const bump = bumpColumnsOf([
    {
      storeId: '1',
      name: 'One',
      days: [
        { date: '2026-11-13', rank: at(2) },
        { date: '2026-11-19', rank: out },
        { date: '2026-11-20', rank: at(1) },
      ],
    },
    { storeId: '2', name: 'Two', days: [{ date: '2026-11-20', rank: at(2) }] },
  ])
  assert.deepEqual(bump.days, ['2026-11-13', '2026-11-19', '2026-11-20'])
  assert.deepEqual(bump.afterGap, [false, true, false])
  assert.deepEqual(
    bump.lines.map(({ places }) => places),
    [
      [2, 'absent', 1],
      [undefined, undefined, 2],
    ],
  )
})

test('a change of a listing stands at the first page since, and none stands before the first page or after the last', () => {
  const bump = bumpColumnsOf([
    {
      storeId: '1',
      name: 'One',
      days: [
        { date: '2026-11-13', rank: at(2) },
        { date: '2026-11-19', rank: at(1) },
      ],
      changes: ['2026-11-12', '2026-11-13', '2026-11-15', '2026-11-20'].map((day) => ({ day, text: 'Name' })),
    },
  ])
  assert.deepEqual(bump.lines[0]?.changes, [
    { column: 0, day: '2026-11-13', text: 'Name' },
    { column: 1, day: '2026-11-15', text: 'Name' },
  ])
})

test('a line is drawn only between two known places, dashed over days without a page', () => {
  const pieces = linePiecesOf(
    [3, 1, 'absent', 4, undefined, 5, 5],
    [false, true, false, false, false, false, false],
  )
  assert.deepEqual(pieces, [
    { column: 0, from: 3, to: 1, dashed: true },
    { column: 5, from: 5, to: 5, dashed: false },
  ])
})
