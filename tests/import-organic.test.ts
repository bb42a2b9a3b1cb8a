import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Stated } from '../src/domain/facts/merge.ts'
import type { PostFields, PostMetrics } from '../src/domain/organic/post.ts'
import type { ImportRequest } from '../src/imports/import-request.ts'
import { rows } from '../src/storage/database.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { openWorld, sharedData, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

interface StoredPost {
  author: string | null
  facts: Stated<PostFields>
  first: Date
  count: number
}

const postOf = async (postId: string): Promise<StoredPost | undefined> =>
  (
    await rows(
      world.store.db,
      sql<StoredPost>`
        select author, facts, first_observed_at as first, observation_count as count from posts where post_id = ${postId}`,
    )
  )[0]

const metricsOf = (postId: string) =>
  rows(
    world.store.db,
    sql<{ observedAt: Date; counts: PostMetrics }>`
      select m.observed_at as "observedAt", json_strip_nulls(json_build_object('views', views, 'likes', likes,
        'comments', comments, 'shares', shares, 'saves', saves)) as counts
      from post_metrics m join posts using (post_number) where post_id = ${postId} order by m.observed_at`,
  )

const attributionsOf = (postId: string) =>
  rows(
    world.store.db,
    sql<{ app: string; kind: string; foundIn: string; text: string }>`
      select store_id::text as app, kind, found_in as "foundIn", text
      from post_grounds join posts using (post_number) where post_id = ${postId} order by store_id, kind, found_in`,
  )

const bring = (name: string, content: unknown, more: Partial<ImportRequest> = {}) =>
  importContent(world, folder, 'organic', content, { name, observedAt: '2026-03-01T12:00:00Z', ...more })

