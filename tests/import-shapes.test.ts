import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ImportRequest } from '../src/imports/import-request.ts'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
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

const bring = (kind: ImportRequest['kind'], content: unknown, more: Partial<ImportRequest> = {}) =>
  importContent(world, folder, kind, content, more)
const postOf = async (postId: string) => (await world.call('get_organic_content', { postId })).body
const adOf = async (archiveId: string, platform = 'meta') =>
  (await world.call('get_paid_ad', { platform, archiveId })).body

const hidden = { state: 'not-measured', reason: 'hidden-upstream' }
const notCarried = { state: 'not-measured', reason: 'not-carried' }

describe('what an app, post or ad shows as nothing', () => {
  const blanks = [
    '\u200b\u200d',
    '\ufeff',
    '\ufe0f',
    '\u00a0 \u3000',
    '\u3164',
    '\u115f\uffa0',
    '\u2800',
    '\u00ad\u2060',
    '\u{e0001}',
  ]

  test('is absent, whatever invisible characters it is made of', async () => {
    await bring(
      'organic',
      blanks.map((blank, index) => ({
        network: 'x',
        id: `190000000000000010${index}`,
        author: { handle: `a${index}`, name: blank, bio: blank },
        title: blank,
        text: blank,
        community: blank,
      })),
    )
    await bring(
      'paid-ads',
      blanks.map((blank, index) => ({
        platform: 'meta',
        archiveId: `7710${index}`,
        advertiser: { name: blank },
        creatives: [{ title: blank, text: blank, description: blank, displayLink: 'e.com' }],
      })),
    )
    await bring('catalogue', {
      results: blanks.map((blank, index) => ({
        kind: 'software',
        trackId: 930000000 + index,
        trackName: 'App',
        description: blank,
        sellerName: blank,
        releaseNotes: blank,
      })),
    })
    for (const index of blanks.keys()) {
      const post = await postOf(`x_190000000000000010${index}`)
      for (const field of ['title', 'text', 'community'] as const)
        assert.equal(post[field].state, 'absent', `${field} ${index}`)
      assert.equal(post.author.name.state, 'absent')
      const ad = await adOf(`7710${index}`)
      assert.equal(ad.advertiser.name.state, 'absent')
      for (const field of ['title', 'body', 'description'] as const)
        assert.equal(ad.creatives[0][field].state, 'absent', `${field} ${index}`)
      const { body } = await world.call('get_competitor', {
        platform: 'ios',
        storeId: String(930000000 + index),
      })
      for (const field of ['description', 'seller', 'releaseNotes'] as const)
        assert.equal(body[field].state, 'absent', field)
    }
  })

  test('as a name is none, and as text of a collector no less', async () => {
    const { reasons } = await bring('catalogue', {
      results: [{ kind: 'software', trackId: 930000100, trackName: '\u3164' }],
    })
    assert.equal(reasons.length, 1)
    await bring('organic', [
      {
        id: '7300000000000000101',
        desc: '\u200b',
        stats: { playCount: 1 },
        author: { uniqueId: 'one', nickname: '\u3164', signature: '\ufeff' },
      },
    ])
    const post = await postOf('tiktok_7300000000000000101')
    assert.deepEqual([post.text.state, post.author.name.state], ['absent', 'absent'])
  })
})

