import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { decompressPayload } from '../src/domain/evidence/packed-payload.ts'
import { rows } from '../src/storage/database.ts'
import { openFolder, rejectedLines } from './support/files.ts'
import { importInto } from './support/imports.ts'
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

let files = 0
const write = (content: unknown) =>
  folder.write(`ads-${++files}.json`, typeof content === 'string' ? content : JSON.stringify(content))
const importAds = (content: unknown, more: object = {}) =>
  importInto(world, { kind: 'paid-ads', paths: [write(content)], observedAt: '2026-03-01T06:00:00Z', ...more })
const get = async (archiveId: string, platform = 'meta') =>
  (await world.call('get_paid_ad', { platform, archiveId })).body

/** Everything kept of readings and ads, as text. */
async function everythingKept(): Promise<string> {
  const payloads = await rows(world.store.db, sql<{ content: Uint8Array }>`select content from payloads`)
  const texts = await Promise.all(
    payloads.map(async ({ content }) => Buffer.from(await decompressPayload(content)).toString()),
  )
  const reported = await rows(
    world.store.db,
    sql<{ text: string }>`
      select facts::text || evidence::text as text from ads
      union all select facts::text from ad_creatives
      union all select context::text from readings`,
  )
  return [...texts, ...reported.map(({ text }) => text)].join('\n')
}

const archived = (id: string, more: object = {}) => ({
  id,
  ad_creation_time: '2026-02-01',
  ad_creative_bodies: ['Missed a day?', 'Try it for seven days.'],
  ad_creative_link_titles: ['Small tides'],
  ad_creative_link_captions: ['apps.apple.com', 'example.com'],
  ad_delivery_start_time: '2026-02-02',
  ad_snapshot_url: `https://www.facebook.com/ads/archive/render_ad/?id=${id}&access_token=EAABsecretsecretsecret`,
  languages: ['en', 'de'],
  page_id: '104829173650281',
  page_name: 'Tidepool',
  publisher_platforms: ['facebook', 'instagram'],
  eu_total_reach: '48213',
  beneficiary_payers: [{ beneficiary: 'Tidepool Ltd', payer: 'Tidepool Media', current: true }],
  age_country_gender_reach_breakdown: [{ country: 'FR', age_gender_breakdowns: [] }, { country: 'DE' }],
  spend: { lower_bound: '100', upper_bound: '199' },
  impressions: { lower_bound: '1000' },
  currency: 'EUR',
  demographic_distribution: [{ percentage: '0.5', age: '18-24', gender: 'female' }],
  estimated_audience_size: { lower_bound: '10' },
  ...more,
})

test('a page of ads_archive is read without what was paid, what was shown how often, and the token', async () => {
  const token = 'EAABsecretsecretsecret'
  const page = {
    data: [archived('2001'), archived('2002', { ad_delivery_stop_time: '2026-02-20' })],
    paging: {
      cursors: { after: 'abc' },
      next: `https://graph.facebook.com/v24.0/ads_archive?access_token=${token}&limit=2&after=abc`,
    },
  }
  const summary = await importAds(page)
  assert.deepEqual([summary.read, summary.stored, summary.rejected], [2, 2, 0])
  const ad = await get('2001')
  assert.deepEqual(
    [ad.active.value, ad.deliveryEndedOn.state, ad.reachText.value, ad.language.value],
    [true, 'absent', '48213', 'en'],
  )
  assert.deepEqual([ad.countries.value, ad.advertiser.paidBy.value], [['de', 'fr'], ['Tidepool Media']])
  assert.deepEqual(
    ad.creatives.map((one: { title: { value: string }; body: { value: string } }) => [
      one.title.value,
      one.body.value,
    ]),
    [
      ['Small tides', 'Missed a day?'],
      ['Small tides', 'Try it for seven days.'],
    ],
  )
  assert.equal(ad.creatives[0].linkUrl.state, 'not-measured')
  assert.equal((await get('2002')).active.value, false)
  assert.doesNotMatch(JSON.stringify(ad), /spend|impression|percentage|currency|audience_size/i)
  const kept = await everythingKept()
  assert.ok(!kept.includes(token))
  assert.match(kept, /access_token=removed&limit=2/)
})