const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe('our own lines', () => {
  test('say all there is to say of a post, and a second look adds a point', async () => {
    const post = {
      network: 'tiktok',
      id: '7300000000000000001',
      author: { handle: '@Maker.One', name: 'Maker One', bio: 'I make', followers: 10 },
      text: 'A calm day with my new planner, everything in one place #Planner #計画 &#39;x',
      publishedAt: '2026-02-01T10:00:00+02:00',
      media: [
        { kind: 'video', url: 'https://example.com/v.mp4', width: 1080, height: 1920, durationSeconds: 9.5 },
      ],
      metrics: { views: 0, likes: 5 },
      observedAt: '2026-03-01T00:00:00Z',
    }
    const summary = await bring(
      'own.ndjson',
      lines(post, { ...post, metrics: { views: 90 }, observedAt: '2026-03-02' }),
    )
    assert.deepEqual([summary.stored, summary.rejected], [2, 0])
    const stored = await postOf('tiktok_7300000000000000001')
    assert.equal(stored?.author, 'maker.one')
    assert.deepEqual(stored.facts, {
      url: 'https://www.tiktok.com/@Maker.One/video/7300000000000000001',
      author: 'Maker.One',
      authorName: 'Maker One',
      authorBio: 'I make',
      followers: 10,
      text: post.text,
      hashtags: ['planner', '計画'],
      publishedAt: '2026-02-01T08:00:00.000Z',
      mediaType: 'video',
      media: post.media,
      detectedLanguage: 'en',
    })
    assert.deepEqual(
      (await metricsOf('tiktok_7300000000000000001')).map(({ counts }) => counts),
      [{ views: 0, likes: 5 }, { views: 90 }],
    )
    assert.equal(stored.count, 2)
  })

  test('are refused one by one, by the field and the value that forbid it', async () => {
    const fine = { network: 'youtube', id: 'aaaaaaaaaaa', title: 'Fine' }
    const wrong: [object | string, RegExp][] = [
      [{ id: '1' }, /no form of post/],
      [{ network: 'myspace', id: '1' }, /^network: .*myspace/],
      [{ postId: 'tiktok_' }, /^postId: "tiktok_" is not/],
      [{ postId: 'tiktok_1', network: 'x' }, /^postId: "tiktok_1" is not of x/],
      [{ network: 'tiktok', id: 'abc' }, /^id: "abc" is not an id of tiktok/],
      [{ network: 'youtube', id: '#NAME?' }, /^id: "#NAME\?"/],
      [{ ...fine, metrics: { likes: -1 } }, /^metrics\.likes: .*-1/],
      [{ ...fine, metrics: { views: 1.5 } }, /^metrics\.views: .*1\.5/],
      [{ ...fine, metrics: { views: '1.2M' } }, /^metrics\.views: .*1\.2M/],
      [{ ...fine, metrics: { views: 1e300 } }, /^metrics\.views/],
      [{ ...fine, publishedAt: '2026-02-30' }, /^publishedAt: "2026-02-30" is no time/],
      [{ ...fine, publishedAt: 0 }, /^publishedAt: "0" is no time/],
      [{ ...fine, publishedAt: 1000000000 }, /^publishedAt: 2001-.* before the network/],
      [{ ...fine, observedAt: 'yesterday' }, /^observedAt: "yesterday"/],
      [{ ...fine, linkUrl: 'javascript:alert(1)' }, /^linkUrl: /],
      [{ ...fine, author: { handle: 'two words' } }, /^author\.handle: /],
      [{ ...fine, language: 'English, I think' }, /^language: /],
      [{ network: 'instagram', id: '17895695668004550' }, /^url: /],
      [{ ...fine, text: 'x'.repeat(100_001) }, /^text: /],
      ['[1]', /no form of post/],
    ]
    const content = [
      ...wrong.map(([record]) => (typeof record === 'string' ? record : JSON.stringify(record))),
      '{"broken',
      JSON.stringify(fine),
    ].join('\n')
    const { lines: refused, ...summary } = await bring('wrong.ndjson', content, { format: 'ndjson' })
    assert.deepEqual([summary.read, summary.stored, summary.rejected], [wrong.length + 2, 1, wrong.length + 1])
    const reasons = new Map(refused.map(({ position, reason }) => [position, reason]))
    for (const [index, [, reason]] of wrong.entries())
      assert.match(reasons.get(`line ${index + 1}`) ?? '', reason)
    assert.match(reasons.get(`line ${wrong.length + 1}`) ?? '', /broken JSON/)
  })

  test('keep what is empty apart from what is not said', async () => {
    await bring(
      'empty.ndjson',
      lines(
        { network: 'x', id: '1900000000000000001', text: '', linkUrl: null, author: null, media: [] },
        { network: 'x', id: '1900000000000000002' },
      ),
      { format: 'ndjson' },
    )
    const { facts } = (await postOf('x_1900000000000000001')) ?? {}
    assert.deepEqual(facts, {
      url: 'https://x.com/i/status/1900000000000000001',
      author: null,
      text: null,
      linkUrl: null,
      mediaType: 'text',
      media: [],
      detectedLanguage: null,
    })
    assert.deepEqual((await postOf('x_1900000000000000002'))?.facts, {
      url: 'https://x.com/i/status/1900000000000000002',
    })
  })
})

describe('TikTok', () => {
  test('items of its pages and records of its apps are known by their shape, and ids beyond 2^53 survive as numbers', async () => {
    const item = `{"id":7312345678901234567,"desc":"Try this #fyp","createTime":1704067200,"stats":{"playCount":1000,"diggCount":10,
      "shareCount":1,"commentCount":2,"collectCount":"3"},"author":{"uniqueId":"one","nickname":"One","signature":""},
      "authorStats":{"followerCount":7},"video":{"duration":12,"width":576,"height":1024,"cover":"https://e.com/c.jpg"},
      "textExtra":[{"hashtagName":"FYP"}],"textLanguage":"un"}`
    const aweme = `{"aweme_id":"7312345678901234568","desc":"","create_time":1704067200,"desc_language":"en",
      "statistics":{"play_count":5,"digg_count":0},"author":{"unique_id":"two","follower_count":1},
      "video":{"duration":15034,"play_addr":{"url_list":["https://e.com/v.mp4"]}}}`
    const summary = await bring('items.json', `{"itemList":[${item},${aweme}]}`)
    assert.deepEqual([summary.stored, summary.rejected], [2, 0])
    const one = await postOf('tiktok_7312345678901234567')
    assert.equal(one?.facts.publishedAt, '2024-01-01T00:00:00.000Z')
    assert.deepEqual(one.facts.hashtags, ['fyp'])
    assert.equal(one.facts.language, null)
    assert.equal(one.facts.authorBio, null)
    assert.deepEqual((await metricsOf('tiktok_7312345678901234567'))[0]?.counts, {
      views: 1000,
      likes: 10,
      comments: 2,
      shares: 1,
      saves: 3,
    })
    const two = await postOf('tiktok_7312345678901234568')
    assert.deepEqual(two?.facts.media, [{ kind: 'video', url: 'https://e.com/v.mp4', durationSeconds: 15.034 }])
    assert.deepEqual((await metricsOf('tiktok_7312345678901234568'))[0]?.counts, { views: 5, likes: 0 })
  })
})

