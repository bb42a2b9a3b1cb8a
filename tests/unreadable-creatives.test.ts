import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { replay } from '../src/projections/replay.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const unreadable = { state: 'not-measured', reason: 'unreadable' }
const notCarried = { state: 'not-measured', reason: 'not-carried' }

const bring = (kind: 'organic' | 'paid-ads', content: unknown, observedAt = '2026-03-01') =>
  importContent(world, folder, kind, content, { observedAt })
const post = async (postId: string) => (await world.call('get_organic_content', { postId })).body
const ad = async (platform: string, archiveId: string) =>
  (await world.call('get_paid_ad', { platform, archiveId })).body

const tiktok = (id: string, more: object = {}) => ({
  id,
  text: 'A calm day #calm #day',
  authorMeta: { name: 'moss', profileUrl: 'https://www.tiktok.com/@moss' },
  diggCount: 5,
  playCount: 90,
  webVideoUrl: `https://www.tiktok.com/@moss/video/${id}`,
  videoMeta: { width: 576, height: 1024, duration: 9 },
  mediaUrls: ['https://media.example.com/v.mp4'],
  ...more,
})

test('what a record of TikTok carries and cannot be read is said of its field, and no part of it or other value stands there', async () => {
  const { unreadable: counts, stored } = await bring('organic', [
    tiktok('7400000000000000001', {
      authorMeta: { name: 'moss', profileUrl: 'n/a', bioLink: { link: 'in my bio' } },
      hashtags: [{ name: 'calm' }, { name: 7 }],
      mediaUrls: ['gone'],
    }),
    tiktok('7400000000000000002', { videoMeta: { width: '576px', height: 1024, duration: -1 } }),
    tiktok('7400000000000000003', { slideshowImageLinks: 'https://media.example.com/1.jpg' }),
    tiktok('7400000000000000004', {
      slideshowImageLinks: [{ tiktokLink: 'https://media.example.com/1.jpg' }, { tiktokLink: 'gone' }],
    }),
    // What is empty is not carried, and a profile without a link has an object around it.
    tiktok('7400000000000000005', {
      authorMeta: { name: 'moss', profileUrl: '', bioLink: { link: '' } },
      mediaUrls: [''],
      videoMeta: { width: 0, height: null, duration: '' },
    }),
  ])
  assert.equal(stored, 5)
  assert.deepEqual(counts, {
    authorUrl: 1,
    authorLinks: 1,
    hashtags: 1,
    media: 3,
    mediaType: 1,
    width: 1,
    durationSeconds: 1,
  })
  const first = await post('tiktok_7400000000000000001')
  assert.deepEqual(
    [first.author.profileUrl, first.hashtags, first.mediaType.value, first.media],
    [unreadable, unreadable, 'video', []],
  )
  assert.match(first.mediaStatus.reason ?? '', /cannot be read/)
  const [medium] = (await post('tiktok_7400000000000000002')).media
  assert.deepEqual(
    [medium?.width, medium?.height.state, medium?.durationSeconds],
    [unreadable, 'measured', unreadable],
  )
  for (const id of ['7400000000000000003', '7400000000000000004'])
    assert.deepEqual((await post(`tiktok_${id}`)).media, [], id)
  const [empty] = (await post('tiktok_7400000000000000005')).media
  assert.deepEqual([empty?.sourceUrl, empty?.width, empty?.durationSeconds], [null, notCarried, notCarried])
})