test('tokens are taken out however they are written', async () => {
  const forms = [
    '"ad_snapshot_url":"https:\\/\\/x\\/?id=1&access_token=EAASECRET1|x"',
    '"a":"https://x/?u=https%3A%2F%2Fy%3Faccess_token%3DEAASECRET2%26b%3D1"',
    '"b":"https://x/?access_token\\u003dEAASECRET3\\u0026c=1"',
    '"access_token":"EAASECRET4"',
    '"inner":"{\\"access_token\\":\\"EAASECRET5\\"}"',
    '"c":"https://x/?u=y%253Faccess_token%253DEAASECRET6%2526d%253D1"',
    `"d":"EAA${'SECRET'.repeat(10)}"`,
  ]
  await importAds(`{"archiveId":"2010","platform":"meta","creatives":[],${forms.join(',')}}`)
  const kept = await everythingKept()
  assert.match(kept, /2010/)
  assert.doesNotMatch(kept, /SECRET/)
  for (const rest of ['b%3D1', 'c=1', 'd%253D1']) assert.ok(kept.includes(rest), rest)
})

const webAd = (ad_archive_id: string, snapshot: object) => ({
  ad_archive_id,
  page_id: '775',
  page_name: 'Tides',
  is_active: true,
  start_date: 1_787_295_600,
  end_date: 1_789_714_800,
  publisher_platform: ['FACEBOOK', 'THREADS'],
  spend: 100,
  impressions_with_index: { impressions_text: '<100' },
  snapshot,
})
const graphql = (...ads: object[]) => ({
  data: {
    ad_library_main: {
      search_results_connection: { edges: ads.map((ad) => ({ node: { collated_results: [ad] } })) },
    },
  },
})

test('cards hold the real text where the ad itself holds a template, and say where they lead', async () => {
  const store = 'https://apps.apple.com/us/app/tides/id990111222'
  await importAds(
    [
      graphql(
        webAd('2020', {
          body: { text: '{{product.brand}}' },
          title: '{{product.name}}',
          display_format: 'DCO',
          cards: [
            {
              title: 'Small tides',
              body: 'For every day.',
              cta_type: 'INSTALL_MOBILE_APP',
              link_url: `https://l.facebook.com/l.php?u=${encodeURIComponent(store)}&h=AT0`,
              original_image_url: 'https://scontent.example.fbcdn.net/v/t39/1_2_3_n.jpg?oh=1',
            },
            {
              title: 'Small tides',
              body: ' ',
              link_url: 'https://example.com/?next=https://apps.apple.com/app/id990111223',
            },
          ],
        }),
      ),
      graphql(),
    ],
    { observedAt: '2026-09-20' },
  )
  const ad = await get('2020')
  assert.equal(ad.format.value, 'dynamic')
  assert.equal(ad.deliveryStartedOn.value, '2026-08-21')
  assert.deepEqual(
    ad.creatives.map((one: { body: { state: string; value?: string } }) => one.body.value ?? one.body.state),
    ['For every day.', 'absent'],
  )
  assert.equal(ad.creatives[0].callToAction.value, 'install-mobile-app')
  assert.deepEqual(
    ad.links.map((one: { app: { storeId: string }; grounds: { kind: string }[] }) => [
      one.app.storeId,
      one.grounds[0]?.kind,
    ]),
    [['990111222', 'landing-url']],
  )
})

