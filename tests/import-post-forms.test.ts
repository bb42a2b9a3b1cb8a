import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Stated } from '../src/domain/facts/merge.ts'
import type { PostFields } from '../src/domain/organic/post.ts'
import type { ImportRequest } from '../src/imports/import-request.ts'
import { rows } from '../src/storage/database.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { openWorld, type World } from './support/world.ts'

/** Records of collectors and networks as these write them, with made-up posts. */

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const bring = (content: unknown, more: Partial<ImportRequest> & { name?: string } = {}) =>
  importContent(world, folder, 'organic', content, { observedAt: '2026-03-01T12:00:00Z', ...more })

interface Stored {
  facts: Stated<PostFields>
  observedAt: Date
  counts: Record<string, number>
}

const postOf = async (postId: string): Promise<Stored | undefined> =>
  (
    await rows(
      world.store.db,
      sql<Stored>`
        select facts, m.observed_at as "observedAt", json_strip_nulls(json_build_object('views', views, 'likes', likes,
          'comments', comments, 'shares', shares, 'saves', saves)) as counts
        from posts join post_metrics m using (post_number) where post_id = ${postId} order by m.observed_at`,
    )
  )[0]

/** What a form tells of its post, beside what follows from it. */
async function told(postId: string, content: unknown, more: Parameters<typeof bring>[1] = {}) {
  const summary = await bring(content, more)
  assert.deepEqual([summary.reasons, summary.stored], [[], 1], postId)
  const again = await bring(content, more)
  assert.deepEqual([again.stored, again.unchanged, again.rejected], [0, 1, 0], postId)
  const post = await postOf(postId)
  assert.ok(post, postId)
  const { detectedLanguage, possibleLanguages, ...facts } = post.facts as Record<string, unknown>
  return { ...post, facts }
}

const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

