import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { StoredRateLimiter } from '../../src/domain/collecting/rate-limiter.ts'
import { adImport } from '../../src/domain/paid-ads/imports/import-run.ts'
import { parseMapping } from '../../src/ingest/mapping/mapping.ts'
import { performAdImport } from '../../src/jobs/kinds/ad-import.ts'

import { workTask } from '../../src/jobs/work-tasks.ts'
import { rows } from '../../src/storage/database.ts'
import { adLibraries } from '../../src/suppliers/ad-libraries.ts'
import { type PlayedLibraries, playedLibrarySources, startAdLibraries } from '../support/ad-libraries.ts'
import { patient } from '../support/collecting.ts'
import { openFolder } from '../support/files.ts'
import { madePost } from '../support/posts.ts'
import { type Answer, openWorld, type Reply, type World } from '../support/world.ts'

const folder = openFolder()
let played: PlayedLibraries
let world: World
before(async () => {
  played = await startAdLibraries()
  world = await openWorld({ sources: playedLibrarySources(played), adTokens: played.tokens })
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  await played?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

let lastId = 6_000_000_000
const freshId = () => String(++lastId)

const archived = (more: object = {}) => ({
  id: freshId(),
  ad_creative_bodies: ['Missed a day?'],
  ad_delivery_start_time: '2026-02-02',
  page_id: '104829173650281',
  page_name: 'Tidepool',
  spend: { lower_bound: '77777' },
  impressions: { lower_bound: '77777' },
  ...more,
})

/** What no text in UTF-8, or no store, can hold, and objects that are no text for all they say. */
const odd: unknown[] = [
  'half a \ud83d',
  '\udc00',
  'a\u0000b',
  '\u0001\u001b[31m',
  '\u202ebidi',
  { toString: 'x', valueOf: 1 },
  [{ toString: 1 }],
  [],
  {},
  null,
  -1,
  1.5,
  2 ** 53,
  true,
  '1.2M',
  '(a+)+$[',
  '10000-01-01',
  'javascript:alert(1)',
  'https://u:p@127.0.0.1/',
  'http://[',
]

/** Every place in a record, as the steps that lead to it. */
const placesIn = (value: unknown, before: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inside]) => [
        [...before, name],
        ...placesIn(inside, [...before, name]),
      ])
    : []

function replaced(record: unknown, [name = '', ...rest]: string[], value: unknown): unknown {
  const copy = Array.isArray(record) ? [...record] : { ...(record as object) }
  const fields = copy as Record<string, unknown>
  fields[name] = rest.length === 0 ? value : replaced(fields[name], rest, value)
  return copy
}

async function bring(kind: 'organic' | 'paid-ads', text: string) {
  const path = folder.write(`bad-${freshId()}.ndjson`, text)
  const summary = await world.import({ kind, paths: [path], observedAt: '2026-03-01T12:00:00Z' })
  const refused = summary.rejectedFile ? readFileSync(summary.rejectedFile, 'utf8') : ''
  return { ...summary, refused }
}

describe('What people write', () => {
  test('is refused by its place when it holds half a letter', async () => {
    const postId = `tiktok_${freshId()}`
    await bring('organic', JSON.stringify(madePost(postId.slice(7))))
    const refusals = [
      await world.call('save_organic_content', { postId, note: '\ud800' }),
      await world.call('save_organic_content', { postId, tags: ['fine', 'half \udfff'] }),
      await world.call('admin_link_paid_ads', {
        action: 'unlink',
        platform: 'meta',
        advertiserId: '1',
        competitor: '6449912345',
        note: '\ud83d',
      }),
    ]
    assert.deepEqual(
      refusals.map(({ status, body }) => [status, body.errors[0].pointer]),
      [
        [400, '/body/note'],
        [400, '/body/tags/1'],
        [400, '/body/note'],
      ],
    )
    assert.equal((await world.call('save_organic_content', { postId, tags: ['whole 😀'] })).status, 201)
  })
})