describe('counts that a network hides', () => {
  test('are hidden and not zero, wherever a source says so', async () => {
    const instagram = (code: string, more: object) => ({
      pk: '3400000000000000000',
      code,
      taken_at: 1_740_000_000,
      media_type: 2,
      user: { username: 'maker', full_name: 'Maker' },
      caption: { text: 'A day' },
      like_count: 3,
      play_count: 0,
      comment_count: 4,
      ...more,
    })
    const summary = await bring('organic', {
      items: [
        instagram('Chidden', { like_and_view_counts_disabled: true }),
        instagram('Cshown', { like_and_view_counts_disabled: false, comments_disabled: true }),
      ],
    })
    assert.equal(summary.stored, 2)
    const one = await postOf('instagram_Chidden')
    assert.deepEqual([one.metrics.likes, one.metrics.views, one.metrics.comments.value], [hidden, hidden, 4])
    assert.deepEqual([one.text.value, one.author.handle, one.mediaType.value], ['A day', 'maker', 'video'])
    assert.deepEqual(one.engagementRate, hidden)
    const two = await postOf('instagram_Cshown')
    assert.deepEqual([two.metrics.likes.value, two.metrics.views.value, two.metrics.comments], [3, 0, hidden])
    await bring('organic', [
      {
        shortCode: 'Cminus',
        ownerUsername: 'maker',
        type: 'Image',
        caption: 'x',
        likesCount: -1,
        commentsCount: 2,
      },
      {
        shortCode: 'Cflag',
        ownerUsername: 'maker',
        caption: 'x',
        likesCount: 0,
        like_and_view_counts_disabled: true,
      },
    ])
    assert.deepEqual((await postOf('instagram_Cminus')).metrics.likes, hidden)
    assert.deepEqual((await postOf('instagram_Cflag')).metrics.likes, hidden)
    await bring(
      'organic',
      'video_id,trending_date,title,channel_title,views,likes,comment_count,comments_disabled,ratings_disabled\n' +
        'hiddencount,17.14.11,T,C,10,0,0,True,True\nhiddencount,17.15.11,T,C,20,5,0,False,False\n',
    )
    const { metrics, metricsHistory } = await postOf('youtube_hiddencount')
    assert.deepEqual([metrics.likes.value, metrics.comments.value], [5, 0])
    assert.deepEqual([metricsHistory[0].likes, metricsHistory[0].comments], [hidden, hidden])
    await bring('organic', [
      { kind: 'youtube#video', id: 'hiddenlikes', snippet: { title: 'T' }, statistics: { viewCount: '7' } },
      { kind: 'youtube#video', id: 'notaskedfor', snippet: { title: 'T' } },
    ])
    assert.deepEqual((await postOf('youtube_hiddenlikes')).metrics.likes, hidden)
    assert.deepEqual((await postOf('youtube_notaskedfor')).metrics.likes, notCarried)
  })

  test('are expressed in mappings and in our own shape', async () => {
    const mapping = parseMapping(
      {
        fields: {
          id: 'id',
          text: 'text',
          views: 'views',
          likes: 'likes',
          comments: 'comments',
          likesHidden: 'off',
          viewsHidden: 'off',
          commentsHidden: 'closed',
        },
        constants: { network: 'x' },
      },
      'organic',
      'the mapping',
    )
    const { reasons, ...summary } = await bring(
      'organic',
      'id,text,views,likes,comments,off,closed\n' +
        '1900000000000000201,a,0,0,5,TRUE,no\n1900000000000000202,b,7,0,0,0,\n1900000000000000203,c,7,0,0,maybe,\n',
      { mapping },
    )
    assert.deepEqual([summary.stored, summary.rejected], [2, 1])
    assert.match(reasons[0] ?? '', /viewsHidden: "maybe" says neither yes nor no/)
    const off = (await postOf('x_1900000000000000201')).metrics
    assert.deepEqual([off.views, off.likes, off.comments.value], [hidden, hidden, 5])
    const on = (await postOf('x_1900000000000000202')).metrics
    assert.deepEqual([on.views.value, on.likes.value, on.comments.value], [7, 0, 0])
    await bring('organic', [
      { network: 'x', id: '1900000000000000204', text: 'a', metrics: { views: 5, hidden: ['likes'] } },
    ])
    const own = (await postOf('x_1900000000000000204')).metrics
    assert.deepEqual([own.views.value, own.likes, own.comments], [5, hidden, notCarried])
  })
})

