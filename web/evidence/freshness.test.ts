import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AsOf, distinctIssues, isStale, oldestLate } from './freshness.ts'
import type { SourceIssue } from './shapes.ts'

const now = Date.parse('2026-11-23T09:00:00.000Z')

test('result pages are stale after two days, listings after a week', () => {
  const threeDaysAgo = '2026-11-20T05:00:00.000Z'
  assert.equal(isStale('aso', threeDaysAgo, now), true)
  assert.equal(isStale('record', threeDaysAgo, now), false)
})

test('a trouble of many replies is told once, since its beginning', () => {
  const trouble = (since: string, country: SourceIssue['country'] = 'us'): SourceIssue => ({
    source: 'itunes-search',
    surface: 'iTunes Search API',
    country,
    kind: 'throttled',
    since,
    text: 'Throttled.',
  })
  const found = distinctIssues([
    trouble('2026-11-22T00:00:00.000Z'),
    trouble('2026-11-21T00:00:00.000Z'),
    trouble('2026-11-20T00:00:00.000Z', 'jp'),
  ])
  assert.deepEqual(
    found.map(({ country, since }) => [country, since.slice(0, 10)]),
    [
      ['jp', '2026-11-20'],
      ['us', '2026-11-21'],
    ],
  )
})

test('of the reads of a page the oldest late one is told, and none of past days', () => {
  const asOf = (day: string, state: AsOf['state'] = 'late'): AsOf => ({
    today: '2026-11-29',
    newestEvidenceAt: `2026-11-${day}T00:00:00.000Z`,
    state,
    since: state === 'late' ? `2026-11-${day}T12:00:00.000Z` : null,
  })
  const ofDay = (day: string, given: object = {}, state?: AsOf['state']) => ({
    given,
    reply: { asOf: asOf(day, state) },
  })
  assert.equal(oldestLate([]), undefined)
  assert.equal(oldestLate([ofDay('28', {}, 'due'), ofDay('10', {}, 'not-scheduled')]), undefined)
  assert.equal(
    oldestLate([
      { given: {}, reply: undefined },
      { given: {}, reply: [1] },
    ]),
    undefined,
  )
  assert.equal(
    oldestLate([ofDay('02', { date: '2026-11-02' }), ofDay('03', { comparedWith: '30d' })]),
    undefined,
  )
  for (const given of [
    { windowDays: 7 },
    { moveDays: 30 },
    { minDaysRunning: 14 },
    { releasedFrom: '2026-01-01' },
  ])
    assert.ok(oldestLate([ofDay('22', given)]), `${Object.keys(given)}: up to today`)
  const found = oldestLate([ofDay('22'), { given: {}, reply: { pages: [{ asOf: asOf('20') }] } }, ofDay('24')])
  assert.equal(found?.newestEvidenceAt, '2026-11-20T00:00:00.000Z')
})