describe('Reddit', () => {
  const data = {
    id: '1abcde1',
    name: 't3_1abcde1',
    title: 'Tea &amp; planners',
    selftext: 'Look at **this** &gt; that',
    author: 'someone',
    subreddit: 'apps',
    created_utc: 1761208407.0,
    permalink: '/r/apps/comments/1abcde1/tea/',
    url: 'https://www.reddit.com/r/apps/comments/1abcde1/tea/',
    is_self: true,
    score: 0,
    num_comments: 3,
  }

  test('listings hold posts, with a score of 0 measured, entities read and comments refused', async () => {
    const listing = {
      kind: 'Listing',
      data: {
        children: [
          { kind: 't3', data },
          {
            kind: 't3',
            data: { ...data, id: '1abcde2', author: '[deleted]', selftext: '[removed]', hide_score: true },
          },
          {
            kind: 't3',
            data: {
              ...data,
              id: '1abcde3',
              is_self: false,
              url: 'https://apps.apple.com/us/app/x/id100000777',
            },
          },
        ],
      },
    }
    const comments = { kind: 'Listing', data: { children: [{ kind: 't1', data: { id: 'c', body: 'Yes' } }] } }
    const { lines: refused, ...summary } = await bring('reddit.json', [listing, comments])
    assert.deepEqual([summary.stored, summary.rejected], [3, 1])
    assert.match(refused[0]?.reason ?? '', /a comment, no post/)
    const first = await postOf('reddit_1abcde1')
    assert.equal(first?.facts.title, 'Tea & planners')
    assert.equal(first.facts.text, 'Look at **this** > that')
    assert.equal(first.facts.publishedAt, '2025-10-23T08:33:27.000Z')
    assert.equal(first.facts.mediaType, 'text')
    assert.deepEqual((await metricsOf('reddit_1abcde1'))[0]?.counts, { likes: 0, comments: 3 })
    const deleted = await postOf('reddit_1abcde2')
    assert.equal(deleted?.author, null)
    assert.equal(deleted.facts.author, null)
    assert.ok(!('text' in deleted.facts), 'what was removed is not the text')
    assert.deepEqual((await metricsOf('reddit_1abcde2'))[0]?.counts, { comments: 3 })
    const link = await postOf('reddit_1abcde3')
    assert.equal(link?.facts.mediaType, 'link')
    assert.deepEqual(await attributionsOf('reddit_1abcde3'), [
      {
        app: '100000777',
        kind: 'store-url',
        foundIn: 'link',
        text: 'https://apps.apple.com/us/app/x/id100000777',
      },
    ])
  })
})

