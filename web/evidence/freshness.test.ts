import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctIssues, isStale } from './freshness.ts'
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
