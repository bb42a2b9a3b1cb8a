import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { asJsonLines, PostFiles } from './support/post-files.ts'
import { openWorld, type World } from './support/world.ts'

/** Records of collectors and networks as these write them, with made-up posts. */

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
    const post = await files.told('youtube_dlpAAAAAAA1', youtube, {
      name: 'Ten planners [dlpAAAAAAA1].info.json',
    })
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
    const first = await files.told('tiktok_7400000000000000901', tiktok)
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
    const second = await files.told('instagram_DLp_AbC-1', instagram)
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
    assert.equal((await files.told('youtube_dlAAAAAAAA2', old)).facts.publishedAt, '2025-01-09T00:00:00.000Z')

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
    assert.equal((await files.bring(list)).stored, 2)
    const { reasons } = await files.bring([
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
    const post = await files.told('instagram_IlAbc_-1', saved, { name })
    assert.deepEqual([post.facts, post.counts], [stored, { views: 300, comments: 4 }])
    assert.equal(post.observedAt.toISOString(), '2026-03-01T12:00:00.000Z')
    const path = folder.write(
      '2025-01-09_10-00-00_UTC_2.json',
      JSON.stringify({ ...saved, node: { ...node, shortcode: 'IlAbc_-2' } }),
    )
    const summary = await world.import({ kind: 'organic', paths: [path] })
    assert.deepEqual([summary.stored, summary.weaklyDated], [1, 1])
    const story = { node: { ...node }, instaloader: { node_type: 'StoryItem', version: '4.14' } }
    assert.deepEqual((await files.bring([story])).reasons, [
      'record 1: a StoryItem that instaloader saved, no post',
    ])
  })

  test('instaloader packs its files by xz, as Python does', async () => {
    const packed = Buffer.from(
      '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AFaAQRdAD2IicczqOaoofb0SvQpXnwb3cBLm2MICA0KRIPpQ2ahZ60HDBpmKLk/H2KjvJQjAICoAnBZ77d9M6UkmJ+C5pBQ6u4CdruvPNLVgRy9Mo71G8bzUaNvQYex15Bp6Bswsn1CoL80vrNEg8KXUbkY3f1dDYdMikMuQBF1mjbosL7KU9ZPG0LiiCN1sKuqCxMO6ItyMnvvOJsgpopVtyFUexzJn1noADfT8YItWRYxAAAGhkKtGcMh4hMhWod7ljKcR41jS1My56BJ97x0NOsCkinP0HKdtT3C8B31ayzXAXxvHli0gTunnT+UwxtRKR8gwC2iKIuzfljv2C5d6VXrvuM0GMF5AO4PFOMLgHgGAAGgAtsCAAClfFhSscRn+wIAAAAABFla',
      'base64',
    )
    const name = '2025-01-09_10-00-00_UTC.json.xz'
    assert.equal((await files.bring(packed, { name })).stored, 1)
    assert.equal((await files.postOf('instagram_XzAbc_-1'))?.facts.text, 'Packed')
    assert.equal((await files.bring(packed, { name })).unchanged, 1)
    const cut = await files.bring(packed.subarray(0, -40), { name })
    assert.deepEqual(cut.reasons, ['end of file: the xz stream is truncated or damaged'])
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
    const post = await files.told('instagram_IlAbc_-3', { node: young, instaloader: { node_type: 'Post' } })
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
    const post = await files.told('instagram_GqAbc_-1', [profile])
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
    const slides = await files.told('instagram_GqAbc_-2', sidecar)
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
    assert.equal((await files.bring(tag)).stored, 1)
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
    assert.equal((await files.bring(timeline)).stored, 1)
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
    const post = await files.told('youtube_apfAAAAAAA1', [video])
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
    assert.ok(!('publishedAt' in (await files.told('youtube_apfAAAAAAA2', [short])).facts))
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
    const post = await files.told('tiktok_7621307384165666079', {
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
    assert.equal((await files.told('tiktok_7621307384165666080', slides)).facts.mediaType, 'carousel')
    const { reasons } = await files.bring([
      { code: -1, msg: 'Url parsing is failed! Please check url.', processed_time: 0.1 },
    ])
    assert.deepEqual(reasons, ['record 1: an error and no posts, -1: Url parsing is failed! Please check url.'])
  })

  test('tables of TikTok come by columns of their own, or by paths of the records they were', async () => {
    const pyktok =
      'video_id,video_timestamp,video_duration,video_locationcreated,video_diggcount,video_sharecount,video_commentcount,video_playcount,video_description,video_is_ad,video_stickers,author_username,author_name,author_followercount\n' +
      '7400000000000000911,2025-01-09T10:00:00,12,US,10,2,3.0,100,"Try [this] #fyp",False,,maker.one,Maker,1000.0\n'
    const row = await files.told('tiktok_7400000000000000911', pyktok)
    assert.deepEqual(
      [row.facts.author, row.facts.followers, row.facts.publishedAt, row.facts.mediaType],
      ['maker.one', 1000, '2025-01-09T10:00:00.000Z', 'video'],
    )
    assert.deepEqual(row.counts, { views: 100, likes: 10, comments: 3, shares: 2 })
    const renamed = await files.bring(
      pyktok.replaceAll('video_playcount', 'plays').replaceAll('video_diggcount', 'hearts'),
    )
    assert.equal(renamed.stored, 0)
    assert.match(renamed.reasons[0] ?? '', /no form of post that is known.*; it has video_id, video_timestamp/)

    const flat =
      'id,text,createTime,authorMeta.name,authorMeta.fans,videoMeta.duration,videoUrl,diggCount,playCount,commentCount,shareCount,hashtags\n' +
      '7400000000000000912,[2024] #fyp,1736416800,maker.one,12,15,https://v16.tiktokcdn.com/1.mp4,1,20,3,4,"[{""id"":""1"",""name"":""fyp""}]"\n'
    const drawn = await files.told('tiktok_7400000000000000912', flat)
    assert.deepEqual(
      [drawn.facts.text, drawn.facts.hashtags, drawn.facts.followers],
      ['[2024] #fyp', ['fyp'], 12],
    )
    const slashed =
      'authorMeta/name,createTimeISO,diggCount,hashtags/0/name,hashtags/1/name,id,playCount,text,webVideoUrl\n' +
      'maker.one,2025-01-09T10:00:00.000Z,1,fyp,,7400000000000000913,20,Hello,https://www.tiktok.com/@maker.one/video/7400000000000000913\n' +
      'maker.one,2025-01-09T10:00:00.000Z,1,fyp,plan,7400000000000000914,21,Hello,https://www.tiktok.com/@maker.one/video/7400000000000000914\n'
    assert.equal((await files.bring(slashed)).stored, 2)
    assert.deepEqual((await files.postOf('tiktok_7400000000000000913'))?.facts.hashtags, ['fyp'])
    assert.deepEqual((await files.postOf('tiktok_7400000000000000914'))?.facts.hashtags, ['fyp', 'plan'])
    const polluted = await files.bring(
      'id,authorMeta.name,__proto__.polluted,diggCount\n7400000000000000915,maker,yes,1\n',
    )
    assert.equal(polluted.stored, 1)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })
})

test('files of two tools in one are read record by record, and what no tool wrote is refused by itself', async () => {
  const summary = await files.bring(
    asJsonLines(
      { id: 'mixAAAAAAA1', extractor_key: 'Youtube', title: 'T', description: 'd', view_count: 1 },
      { id: '1900000000000000030', text: 'Hi', author_id: '1', public_metrics: { like_count: 1 } },
      { page_id: '1', ad_archive_id: '2', snapshot: { body: 'an ad' } },
    ),
  )
  assert.equal(summary.stored, 2)
  assert.match(summary.reasons[0] ?? '', /^line 3: no form of post that is known/)
  const empty = await files.bring('', { name: 'empty.json' })
  assert.deepEqual(empty.reasons, ['document: the file is empty'])
})