test('TikTok tells dates, payers and reach in several ways, and ids as strings', async () => {
  const query = (id: unknown, ad: object, advertiser: object) => ({ ad: { id, ...ad }, advertiser })
  const summary = await importAds(
    `{"data":{"ads":[${JSON.stringify(
      query(
        '7318264509182736455',
        {
          first_shown_date: 20260103,
          last_shown_date: '20260301',
          status: 'active',
          reach: { unique_user_seen: '11K' },
          videos: [{ url: 'https://v16.tiktokcdn.com/a/1/video/tos/x/y/z/?a=1' }],
        },
        { business_id: '7318264509182736999', business_name: 'Tides', paid_for_by: 'Tides Ltd' },
      ),
    )},${JSON.stringify(
      query(
        '7318264509182736456',
        {
          first_shown_date: '2026-01-03',
          last_shown_date: 20260201,
          status: 'inactive',
          reach: { unique_users_seen: '2M' },
          image_urls: ['https://p16.tiktokcdn.com/tos/a~1.image'],
        },
        { business_id: 1, business_name: 'Tides', paid_by: 'Tides GmbH' },
      ),
    )},{"ad":{"id":7318264509182736457,"first_shown_date":20260103}},{"ad":{"id":"7","first_shown_date":20260230}}],"has_more":false},"error":{"code":"ok"}}`,
  )
  assert.deepEqual([summary.read, summary.stored, summary.rejected], [4, 3, 1])
  // Numbers keep their digits, however many there are.
  assert.equal((await get('7318264509182736457', 'tiktok')).deliveryStartedOn.value, '2026-01-03')
  assert.deepEqual(
    rejectedLines(summary.rejectedFile).map(({ position, reason }) => [position, reason]),
    [['record 4', 'impossible-date: ad.first_shown_date is "20260230".']],
  )
  const first = await get('7318264509182736455', 'tiktok')
  assert.deepEqual(
    [
      first.deliveryStartedOn.value,
      first.deliveryEndedOn.state,
      first.reachText.value,
      first.advertiser.paidBy.value,
    ],
    ['2026-01-03', 'absent', '11K', ['Tides Ltd']],
  )
  const second = await get('7318264509182736456', 'tiktok')
  assert.deepEqual(
    [second.active.value, second.deliveryEndedOn.value, second.reachText.value, second.format.value],
    [false, '2026-02-01', '2M', 'image'],
  )
  assert.equal(second.publisherPlatforms.state, 'not-measured')
})

test('what a platform other than Meta calls the places of an ad does not refuse the ad', async () => {
  const summary = await importAds([
    { platform: 'tiktok', archiveId: '1743711071347458650', active: true, publisherPlatforms: ['tiktok'] },
    { platform: 'meta', archiveId: '1743711071347458', active: true, publisherPlatforms: ['tiktok'] },
  ])
  assert.deepEqual([summary.stored, summary.rejected], [1, 1])
  assert.equal((await get('1743711071347458650', 'tiktok')).archiveId, '1743711071347458650')
})

test('an error that came as an answer is refused by name', async () => {
  for (const [content, reported] of [
    [
      { error: { message: 'Session has expired', type: 'OAuthException', code: 190 } },
      /190: Session has expired/,
    ],
    [{ data: {}, error: { code: 'access_token_invalid', message: 'invalid' } }, /access_token_invalid/],
    [{ code: 40101, msg: 'no permission' }, /40101: no permission/],
    [
      { errors: [{ message: 'Rate limit exceeded', code: 1675004 }], data: null },
      /1675004: Rate limit exceeded/,
    ],
  ] as const) {
    const summary = await importAds(content)
    assert.deepEqual([summary.stored, summary.rejected], [0, 1])
    assert.match(rejectedLines(summary.rejectedFile)[0]?.reason ?? '', reported)
  }
})

test('a table comes in through a mapping, and what it does not carry is not measured', async () => {
  const table = [
    'id,page,pid,from,to,running,where,words,button,landing,film',
    '2030,Tides,55,2026-02-01,,yes,DE;FR,"Missed, again?",Install Now,https://apps.apple.com/app/id990111333,https://example.com/a.mp4',
    '2031,Tides,55,2026-02-31,,yes,DE,x,,,',
    'abc,Tides,55,2026-02-01,,yes,DE,x,,,',
  ].join('\n')
  const mapping = {
    fields: {
      archiveId: 'id',
      advertiserName: 'page',
      advertiserId: 'pid',
      startedOn: 'from',
      endedOn: 'to',
      active: 'running',
      countries: 'where',
      body: 'words',
      callToAction: 'button',
      linkUrl: 'landing',
      videoUrls: 'film',
    },
    constants: { platform: 'meta' },
    document: {},
  }
  const summary = await world.import({
    kind: 'paid-ads',
    paths: [folder.write('ads.csv', table)],
    observedAt: '2026-03-01',
    mapping,
  })
  assert.deepEqual([summary.read, summary.stored, summary.rejected], [3, 1, 2])
  const ad = await get('2030')
  assert.deepEqual(
    [ad.countries.value, ad.format.value, ad.deliveryEndedOn.state],
    [['de', 'fr'], 'video', 'absent'],
  )
  assert.deepEqual(
    [ad.creatives[0].callToAction.value, ad.creatives[0].title.state],
    ['install-now', 'not-measured'],
  )
  assert.equal(ad.links[0].app.storeId, '990111333')
  const without = await world.import({ kind: 'paid-ads', paths: [folder.write('ads.csv', table)] })
  assert.match(rejectedLines(without.rejectedFile)[0]?.reason ?? '', /needs a mapping/)
})