describe('YouTube', () => {
  test('answers of the Data API count in texts, and what a channel hides is not measured', async () => {
    const video = (id: string, statistics: object) => ({
      kind: 'youtube#video',
      id,
      snippet: {
        publishedAt: '2025-05-01T10:00:00Z',
        channelId: 'UCabcdefghijklmnopqrstuv',
        title: 'Ten apps',
        description: 'One #apps\nhttps://apps.apple.com/app/id100000778',
        channelTitle: 'Reviews & more',
        defaultAudioLanguage: 'en-GB',
        thumbnails: { high: { url: 'https://i.ytimg.com/h.jpg', width: 480, height: 360 } },
      },
      contentDetails: { duration: 'PT1H2M3S' },
      statistics,
    })
    const answer = {
      kind: 'youtube#videoListResponse',
      items: [
        video('dQw4w9WgXcA', { viewCount: '9007', likeCount: '0', favoriteCount: '0', commentCount: '4' }),
        video('dQw4w9WgXcB', { viewCount: '10' }),
        {
          kind: 'youtube#searchResult',
          id: { kind: 'youtube#channel', channelId: 'UC1' },
          snippet: { title: 'A' },
        },
      ],
    }
    const { lines: refused, ...summary } = await bring('videos.json', answer)
    assert.deepEqual([summary.stored, summary.rejected], [2, 1])
    assert.match(refused[0]?.reason ?? '', /youtube#channel, no video/)
    const first = await postOf('youtube_dQw4w9WgXcA')
    assert.deepEqual(first?.facts.media, [
      { kind: 'video', url: null, durationSeconds: 3723 },
      { kind: 'thumbnail', url: 'https://i.ytimg.com/h.jpg', width: 480, height: 360 },
    ])
    assert.equal(first.facts.mediaType, 'video')
    assert.equal(first.facts.language, 'en-GB')
    assert.deepEqual((await metricsOf('youtube_dQw4w9WgXcA'))[0]?.counts, {
      views: 9007,
      likes: 0,
      comments: 4,
    })
    assert.deepEqual((await metricsOf('youtube_dQw4w9WgXcB'))[0]?.counts, { views: 10 })
  })

  test('tables of trending videos tell when each row was seen, in both of their forms', async () => {
    const old =
      'video_id,trending_date,title,channel_title,category_id,publish_time,tags,views,likes,dislikes,comment_count,thumbnail_link,comments_disabled,ratings_disabled,video_error_or_removed,description\n' +
      'aaaaaaaaab1,17.14.11,"Say ""hi""",Some Channel,22,2017-11-13T17:13:01.000Z,"a|""b""",748374,57527,2966,15954,https://i.ytimg.com/d.jpg,False,False,False,"one\\nhttps://apps.apple.com/app/id100000779\\ntwo"\n' +
      'aaaaaaaaab1,17.15.11,"Say ""hi""",Some Channel,22,2017-11-13T17:13:01.000Z,[none],2418783,0,0,0,https://i.ytimg.com/d.jpg,True,True,False,\n' +
      '#NAME?,17.15.11,x,y,22,2017-11-13T17:13:01.000Z,[none],1,0,0,0,,False,False,False,\n' +
      'aaaaaaaaab2,17.15.13,x,y,22,2017-11-13T17:13:01.000Z,[none],1,0,0,0,,False,False,False,\n'
    const { lines: refused, ...summary } = await bring('USvideos.csv', old)
    assert.deepEqual([summary.stored, summary.rejected], [2, 2])
    assert.deepEqual(
      refused.map(({ position, reason }) => `${position}: ${reason.slice(0, 20)}`),
      ['line 4: id: "#NAME?" is not ', 'line 5: observedAt: "17.15.1'],
    )
    assert.deepEqual(await metricsOf('youtube_aaaaaaaaab1'), [
      {
        observedAt: new Date('2017-11-14T00:00:00Z'),
        counts: { views: 748374, likes: 57527, comments: 15954 },
      },
      { observedAt: new Date('2017-11-15T00:00:00Z'), counts: { views: 2418783 } },
    ])
    assert.deepEqual(
      (await attributionsOf('youtube_aaaaaaaaab1')).map(({ app }) => app),
      ['100000779'],
    )
    const newer =
      'video_id,title,publishedAt,channelId,channelTitle,categoryId,trending_date,tags,view_count,likes,dislikes,comment_count,thumbnail_link,comments_disabled,ratings_disabled,description\n' +
      'aaaaaaaaab3,T,2020-08-11T19:20:14Z,UCabcdefghijklmnopqrstuv,C,22,2020-08-12T00:00:00Z,a,1514614,156908,5855,35313,https://i.ytimg.com/d.jpg,False,False,"two\nlines"\n'
    assert.equal((await bring('US_newer.csv', newer)).stored, 1)
    assert.deepEqual(
      (await metricsOf('youtube_aaaaaaaaab3')).map(({ observedAt }) => observedAt),
      [new Date('2020-08-12T00:00:00Z')],
    )
    assert.equal((await postOf('youtube_aaaaaaaaab3'))?.author, 'ucabcdefghijklmnopqrstuv')
  })
})

describe('Instagram', () => {
  test('media of the Graph API come with the profile of a business discovery', async () => {
    const answer = {
      business_discovery: {
        username: 'Planner.App',
        name: 'Planner',
        biography: 'Get it: https://apps.apple.com/us/app/planner/id100000780',
        followers_count: 1234,
        media: {
          data: [
            {
              id: '17895695668004550',
              caption: 'New day #plan',
              media_type: 'CAROUSEL_ALBUM',
              permalink: 'https://www.instagram.com/p/CabcDEF_-12/',
              timestamp: '2025-05-01T10:00:00+0000',
              comments_count: 2,
              children: {
                data: [
                  { id: '1', media_type: 'IMAGE', media_url: 'https://e.com/1.jpg' },
                  { id: '2', media_type: 'VIDEO', media_url: 'https://e.com/2.mp4' },
                ],
              },
            },
          ],
        },
      },
      id: '17841405822304914',
    }
    assert.equal((await bring('discovery.json', answer)).stored, 1)
    const post = await postOf('instagram_CabcDEF_-12')
    assert.equal(post?.author, 'planner.app')
    assert.equal(post.facts.mediaType, 'carousel')
    assert.equal(post.facts.followers, 1234)
    assert.equal(post.facts.publishedAt, '2025-05-01T10:00:00.000Z')
    assert.deepEqual(post.facts.media, [
      { kind: 'image', url: 'https://e.com/1.jpg' },
      { kind: 'video', url: 'https://e.com/2.mp4' },
    ])
    assert.deepEqual((await metricsOf('instagram_CabcDEF_-12'))[0]?.counts, { comments: 2 }, 'likes are hidden')
    assert.deepEqual(
      (await attributionsOf('instagram_CabcDEF_-12')).map(({ kind, foundIn, text }) => [kind, foundIn, text]),
      [
        ['known-handle', 'author', '@planner.app'],
        ['store-url', 'profile', 'https://apps.apple.com/us/app/planner/id100000780'],
      ],
    )
  })

  test('records of collectors say -1 where likes are hidden', async () => {
    const reel = {
      id: '3400000000000000000',
      type: 'Video',
      shortCode: 'Dabc',
      caption: 'With @planner.app again',
      url: 'https://www.instagram.com/p/Dabc/',
      commentsCount: 0,
      likesCount: -1,
      videoViewCount: 100,
      videoPlayCount: 300,
      videoUrl: 'https://e.com/v.mp4',
      displayUrl: 'https://e.com/t.jpg',
      dimensionsHeight: 1920,
      dimensionsWidth: 1080,
      videoDuration: 7.5,
      timestamp: '2025-06-01T10:00:00.000Z',
      ownerUsername: 'fan',
      ownerFullName: 'A Fan',
    }
    assert.equal((await bring('reels.json', [reel])).stored, 1)
    assert.deepEqual((await metricsOf('instagram_Dabc'))[0]?.counts, { views: 300, comments: 0 })
    assert.deepEqual(
      (await attributionsOf('instagram_Dabc')).map(({ app, kind, foundIn, text }) => [
        app,
        kind,
        foundIn,
        text,
      ]),
      [['100000780', 'known-handle', 'text', '@planner.app']],
    )
  })
})

describe('links', () => {
  const post = (id: number, more: object) => ({ network: 'tiktok', id: `74000000000000000${10 + id}`, ...more })
  const kinds = async (id: number) =>
    (await attributionsOf(`tiktok_74000000000000000${10 + id}`)).map(
      ({ app, kind, foundIn }) => `${app} ${kind} ${foundIn}`,
    )

  test('never rest on the name of an app, an author or a hashtag', async () => {
    const named = {
      text: 'I love Planner by @planner #planner',
      author: { handle: 'planner', name: 'Planner' },
    }
    await bring('named.ndjson', lines(post(1, named)), { format: 'ndjson' })
    assert.deepEqual(await kinds(1), [])
  })

  test('by accounts hold while one app alone claims the account, and end when another does', async () => {
    const listing = (app: number, site: string) =>
      world.import({
        kind: 'catalogue',
        paths: [folder.write('listing.csv', `id,name,site\n${app},Some App,${site}\n`)],
        observedAt: '2026-01-01',
        mapping: { fields: { storeId: 'id', name: 'name', sellerUrl: 'site' }, constants: {}, document: {} },
      })
    await bring(
      'studio.ndjson',
      lines(post(2, { author: { handle: 'Studio' } }), post(3, { text: 'cc @studio.' })),
    )
    assert.deepEqual(await kinds(2), [])
    await listing(100000801, 'https://www.tiktok.com/@studio?lang=en')
    assert.deepEqual(await kinds(2), ['100000801 known-handle author'])
    assert.deepEqual(await kinds(3), ['100000801 known-handle text'])
    await listing(100000802, 'https://tiktok.com/@Studio')
    assert.deepEqual([...(await kinds(2)), ...(await kinds(3))], [])
  })

  test('answer what people asked for, in any storefront', async () => {
    const ask = (country: string) =>
      world.call('request_competitor_data', {
        platform: 'ios',
        storeId: '100000803',
        country,
        kinds: ['organic'],
      })
    assert.equal((await ask('jp')).status, 201)
    await ask('us')
    await bring('asked.ndjson', lines(post(4, { text: 'https://apps.apple.com/jp/app/x/id100000803' })), {
      format: 'ndjson',
    })
    const statuses = await rows(
      world.store.db,
      sql<{ status: string }>`select status from data_requests where store_id = '100000803'`,
    )
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['fulfilled', 'fulfilled'],
    )
  })
})

