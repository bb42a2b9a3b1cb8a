import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ReadingContext } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { presets } from './post-forms.ts'
import { postsFormat } from './posts-format.ts'

const context: ReadingContext = { layout: 'lines', country: null }
const read = (records: readonly unknown[], more: Partial<ReadingContext> = {}) =>
  postsFormat.parse(
    new RawPayload(Buffer.from(records.map((record) => JSON.stringify(record)).join('\n'))),
    { ...context, ...more },
    1,
  )

/** Names that the forms look at, so that made-up records come near to real ones. */
const names =
  'id postId network author authorMeta name nickName signature handle bio text desc title caption createTime create_time publishedAt observedAt stats statsV2 statistics playCount diggCount play_count aweme_id video duration cover media metrics views likes kind data children subreddit created_utc selftext permalink url is_gallery gallery_data items media_metadata snippet channelId thumbnails high contentDetails viewCount video_id trending_date view_count media_type like_count comments_count shortCode ownerUsername likesCount type childPosts username biography latestPosts business_discovery hashtags language textExtra'.split(
    ' ',
  )
const value = fc.oneof(
  fc.constantFrom(
    't3',
    'Listing',
    'youtube#video',
    'tiktok',
    'reddit',
    'VIDEO',
    'Sidecar',
    '',
    '@',
    '2026-01-01',
    '-1',
  ),
  fc.constantFrom(
    'https://',
    'https://e.com/a b',
    'javascript:x',
    'http://[',
    '7300000000000000001',
    'dQw4w9WgXcQ',
  ),
  fc.constantFrom(0, -1, 1.5, 1e300, 1704067200, 7.3e18, true, null),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const { record } = fc.letrec<{ record: unknown }>((tie) => ({
  record: fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof({ maxDepth: 4 }, value, fc.array(tie('record'), { maxLength: 3 }), tie('record')),
    { minKeys: 1, maxKeys: 8 },
  ),
}))

test('whatever stands in a record, it is taken or refused with a reason, and what is taken is sound', () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 4 }),
      fc.option(fc.constantFrom(...Object.keys(presets)), { nil: undefined }),
      (records, preset) => {
        const { posts = [], rejected, records: count } = read(records, preset ? { preset } : {})
        assert.equal(posts.length + rejected.length, count)
        for (const { reason, position } of rejected) {
          assert.ok(reason.length > 0 && reason.length < 1000)
          assert.match(position, /^line \d+/)
        }
        for (const { network, nativeId, stated, metrics } of posts) {
          assert.match(`${network}_${nativeId}`, /^(tiktok|instagram|youtube|reddit|x)_[A-Za-z0-9_-]{1,64}$/)
          for (const address of [
            stated.url,
            stated.linkUrl,
            stated.authorUrl,
            ...(stated.media ?? []).map(({ url }) => url),
          ])
            assert.ok(!address || URL.canParse(address), address ?? '')
          for (const count of Object.values({ ...metrics, hidden: 0 }))
            assert.ok(Number.isSafeInteger(count) && count >= 0)
          for (const time of [stated.publishedAt]) assert.ok(!time || new Date(time).toISOString() === time)
        }
      },
    ),
    { numRuns: 400 },
  )
})

test('a table or a document that is none of ours is refused as a whole', () => {
  const payload = (text: string) => new RawPayload(Buffer.from(text))
  for (const [layout, text] of [
    ['csv', 'a,b\n1,2\n'],
    ['document', '{"a":[{"b":1}]}'],
    ['document', '[1,2,3]'],
    ['document', '{"truncated'],
  ] as const)
    assert.throws(() => postsFormat.parse(payload(text), { layout, country: null }, 1), UnfitPayload)
})

test('an empty answer holds no posts and is no fault', () => {
  const { posts, rejected, records } = postsFormat.parse(
    new RawPayload(Buffer.from('{"kind":"Listing","data":{"children":[]}}')),
    { layout: 'document', country: null },
    1,
  )
  assert.deepEqual([posts, rejected, records], [[], [], 0])
})
