import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Network } from '../../vocabulary/networks.ts'
import type { PostMetrics } from './post.ts'
import { engagementRate, fewestMeasuredPosts, medianViews, outlierScore } from './scores.ts'

const count = fc.option(fc.nat({ max: 10_000_000 }), { nil: undefined })
const network = fc.constantFrom<Network>('tiktok', 'instagram', 'youtube', 'reddit', 'x')
const metrics = fc
  .record({ views: count, likes: count, comments: count, shares: count, saves: count })
  .map((counts) => JSON.parse(JSON.stringify(counts)) as PostMetrics)
const usual = fc.record({
  medianViews: fc.option(fc.nat({ max: 10_000_000 })),
  postsMeasured: fc.nat({ max: 20 }),
})

test('an engagement rate says in its formula which counts are missing', () => {
  assert.deepEqual(engagementRate('tiktok', { views: 184_200, likes: 15_310, comments: 412, shares: 1_960 }), {
    state: 'measured',
    value: 0.096,
    formula: 'engagement-rate/1',
  })
  assert.deepEqual(engagementRate('youtube', { views: 1_000, likes: 40, comments: 10 }), {
    state: 'measured',
    value: 0.05,
    formula: 'engagement-rate/1 (shares hidden)',
  })
  assert.deepEqual(engagementRate('tiktok', { views: 1_000, likes: 40 }), {
    state: 'measured',
    value: 0.04,
    formula: 'engagement-rate/1 (comments not carried, shares not carried)',
  })
})

test('without views there is no rate, and the reason tells hidden views from those left out', () => {
  assert.deepEqual(engagementRate('reddit', { likes: 900, comments: 30 }), {
    state: 'not-measured',
    reason: 'hidden-upstream',
  })
  assert.deepEqual(engagementRate('tiktok', { likes: 900 }), { state: 'not-measured', reason: 'not-carried' })
  assert.deepEqual(engagementRate('tiktok', { views: 0, likes: 0 }), {
    state: 'not-measured',
    reason: 'outside-valid-range',
  })
  assert.deepEqual(engagementRate('tiktok', { views: 10, saves: 3 }), {
    state: 'not-measured',
    reason: 'not-carried',
  })
})

test('a rate is never negative, and one more like never lowers it', () => {
  fc.assert(
    fc.property(network, metrics, (where, counts) => {
      const before = engagementRate(where, counts)
      if (before.state === 'not-measured') return
      assert.ok(before.value >= 0 && Number.isFinite(before.value))
      const after = engagementRate(where, { ...counts, likes: (counts.likes ?? 0) + 1 })
      assert.ok(after.state === 'measured' && after.value >= before.value)
    }),
  )
})

test('an outlier score is how many times the usual a post was seen', () => {
  const usually = { medianViews: 9_210, postsMeasured: 38 }
  assert.deepEqual(outlierScore('tiktok', { views: 184_200 }, usually), {
    state: 'measured',
    value: 20,
    formula: 'outlier-score/1',
  })
  assert.deepEqual(outlierScore('tiktok', { views: 46_049 }, usually), {
    state: 'measured',
    value: 4.99,
    formula: 'outlier-score/1',
  })
})

test('what is usual is not known from fewer than five posts, nor where nobody watches or views are hidden', () => {
  const few = { medianViews: 100, postsMeasured: fewestMeasuredPosts - 1 }
  const reason = (score: ReturnType<typeof outlierScore>) => score.state === 'not-measured' && score.reason
  assert.equal(reason(outlierScore('tiktok', { views: 900 }, few)), 'too-little-evidence')
  assert.equal(
    reason(outlierScore('tiktok', { views: 900 }, { medianViews: 0, postsMeasured: 9 })),
    'outside-valid-range',
  )
  const none = { medianViews: null, postsMeasured: 0 }
  assert.equal(reason(outlierScore('reddit', { likes: 3 }, none)), 'hidden-upstream')
  assert.equal(reason(medianViews('reddit', none)), 'hidden-upstream')
  assert.equal(reason(medianViews('tiktok', none)), 'too-little-evidence')
})

test('an outlier score never falls with more views', () => {
  fc.assert(
    fc.property(
      network,
      fc.nat({ max: 10_000_000 }),
      fc.nat({ max: 1_000 }),
      usual,
      (where, views, more, usually) => {
        const before = outlierScore(where, { views }, usually)
        const after = outlierScore(where, { views: views + more }, usually)
        assert.equal(before.state, after.state)
        if (before.state === 'measured' && after.state === 'measured') assert.ok(after.value >= before.value)
      },
    ),
  )
})