describe('Inline records', () => {
  async function imported(records: object[]) {
    const preview = await world.call('admin_preview_paid_ads', { platform: 'meta', records })
    assert.equal(preview.status, 200, JSON.stringify(preview.body))
    const { previewToken } = preview.body
    const { runId } = (await world.call('admin_import_paid_ads', { previewToken })).body
    const libraries = adLibraries(world.collecting.sources, {}, new StoredRateLimiter(world.store.db))
    await workTask(
      world.store.db,
      adImport,
      performAdImport(world.store.db, libraries),
    )({ workId: runId }, patient)
    const run = (await world.call('admin_get_paid_ad_import', { runId })).body
    assert.equal(run.status, 'succeeded', JSON.stringify(run.lastError))
    assert.deepEqual([run.counts.read, run.counts.rejected], [records.length, preview.body.examined.rejected])
    return { preview: preview.body, run }
  }

  test('with anything anywhere are taken or refused one by one, and the rest is stored', async () => {
    const bad = [...placesIn(archived()), ['new\u0000'], ['half \ud800']].flatMap((place) =>
      odd.map((value) => replaced(archived(), place, value) as object),
    )
    const good = archived()
    const { preview, run } = await imported([...bad, good])
    assert.doesNotMatch(JSON.stringify([preview, run]), /77777|"spend"|"impressions"/)
    assert.equal((await world.call('get_paid_ad', { platform: 'meta', archiveId: good.id })).status, 200)
  })

  test('keep every digit of ids that are written as numbers', async () => {
    const reply = await world.request<Answer<'admin_preview_paid_ads'>>({
      method: 'POST',
      url: '/v1/admin/paid-ads/preview',
      headers: { authorization: `Bearer ${await world.key()}`, 'content-type': 'application/json' },
      payload:
        '{"platform":"tiktok","records":[{"ad":{"id":7318264509182736401,"status":"active"},"advertiser":{"business_id":7318264509182736403}}]}',
    })
    const [{ archiveId, advertiserId }] = reply.body.sample
    assert.deepEqual([archiveId, advertiserId], ['7318264509182736401', '7318264509182736403'])
  })

  test('are told without the tokens that stand in a value that is refused', async () => {
    const forms = [
      'https://x.test/?access_token=EAABsecretsecret',
      'https://x.test/?u=https%3A%2F%2Fy.test%3Faccess%5Ftoken%3DEAABsecretsecret',
      'https://x.test/?u=https%253A%252F%252Fy.test%253Faccess%255Ftoken%253DEAABsecretsecret',
    ]
    const { preview, run } = await imported(
      forms.flatMap((form) => [archived({ id: form }), archived({ ad_delivery_start_time: form })]),
    )
    assert.equal(preview.examined.rejected, 6)
    assert.doesNotMatch(JSON.stringify([preview, run]), /secretsecret/)
  })
})

