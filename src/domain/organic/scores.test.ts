import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Network } from '../../vocabulary/networks.ts'
import type { PostMetrics } from './post.ts'
import {
  engagementRate,
  medianViews,
  minMeasuredPosts,
  outlierScore,
  postAgeNames,
  postAgeOf,
  type UsualAtAge,
} from './scores.ts'

const count = fc.option(fc.nat({ max: 10_000_000 }), { nil: undefined })
const network = fc.constantFrom<Network>('tiktok', 'instagram', 'youtube', 'reddit', 'x')
const metrics = fc
  .record({ views: count, likes: count, comments: count, shares: count, saves: count })
  .map((counts) => JSON.parse(JSON.stringify(counts)) as PostMetrics)
const usual = fc.record({
  age: fc.constant(2),
  medianViews: fc.nat({ max: 10_000_000 }),
  posts: fc.nat({ max: 20 }),
  laterMedianViews: fc.nat({ max: 10_000_000 }),
  laterPosts: fc.nat({ max: 20 }),
})
/** A post observed at an age of one to three days. */
const seen = (metrics: PostMetrics) => ({ metrics, age: 2 })

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

const usually: UsualAtAge = {
  age: 2,
  medianViews: 9_210,
  posts: 38,
  laterMedianViews: 20_000,
  laterPosts: 50,
}

test('an outlier score is how many times the usual a post was seen at its age', () => {
  const score = (views: number) => outlierScore('tiktok', seen({ views }), { usualAtAge: [usually] })
  const formula = 'outlier-score/3 (at 1 to 3 days)'
  assert.deepEqual(score(184_200), { state: 'measured', value: 20, formula })
  assert.deepEqual(score(46_049), { state: 'measured', value: 4.99, formula })
})

test('where few posts were seen at its age, older ones tell the least it can be, from the usual on', () => {
  const few = { ...usually, posts: minMeasuredPosts - 1 }
  const score = (views: number) => outlierScore('tiktok', seen({ views }), { usualAtAge: [few] })
  assert.deepEqual(score(60_000), {
    state: 'measured',
    value: 3,
    formula: 'outlier-score/3 (at 1 to 3 days, at least: over posts seen older)',
  })
  assert.deepEqual(score(19_999), { state: 'not-measured', reason: 'too-little-evidence' })
})

test('from a week on, where few posts were seen at its age, those of a week or more are compared whatever their age', () => {
  const few = { ...usually, posts: minMeasuredPosts - 1 }
  for (const age of [4, 5])
    assert.deepEqual(
      outlierScore('tiktok', { metrics: { views: 19_000 }, age }, { usualAtAge: [{ ...few, age }] }),
      { state: 'measured', value: 0.95, formula: 'outlier-score/3 (at 7 days or more)' },
    )
})

test('ages are counted from publication, and not known before it', () => {
  const seenAt = new Date('2026-03-02T12:00:00Z')
  assert.equal(postAgeOf('2026-03-02T11:00:00Z', seenAt), 0)
  assert.equal(postAgeOf('2026-03-02T06:00:00Z', seenAt), 1)
  assert.equal(postAgeOf('2024-03-02T06:00:00Z', seenAt), postAgeNames.length - 1)
  for (const publishedAt of [null, undefined, '', '2026-03-03T00:00:00Z'])
    assert.equal(postAgeOf(publishedAt, seenAt), null)
})

test('what is usual is not known from fewer than five posts, nor where nobody watches or views are hidden', () => {
  const reason = (score: ReturnType<typeof outlierScore>) => score.state === 'not-measured' && score.reason
  const usualWith = (more: Partial<UsualAtAge>) => ({ usualAtAge: [{ ...usually, ...more }] })
  const few = usualWith({ posts: minMeasuredPosts - 1, laterPosts: minMeasuredPosts - 1 })
  assert.equal(reason(outlierScore('tiktok', seen({ views: 900 }), few)), 'too-little-evidence')
  assert.equal(
    reason(outlierScore('tiktok', seen({ views: 900 }), usualWith({ medianViews: 0 }))),
    'outside-valid-range',
  )
  const none = { medianViews: null, postsMeasured: 0, usualAtAge: [] }
  assert.equal(reason(outlierScore('reddit', seen({ likes: 3 }), none)), 'hidden-upstream')
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
      (where, views, more, one) => {
        const before = outlierScore(where, seen({ views }), { usualAtAge: [one] })
        const after = outlierScore(where, seen({ views: views + more }), { usualAtAge: [one] })
        if (before.state === 'measured') assert.ok(after.state === 'measured' && after.value >= before.value)
      },
    ),
  )
})