describe('X', () => {
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
    const post = await told('x_1900000000000000001', answer)
    assert.deepEqual([post.facts, post.counts], [expected, counts])
    const later = { ...answer, __twarc: { version: '2.14.0', retrieved_at: '2026-02-01T10:00:00+00:00' } }
    const line = await told('x_1900000000000000001', lines(later), { name: 'twarc.jsonl' })
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
    const post = await told('x_1900000000000000002', lines(flat))
    assert.deepEqual(post.facts, { ...expected, url: 'https://x.com/i/status/1900000000000000002' })
    const bare = await told('x_1900000000000000003', {
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
    const post = await told('x_1900000000000000004', text.replace('"#"', String(status.id)))
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
    const web = await told('x_1900000000000000005', lines(seen))
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
    const script = (name: string, list: unknown) =>
      `window.YTD.${name}.part0 = ${JSON.stringify(list, null, 2)}`
    const own = { url: 'https://t.co/p', media_url_https: 'https://pbs.twimg.com/o.jpg', type: 'photo' }
    const summary = await bring(
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
    const first = await postOf('x_1900000000000000010')
    assert.ok(first && !('author' in first.facts))
    assert.deepEqual([first.facts.mediaType, first.counts], ['text', { likes: 3, shares: 0 }])
    assert.equal((await postOf('x_1900000000000000011'))?.facts.author, 'Keeper')

    const old =
      'Grailbird.data.tweets_2015_01 =\n[ {"id_str":"1900000000000000013","text":"Old","created_at":"2015-01-24 02:02:37 +0000","user":{"screen_name":"Keeper"},"entities":{"urls":[],"hashtags":[]}} ]'
    assert.equal(
      (await told('x_1900000000000000013', old, { name: '2015_01.js' })).facts.publishedAt,
      '2015-01-24T02:02:37.000Z',
    )
    const account = await bring(script('account', [{ account: { email: 'a@b.example' } }]), {
      name: 'account.js',
    })
    assert.deepEqual(account.reasons, [
      'document: the part "account" of an archive of X, which holds no posts: tweets.js does',
    ])
    const torn = await bring(script('tweets', [archived('1900000000000000014', {})]).slice(0, -9), {
      name: 'torn.js',
    })
    assert.match(torn.reasons[0] ?? '', /stops in the middle/)
    assert.equal(await postOf('x_1900000000000000014'), undefined)
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
    const post = await told('x_1500000000000000001', lines(snscrape))
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
    const other = await told('x_1768953236864545029', `${line}\n`, { format: 'x' })
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
    const third = await told('x_1955896617057574986', { tweets: [served], has_next_page: false })
    assert.deepEqual(
      [third.facts.text, third.facts.author, third.facts.mediaType, third.facts.linkUrl],
      ['hi & bye', 'maker', 'text', null],
    )
    assert.deepEqual(third.counts, { views: 3407, likes: 116, comments: 53, shares: 9, saves: 6 })
  })

  test('reposts, errors and empty answers are no posts, and told by name', async () => {
    const { reasons, stored, read } = await bring([
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
})

describe('yt-dlp and youtube-dl', () => {
  const youtube = {
    id: 'dlpAAAAAAA1',
    title: 'Ten planners',
    description: 'All of them: https://apps.apple.com/app/id100000902',
    extractor: 'youtube',
    extractor_key: 'Youtube',
    webpage_url: 'https://www.youtube.com/watch?v=dlpAAAAAAA1',
    channel: 'Reviews',
    channel_id: 'UCabcdefghijklmnopqrstuv',
    channel_url: 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv',
    channel_follower_count: 4200,
    uploader_id: '@reviews',
    duration: 213,
    width: 1920,
    height: 1080,
    view_count: 1500,
    like_count: null,
    comment_count: 12,
    upload_date: '20250109',
    timestamp: 1736416800,
    thumbnail: 'https://i.ytimg.com/vi/dlpAAAAAAA1/max.jpg',
    tags: ['planner'],
    formats: [{ format_id: '18' }],
    epoch: 1_769_940_000,
    _type: 'video',
  }

  test('an .info.json tells of a video of YouTube, and when it was looked at', async () => {
    const post = await told('youtube_dlpAAAAAAA1', youtube, { name: 'Ten planners [dlpAAAAAAA1].info.json' })
    assert.deepEqual(post.facts, {
      url: 'https://www.youtube.com/watch?v=dlpAAAAAAA1',
      author: 'UCabcdefghijklmnopqrstuv',
      authorName: 'Reviews',
      authorUrl: 'https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv',
      followers: 4200,
      community: 'Reviews',
      title: 'Ten planners',
      text: youtube.description,
      hashtags: [],
      publishedAt: '2025-01-09T10:00:00.000Z',
      mediaType: 'video',
      media: [
        { kind: 'video', url: null, width: 1920, height: 1080, durationSeconds: 213 },
        { kind: 'thumbnail', url: 'https://i.ytimg.com/vi/dlpAAAAAAA1/max.jpg' },
      ],
    })
    assert.deepEqual(
      [post.counts, post.observedAt.toISOString()],
      [{ views: 1500, comments: 12 }, '2026-02-01T10:00:00.000Z'],
    )
  })

  test('of other networks, of lists, and of the years before it told its channel', async () => {
    const tiktok = {
      ...{ id: '7400000000000000901', extractor_key: 'TikTok', title: 'Cut…', description: 'A caption #fyp' },
      ...{
        uploader: 'maker.one',
        uploader_id: '69',
        channel: 'Maker One',
        webpage_url: 'https://www.tiktok.com/@maker.one/video/7400000000000000901',
      },
      ...{
        timestamp: 1736416800,
        duration: 9,
        view_count: 10,
        like_count: 9,
        comment_count: 8,
        repost_count: 7,
        save_count: 6,
      },
    }
    const first = await told('tiktok_7400000000000000901', tiktok)
    assert.deepEqual(
      [first.facts.author, first.facts.authorName, first.facts.text],
      ['maker.one', 'Maker One', 'A caption #fyp'],
    )
    assert.deepEqual(first.counts, { views: 10, likes: 9, comments: 8, shares: 7, saves: 6 })

    const photo = (code: string) => ({
      id: code,
      extractor_key: 'Instagram',
      thumbnail: `https://scontent.cdninstagram.com/${code}.jpg`,
    })
    const instagram = {
      ...{
        _type: 'playlist',
        id: 'DLp_AbC-1',
        extractor_key: 'Instagram',
        title: 'Post by maker',
        description: 'Slides',
      },
      ...{
        channel: 'maker',
        uploader: 'The Maker',
        uploader_id: '123',
        webpage_url: 'https://www.instagram.com/p/DLp_AbC-1/',
      },
      ...{
        timestamp: 1736416800,
        like_count: 5,
        comment_count: 0,
        entries: [photo('a'), { ...photo('b'), duration: 3 }],
      },
    }
    const second = await told('instagram_DLp_AbC-1', instagram)
    assert.deepEqual(
      [second.facts.author, second.facts.authorName, second.facts.mediaType],
      ['maker', 'The Maker', 'carousel'],
    )
    assert.deepEqual(
      (second.facts.media as { kind: string }[]).map(({ kind }) => kind),
      ['image', 'video', 'thumbnail'],
    )

    const old = {
      id: 'dlAAAAAAAA2',
      extractor_key: 'Youtube',
      title: 'Old',
      description: '',
      uploader: 'Reviews',
      upload_date: '20250109',
      view_count: 3,
    }
    assert.equal((await told('youtube_dlAAAAAAAA2', old)).facts.publishedAt, '2025-01-09T00:00:00.000Z')

    const list = {
      _type: 'playlist',
      extractor_key: 'YoutubeTab',
      id: 'UC1',
      title: 'Uploads',
      entries: [
        { ...youtube, id: 'dlpAAAAAAA3' },
        { _type: 'url', ie_key: 'Youtube', id: 'dlpAAAAAAA4', title: 'Flat', view_count: 4 },
      ],
    }
    assert.equal((await bring(list)).stored, 2)
    const { reasons } = await bring([
      { ...youtube, extractor_key: 'Vimeo' },
      { ...list, entries: undefined },
    ])
    assert.match(reasons[0] ?? '', /of Vimeo: no video of youtube, tiktok, instagram, twitter/)
    assert.match(reasons[1] ?? '', /of YoutubeTab: /)
  })
})

describe('Instagram', () => {
  const node = {
    __typename: 'GraphVideo',
    id: '3489149638857614957',
    shortcode: 'IlAbc_-1',
    dimensions: { height: 1920, width: 1080 },
    display_url: 'https://scontent.cdninstagram.com/d.jpg',
    is_video: true,
    video_url: 'https://scontent.cdninstagram.com/v.mp4',
    video_view_count: 100,
    video_play_count: 300,
    video_duration: 7.5,
    edge_media_to_caption: { edges: [{ node: { text: 'A calm day #plan' } }] },
    edge_media_to_comment: { count: 4 },
    edge_media_preview_like: { count: -1, edges: [] },
    taken_at_timestamp: 1736416800,
    owner: { id: '1', username: 'maker', full_name: 'The Maker' },
  }
  const stored = {
    url: 'https://www.instagram.com/p/IlAbc_-1/',
    author: 'maker',
    authorName: 'The Maker',
    authorUrl: 'https://www.instagram.com/maker/',
    text: 'A calm day #plan',
    hashtags: ['plan'],
    publishedAt: '2025-01-09T10:00:00.000Z',
    mediaType: 'video',
    media: [
      {
        kind: 'video',
        url: 'https://scontent.cdninstagram.com/v.mp4',
        width: 1080,
        height: 1920,
        durationSeconds: 7.5,
      },
      { kind: 'thumbnail', url: 'https://scontent.cdninstagram.com/d.jpg' },
    ],
  }

  test('what instaloader saves is named by the time of the post, which is not when it was seen', async () => {
    const name = '2025-01-09_10-00-00_UTC.json'
    const saved = { node, instaloader: { node_type: 'Post', version: '4.14' } }
    const post = await told('instagram_IlAbc_-1', saved, { name })
    assert.deepEqual([post.facts, post.counts], [stored, { views: 300, comments: 4 }])
    assert.equal(post.observedAt.toISOString(), '2026-03-01T12:00:00.000Z')
    const path = folder.write(
      '2025-01-09_10-00-00_UTC_2.json',
      JSON.stringify({ ...saved, node: { ...node, shortcode: 'IlAbc_-2' } }),
    )
    const summary = await world.import({ kind: 'organic', paths: [path] })
    assert.deepEqual([summary.stored, summary.weaklyDated], [1, 1])
    const story = { node: { ...node }, instaloader: { node_type: 'StoryItem', version: '4.14' } }
    assert.deepEqual((await bring([story])).reasons, ['record 1: a StoryItem that instaloader saved, no post'])
  })

  test('newer nodes of instaloader keep what the app tells of a post', async () => {
    const app = {
      play_count: 77,
      like_and_view_counts_disabled: true,
      caption: { text: 'From the app' },
      user: { username: 'maker' },
    }
    const young = {
      shortcode: 'IlAbc_-3',
      is_video: false,
      __typename: 'GraphImage',
      date: 1736416800,
      caption: 'From the app',
      display_url: 'https://scontent.cdninstagram.com/p.jpg',
      edge_media_preview_like: { count: 3 },
      comments: 2,
      iphone_struct: app,
    }
    const post = await told('instagram_IlAbc_-3', { node: young, instaloader: { node_type: 'Post' } })
    assert.deepEqual(
      [post.facts.text, post.facts.author, post.facts.mediaType, post.counts],
      ['From the app', 'maker', 'image', { comments: 2 }],
    )
  })

  test('answers of GraphQL hold a profile with posts, one post, or the posts of a hashtag', async () => {
    const { owner, ...plain } = node
    const profile = {
      data: {
        user: {
          ...{
            username: 'maker',
            full_name: 'The Maker',
            biography: 'I make',
            external_url: 'https://maker.example/',
          },
          edge_followed_by: { count: 55 },
          edge_owner_to_timeline_media: {
            count: 1,
            edges: [{ node: { ...plain, shortcode: 'GqAbc_-1', owner: { id: '1', username: 'maker' } } }],
          },
        },
      },
    }
    const post = await told('instagram_GqAbc_-1', [profile])
    assert.deepEqual(
      [post.facts.followers, post.facts.authorBio, post.facts.authorLinks],
      [55, 'I make', ['https://maker.example/']],
    )
    const child = (url: string) => ({
      node: {
        __typename: 'XDTGraphImage',
        is_video: false,
        display_url: url,
        dimensions: { width: 10, height: 20 },
      },
    })
    const sidecar = {
      data: {
        xdt_shortcode_media: {
          ...{
            __typename: 'XDTGraphSidecar',
            shortcode: 'GqAbc_-2',
            is_video: false,
            owner,
            taken_at_timestamp: 1736416800,
          },
          edge_media_to_caption: { edges: [] },
          edge_media_preview_like: { count: 5 },
          edge_sidecar_to_children: {
            edges: [
              child('https://scontent.cdninstagram.com/1.jpg'),
              child('https://scontent.cdninstagram.com/2.jpg'),
            ],
          },
        },
      },
    }
    const slides = await told('instagram_GqAbc_-2', sidecar)
    assert.deepEqual(
      [slides.facts.mediaType, slides.facts.text, slides.counts],
      ['carousel', null, { likes: 5 }],
    )
    assert.equal((slides.facts.media as unknown[]).length, 2)
    const tag = {
      graphql: {
        hashtag: {
          name: 'plan',
          edge_hashtag_to_media: { edges: [{ node: { ...node, shortcode: 'GqAbc_-3' } }] },
        },
      },
    }
    assert.equal((await bring(tag)).stored, 1)
    const timeline = {
      data: {
        xdt_api__v1__feed__user_timeline_graphql_connection: {
          edges: [
            {
              node: {
                code: 'GqAbc_-4',
                taken_at: 1736416800,
                media_type: 1,
                user: { username: 'maker' },
                caption: { text: 'x' },
                like_count: 1,
              },
            },
          ],
        },
      },
    }
    assert.equal((await bring(timeline)).stored, 1)
  })
})

describe('collectors of YouTube and TikTok', () => {
  test("records of Apify's YouTube have words for times of which nothing is read", async () => {
    const video = {
      ...{
        id: 'apfAAAAAAA1',
        title: 'A studio',
        url: 'https://www.youtube.com/watch?v=apfAAAAAAA1',
        type: 'video',
        date: '2025-01-09T10:00:00.000Z',
      },
      ...{
        duration: '01:14:02',
        viewCount: 2400,
        likes: 180,
        commentsCount: 9,
        text: 'About',
        thumbnailUrl: 'https://i.ytimg.com/a.jpg',
      },
      ...{
        channelName: 'Labs',
        channelUsername: '@labs',
        channelUrl: 'https://www.youtube.com/@labs',
        channelDescription: 'Logs',
        numberOfSubscribers: 51,
        hashtags: [],
        commentsTurnedOff: true,
      },
    }
    const post = await told('youtube_apfAAAAAAA1', [video])
    assert.deepEqual(
      [post.facts.author, post.facts.authorName, post.facts.followers, post.facts.title],
      ['labs', 'Labs', 51, 'A studio'],
    )
    assert.deepEqual((post.facts.media as object[])[0], { kind: 'video', url: null, durationSeconds: 4442 })
    assert.deepEqual(post.counts, { views: 2400, likes: 180 })
    const short = {
      ...video,
      id: undefined,
      url: 'https://www.youtube.com/shorts/apfAAAAAAA2',
      date: '2 years ago',
    }
    assert.ok(!('publishedAt' in (await told('youtube_apfAAAAAAA2', [short])).facts))
  })

  test('answers of tikwm have the caption as title, an id of the file, and addresses of their own', async () => {
    const video = {
      ...{
        aweme_id: 'v15044gf0000d724vbfog65ugaj79100',
        video_id: '7621307384165666079',
        region: 'US',
        title: 'My podcast #fyp',
        cover: 'https://p16.tiktokcdn.com/c.jpg',
      },
      ...{
        duration: 124,
        play: '/video/media/play/7621307384165666079.mp4',
        play_count: 92640,
        digg_count: 5360,
        comment_count: 322,
        share_count: 240,
        collect_count: 325,
        create_time: 1736416800,
        is_ad: false,
      },
      author: { id: '67', unique_id: 'carter', nickname: 'Carter' },
    }
    const post = await told('tiktok_7621307384165666079', {
      code: 0,
      msg: 'success',
      processed_time: 0.8,
      data: { videos: [video], cursor: '10', hasMore: true },
    })
    assert.deepEqual(
      [post.facts.text, post.facts.author, post.facts.hashtags],
      ['My podcast #fyp', 'carter', ['fyp']],
    )
    assert.deepEqual(post.facts.media, [
      { kind: 'video', url: null, durationSeconds: 124 },
      { kind: 'thumbnail', url: 'https://p16.tiktokcdn.com/c.jpg' },
    ])
    assert.deepEqual(post.counts, { views: 92640, likes: 5360, comments: 322, shares: 240, saves: 325 })
    const { video_id, aweme_id, ...rest } = video
    const slides = {
      code: 0,
      data: {
        ...rest,
        id: '7621307384165666080',
        images: ['https://p16.tiktokcdn.com/1.jpg', 'https://p16.tiktokcdn.com/2.jpg'],
      },
    }
    assert.equal((await told('tiktok_7621307384165666080', slides)).facts.mediaType, 'carousel')
    const { reasons } = await bring([
      { code: -1, msg: 'Url parsing is failed! Please check url.', processed_time: 0.1 },
    ])
    assert.deepEqual(reasons, ['record 1: an error and no posts, -1: Url parsing is failed! Please check url.'])
  })

  test('tables of TikTok come by columns of their own, or by paths of the records they were', async () => {
    const pyktok =
      'video_id,video_timestamp,video_duration,video_locationcreated,video_diggcount,video_sharecount,video_commentcount,video_playcount,video_description,video_is_ad,video_stickers,author_username,author_name,author_followercount\n' +
      '7400000000000000911,2025-01-09T10:00:00,12,US,10,2,3.0,100,"Try [this] #fyp",False,,maker.one,Maker,1000.0\n'
    const row = await told('tiktok_7400000000000000911', pyktok)
    assert.deepEqual(
      [row.facts.author, row.facts.followers, row.facts.publishedAt, row.facts.mediaType],
      ['maker.one', 1000, '2025-01-09T10:00:00.000Z', 'video'],
    )
    assert.deepEqual(row.counts, { views: 100, likes: 10, comments: 3, shares: 2 })
    const renamed = await bring(
      pyktok.replaceAll('video_playcount', 'plays').replaceAll('video_diggcount', 'hearts'),
    )
    assert.equal(renamed.stored, 0)
    assert.match(renamed.reasons[0] ?? '', /no form of post that is known.*; it has video_id, video_timestamp/)

    const flat =
      'id,text,createTime,authorMeta.name,authorMeta.fans,videoMeta.duration,videoUrl,diggCount,playCount,commentCount,shareCount,hashtags\n' +
      '7400000000000000912,[2024] #fyp,1736416800,maker.one,12,15,https://v16.tiktokcdn.com/1.mp4,1,20,3,4,"[{""id"":""1"",""name"":""fyp""}]"\n'
    const drawn = await told('tiktok_7400000000000000912', flat)
    assert.deepEqual(
      [drawn.facts.text, drawn.facts.hashtags, drawn.facts.followers],
      ['[2024] #fyp', ['fyp'], 12],
    )
    const slashed =
      'authorMeta/name,createTimeISO,diggCount,hashtags/0/name,hashtags/1/name,id,playCount,text,webVideoUrl\n' +
      'maker.one,2025-01-09T10:00:00.000Z,1,fyp,,7400000000000000913,20,Hello,https://www.tiktok.com/@maker.one/video/7400000000000000913\n' +
      'maker.one,2025-01-09T10:00:00.000Z,1,fyp,plan,7400000000000000914,21,Hello,https://www.tiktok.com/@maker.one/video/7400000000000000914\n'
    assert.equal((await bring(slashed)).stored, 2)
    assert.deepEqual((await postOf('tiktok_7400000000000000913'))?.facts.hashtags, ['fyp'])
    assert.deepEqual((await postOf('tiktok_7400000000000000914'))?.facts.hashtags, ['fyp', 'plan'])
    const polluted = await bring(
      'id,authorMeta.name,__proto__.polluted,diggCount\n7400000000000000915,maker,yes,1\n',
    )
    assert.equal(polluted.stored, 1)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })
})

test('files of two tools in one are read record by record, and what no tool wrote is refused by itself', async () => {
  const summary = await bring(
    lines(
      { id: 'mixAAAAAAA1', extractor_key: 'Youtube', title: 'T', description: 'd', view_count: 1 },
      { id: '1900000000000000030', text: 'Hi', author_id: '1', public_metrics: { like_count: 1 } },
      { page_id: '1', ad_archive_id: '2', snapshot: { body: 'an ad' } },
    ),
  )
  assert.equal(summary.stored, 2)
  assert.match(summary.reasons[0] ?? '', /^line 3: no form of post that is known/)
  const empty = await bring('', { name: 'empty.json' })
  assert.deepEqual(empty.reasons, ['document: the file is empty'])
})