describe('A file', () => {
  const forms: Record<string, (id: string) => object> = {
    own: (id) => ({ ...madePost(id), language: 'en', hashtags: ['a'] }),
    tiktok: (id) => ({
      id,
      text: 'hi #x',
      createTime: 1_700_000_000,
      authorMeta: { name: 'n', fans: 1 },
      videoMeta: { duration: 3, height: 1, width: 1 },
      diggCount: 1,
      playCount: 3,
    }),
    reddit: (id) => ({
      kind: 't3',
      data: {
        id: Number(id).toString(36),
        title: 'Tea',
        author: 'someone',
        subreddit: 'apps',
        created_utc: 1_761_208_407,
        permalink: '/r/apps/comments/1/tea/',
        url: 'https://i.redd.it/x.jpg',
        preview: { images: [{ source: { width: 1, height: 1 } }] },
      },
    }),
    instagram: (id) => ({
      shortCode: `C${id}`,
      type: 'Sidecar',
      url: 'https://www.instagram.com/p/x/',
      timestamp: '2026-01-01T00:00:00Z',
      ownerUsername: 'u',
      likesCount: 3,
      childPosts: [{ type: 'Video', videoUrl: 'https://e.test/v', dimensionsWidth: 1, videoDuration: 3 }],
    }),
  }
  for (const [name, make] of Object.entries(forms))
    test(`of posts (${name}) with anything anywhere loses none of those beside`, async () => {
      const records = placesIn(make('1')).flatMap((place) => [
        ...odd.map((value) => replaced(make(freshId()), place, value)),
        make(freshId()),
      ])
      const { read, stored, rejected } = await bring(
        'organic',
        records.map((record) => JSON.stringify(record)).join('\n'),
      )
      assert.equal(read, records.length)
      assert.ok(stored >= placesIn(make('1')).length, `${stored} stored, ${rejected} refused`)
    })

  test('of ads in any form of answer takes objects in place of dates for what they are', async () => {
    const date = { toString: 1 }
    const advertiser = { business_id: '1', business_name: 'T' }
    const bad = [
      { platform: 'meta', archiveId: freshId(), startedOn: date },
      archived({ ad_delivery_stop_time: date }),
      { ad_archive_id: freshId(), start_date: date, snapshot: { cards: [] } },
      { ad: { id: freshId(), first_shown_date: date }, advertiser },
    ]
    const { stored, rejected, refused } = await bring(
      'paid-ads',
      [...bad, archived()].map((record) => JSON.stringify(record)).join('\n'),
    )
    assert.deepEqual([stored, rejected], [1, 4])
    assert.equal(refused.match(/impossible-date/g)?.length, 4)
  })

  test('of several answers of a library, one of them an error, keeps the ads of the others', async () => {
    const answers = [
      { data: [archived(), archived()] },
      { error: { code: { toString: 1 }, message: 'Session has expired' } },
      { data: { nothing: true } },
      { data: [archived()] },
    ]
    const inList = await bring('paid-ads', JSON.stringify(answers))
    assert.deepEqual([inList.stored, inList.rejected], [3, 2])
    assert.match(inList.refused, /"record 3".*Session has expired/)
    const inLine = await bring('paid-ads', `${JSON.stringify([{ data: [archived()] }, answers[1]])}\n\n{}`)
    assert.deepEqual([inLine.stored, inLine.rejected], [1, 2])
  })

  test('with a line of nine megabytes is read on after it', async () => {
    const post = () => JSON.stringify(madePost(freshId()))
    const long = `{"x":"${'y'.repeat(9 * 1024 * 1024)}"}`
    const { stored, rejected, refused } = await bring('organic', [post(), long, long, post()].join('\n'))
    assert.deepEqual([stored, rejected], [2, 2])
    assert.match(refused, /"line 2".*\n.*"line 3"/)
  })

  test('by a mapping of fields that are none is not read, whatever every object has', () => {
    for (const field of ['nonsense', 'constructor', 'toString', 'hasOwnProperty'])
      for (const mapping of [{ fields: { [field]: 'x' } }, { constants: { [field]: 'x' } }])
        assert.throws(() => parseMapping(mapping, 'organic', 'map.json'), /names the field/)
  })

  test('observed in a year to come is refused: it would stand as the newest for ever', async () => {
    const { rejected, refused } = await bring(
      'organic',
      JSON.stringify(madePost(freshId(), { observedAt: '2098-01-01T00:00:00Z' })),
    )
    assert.equal(rejected, 1)
    assert.match(refused, /observedAt.*future/)
  })
})