describe('the kind of a medium', () => {
  test('is not guessed from a still picture', async () => {
    const mapping = parseMapping(
      { fields: { id: 'id', thumbnailUrl: 'still', text: 'text' }, constants: { network: 'instagram' } },
      'organic',
      'the mapping',
    )
    await bring('organic', 'id,still,text\nCstill,https://e.com/s.jpg,Hello\n', { mapping })
    assert.deepEqual((await postOf('instagram_Cstill')).mediaType, notCarried)
    await bring('organic', [
      {
        id: '7300000000000000301',
        text: 'x',
        diggCount: 1,
        authorMeta: { name: 'm' },
        covers: { default: 'https://e.com/c.jpg' },
      },
    ])
    const post = await postOf('tiktok_7300000000000000301')
    assert.deepEqual(
      [post.mediaType, post.media.map(({ kind }: { kind: string }) => kind)],
      [notCarried, ['thumbnail']],
    )
    await bring('paid-ads', [
      {
        platform: 'meta',
        archiveId: '77201',
        creatives: [{ text: 'x', media: [{ kind: 'thumbnail', url: 'https://e.com/t.jpg' }] }],
      },
      {
        ad_archive_id: '77202',
        page_name: 'P',
        snapshot: { cards: [{ body: 'x', video_preview_image_url: 'https://e.com/t.jpg' }] },
      },
    ])
    assert.deepEqual((await adOf('77201')).format, notCarried)
    const card = await adOf('77202')
    assert.deepEqual(
      [card.format, card.creatives[0].media.map(({ kind }: { kind: string }) => kind)],
      [notCarried, ['thumbnail']],
    )
  })
})

describe('a list that was carried and is empty', () => {
  test('is absent', async () => {
    await bring('organic', [
      { network: 'x', id: '1900000000000000401', text: 'no tags', hashtags: [] },
      { shortCode: 'Cnotags', ownerUsername: 'm', likesCount: 1, hashtags: [] },
    ])
    for (const id of ['x_1900000000000000401', 'instagram_Cnotags'])
      assert.equal((await postOf(id)).hashtags.state, 'absent', id)
    await bring('paid-ads', [
      {
        platform: 'meta',
        archiveId: '77301',
        countries: [],
        publisherPlatforms: [],
        languages: [],
        advertiser: { name: 'A', paidBy: [], beneficiaries: [] },
      },
      {
        id: '77302',
        ad_delivery_start_time: '2026-02-01',
        page_name: 'A',
        publisher_platforms: [],
        languages: [],
        beneficiary_payers: [],
        age_country_gender_reach_breakdown: [],
        ad_creative_bodies: ['x'],
        ad_creative_link_titles: [],
      },
      {
        ad_archive_id: '77303',
        page_name: 'A',
        publisher_platform: [],
        targeted_or_reached_countries: [],
        snapshot: { body: { text: 'x' }, cards: [], images: [], videos: [] },
      },
    ])
    for (const id of ['77301', '77302', '77303']) {
      const ad = await adOf(id)
      assert.equal(ad.publisherPlatforms.state, 'absent', id)
      // An ad is shown somewhere: an empty list says that nobody told where.
      assert.deepEqual(ad.countries, notCarried, id)
    }
    assert.deepEqual(['77301', '77302'].map(async (id) => (await adOf(id)).advertiser.paidBy.state).length, 2)
    const archived = await adOf('77302')
    assert.deepEqual(
      [
        archived.advertiser.paidBy.state,
        archived.advertiser.beneficiaries.state,
        archived.creatives[0].title.state,
      ],
      ['absent', 'absent', 'absent'],
    )
    await bring('catalogue', {
      results: [{ kind: 'software', trackId: 930000400, trackName: 'A', genreIds: [], languageCodesISO2A: [] }],
    })
    const { body } = await world.call('get_competitor', { platform: 'ios', storeId: '930000400' })
    assert.deepEqual([body.languages.state, body.categories.state], ['absent', 'absent'])
  })
})

