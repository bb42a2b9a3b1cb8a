import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { rows } from '../src/storage/database.ts'
import { openFolder } from './support/files.ts'
import { asJsonLines, PostFiles } from './support/post-files.ts'
import { openWorld, type World } from './support/world.ts'

/** Posts of X as its APIs, its archive and collectors write them, made up. */

const folder = openFolder()
let world: World
let files: PostFiles
before(async () => {
  world = await openWorld()
  files = new PostFiles(world, folder)
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const user = {
  id: '2244994945',
  name: 'Tide Planner',
  username: 'TidePlanner',
  description: 'Small tides. https://t.co/site1',
  entities: {
    url: { urls: [{ url: 'https://t.co/site0', expanded_url: 'https://tide.example' }] },
    description: { urls: [{ url: 'https://t.co/site1', expanded_url: 'https://tide.example/app' }] },
  },
  public_metrics: { followers_count: 1234, following_count: 5, tweet_count: 10 },
}
const tweet = {
  id: '1900000000000000001',
  text: 'New tides &amp; notes #Planner https://t.co/abc1 https://t.co/pic1',
  author_id: user.id,
  created_at: '2025-03-10T08:00:00.000Z',
  lang: 'en',
  edit_history_tweet_ids: ['1900000000000000001'],
  attachments: { media_keys: ['3_1', '13_2'] },
  entities: {
    hashtags: [{ start: 18, end: 26, tag: 'Planner' }],
    urls: [
      { url: 'https://t.co/abc1', expanded_url: 'https://apps.apple.com/us/app/tide/id100000901' },
      {
        url: 'https://t.co/pic1',
        expanded_url: 'https://x.com/TidePlanner/status/1900000000000000001/photo/1',
        media_key: '3_1',
      },
    ],
  },
  public_metrics: {
    retweet_count: 2,
    reply_count: 3,
    like_count: 40,
    quote_count: 1,
    bookmark_count: 5,
    impression_count: 900,
  },
}
const media = [
  { media_key: '3_1', type: 'photo', url: 'https://pbs.twimg.com/media/a.jpg', width: 1200, height: 675 },
  {
    media_key: '13_2',
    type: 'video',
    duration_ms: 9500,
    preview_image_url: 'https://pbs.twimg.com/v.jpg',
    variants: [
      { content_type: 'application/x-mpegURL', url: 'https://video.twimg.com/v.m3u8' },
      { bit_rate: 256000, content_type: 'video/mp4', url: 'https://video.twimg.com/low.mp4' },
      { bit_rate: 832000, content_type: 'video/mp4', url: 'https://video.twimg.com/high.mp4' },
    ],
  },
]
const expected = {
  url: 'https://x.com/i/status/1900000000000000001',
  author: 'TidePlanner',
  authorName: 'Tide Planner',
  authorUrl: 'https://x.com/TidePlanner',
  authorBio: 'Small tides. https://tide.example/app',
  authorLinks: ['https://tide.example'],
  followers: 1234,
  text: 'New tides & notes #Planner https://apps.apple.com/us/app/tide/id100000901',
  linkUrl: 'https://apps.apple.com/us/app/tide/id100000901',
  language: 'en',
  hashtags: ['planner'],
  publishedAt: '2025-03-10T08:00:00.000Z',
  mediaType: 'carousel',
  media: [
    { kind: 'image', url: 'https://pbs.twimg.com/media/a.jpg', width: 1200, height: 675 },
    { kind: 'video', url: 'https://video.twimg.com/high.mp4', durationSeconds: 9.5 },
    { kind: 'thumbnail', url: 'https://pbs.twimg.com/v.jpg' },
  ],
}
const counts = { views: 900, likes: 40, comments: 3, shares: 2, saves: 5 }

test('answers of the API v2 keep authors and media beside their posts, alone or one a line with the time of twarc', async () => {
  const answer = { data: [tweet], includes: { users: [user], media }, meta: { result_count: 1 } }
  const post = await files.told('x_1900000000000000001', answer)
  assert.deepEqual([post.facts, post.counts], [expected, counts])
  const later = { ...answer, __twarc: { version: '2.14.0', retrieved_at: '2026-02-01T10:00:00+00:00' } }
  const line = await files.told('x_1900000000000000001', asJsonLines(later), { name: 'twarc.jsonl' })
  assert.equal(line.observedAt.toISOString(), '2026-02-01T10:00:00.000Z')
  const [row] = await rows(
    world.store.db,
    sql<{ app: string }>`select store_id::text as app from post_grounds join posts using (post_number)
      where post_id = 'x_1900000000000000001' and found_in = 'link'`,
  )
  assert.equal(row?.app, '100000901', 'what X shortened leads to the app')
})

test('a flattened line is the same post, and media that an answer does not hold are not measured', async () => {
  const flat = {
    ...tweet,
    id: '1900000000000000002',
    author: user,
    attachments: { media_keys: ['3_1', '13_2'], media },
    __twarc: { retrieved_at: '2026-02-01T10:00:00Z' },
  }
  const post = await files.told('x_1900000000000000002', asJsonLines(flat))
  assert.deepEqual(post.facts, { ...expected, url: 'https://x.com/i/status/1900000000000000002' })
  const bare = await files.told('x_1900000000000000003', {
    data: { ...tweet, id: '1900000000000000003' },
    includes: { users: [user], media: media.slice(1) },
  })
  assert.ok(!('media' in bare.facts) && !('mediaType' in bare.facts))
})

test('posts of the API v1.1 and of web pages write out what was shortened', async () => {
  const status = {
    created_at: 'Mon Mar 10 08:00:00 +0000 2025',
    id: 1900000000000000004n,
    id_str: '1900000000000000004',
    full_text: 'Calm &gt; busy https://t.co/abc1 https://t.co/pic1',
    truncated: false,
    entities: {
      hashtags: [],
      urls: [{ url: 'https://t.co/abc1', expanded_url: 'https://tide.example/x' }],
      media: [
        {
          url: 'https://t.co/pic1',
          expanded_url: 'https://x.com/TidePlanner/status/1900000000000000004/photo/1',
        },
      ],
    },
    extended_entities: {
      media: [
        {
          type: 'animated_gif',
          url: 'https://t.co/pic1',
          expanded_url: 'https://x.com/TidePlanner/status/1900000000000000004/video/1',
          media_url_https: 'https://pbs.twimg.com/g.jpg',
          original_info: { width: 480, height: 270 },
          video_info: {
            variants: [{ bitrate: 0, content_type: 'video/mp4', url: 'https://video.twimg.com/g.mp4' }],
          },
        },
      ],
    },
    user: { screen_name: 'TidePlanner', name: 'Tide Planner', description: '', followers_count: 9 },
    retweet_count: 0,
    favorite_count: 7,
    lang: 'und',
  }
  const text = JSON.stringify([status], (_, value) => (typeof value === 'bigint' ? '#' : value))
  const post = await files.told('x_1900000000000000004', text.replace('"#"', String(status.id)))
  assert.deepEqual(post.facts, {
    url: 'https://x.com/i/status/1900000000000000004',
    author: 'TidePlanner',
    authorName: 'Tide Planner',
    authorUrl: 'https://x.com/TidePlanner',
    authorBio: null,
    followers: 9,
    text: 'Calm > busy https://tide.example/x',
    linkUrl: 'https://tide.example/x',
    language: null,
    hashtags: [],
    publishedAt: '2025-03-10T08:00:00.000Z',
    mediaType: 'video',
    media: [
      { kind: 'video', url: 'https://video.twimg.com/g.mp4', width: 480, height: 270 },
      { kind: 'thumbnail', url: 'https://pbs.twimg.com/g.jpg' },
    ],
  })
  assert.deepEqual(post.counts, { likes: 7, shares: 0 })

  const { id, id_str, user: account, ...legacy } = status
  const seen = {
    timestamp_collected: 1_769_940_000_000,
    source_platform: 'x.com',
    item_id: '1900000000000000005',
    data: {
      rest_id: '1900000000000000005',
      core: {
        user_results: {
          result: { legacy: { followers_count: 11 }, core: { screen_name: 'Other', name: 'O' } },
        },
      },
      views: { state: 'EnabledWithCount', count: '321' },
      note_tweet: {
        note_tweet_results: {
          result: { text: 'All of a long note', entity_set: { urls: [], hashtags: [] } },
        },
      },
      legacy,
    },
  }
  const web = await files.told('x_1900000000000000005', asJsonLines(seen))
  assert.equal(web.facts.author, 'Other')
  assert.equal(web.facts.followers, 11)
  assert.equal(web.facts.text, 'All of a long note')
  assert.equal(web.counts.views, 321)
  assert.equal(web.observedAt.toISOString(), '2026-02-01T10:00:00.000Z')
})

test('the archive is a script whose posts name no author, save in the addresses of their own media', async () => {
  const archived = (id: string, more: object) => ({
    tweet: {
      id_str: id,
      created_at: 'Mon Mar 10 08:00:00 +0000 2025',
      full_text: 'From my archive',
      favorite_count: '3',
      retweet_count: '0',
      entities: { hashtags: [], urls: [] },
      lang: 'en',
      ...more,
    },
  })
  const script = (name: string, list: unknown) => `window.YTD.${name}.part0 = ${JSON.stringify(list, null, 2)}`
  const own = { url: 'https://t.co/p', media_url_https: 'https://pbs.twimg.com/o.jpg', type: 'photo' }
  const summary = await files.bring(
    script('tweets', [
      archived('1900000000000000010', {}),
      archived('1900000000000000011', {
        extended_entities: {
          media: [{ ...own, expanded_url: 'https://twitter.com/Keeper/status/1900000000000000011/photo/1' }],
        },
      }),
      archived('1900000000000000012', { full_text: 'RT @other: not mine' }),
    ]),
    { name: 'tweets.js' },
  )
  assert.deepEqual([summary.stored, summary.reasons], [2, ["record 3: a repost of another's post, no post"]])
  const first = await files.postOf('x_1900000000000000010')
  assert.ok(first && !('author' in first.facts))
  assert.deepEqual([first.facts.mediaType, first.counts], ['text', { likes: 3, shares: 0 }])
  assert.equal((await files.postOf('x_1900000000000000011'))?.facts.author, 'Keeper')

  const old =
    'Grailbird.data.tweets_2015_01 =\n[ {"id_str":"1900000000000000013","text":"Old","created_at":"2015-01-24 02:02:37 +0000","user":{"screen_name":"Keeper"},"entities":{"urls":[],"hashtags":[]}} ]'
  assert.equal(
    (await files.told('x_1900000000000000013', old, { name: '2015_01.js' })).facts.publishedAt,
    '2015-01-24T02:02:37.000Z',
  )
  const account = await files.bring(script('account', [{ account: { email: 'a@b.example' } }]), {
    name: 'account.js',
  })
  assert.deepEqual(account.reasons, [
    'document: the part "account" of an archive of X, which holds no posts: tweets.js does',
  ])
  const torn = await files.bring(script('tweets', [archived('1900000000000000014', {})]).slice(0, -9), {
    name: 'torn.js',
  })
  assert.match(torn.reasons[0] ?? '', /stops in the middle/)
  assert.equal(await files.postOf('x_1900000000000000014'), undefined)
})

test('records of snscrape, twscrape and of services that collect are known by their shape', async () => {
  const snscrape = {
    _type: 'snscrape.modules.twitter.Tweet',
    url: 'https://twitter.com/maker/status/1500000000000000001',
    date: '2022-02-08T20:07:58+00:00',
    content: 'Out now https://t.co/q #OSINT',
    renderedContent: 'Out now example.com…',
    id: '1500000000000000001',
    user: {
      username: 'maker',
      displayname: 'Maker',
      description: 'short',
      rawDescription: 'long',
      followersCount: 4,
      linkUrl: 'https://maker.example',
    },
    replyCount: 0,
    retweetCount: 2,
    likeCount: 1,
    viewCount: 0,
    lang: 'en',
    outlinks: ['https://example.com/out'],
    tcooutlinks: ['https://t.co/q'],
    media: [
      {
        _type: 'snscrape.modules.twitter.Video',
        thumbnailUrl: 'https://pbs.twimg.com/t.jpg',
        duration: 12.5,
        variants: [{ contentType: 'video/mp4', bitrate: 1, url: 'https://video.twimg.com/1.mp4' }],
      },
    ],
    retweetedTweet: null,
    hashtags: ['OSINT'],
  }
  const post = await files.told('x_1500000000000000001', asJsonLines(snscrape))
  assert.deepEqual(
    [post.facts.text, post.facts.linkUrl, post.facts.authorBio],
    ['Out now https://example.com/out #OSINT', 'https://example.com/out', 'long'],
  )
  assert.deepEqual(post.facts.media, [
    { kind: 'video', url: 'https://video.twimg.com/1.mp4', durationSeconds: 12.5 },
    { kind: 'thumbnail', url: 'https://pbs.twimg.com/t.jpg' },
  ])
  assert.deepEqual(post.counts, { likes: 1, comments: 0, shares: 2 }, 'X counted no views in 2022')

  const twscrape = {
    id: 1768953236864545029n,
    id_str: '1768953236864545029',
    url: 'https://twitter.com/maker/status/1768953236864545029',
    date: '2024-03-16 10:51:31+00:00',
    user: {
      username: 'maker',
      displayname: 'Maker',
      rawDescription: 'long',
      followersCount: 5,
      descriptionLinks: [],
    },
    lang: 'es',
    rawContent: 'Gracias https://t.co/z',
    replyCount: 7,
    retweetCount: 8,
    likeCount: 9,
    bookmarkedCount: 6,
    viewCount: 842346,
    hashtags: [],
    links: [{ url: 'https://example.com/z', text: 'example.com/z', tcourl: 'https://t.co/z' }],
    media: { photos: [{ url: 'https://pbs.twimg.com/media/p.jpg' }], videos: [], animated: [] },
    _type: 'snscrape.modules.twitter.Tweet',
  }
  const line = JSON.stringify(twscrape, (_, value) => (typeof value === 'bigint' ? '#' : value)).replace(
    '"#"',
    String(twscrape.id),
  )
  const other = await files.told('x_1768953236864545029', `${line}\n`, { format: 'x' })
  assert.deepEqual(other.counts, { views: 842346, likes: 9, comments: 7, shares: 8, saves: 6 })
  assert.deepEqual(
    [other.facts.mediaType, other.facts.text, other.facts.publishedAt],
    ['image', 'Gracias https://example.com/z', '2024-03-16T10:51:31.000Z'],
  )

  const served = {
    type: 'tweet',
    id: '1955896617057574986',
    url: 'https://x.com/maker/status/1955896617057574986',
    text: 'hi &amp; bye',
    retweetCount: 9,
    replyCount: 53,
    likeCount: 116,
    quoteCount: 4,
    viewCount: 3407,
    bookmarkCount: 6,
    createdAt: 'Thu Aug 14 07:37:46 +0000 2025',
    lang: 'qme',
    author: { type: 'user', userName: 'maker', name: 'Maker', followers: 12, description: 'bio' },
    extendedEntities: {},
    entities: { urls: [] },
    isRetweet: false,
  }
  const third = await files.told('x_1955896617057574986', { tweets: [served], has_next_page: false })
  assert.deepEqual(
    [third.facts.text, third.facts.author, third.facts.mediaType, third.facts.linkUrl],
    ['hi & bye', 'maker', 'text', null],
  )
  for (const [index, lang] of ['art', 'und'].entries()) {
    const id = `19558966170575749${87 + index}`
    const { facts } = await files.told(`x_${id}`, { tweets: [{ ...served, id, lang }] })
    assert.equal(facts.language, null, lang)
  }
  assert.deepEqual(third.counts, { views: 3407, likes: 116, comments: 53, shares: 9, saves: 6 })
})

test('a table that twarc made of the API v2 is read by the paths of its columns', async () => {
  const table =
    'id,created_at,author_id,text,lang,public_metrics.like_count,public_metrics.impression_count,referenced_tweets.retweeted.id,entities.hashtags,author.username,author.public_metrics.followers_count\n' +
    '1900000000000000025,2025-03-10T08:00:00.000Z,1,"One, two",en,4,50,,"[{""start"":1,""end"":2,""tag"":""Plan""}]",maker,12\n' +
    '1900000000000000026,2025-03-10T08:00:00.000Z,1,RT @a: b,en,4,50,1800000000000000000,,maker,12\n'
  const { stored, reasons } = await files.bring(table, { name: 'twarc.csv' })
  assert.deepEqual([stored, reasons], [1, ["line 3: a repost of another's post, no post"]])
  const post = await files.postOf('x_1900000000000000025')
  assert.deepEqual(
    [post?.facts.author, post?.facts.followers, post?.facts.hashtags, post?.counts],
    ['maker', 12, ['plan'], { views: 50, likes: 4 }],
  )
})

test('reposts, errors and empty answers are no posts, and told by name', async () => {
  const { reasons, stored, read } = await files.bring([
    { ...tweet, id: '1900000000000000020', referenced_tweets: [{ type: 'retweeted', id: '1' }] },
    { meta: { result_count: 0 } },
    { title: 'Too Many Requests', detail: 'Too Many Requests', type: 'about:blank', status: 429 },
    { errors: [{ code: 88, message: 'Rate limit exceeded' }] },
  ])
  assert.deepEqual([read, stored], [3, 0])
  assert.match(reasons[0] ?? '', /a repost of another's post/)
  assert.match(reasons[1] ?? '', /an error and no posts, 429: Too Many Requests/)
  assert.match(reasons[2] ?? '', /an error and no posts, 88: Rate limit exceeded/)
})