test('so it is with Instagram, YouTube and Reddit', async () => {
  const { unreadable: counts } = await bring('organic', [
    {
      business_discovery: {
        username: 'moss',
        website: 'soon',
        media: {
          data: [
            {
              id: '1',
              media_type: 'HOLOGRAM',
              media_url: 'https://e.com/1.jpg',
              permalink: 'https://www.instagram.com/p/Abc1/',
              like_count: 1,
              comments_count: 2,
            },
          ],
        },
      },
    },
    {
      id: 'aaaaaaaaaa1',
      snippet: { title: 'One', thumbnails: 'https://e.com/1.jpg' },
      contentDetails: { duration: 'PT4M' },
    },
    {
      id: 'aaaaaaaaaa2',
      snippet: { title: 'Two', thumbnails: { high: { url: 'https://e.com/2.jpg', width: 480 } } },
      contentDetails: { duration: 'four minutes' },
    },
    { id: 'unread1', subreddit: 'calm', created_utc: 1770000000, title: 'A link', url: 'htp:/e.com' },
    {
      id: 'unread2',
      subreddit: 'calm',
      created_utc: 1770000000,
      title: 'A gallery',
      is_gallery: true,
      gallery_data: { items: [{ media_id: 'a' }, { media_id: 'b' }] },
      media_metadata: {
        a: { s: { u: 'https://preview.redd.it/a.jpg', x: 10, y: 10 } },
        b: { s: { u: 'b.jpg', x: 10, y: 10 } },
      },
    },
  ])
  assert.deepEqual(counts, {
    mediaType: 2,
    media: 4,
    authorLinks: 1,
    durationSeconds: 1,
    linkUrl: 1,
  })
  assert.deepEqual((await post('instagram_Abc1')).mediaType, unreadable)
  assert.equal((await post('youtube_aaaaaaaaaa1')).mediaType.value, 'video')
  assert.deepEqual((await post('youtube_aaaaaaaaaa2')).media[0]?.durationSeconds, unreadable)
  const link = await post('reddit_unread1')
  assert.deepEqual([link.linkUrl, link.mediaType], [unreadable, unreadable])
  const gallery = await post('reddit_unread2')
  assert.deepEqual([gallery.mediaType.value, gallery.media], ['carousel', []])
})

test('so it is with the ads of every library', async () => {
  const { unreadable: counts, stored } = await bring('paid-ads', [
    {
      id: '3001',
      ad_delivery_start_time: '2026-02-02',
      ad_creative_bodies: ['One'],
      page_id: 1e300,
      languages: ['not a language', 'de'],
      publisher_platforms: ['facebook', 'hologram'],
      age_country_gender_reach_breakdown: [{ country: 'FR' }, { country: 'Germany' }],
    },
    {
      ad_archive_id: '3002',
      page_id: '7',
      snapshot: {
        body: 'Two',
        link_url: 'apps.apple.com/app/id1',
        cta_type: '¡YA!',
        page_profile_uri: 'tides',
        images: [{ original_image_url: 'https://e.com/1.jpg' }, { original_image_url: '1.jpg' }],
      },
    },
    {
      ad: { id: '3003', first_shown_date: 20260103, status: 'paused', videos: [{ url: 'v.mp4' }] },
      advertiser: { business_name: 'Tides', profile_url: 'tides' },
    },
    {
      id: '3004',
      ad_title: 'Four',
      country_code: ['US', 'Mars'],
      landing_page: 'tides',
      video_info: { duration: 9, video_url: { '720p': 'v.mp4', '540p': 'https://e.com/v.mp4' } },
    },
    {
      platform: 'meta',
      archiveId: '3005',
      advertiser: { name: 'Tides', url: 'tides' },
      creatives: [{ text: 'Five', linkUrl: 'tides' }, { text: 'Six' }],
    },
  ])
  assert.equal(stored, 5)
  assert.deepEqual(counts, {
    advertiserId: 1,
    language: 1,
    publisherPlatforms: 1,
    countries: 2,
    advertiserUrl: 3,
    format: 2,
    linkUrl: 3,
    callToAction: 1,
    media: 2,
    active: 1,
  })
  const archived = await ad('meta', '3001')
  assert.deepEqual(
    [archived.language, archived.publisherPlatforms, archived.countries],
    [unreadable, unreadable, unreadable],
  )
  const web = await ad('meta', '3002')
  const [card] = web.creatives
  assert.deepEqual(
    [web.advertiser.profileUrl, web.format, card?.linkUrl, card?.callToAction, card?.media, card?.title],
    [unreadable, unreadable, unreadable, unreadable, [], notCarried],
  )
  const library = await ad('tiktok', '3003')
  assert.deepEqual([library.active, library.observations[0]?.active], [unreadable, unreadable])
  const material = await ad('tiktok', '3004')
  assert.deepEqual([material.countries, material.creatives[0]?.linkUrl], [unreadable, unreadable])
  // One address of several of the same video is enough.
  assert.equal(material.creatives[0]?.media[0]?.sourceUrl, 'https://e.com/v.mp4')
  const own = await ad('meta', '3005')
  assert.deepEqual(
    own.creatives.map(({ linkUrl }: { linkUrl: object }) => linkUrl),
    [unreadable, notCarried],
  )
})