describe('A library that lies', () => {
  async function run(platform: 'meta' | 'tiktok', answer: unknown) {
    played.recover()
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
    played.behave(({ path }) => !path.includes('oauth'), { does: 'serve', body })
    const input = { platform, terms: [`lie ${freshId()}`], limit: 20 }
    const { runId } = (await world.call('admin_import_paid_ads', input)).body
    // With circuits of its own: in this test, libraries fail more often than anybody would ask.
    const libraries = adLibraries(
      world.collecting.sources,
      played.tokens,
      new StoredRateLimiter(world.store.db),
    )
    const task = workTask(world.store.db, adImport, performAdImport(world.store.db, libraries))
    await task({ workId: runId }, patient).catch(() => {})
    return (await world.call('admin_get_paid_ad_import', { runId })).body
  }

  test('about its errors ends the run with a name and a short message', async () => {
    const lies = [
      { code: { toString: 1 }, message: { toString: 1 } },
      { code: 'x'.repeat(100_000), message: 'y'.repeat(100_000) },
      { code: 190, message: `not ${played.tokens.meta[0]} of ${played.tokens.tiktok[1]}` },
    ]
    for (const platform of ['meta', 'tiktok'] as const)
      for (const error of lies) {
        const { status, lastError } = await run(platform, { error })
        assert.equal(status, 'failed')
        assert.ok(lastError.message.length < 600)
        assert.doesNotMatch(lastError.message, platform === 'meta' ? /EAAB/ : /played-client-secret/)
      }
  })

  test('about its pages ends the run, with the ads that can be read', async () => {
    const ad = archived()
    for (const paging of [
      null,
      { next: null, cursors: null },
      { next: 'nonsense', cursors: { after: null } },
    ]) {
      const { status, counts } = await run('meta', { data: [null, ad, {}, 'x'], paging })
      assert.deepEqual([status, counts.read, counts.rejected], ['succeeded', 4, 3])
    }
    const again = { data: [ad], paging: { next: 'x', cursors: { after: '\ud800' } } }
    assert.equal((await run('meta', again)).upstream.requests, 2)
    const material = { ad: { id: freshId(), first_shown_date: { toString: 1 } } }
    const round = await run('tiktok', { data: { ads: [material], has_more: true, search_id: 'same' } })
    assert.deepEqual([round.status, round.upstream.position, round.counts.rejected], ['succeeded', 'limit', 20])
  })
})

test('nothing that was read above holds what no store can, and every list can be shown', async () => {
  const held = await rows(
    world.store.db,
    sql<{ facts: string }>`
      select facts::text as facts from posts union all select facts::text from ad_creatives
      union all select facts::text from ads`,
  )
  assert.ok(held.every(({ facts }) => facts.isWellFormed() && !facts.includes('77777')))
  for (const tool of ['search_organic_content', 'search_paid_ads'] as const)
    for (const sort of ['relevance', 'recent']) {
      let cursor: string | null = null
      do {
        const { status, body }: Reply<Answer<typeof tool>> = await world.call(tool, {
          sort,
          limit: 100,
          ...(cursor ? { cursor } : {}),
        })
        assert.equal(status, 200)
        cursor = body.nextCursor
      } while (cursor)
    }
})

test('whatever is searched for, the answer is a page or a refusal by its place', async () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(fc.constantFrom('&', '|', '!', '(', ')', ':*', "'", '\\', '<->', '%', 'tide', '潮', '😀', '#'), {
      maxLength: 12,
    }),
  )
  await fc.assert(
    fc.asyncProperty(words, async (given) => {
      const text = [given].flat().join(' ')
      for (const [tool, input] of [
        ['search_organic_content', { q: text }],
        ['search_organic_content', { hashtag: text, author: text }],
        ['search_paid_ads', { q: text, advertiser: text }],
        ['admin_search_paid_ad_advertisers', { q: text, platform: 'meta' }],
      ] as const) {
        const { status, body } = await world.call(tool, input)
        assert.ok(status === 200 || (status === 400 && body.errors.length > 0), `${status} for ${tool}`)
      }
    }),
    { numRuns: 40 },
  )
})