describe('other tables and lists', () => {
  test('come in by a mapping, with dates in any of four forms', async () => {
    const table =
      'Permalink;Post ID;When;Caption;Plays;Likes;Who\n' +
      'https://x.com/a/status/1800000000000000001;1800000000000000001;2025-01-02;Hallo;12;;@A\n' +
      ';1800000000000000002;1735776000;;0;3;B\n' +
      ';1800000000000000003;1735776000000;x;1;1;\n' +
      ';1800000000000000004;2025-01-02T00:00:00+02:00;x;1;1;C\n' +
      ';1800000000000000005;someday;x;1;1;C\n' +
      ';1800000000000000006;2025-01-02;x;12,5;1;C\n'
    const { lines: refused, ...summary } = await bring('mine.csv', table, {
      mapping: {
        fields: {
          id: 'Post ID',
          url: 'Permalink',
          publishedAt: 'When',
          text: 'Caption',
          views: 'Plays',
          likes: 'Likes',
          author: 'Who',
        },
        constants: { network: 'x', observedAt: '2026-02-02' },
        document: {},
      },
    })
    assert.deepEqual([summary.stored, summary.rejected], [4, 2])
    assert.deepEqual(
      refused.map(({ position, reason }) => [position, reason.split(':')[0]]),
      [
        ['line 6', 'publishedAt'],
        ['line 7', 'metrics.views'],
      ],
    )
    const times = await Promise.all([1, 2, 3, 4].map((n) => postOf(`x_180000000000000000${n}`)))
    assert.deepEqual(
      times.map((post) => post?.facts.publishedAt),
      [
        '2025-01-02T00:00:00.000Z',
        '2025-01-02T00:00:00.000Z',
        '2025-01-02T00:00:00.000Z',
        '2025-01-01T22:00:00.000Z',
      ],
    )
    assert.deepEqual(await metricsOf('x_1800000000000000001'), [
      { observedAt: new Date('2026-02-02T00:00:00Z'), counts: { views: 12 } },
    ])
    assert.equal(times[2]?.facts.author, null, 'a mapped column that is empty is absent')
  })

  test('are refused as a whole, with what to do, when nothing in them is known', async () => {
    for (const [name, content] of [
      ['unknown.csv', 'a,b\n1,2\n'],
      ['unknown.json', '{"hello":{"world":[1]}}'],
      ['unknown-list.json', '[{"a":1}]'],
    ] as const) {
      const { lines: refused, ...summary } = await bring(name, content)
      assert.deepEqual([summary.read, summary.rejected], [1, 1], name)
      assert.match(refused[0]?.reason ?? '', /--map FILE/)
    }
  })

  test('of another form than was said are refused, whatever else they look like', async () => {
    const post = { network: 'x', id: '1700000000000000001', text: 'Hello' }
    const { lines: refused, ...summary } = await bring('said.ndjson', lines(post, post), { format: 'reddit' })
    assert.deepEqual([summary.stored, summary.rejected], [0, 2])
    assert.equal(refused[0]?.reason, 'no record of the form "reddit"; it has network, id, text')
    const taken = await bring('said.ndjson', lines(post, post), { format: 'posts' })
    assert.deepEqual([taken.stored, taken.rejected], [2, 0])
  })

  test('longer than memory should hold are walked, whatever their list is called', async () => {
    const item = (n: number) =>
      `{"id":75000000000000${10_000 + n},"desc":"${'x'.repeat(4000)}","stats":{"playCount":${n}},"createTime":1704067200}`
    const long = `{"statusCode":0,"itemList":[${Array.from({ length: 2200 }, (_, n) => item(n)).join(',')}]}`
    const summary = await bring('long.json', long)
    assert.deepEqual([summary.stored, summary.rejected], [2200, 0])
    assert.ok(await postOf('tiktok_7500000000000010001'))
  })
})

