import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { replay } from '../src/projections/replay.ts'
import { adPlatforms } from '../src/vocabulary/ad-platforms.ts'
import { patient } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { importContent, importInto } from './support/imports.ts'
import { storeListings } from './support/listings.ts'
import { snapAd } from './support/snap.ts'
import { listed, takenOut, toldAgain } from './support/taken-out.ts'
import { openWorld, type World } from './support/world.ts'

/** Ads in the forms in which collectors and libraries hand them out, all of them made up. */

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
})
after(async () => {
  await world?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const bring = (content: unknown, more: object = {}) => importContent(world, folder, 'paid-ads', content, more)
const adOf = async (platform: string, archiveId: string) =>
  (await world.call('get_paid_ad', { platform, archiveId })).body
const stored = async (platform: string, archiveId: string) =>
  (await world.call('get_paid_ad', { platform, archiveId })).status === 200

/** A table as programs write it: every cell in quotes. */
const table = (columns: readonly string[], ...rows: readonly (readonly string[])[]) =>
  [columns, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')

const python = {
  columns: [
    'id',
    'page_id',
    'page_name',
    'ad_delivery_start_time',
    'ad_delivery_stop_time',
    'ad_creative_bodies',
    'ad_creative_link_titles',
    'languages',
    'publisher_platforms',
    'beneficiary_payers',
    'eu_total_reach',
    'spend',
    'impressions',
  ],
  row: (id: string) => [
    id,
    '104829173650281.0',
    'Alder',
    '2026-01-30',
    '',
    `['Missed a day?', "It's fine."]`,
    "['Small tides']",
    "['en', 'de']",
    "['facebook', 'instagram']",
    "[{'payer': 'Alder Media', 'beneficiary': 'Alder Ltd', 'current': True}]",
    '48213',
    "{'lower_bound': '100', 'upper_bound': '199'}",
    "{'lower_bound': '5000'}",
  ],
}

const apify = {
  columns: [
    'ad_archive_id',
    'page_id',
    'page_name',
    'is_active',
    'start_date',
    'end_date',
    'publisher_platform/0',
    'publisher_platform/1',
    'snapshot/body/text',
    'snapshot/title',
    'snapshot/link_url',
    'snapshot/cta_type',
    'snapshot/display_format',
    'snapshot/images/0/original_image_url',
    'snapshot/cards/0/body',
    'snapshot/cards/0/title',
    'snapshot/cards/1/body',
    'spend',
    'impressions_with_index/impressions_text',
  ],
  row: (id: string) => [
    ...[id, '775', 'Tides', 'true', '1787295600', '1789714800', 'FACEBOOK', 'INSTAGRAM', 'Missed a day?'],
    ...['Small tides', 'https://apps.apple.com/app/id990111444', 'INSTALL_MOBILE_APP', 'IMAGE'],
    ...['https://scontent.example.fbcdn.net/v/t39/1_2_3_n.jpg?oh=1', '', '', '', '100', '>1M'],
  ],
}

const google = {
  columns: [
    'advertiser_id',
    'creative_id',
    'creative_page_url',
    'ad_format_type',
    'advertiser_disclosed_name',
    'advertiser_location',
    'region_code',
    'first_shown',
    'last_shown',
    'times_shown_lower_bound',
  ],
  row: (id: string, region: string, from: string, to: string) => [
    'AR05683893628569649153',
    id,
    `https://adstransparency.google.com/advertiser/AR05683893628569649153/creative/${id}`,
    'VIDEO',
    'Tidepool GmbH',
    'DE',
    region,
    from,
    to,
    '1000',
  ],
}

describe("Meta's ads", () => {
  test('as a table of Python researchers', async () => {
    const summary = await bring(table(python.columns, python.row('1354041633409901')))
    assert.deepEqual([summary.stored, summary.rejected, summary.notes], [1, 0, []])
    const ad = await adOf('meta', '1354041633409901')
    assert.deepEqual(
      ad.creatives.map((one: { title: { value: string }; body: { value: string } }) => [
        one.title.value,
        one.body.value,
      ]),
      [
        ['Small tides', 'Missed a day?'],
        ['Small tides', "It's fine."],
      ],
    )
    assert.deepEqual(
      [ad.advertiser.advertiserId, ad.advertiser.paidBy.value, ad.advertiser.beneficiaries.value],
      ['104829173650281', ['Alder Media'], ['Alder Ltd']],
    )
    assert.deepEqual(
      [ad.language.value, ad.publisherPlatforms.value, ad.reachText.value, ad.deliveryEndedOn.state],
      ['en', ['facebook', 'instagram'], '48213', 'absent'],
    )
    assert.doesNotMatch(JSON.stringify(ad), /spend|impression|lower_bound/i)
  })

  test("as a collector's table, whose columns are paths", async () => {
    for (const [id, columns] of [
      ['2601', apify.columns],
      ['2602', apify.columns.map((name) => name.replaceAll('/', '.'))],
    ] as const) {
      const summary = await bring(table(columns, apify.row(id)), { observedAt: '2026-10-20' })
      assert.deepEqual([summary.stored, summary.rejected], [1, 0], summary.reasons.join())
      const ad = await adOf('meta', id)
      assert.deepEqual(
        [ad.active.value, ad.deliveryStartedOn.value, ad.format.value, ad.publisherPlatforms.value],
        [true, '2026-08-21', 'image', ['facebook', 'instagram']],
      )
      assert.equal(ad.creatives.length, 1)
      assert.deepEqual(
        [ad.creatives[0].body.value, ad.creatives[0].callToAction.value, ad.links[0].app.storeId],
        ['Missed a day?', 'install-mobile-app', '990111444'],
      )
    }
  })

  test("as a collector's answer around its list", async () => {
    const snapshot = {
      title: 'Small tides',
      body: { text: 'Missed a day?' },
      display_format: 'IMAGE',
      images: [],
    }
    const ad = (id: string) => ({
      ad_archive_id: id,
      page_id: '775',
      page_name: 'Tides',
      is_active: false,
      snapshot,
    })
    const summary = await bring({ searchResults: [ad('2611')], searchResultsCount: 1, cursor: 'x' })
    assert.deepEqual([summary.stored, summary.rejected], [1, 0])
    assert.equal((await adOf('meta', '2611')).creatives[0].title.value, 'Small tides')
  })

  test('the Ad Library Report is said to be what it is, and nothing of it is kept', async () => {
    for (const columns of [
      ['Page ID', 'Page name', 'Disclaimer', 'Amount spent (USD)', 'Number of ads in Library'],
      ['Page ID', 'Page Name', 'Disclaimer', 'Amount Spent (EUR)', 'Number of Ads in Library'],
    ]) {
      const summary = await bring(table(columns, ['104829173650281', 'Tides', 'Tides Ltd', '12000', '7']))
      assert.deepEqual([summary.stored, summary.rejected], [0, 1])
      assert.match(summary.reasons[0] ?? '', /Meta's Ad Library Report, a table of advertisers/)
      assert.doesNotMatch(summary.reasons[0] ?? '', /12000/)
    }
  })
})

test("Apple's ads as a table, a row for each country", async () => {
  const columns = ['adId', 'appId', 'appName', 'developerId', 'developerName', 'placement', 'countryOrRegion']
  const more = ['firstImpressionDate', 'lastImpressionDate', 'adAssets/0/pictureUrl', 'adAssets/0/order']
  const row = (country: string, first: string) => [
    ...['00000000000000000000000000000A1F', '990111444', 'Small tides', '775', 'Tides'],
    ...[
      'APPSTORE_SEARCH_RESULTS',
      country,
      first,
      '2026-10-01',
      'https://is1-ssl.mzstatic.com/image/a.jpg',
      '1',
    ],
  ]
  const summary = await bring(table([...columns, ...more], row('DE', '2026-09-01'), row('FR', '2026-08-01')), {
    observedAt: '2026-10-20',
  })
  assert.deepEqual([summary.stored, summary.rejected], [2, 0], summary.reasons.join())
  const ad = await adOf('apple', '00000000000000000000000000000a1f')
  assert.deepEqual(
    [ad.countries.value, ad.deliveryStartedOn.value, ad.links[0].app.storeId, ad.creatives.length],
    [['de', 'fr'], '2026-08-01', '990111444', 1],
  )
})

describe("TikTok's ads", () => {
  test('as the web page of its library lists them', async () => {
    const summary = await bring({
      code: 0,
      data: [
        {
          audit_status: '1',
          estimated_audience: '1K-10K',
          first_shown_date: 1_767_225_600_000,
          id: '1816440843906114',
          image_urls: [],
          impression: 0,
          last_shown_date: 1_769_904_000_000,
          name: 'Tides Toys',
          spent: '',
          type: '2',
          videos: [
            { cover_img: 'https://p21.ibyteimg.com/a.jpg', video_url: 'https://v16.tiktokcdn.com/a.mp4' },
          ],
        },
      ],
      has_more: false,
      total: 1,
    })
    assert.deepEqual([summary.stored, summary.rejected], [1, 0], summary.reasons.join())
    const ad = await adOf('tiktok', '1816440843906114')
    assert.deepEqual(
      [ad.advertiser.name.value, ad.deliveryStartedOn.value, ad.deliveryEndedOn.value, ad.reachText.value],
      ['Tides Toys', '2026-01-01', '2026-02-01', '1K-10K'],
    )
    assert.deepEqual([ad.format.value, ad.active.state], ['video', 'not-measured'])
  })
})

describe("Google's ads", () => {
  const id = 'CR12033629139320700929'

  test('as the public table, with a row for each region', async () => {
    const summary = await bring(
      table(
        google.columns,
        google.row(id, 'DE', '2026-01-10', '2026-02-20'),
        google.row(id, 'FR', '2026-01-05', '2026-02-01'),
        google.row('CR12033629139320700930', 'AT', '2026-02-01', '2026-02-03'),
      ),
    )
    assert.deepEqual([summary.stored, summary.rejected], [2, 0], summary.reasons.join())
    const ad = await adOf('google', id)
    assert.deepEqual(
      [
        ad.deliveryStartedOn.value,
        ad.deliveryEndedOn.value,
        ad.countries.value,
        ad.format.value,
        ad.active.state,
      ],
      ['2026-01-05', '2026-02-20', ['de', 'fr'], 'video', 'not-measured'],
    )
    assert.deepEqual(
      [ad.advertiser.advertiserId, ad.advertiser.name.value, ad.links],
      ['AR05683893628569649153', 'Tidepool GmbH', []],
    )
    assert.equal(
      ad.libraryUrl,
      `https://adstransparency.google.com/advertiser/AR05683893628569649153/creative/${id}`,
    )
    assert.deepEqual(
      ad.coverage.notes.map(({ code }: { code: string }) => code),
      ['field-not-carried', 'source-not-configured'],
    )
  })

  test('as collectors write them, each in their own way', async () => {
    const collected = [
      {
        advertiserId: 'AR16735076323512287233',
        advertiserName: 'Tides, Inc.',
        creativeId: 'CR30410000000000000001',
        format: 'image',
        firstShown: '2026-01-11T07:00:00.000Z',
        lastShown: '2026-01-29T17:36:48.000Z',
        headline: 'Small tides',
        description: 'Missed a day?',
        imageUrl: 'https://tpc.googlesyndication.com/simgad/5234432554131272933',
        imageUrls: ['https://tpc.googlesyndication.com/simgad/5234432554131272933'],
        region: 'US',
      },
      {
        advertiser_id: 'AR16735076323512287233',
        advertiser: 'Tides, Inc.',
        ad_creative_id: 'CR30410000000000000002',
        format: 'text',
        first_shown: 1_768_089_600,
        last_shown: 1_769_644_800,
        total_days_shown: 19,
      },
      {
        id: 'CR30410000000000000003',
        advertiser: { id: 'AR16735076323512287233', name: 'Tides, Inc.' },
        format: 'video',
        first_shown_datetime: '2026-01-11T00:00:00Z',
        last_shown_datetime: '2026-01-29T00:00:00Z',
      },
      {
        advertiser_id: 'AR16735076323512287233',
        advertiser_disclosed_name: 'Tides, Inc.',
        creative_id: 'CR30410000000000000004',
        ad_format_type: 'TEXT',
        region_stats: [
          { region_code: 'DE', first_shown: '2026-01-11', last_shown: '2026-01-15' },
          { region_code: 'AT', first_shown: '2026-01-12', last_shown: '2026-01-29' },
        ],
      },
    ]
    const summary = await bring(collected)
    assert.deepEqual([summary.stored, summary.rejected], [4, 0], summary.reasons.join())
    for (const at of [1, 2, 3, 4]) {
      const ad = await adOf('google', `CR3041000000000000000${at}`)
      assert.deepEqual(
        [ad.advertiser.name.value, ad.deliveryStartedOn.value, ad.deliveryEndedOn.value],
        ['Tides, Inc.', '2026-01-11', '2026-01-29'],
        String(at),
      )
    }
    const first = await adOf('google', 'CR30410000000000000001')
    assert.deepEqual(
      [first.creatives[0].title.value, first.creatives[0].media.length, first.countries.state],
      ['Small tides', 1, 'not-measured'],
    )
    assert.deepEqual((await adOf('google', 'CR30410000000000000004')).countries.value, ['at', 'de'])
  })

  test('belong to an app by a decision about their advertiser, and are found by it', async () => {
    await storeListings(world, [
      {
        trackId: 990901,
        trackName: 'Tidepool',
        observedAt: '2026-03-01T00:00:00Z',
        artistName: 'Tidepool Ltd',
      },
    ])
    const linked = await world.call('admin_link_paid_ads', {
      action: 'link',
      platform: 'google',
      advertiserId: 'AR05683893628569649153',
      competitor: '990901',
    })
    assert.deepEqual([linked.status, linked.body.storedAds], [201, 2])
    const other = {
      action: 'link',
      platform: 'google',
      advertiserId: '5683893628569649153',
      competitor: '990901',
    }
    assert.equal((await world.call('admin_link_paid_ads', other)).status, 400)
    assert.equal((await adOf('google', id)).links[0].app.name, 'Tidepool')
    const { body } = await world.call('search_paid_ads', {
      platform: 'google',
      advertiser: 'AR05683893628569649153',
    })
    assert.equal(body.total.value, 2)
    const { body: known } = await world.call('admin_search_paid_ad_advertisers', {
      platform: 'google',
      q: 'tidepool',
    })
    assert.deepEqual(
      [known.items[0]?.advertiserId, known.lookups[0]?.outcome],
      ['AR05683893628569649153', 'cannot-be-asked'],
    )
  })

  test('their table of advertisers is said to be what it is', async () => {
    const summary = await bring(
      table(['advertiser_id', 'advertiser_disclosed_name', 'advertiser_location'], ['AR1', 'Hasbro', '']),
    )
    assert.match(summary.reasons[0] ?? '', /Google's table of advertisers/)
  })
})

describe("Snap's ads", () => {
  const wrapped = (number: number, more: object = {}) => ({
    sub_request_status: 'SUCCESS',
    ad_preview: snapAd('Alder GmbH', number, more),
  })
  const idOf = (number: number) => snapAd('', number).id

  test('as a saved search, a saved ad, an array of ads and a list of saved answers', async () => {
    const page = { request_status: 'SUCCESS', request_id: 'x', paging: {}, ad_previews: [wrapped(101)] }
    const one = { request_status: 'SUCCESS', request_id: 'x', ad_preview: snapAd('Alder GmbH', 102) }
    const collected = [{ brand: 'alder', country: 'de', ads: [wrapped(103)] }]
    for (const content of [page, one, collected, [snapAd('Alder GmbH', 104)], [page, one]]) {
      const summary = await bring(content)
      assert.deepEqual(summary.reasons, [])
    }
    for (const number of [101, 102, 103, 104]) assert.ok(await stored('snapchat', idOf(number)), String(number))
  })

  test('stories and products have a creative each, and a link to an app by its id', async () => {
    const story = wrapped(110, {
      top_snap_media_type: 'COMPOSITE',
      composite_preview: {
        ad_snaps: [
          { top_snap_media_type: 'VIDEO', top_snap_media_download_link: 'https://cf-st.sc-cdn.net/d/1.mp4' },
          {
            top_snap_media_type: 'IMAGE',
            top_snap_media_download_link: 'https://cf-st.sc-cdn.net/d/2.jpg',
            web_view_preview: { url: 'https://example.com/two' },
          },
        ],
      },
    })
    const products = wrapped(111, {
      ad_render_type: 'DYNAMIC',
      dpa_preview: {
        items: [
          {
            title: 'Kit',
            link: 'https://example.com/kit',
            main_image: { image_links: ['https://cf-st.sc-cdn.net/k.jpg'] },
          },
          { title: 'Lamp', link: 'https://example.com/lamp' },
        ],
      },
    })
    const deep = wrapped(112, {
      web_view_properties: undefined,
      deep_link_properties: {
        deep_link_uri: 'tides://open',
        ios_app_id: '990111777',
        icon_media_url: 'https://x.example/i.png',
      },
    })
    const summary = await bring({ request_status: 'SUCCESS', ad_previews: [story, products, deep] })
    assert.deepEqual(summary.reasons, [])
    const shown = await Promise.all([110, 111, 112].map((number) => adOf('snapchat', idOf(number))))
    assert.deepEqual(
      shown.map(({ format, creatives }) => [format.value, creatives.length]),
      [
        ['carousel', 2],
        ['dynamic', 2],
        ['video', 1],
      ],
    )
    assert.deepEqual(
      shown[1]?.creatives.map((one: { title: { value: string }; linkUrl: { value: string } }) => [
        one.title.value,
        one.linkUrl.value,
      ]),
      [
        ['Kit', 'https://example.com/kit'],
        ['Lamp', 'https://example.com/lamp'],
      ],
    )
    assert.equal(shown[2]?.links[0].app.storeId, '990111777')
  })

  test('a saved refusal is refused, and an answer without ads tells nothing', async () => {
    const refused = await bring({
      request_status: 'ERROR',
      error_code: 'E1009',
      debug_message: 'Too many requests',
    })
    assert.match(refused.reasons[0] ?? '', /E1009: Too many requests/)
    const empty = await bring({ request_status: 'SUCCESS', request_id: 'x', paging: {}, ad_previews: [] })
    assert.deepEqual([empty.stored, empty.rejected], [0, 0])
    assert.match(empty.notes[0] ?? '', /tells nothing by itself/)
  })

  test("creators' posts for sponsors are no ads", async () => {
    const summary = await bring({
      request_status: 'SUCCESS',
      ad_previews: [{ sub_request_status: 'SUCCESS', sponsored_content_preview: { creator_name: 'moss' } }],
    })
    assert.match(summary.reasons[0] ?? '', /creator's post for a sponsor/)
  })
})

describe('What is none of these', () => {
  const all: [name: string, content: string, id: string][] = [
    ['ads_archive', table(python.columns, python.row('9001'), python.row('9002')), 'id'],
    ['Ad Library', table(apify.columns, apify.row('9003'), apify.row('9004')), 'ad_archive_id'],
    [
      'transparency',
      table(
        google.columns,
        google.row('CR9005', 'DE', '2026-01-01', '2026-01-02'),
        google.row('CR9006', 'DE', '2026-01-01', '2026-01-02'),
      ),
      'creative_id',
    ],
  ]

  for (const [name, content, id] of all) {
    test(`the table of ${name} with its column of ids renamed is told by name`, async () => {
      const renamed = content.replace(`"${id}"`, `"key_of_it"`)
      const summary = await bring(renamed)
      assert.deepEqual([summary.stored, summary.rejected], [0, 1])
      assert.match(summary.reasons[0] ?? '', new RegExp(`looks like .*, but has no column .*${id}`))
    })

    test(`the table of ${name} cut off keeps what is whole and tells the rest`, async () => {
      const lines = content.split('\n')
      const cut = [...lines.slice(0, 2), (lines[2] ?? '').slice(0, 40)].join('\n')
      const summary = await bring(cut, { observedAt: '2026-10-20' })
      assert.deepEqual([summary.stored, summary.rejected], [1, 1], summary.reasons.join())
      const only = await bring(lines[0] ?? '')
      assert.deepEqual([only.stored, only.rejected], [0, 1])
    })
  }

  test('a list that breaks off within a cell refuses its row', async () => {
    const [, , ...rest] = python.row('9010')
    const row = ['9010', '1', ...rest].map((cell) =>
      cell.startsWith("['Missed") ? "['Missed a day?', 'It" : cell,
    )
    const summary = await bring(table(python.columns, row))
    assert.deepEqual(summary.reasons, ['line 2: bad-value: ad_creative_bodies holds a list that breaks off'])
  })

  test("one table with two tools' columns, and two tables in one file", async () => {
    const both = await bring(
      table(
        [...python.columns, ...google.columns],
        [...python.row('9020'), ...google.row('CR1', 'DE', '', '')],
      ),
    )
    assert.match(
      both.reasons[0] ?? '',
      /columns of Google's .* and of Meta's ads_archive: one table is of one tool/,
    )
    const after = await bring([table(python.columns, python.row('9021')), table(google.columns)].join('\n'))
    assert.deepEqual([after.stored, after.rejected], [1, 1])
    assert.match(after.reasons[0] ?? '', /10 columns where the header has 13/)
  })

  test("two tools' records in one list are each read by their own form, and others are told by name", async () => {
    const summary = await bring([
      { id: '9030', page_id: '1', ad_creative_bodies: ['A'] },
      { creative_id: 'CR9031', advertiser_id: 'AR1', format: 'TEXT' },
      { page_name: 'A', ad_creative_bodies: ['A'] },
      { sub_request_status: 'SUCCESS', ad_preview: { headline: 'A' } },
      { creative_id: '9032', advertiser_id: 'AR1' },
      { something: 1 },
    ])
    assert.equal(summary.stored, 2)
    assert.deepEqual(
      summary.reasons.map((reason) => reason.slice(0, 60)),
      [
        "record 3: unknown-form: The record looks like Meta's ads_arc",
        'record 4: no-id: id is missing.',
        'record 5: no-id: creative_id is "9032".',
        'record 6: unknown-form: No known form of an ad has these fie',
      ],
    )
  })

  test('empty files', async () => {
    for (const content of ['', '[]', '{}']) {
      const summary = await bring(content, { name: `empty-${content.length}-${content.charCodeAt(0)}.json` })
      assert.equal(summary.stored, 0, content)
    }
  })
})

test('ads of every platform are told again by another store that they are brought into, and by a replay', async () => {
  const before = (await listed(world, 'search_paid_ads')).map((one) => toldAgain(one))
  const platforms = new Set(before.map((ad) => (ad as { platform: string }).platform))
  assert.deepEqual([...platforms].sort(), [...adPlatforms].sort())
  const out = await takenOut(world, 'paid-ads', folder, 'ads-again.ndjson')
  await using other = await openWorld()
  const again = await importInto(other, { kind: 'paid-ads', paths: [out] })
  assert.deepEqual([again.reasons, again.stored > 0], [[], true])
  const brought = (await listed(other, 'search_paid_ads')).map((one) => toldAgain(one))
  // Decisions belong to whoever made them.
  const withoutLinks = (ads: unknown[]) => ads.map((ad) => ({ ...(ad as object), links: [] }))
  assert.deepEqual(withoutLinks(brought), withoutLinks(before))
  await replay(world.store.db, () => {}, patient)
  assert.deepEqual(
    (await listed(world, 'search_paid_ads')).map((one) => toldAgain(one)),
    before,
  )
})