test('where another observation can be read it holds, whichever comes first, and a replay says the same', async () => {
  const [first, later] = ['7400000000000000011', '7400000000000000012']
  const odd = { authorMeta: { name: 'moss', profileUrl: 'n/a' }, hashtags: 'calm' }
  const [readFirst, readLater] = ['3011', '3012']
  const library = (id: string, status: string, url: string) => ({
    ad: { id, first_shown_date: 20260103, status, videos: [{ url }] },
    advertiser: { business_name: 'Tides', profile_url: url },
  })
  const oddAd = (id: string) => library(id, 'paused', 'v.mp4')
  const readableAd = (id: string) => library(id, 'active', 'https://e.com/v.mp4')
  await bring('organic', [tiktok(first), tiktok(later, odd)], '2026-03-01')
  await bring('organic', [tiktok(first, odd), tiktok(later)], '2026-03-02')
  await bring('paid-ads', [readableAd(readFirst), oddAd(readLater)], '2026-03-01')
  await bring('paid-ads', [oddAd(readFirst), readableAd(readLater)], '2026-03-02')
  const shown = async () => [
    ...(await Promise.all(
      [first, later, '7400000000000000001', '7400000000000000002'].map((id) => post(`tiktok_${id}`)),
    )),
    ...(await Promise.all([readFirst, readLater, '3003'].map((id) => ad('tiktok', id)))),
    await ad('meta', '3002'),
  ]
  for (const id of [first, later]) {
    const { author, hashtags } = await post(`tiktok_${id}`)
    assert.deepEqual(
      [author.profileUrl.value, hashtags.value],
      ['https://www.tiktok.com/@moss', ['calm', 'day']],
    )
  }
  for (const id of [readFirst, readLater]) {
    const { active, advertiser, format, creatives, observations } = await ad('tiktok', id)
    assert.deepEqual(
      [active.value, advertiser.profileUrl.value, format.value, creatives.length],
      [true, 'https://e.com/v.mp4', 'video', 1],
    )
    assert.deepEqual([creatives[0]?.media.length, creatives[0]?.current], [1, true])
    assert.deepEqual(observations.map((one: { active: { state: string } }) => one.active.state).sort(), [
      'measured',
      'not-measured',
    ])
  }
  // What is seen of a creative with less of it can still hold a field that the fuller one does not carry.
  const card = { title: 'Tides', text: 'Every day', linkUrl: 'https://e.com/' }
  const fuller = { platform: 'meta', archiveId: '3013', creatives: [card] }
  await bring('paid-ads', [fuller], '2026-03-01')
  await bring('paid-ads', [{ ...fuller, creatives: [{ text: 'Every day', callToAction: '¿?' }] }], '2026-03-02')
  const both = (await ad('meta', '3013')).creatives
  assert.deepEqual([both.length, both[0]?.linkUrl.state, both[0]?.callToAction], [1, 'measured', unreadable])
  const before = await shown()
  await replay(world.store.db, () => {}, new AbortController().signal, ['posts', 'ads'])
  assert.deepEqual(await shown(), before)
})

test('what a record in our own shape says to be unreadable is checked as its other fields are', async () => {
  const own = (id: number, unreadable: unknown) => ({
    network: 'tiktok',
    id: `74000000000000009${id}`,
    text: 'a',
    unreadable,
  })
  const said = [5, 'text', { a: 1 }, [{ a: 1 }], ['constructor'], ['hashtags']]
  const { stored, rejected } = await bring(
    'organic',
    said.map((one, at) => own(10 + at, one)),
  )
  assert.deepEqual([stored, rejected], [1, 5])
})