test('every post that came in is shown by the contract, with its figures over time', async () => {
  const stored = await rows(
    world.store.db,
    sql<{ postId: string; count: number }>`
      select post_id as "postId", observation_count as count from posts
      where post_id not like 'tiktok_75%' order by post_id collate "C"`,
  )
  assert.ok(stored.length >= 20)
  for (const { postId, count } of stored) {
    const { status, body } = await world.call('get_organic_content', { postId })
    assert.equal(status, 200, postId)
    assert.equal(body.metricsHistory.length, count, postId)
  }
})

describe('real collections', () => {
  const social = join(sharedData, 'social')
  test('come in whole, and a second time nothing is new', {
    skip: existsSync(social) ? false : 'the shared data is absent',
  }, async () => {
    const order = { kind: 'organic', paths: [social], observedAt: '2025-11-30' } as const
    const counts = ({ files, read, stored, unchanged, rejected }: Awaited<ReturnType<World['import']>>) => ({
      files,
      read,
      stored,
      unchanged,
      rejected,
    })
    // 600 posts of a TikTok collector in one list, 170 submissions of Reddit in another; none has a fault.
    const all = { files: 2, read: 770, rejected: 0 }
    assert.deepEqual(counts(await world.import(order)), { ...all, stored: 770, unchanged: 0 })
    assert.deepEqual(counts(await world.import(order)), { ...all, stored: 0, unchanged: 770 })
    const [found] = await rows(
      world.store.db,
      sql<Record<string, number>>`
          select count(*)::int as posts, count(*) filter (where p.network = 'tiktok')::int as tiktok,
            count(m.views)::int as viewed, count(distinct p.author)::int as authors,
            count(*) filter (where p.network = 'tiktok' and p.facts ->> 'text' is null)::int as wordless
          from posts p join post_metrics m using (post_number)
          where m.observed_at = '2025-11-30'`,
    )
    // 17 videos of TikTok have no caption; Reddit shows nobody its views.
    assert.deepEqual(found, { posts: 770, tiktok: 600, viewed: 600, authors: 655, wordless: 17 })
  })
})
