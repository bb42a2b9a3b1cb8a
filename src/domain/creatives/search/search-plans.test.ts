import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Store } from '../../../storage/store.ts'
import { openTestStore } from '../../../storage/testing.ts'
import type { Network } from '../../../vocabulary/networks.ts'
import {
  indexPostRows,
  type PostFilters,
  type PostSort,
  type PostToIndex,
  searchablePosts as postSearch,
} from '../../organic/post-search.ts'
import type { CursorPosition } from './condition.ts'
import type { ChoosePlan, MatchTotal } from './ordered-search.ts'
import { findCreatives } from './search.ts'

/** Enough that the sample, one row in 512, holds two. */
const count = 1_200
const words = ['moon', 'river', 'habit', 'lamp', '睡眠', 'quiet']
const networks: Network[] = ['tiktok', 'reddit', 'youtube']

const posts: PostToIndex[] = Array.from({ length: count }, (_, at) => {
  const network = networks[at % 3] ?? 'tiktok'
  const spread = (among: number) => (at * 7_919 + 13 * Math.floor(at / 7)) % among
  return {
    postNumber: String(at + 1),
    network,
    author: `author${at % 5}`,
    facts: {
      text: words.filter((_, word) => spread(word + 3) === 0).join(' '),
      hashtags: at % 4 === 0 ? ['odd'] : [],
      // Few distinct values, so that many are equal.
      ...(at % 11 === 0 ? {} : { publishedAt: `2026-0${1 + spread(4)}-1${spread(9)}T00:00:00Z` }),
    },
    metrics: network === 'reddit' ? {} : { views: 10 * spread(40), likes: spread(9) },
    medianViews: 20,
    postsMeasured: 9,
    age: 5,
    usualAtAge: [{ age: 5, medianViews: 20, posts: 9, laterMedianViews: 20, laterPosts: 9 }],
  }
})

let store: Store
before(async () => {
  store = await openTestStore()
  await sql`
    insert into posts (post_number, post_id, network, facts, evidence, first_observed_at, last_observed_at,
      observation_count) overriding system value
    select number, 'x_' || number, 'x', '{}', '[]', now(), now(), 1 from generate_series(1, ${count}::int) number`.execute(
    store.db,
  )
  await indexPostRows(store.db, posts)
})
after(() => store[Symbol.asyncDispose]())

const filters: fc.Arbitrary<PostFilters> = fc.record(
  {
    q: fc.constantFrom('moon', 'ri', 'riv', '睡', 'moon quiet', 'nowhere'),
    network: fc.uniqueArray(fc.constantFrom(...networks), { minLength: 1 }),
    author: fc.constantFrom('author1', '@AUTHOR2'),
    hashtag: fc.constant(['odd']),
    publishedFrom: fc.constantFrom('2026-01-14', '2026-03-01'),
    publishedTo: fc.constantFrom('2026-03-31', '2026-02-12'),
    minViews: fc.constantFrom(0, 150, 5_000),
  },
  { requiredKeys: [] },
)
const sorts: fc.Arbitrary<PostSort> = fc.constantFrom('recent', 'views', 'engagement', 'outlier')

async function allPages(
  asked: PostFilters,
  sort: PostSort,
  limit: number,
  choose: ChoosePlan,
): Promise<string[]> {
  const numbers: string[] = []
  let after: CursorPosition | undefined
  do {
    const page = await findCreatives(
      store.db,
      postSearch,
      asked,
      sort,
      { after, limit, asOf: new Date(0) },
      choose,
    )
    assert.ok(page.numbers.length <= limit)
    numbers.push(...page.numbers)
    after = page.next ?? undefined
  } while (after)
  return numbers
}

test('fetching all matches and walking the order give the same pages, and nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(filters, sorts, fc.integer({ min: 40, max: 100 }), async (asked, sort, limit) => {
      const fetched = await allPages(asked, sort, limit, () => 'fetch')
      const scanned = await allPages(asked, sort, limit + 30, () => 'scan')
      assert.deepEqual(scanned, fetched)
      assert.equal(new Set(fetched).size, fetched.length)
    }),
    { numRuns: 40 },
  )
})

test('without filters every post is listed', async () => {
  const listed = await allPages({}, 'views', 100, () => 'scan')
  assert.equal(listed.length, count)
  const hidden = listed.slice(-count / 3).map((number) => posts[Number(number) - 1]?.network)
  assert.deepEqual(new Set(hidden), new Set(['reddit']))
})

async function rankedList(q: string, choose?: ChoosePlan) {
  const asOf = new Date('2026-05-01')
  const listed: string[] = []
  const totals: MatchTotal[] = []
  let after: CursorPosition | undefined
  do {
    const page = await findCreatives(
      store.db,
      postSearch,
      { q },
      'relevance',
      { after, limit: 30, asOf },
      choose,
    )
    listed.push(...page.numbers)
    totals.push(page.total)
    after = page.next ?? undefined
  } while (after)
  assert.equal(new Set(listed).size, listed.length)
  const matches = posts.filter(({ facts }) => facts.text?.includes(q)).length
  return { listed, totals, matches }
}

test('a ranked list goes on behind its candidates until every match was on one page, however they are found', async () => {
  const { listed, totals, matches } = await rankedList('moon')
  assert.ok(matches > 200)
  assert.equal(listed.length, matches)
  for (const total of totals) assert.deepEqual(total, { value: matches, relation: 'exact' })
  const scanned = await rankedList('moon', () => 'scan')
  assert.equal(scanned.listed.length, matches)
  for (const { value, relation } of scanned.totals) assert.ok(relation === 'at-least' && value <= matches)
})

test('of no more than 200 matches all are ranked', async () => {
  const { listed, totals, matches } = await rankedList('睡眠')
  assert.ok(matches > 120 && matches <= 200)
  assert.equal(listed.length, matches)
  for (const total of totals) assert.deepEqual(total, { value: matches, relation: 'exact' })
})