describe('a record of unknown shape', () => {
  test('is refused with what is missing, and leaves no empty shell', async () => {
    const shells: [ImportRequest['kind'], object, RegExp][] = [
      ['paid-ads', { ad_archive_id: '77401', page_name: 'P', creative: { headline: 'x' } }, /snapshot/],
      [
        'paid-ads',
        { ad_archive_id: '77402', snapshot: { headline: 'x', copy: 'y' } },
        /headline, copy.*body|body.*headline, copy/,
      ],
      [
        'paid-ads',
        { id: '77403', page_id: '1', message: 'a post of a page' },
        /ad_creative_bodies|ad_delivery_start_time/,
      ],
      [
        'paid-ads',
        { platform: 'meta', archiveId: '77404', headline: 'x', copy: 'y' },
        /creatives.*headline, copy/,
      ],
      ['paid-ads', { ad: { id: '77405', film: 'x' } }, /first_shown_date.*film/],
      [
        'organic',
        { aweme_id: '7300000000000000501', caption: 'x' },
        /no author, title, text.*aweme_id, caption/,
      ],
      ['organic', { id: 'shellshell1', snippet: { heading: 'x' } }, /title, text.*id, snippet/],
      ['organic', { network: 'x', id: '1900000000000000501', caption: 'x', likes: 5 }, /text.*caption, likes/],
      [
        'organic',
        { subreddit: 'apps', permalink: '/r/apps/comments/1shell1/', id: '1shell1', words: 'x' },
        /title, text.*words/,
      ],
    ]
    for (const [kind, record, said] of shells) {
      const { reasons, ...summary } = await bring(kind, [record])
      assert.deepEqual([summary.stored, summary.rejected], [0, 1], JSON.stringify(record))
      assert.match(reasons[0] ?? '', said)
    }
  })

  test('is not what other collectors of the Ad Library write', async () => {
    await bring('paid-ads', [
      {
        adArchiveID: '77501',
        pageID: '55',
        pageName: 'Tides',
        isActive: true,
        startDate: 1_740_000_000,
        publisherPlatform: ['FACEBOOK'],
        snapshot: {
          body: { text: 'Missed a day?' },
          title: 'Small tides',
          ctaText: 'Install now',
          ctaType: 'INSTALL_MOBILE_APP',
          linkUrl: 'https://apps.apple.com/us/app/id6449912345',
          displayFormat: 'VIDEO',
          videos: [{ videoHdUrl: 'https://e.com/v.mp4', videoPreviewImageUrl: 'https://e.com/v.jpg' }],
          cards: [],
        },
      },
      {
        id: '77502',
        ad_creation_time: '2019-05-01',
        ad_delivery_start_time: '2019-05-01',
        ad_creative_body: 'Vote',
        ad_creative_link_title: 'Now',
        funding_entity: 'Friends of Now',
        page_name: 'Now',
      },
    ])
    const web = await adOf('77501')
    assert.deepEqual(
      [
        web.creatives[0].title.value,
        web.creatives[0].callToAction.value,
        web.format.value,
        web.creatives[0].media.length,
      ],
      ['Small tides', 'install-mobile-app', 'video', 2],
    )
    assert.equal(web.links[0].app.storeId, '6449912345')
    const older = await adOf('77502')
    assert.deepEqual(
      [older.creatives[0].body.value, older.creatives[0].title.value, older.advertiser.paidBy.value],
      ['Vote', 'Now', ['Friends of Now']],
    )
  })

  test('is a table that lacks a column its mapping names', async () => {
    const mapping = parseMapping(
      { fields: { id: 'id', text: 'caption' }, constants: { network: 'x' } },
      'organic',
      'the mapping',
    )
    const { reasons, ...summary } = await bring('organic', 'id,text\n1900000000000000601,Hello\n', { mapping })
    assert.equal(summary.stored, 0)
    assert.match(reasons[0] ?? '', /no column "caption".*text.*id, text/)
  })
})