test('a thinner source of the same ad counts as the fuller creative seen again', async () => {
  const snapshot = {
    title: 'Small tides',
    body: { text: 'Missed a day?' },
    link_url: 'https://example.com/',
    display_format: 'IMAGE',
    images: [{ original_image_url: 'https://scontent.example.fbcdn.net/v/t39/1_2_3_n.jpg?oh=1' }],
    videos: [],
  }
  await importAds(webAd('2040', snapshot), { observedAt: '2026-09-01' })
  const thin = { ad_creative_bodies: ['Missed a day?'], ad_creative_link_captions: undefined }
  await importAds([archived('2040', thin)], { observedAt: '2026-09-05' })
  const ad = await get('2040')
  assert.deepEqual(
    ad.creatives.map((one: { current: boolean; media: object[]; lastObservedAt: string }) => [
      one.current,
      one.media.length,
      one.lastObservedAt.slice(0, 10),
    ]),
    [[true, 1, '2026-09-05']],
  )
})

const real = `${sharedData}ads`
const skip = existsSync(real) ? false : 'the real ads are not on this machine'

test('the real files come in with every record explained, and twice changes nothing', { skip }, async () => {
  await using own = await openWorld()
  const order = { kind: 'paid-ads' as const, paths: ['ads'] }
  const first = await own.import(order)
  // One political record of the API, 30 and 3 ads of the web page, 3 materials of the Creative Center; two errors.
  assert.deepEqual([first.files, first.read, first.stored, first.rejected], [9, 39, 37, 2])
  assert.deepEqual(
    rejectedLines(first.rejectedFile).map(({ file, reason }) => [file.split('/').at(-1), reason]),
    [
      ['graphql_rate_limited_1675004.json', 'the library answered with an error 1675004: Rate limit exceeded'],
      [
        'creative_center_error_40101_no_permission.json',
        'the library answered with an error 40101: no permission',
      ],
    ],
  )
  const second = await own.import(order)
  assert.deepEqual([second.stored, second.unchanged], [0, 37])
  const replies = []
  const stored = await rows(
    own.store.db,
    sql<{ platform: string; archiveId: string }>`
    select platform, archive_id as "archiveId" from ads`,
  )
  assert.equal(stored.length, 37)
  for (const ad of stored) replies.push((await own.call('get_paid_ad', ad)).body)
  const text = JSON.stringify(replies)
  assert.doesNotMatch(text, /spend|impressions|demographic|estimated_audience|"cost"|"ctr"|access_token/i)
  const laptop = replies.find((ad) => ad.archiveId === '952254996289312')
  assert.equal(laptop?.advertiser.name.value, 'Laptop nhập khẩu Bảo Duy')
  assert.equal(laptop?.deliveryStartedOn.value, '2024-04-05')
  assert.deepEqual([laptop?.language.value, laptop?.evidence[0].surface], ['vi', 'Language detection'])
  const carousel = replies.find((ad) => ad.archiveId === '1396628347647671')
  assert.deepEqual([carousel?.format.value, carousel?.creatives.length], ['carousel', 4])
})

test('the record in the documentation is one we read', async () => {
  const page = readFileSync(new URL('../docs/imports.md', import.meta.url), 'utf8')
  const [, example = ''] = /```json\n(\{\n {2}"platform"[\s\S]*?)```/.exec(page) ?? []
  const summary = await importAds(JSON.parse(example))
  assert.deepEqual([summary.stored, summary.rejected], [1, 0])
  const ad = await get('1127384950617284')
  assert.deepEqual([ad.creatives[0].description.state, ad.deliveryEndedOn.state], ['absent', 'absent'])
  assert.deepEqual(ad.links[0].grounds[0].kind, 'landing-url')
})

test('an ad observed in the future is refused', async () => {
  const summary = await importAds({ platform: 'meta', archiveId: '1', observedAt: '2090-01-01T00:00:00Z' })
  assert.match(rejectedLines(summary.rejectedFile)[0]?.reason ?? '', /^impossible-date: observedAt/)
})
