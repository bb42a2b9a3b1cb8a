import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { searchPage } from './support/apple-answers.ts'
import { openFolder } from './support/files.ts'
import { begin, run } from './support/in-process.ts'
import { type Installation, openInstallation } from './support/installation.ts'
import { snapAd } from './support/snap.ts'
import { storeTracked } from './support/tracking.ts'
import { sharedData } from './support/world.ts'

const folder = openFolder()
let here: Installation
before(async () => {
  here = await openInstallation()
})
after(async () => {
  await here[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

interface Shown {
  file: string
  kind: string | null
  kinds: string[]
  of: string | null
  couldBe: { kind: string }[]
  why: string | null
  unread: string[]
  records?: number
  refused?: number
  firstRefusal?: { position: string; reason: string } | null
  firstDay?: string | null
  lastDay?: string | null
  apps?: number
  notes?: string[]
}

/** What a dry run says of each file, by its path. */
async function shown(...paths: string[]): Promise<Map<string, Shown>> {
  const { out } = await run(['import', '--dry-run', '--json', ...paths], { cwd: folder.path })
  return new Map((JSON.parse(out).files as Shown[]).map((one) => [one.file, one]))
}

async function shownOf(name: string, content: string | Uint8Array): Promise<Shown> {
  folder.write(name, content)
  return (await shown(name)).get(name) ?? assert.fail(`${name} is not shown`)
}

const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join('\n')
const app = {
  trackId: 6551000001,
  trackName: 'Alder',
  wrapperType: 'software',
  kind: 'software',
  bundleId: 'a.b',
}
const post = { network: 'tiktok', id: '7300000000000000001', text: 'made up', observedAt: '2026-03-01' }
const ad = { platform: 'meta', archiveId: '1127384950617284', observedAt: '2026-03-12T06:00:00Z', active: true }
const redditPost = { id: '1odxw00', subreddit: 'Notion', title: 'made up', created_utc: 1761208407 }
const saved = { savedAt: '2026-03-02T00:00:00.000Z', note: 'why', tags: ['hook'] }
const report =
  'Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price\n'

/** Made-up files of each kind, with the kind that each is. */
const made: Readonly<Record<string, [kind: string, content: string | Uint8Array]>> = {
  'lookup-de.json': ['catalogue', JSON.stringify({ resultCount: 1, results: [app] })],
  'apps.ndjson.gz': ['catalogue', gzipSync(lines(app, { ...app, trackId: 6551000002 }))],
  'search_tide planner_us_2026-03-01.json': [
    'search-results',
    JSON.stringify({ resultCount: 1, results: [app] }),
  ],
  'texts.csv': ['listing', 'locale,name,subtitle,keywords\nen-US,Tides,Waves,"surf,sea"\n'],
  'localizations.json': [
    'listing',
    JSON.stringify({ 'en-US': { keywords: 'surf,sea', whatsNew: 'Faster' }, 'de-DE': { whatsNew: 'Neu' } }),
  ],
  'places.csv': [
    'charts',
    'date,id,name,country,chart,category,rank\n2026-02-09,6551000001,Alder,us,top-free,6007,1\n',
  ],
  'places.json': [
    'charts',
    JSON.stringify({
      country: 'us',
      feedType: 'top-free',
      genre: '6007',
      date: '2026-02-17',
      items: [{ rank: 1, id: '6551000001' }],
    }),
  ],
  'by-country.json': [
    'charts',
    JSON.stringify({
      date: '2026-02-17',
      datasets: [
        {
          country: 'us',
          feedType: 'top-free',
          genre: '6007',
          items: [{ rank: 1, id: '6551000001', name: 'Alder' }],
        },
      ],
    }),
  ],
  'feed.json': [
    'charts',
    JSON.stringify({
      feed: {
        id: 'https://rss.applemarketingtools.com/api/v2/us/apps/top-free/10/apps.json',
        results: [{ id: '1', name: 'Alder' }],
      },
    }),
  ],
  'downloads.csv': ['sales', 'date,app,country,device,downloads\n2026-02-07,6551000099,de,iPhone,900\n'],
  'S_D_80000001_20260214.txt': [
    'sales',
    `${report}APPLE\tUS\talder\tAlder\tAlder\t1.0\t1F\t10\t0\t02/14/2026\t02/14/2026\tUSD\tUS\tUSD\t6551000001\t0\n`,
  ],
  'posts.ndjson': ['organic', lines(post, { ...post, id: '7300000000000000002' })],
  'reddit.json': ['organic', JSON.stringify({ data: { children: [{ kind: 't3', data: redditPost }] } })],
  'trending.csv': ['organic', 'video_id,trending_date,title,views\nabcdEFGH_99,17.14.11,made up,1000\n'],
  'tweets.js': [
    'organic',
    'window.YTD.tweets.part0 = [ {"tweet":{"id_str":"19","created_at":"Mon Mar 10 08:00:00 +0000 2025","full_text":"a"}} ]',
  ],
  'twarc.jsonl': [
    'organic',
    lines({
      data: [{ id: '19', text: 'a', author_id: '1' }],
      includes: { users: [{ id: '1', username: 'a' }] },
    }),
  ],
  'video.info.json': [
    'organic',
    '{"id":"abcdEFGH_98","extractor_key":"Youtube","title":"made up","formats":[]}',
  ],
  '2025-01-09_10-00-00_UTC.json': [
    'organic',
    '{"node":{"shortcode":"Cabc","is_video":false},"instaloader":{"node_type":"Post"}}',
  ],
  'profile.json': [
    'organic',
    '{"data":{"user":{"username":"a","edge_owner_to_timeline_media":{"edges":[{"node":{"shortcode":"Cabd","is_video":false}}]}}}}',
  ],
  'tikwm.json': [
    'organic',
    '{"code":0,"data":{"id":"7300000000000000003","title":"a","play_count":1,"digg_count":1}}',
  ],
  'pyktok.csv': ['organic', 'video_id,video_playcount,author_username\n7300000000000000004,1,a\n'],
  'flat.csv': ['organic', 'id,text,authorMeta.name,diggCount\n7300000000000000005,a,b,1\n'],
  'board.json': [
    'saved',
    '{"metadata":{"success":true},"data":[{"ad_id":"1127384950617285","brand_id":"b","publisher_platform":["facebook"],"headline":"a"}]}',
  ],
  'own-ads.ndjson': ['paid-ads', lines(ad)],
  'archive.json': [
    'paid-ads',
    JSON.stringify({
      data: [
        { id: '1354041633409901', page_id: '1', page_name: 'Alder', ad_delivery_start_time: '2026-01-30' },
      ],
    }),
  ],
  'researchers.csv': [
    'paid-ads',
    `id,page_name,ad_delivery_start_time,ad_creative_bodies\n1354041633409901,Alder,2026-01-30,"['Missed a day?']"\n`,
  ],
  'collector.csv': [
    'paid-ads',
    'ad_archive_id,page_name,publisher_platform/0,snapshot/body/text,snapshot/title\n1354041633409902,Alder,FACEBOOK,Missed a day?,Tides\n',
  ],
  'library-page.json': [
    'paid-ads',
    JSON.stringify({
      code: 0,
      data: [
        {
          id: '1816440843906114',
          name: 'Alder',
          first_shown_date: 1_767_225_600_000,
          audit_status: '1',
          videos: [],
        },
      ],
    }),
  ],
  'snap.json': [
    'paid-ads',
    JSON.stringify({
      request_status: 'SUCCESS',
      ad_previews: [{ sub_request_status: 'SUCCESS', ad_preview: snapAd('Alder GmbH', 1) }],
    }),
  ],
  'snap-ads.ndjson': ['paid-ads', lines(snapAd('Alder GmbH', 2), snapAd('Alder GmbH', 3))],
  'snap-empty.json': ['paid-ads', JSON.stringify({ request_status: 'SUCCESS', paging: {}, ad_previews: [] })],
  'google.csv': [
    'paid-ads',
    'advertiser_id,creative_id,ad_format_type,region_code,first_shown,last_shown\nAR1,CR1,TEXT,DE,2026-01-01,2026-01-02\n',
  ],
  'google.json': [
    'paid-ads',
    JSON.stringify([{ advertiserId: 'AR1', creativeId: 'CR2', format: 'image', firstShown: '2026-01-01' }]),
  ],
  'store-ads.json': [
    'paid-ads',
    JSON.stringify({
      data: [{ adId: '0a1f', appId: 6551000001, placement: 'APPSTORE_SEARCH_RESULTS', countryOrRegion: 'DE' }],
      pagination: { totalResults: 1, startIndex: 0 },
      dataEndDate: '2026-03-01',
    }),
  ],
  'no-store-ads.json': [
    'paid-ads',
    JSON.stringify({ data: [], pagination: { totalResults: 0, startIndex: 0 }, dataEndDate: '2026-03-01' }),
  ],
  'swipe.ndjson': ['saved', lines({ ...ad, saved }, { ...post, postId: 'tiktok_7300000000000000001', saved })],
  'keywords.csv': ['keywords', 'Keyword,Popularity,Difficulty,Position\ntide planner,6,64,52\n'],
  'tagged.csv': [
    'keywords',
    '\uFEFFsep=;\nSearch Term;Tags;Storefront;Notes\ntide planner;core, tides;us;from Ada\n',
  ],
  'rivals.txt': [
    'competitors',
    'https://apps.apple.com/us/app/alder/id6551000001\n6551000002\ncom.example.birch\n',
  ],
  'by-day.csv': [
    'charts',
    'app,country,chart,category,2026-02-10,2026-02-11\n6551000001,us,top-free,6007,12,14\n',
  ],
  'ranks.csv': [
    'keyword-ranks',
    'date,keyword,country,rank,app_id\n2026-01-15,tide planner,es,42,6551000099\n',
  ],
  'ranks-by-day.csv': [
    'keyword-ranks',
    'Keyword,App ID,Country,2026-01-15,2026-01-16\ntide planner,6551000099,us,42,40\n',
  ],
  'apptweak.json': [
    'keyword-ranks',
    JSON.stringify({
      result: {
        '6551000099': {
          'tide planner': { rank: [{ value: 12, date: '2026-01-15', fetch_performed: true }] },
        },
      },
    }),
  ],
  'rivals.csv': ['competitors', 'App Name,App Store ID,Country\nAlder,6551000001,us\n'],
}

/** Real files, with what each is; tests are skipped where they are not there. */
const real: Readonly<Record<string, string>> = {
  'apple/search/search_chat_us_2022-02-15_64e4a4f1.json': 'search-results',
  'apple/search/lookup_slack.json': 'catalogue',
  'apple/search/captures.csv': 'search-results',
  'apple/charts/rss-v1-hk-2019/top100.json': 'charts',
  'apple/charts/us-daily-2026/apps-2026-02-17-us-top-free.json': 'charts',
  'apple/charts/jp-finance-daily/jp_finance_top-free_2025-01-02T0657Z_9312b5c8.json': 'charts',
  'catalogue/AppleStore.csv': 'catalogue',
  'catalogue/appleStore_description4.csv': 'catalogue',
  'social/reddit-notion-2025.json': 'organic',
  'social/tiktok-trending-2020.json': 'organic',
  'ads/meta/ads_archive_political_2021.json': 'paid-ads',
  'ads/meta/ads_library_search_laptop_VN_2024-04-15.json': 'paid-ads',
  'ads/meta/graphql_search_empty.json': 'paid-ads',
  'ads/tiktok/creative_center_top_ads_list_JP_2025-10-21_first1of20.json': 'paid-ads',
}

describe('a folder of anything', () => {
  test('each of its files is recognised as what it is, and none as anything else', async () => {
    const names = Object.keys(made)
    for (const name of names) folder.write(`mixed/${name}`, made[name]?.[1] ?? '')
    const isThere = existsSync(sharedData)
    if (isThere)
      for (const path of Object.keys(real))
        folder.write(`mixed/real/${path.split('/').at(-1)}`, readFileSync(join(sharedData, path)))
    const found = await shown('mixed')
    const expected = [
      ...names.map((name) => [`mixed/${name}`, made[name]?.[0]]),
      ...(isThere
        ? Object.entries(real).map(([path, kind]) => [`mixed/real/${path.split('/').at(-1)}`, kind])
        : []),
    ].sort(([one = ''], [other = '']) => (one < other ? -1 : 1))
    const kinds = [...found.values()]
      .map(({ file, kind }) => [file, kind])
      .sort(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1))
    assert.deepEqual(kinds, expected)
    assert.ok(!isThere || kinds.length >= 30, `${kinds.length} files`)
  })

  test('each is shown with its records, apps and days, and with what is not read of it', async () => {
    const found = await shown('mixed')
    const of = (name: string) => found.get(`mixed/${name}`) ?? assert.fail(name)
    const { records, refused, apps, firstDay, lastDay } = of('downloads.csv')
    assert.deepEqual([records, refused, apps, firstDay, lastDay], [1, 0, 1, '2026-02-07', '2026-02-07'])
    assert.deepEqual(of('downloads.csv').unread, ['device'])
    assert.deepEqual(of('keywords.csv').unread, ['Popularity', 'Difficulty', 'Position'])
    assert.deepEqual(of('tagged.csv').unread, [])
    assert.deepEqual(
      of('swipe.ndjson').kinds,
      ['saved'],
      'its ads and posts come with what was written beside them',
    )
    assert.equal(of('tweets.js').of, 'posts of X')
    assert.equal(of('video.info.json').of, 'posts of yt-dlp and youtube-dl')
    assert.equal(of('pyktok.csv').of, 'posts of TikTok collectors')
    assert.equal(of('posts.ndjson').of, 'posts of our own form')
    assert.equal(of('archive.json').of, 'ads of Meta')
    assert.equal(of('snap.json').of, 'ads of Snapchat')
    assert.equal(of('google.csv').of, 'ads of Google')
    assert.equal(of('store-ads.json').of, 'ads of Apple')
  })
})

test('the texts of a fastlane folder are recognised and brought together, and what else lies there is not read', async () => {
  const files: Readonly<Record<string, string>> = {
    'fl/metadata/en-US/name.txt': 'Tides',
    'fl/metadata/en-US/keywords.txt': 'surf,sea',
    'fl/metadata/de-DE/keywords.txt': '',
    'fl/metadata/default/subtitle.txt': 'Waves',
    'fl/metadata/en_GB/name.txt': 'Tides',
    'fl/metadata/review_information/demo_password.txt': 'hunter2',
    'fl/metadata/copyright.txt': '2026 Somebody',
  }
  for (const [path, content] of Object.entries(files)) folder.write(path, content)
  const found = await shown('fl')
  const of = (path: string) => found.get(`fl/metadata/${path}`) ?? assert.fail(path)
  for (const path of ['en-US/name.txt', 'en-US/keywords.txt', 'de-DE/keywords.txt', 'default/subtitle.txt'])
    assert.deepEqual([of(path).kind, of(path).records, of(path).refused], ['listing', 1, 0], path)
  assert.match(of('en_GB/name.txt').firstRefusal?.reason ?? '', /did you mean "en-GB"/)
  for (const path of ['review_information/demo_password.txt', 'copyright.txt'])
    assert.match(of(path).why ?? '', /fastlane folder, and no text of a listing/)
  {
    await using store = await here.open()
    await storeTracked({ store }, { storeId: '6551000001' })
  }
  const args = ['import', '--yes', '--json', 'fl', '--app', '6551000001', ...here.location]
  const { out } = await run(args, { cwd: folder.path })
  const [{ kind, localizations, stored, rejected }] = JSON.parse(out).imports
  assert.deepEqual([kind, localizations, stored, rejected], ['listing', ['de-DE', 'en-US'], 2, 0])
})

describe('what cannot be told', () => {
  test('an export of keywords whose name tells a day is a list of them and ranks of that day', async () => {
    const table = 'Keyword,Popularity,Difficulty,Position,App ID,Country\ntide planner,6,64,52,6551000099,us\n'
    const dated = await shownOf('astro-2026-03-01.csv', table)
    assert.deepEqual([dated.kind, dated.couldBe.map(({ kind }) => kind)], [null, ['keywords', 'keyword-ranks']])
    assert.equal((await shownOf('astro.csv', table)).kind, 'keywords')
  })

  test('an error that a network answered, and what instaloader saves beside posts, are no posts', async () => {
    for (const [name, content] of [
      ['error.json', '{"errors":[{"code":88,"message":"Rate limit exceeded"}]}'],
      ['story.json', '{"node":{"shortcode":"Cabc","is_video":false},"instaloader":{"node_type":"StoryItem"}}'],
    ] as const)
      assert.equal((await shownOf(name, content)).kind, null, name)
  })

  test('a file of two kinds is said to be so, and is not guessed', async () => {
    const { kind, couldBe } = await shownOf('both.ndjson', lines(post, ad))
    assert.equal(kind, null)
    assert.deepEqual(couldBe.map((one) => one.kind).sort(), ['organic', 'paid-ads'])
  })

  test('a saved web search page is recognised by what it holds for its scripts, also where it is cut off', async () => {
    const page = searchPage({ term: 'river', country: 'us', entries: [{ adamId: '1', title: 'One' }] })
    const whole = await shownOf('page-2026-03-04.html', page)
    assert.deepEqual([whole.kind, whole.records, whole.refused], ['search-results', 1, 0])
    const cut = await shownOf('cut-2026-03-04.html', page.slice(0, page.indexOf('nextPage')))
    assert.deepEqual([cut.kind, cut.refused], ['search-results', 1])
    assert.match(cut.firstRefusal?.reason ?? '', /stops in the middle/)
  })

  test('a saved page of an app is recognised, in any language, also where it is cut off', async () => {
    const data = { lockup: { adamId: '6551000001', title: 'Farol' }, shelfMapping: {} }
    const script = JSON.stringify({ data: [{ intent: { id: '6551000001' }, data }] })
    const page = `<!DOCTYPE html><html lang="es-MX"><script id="serialized-server-data">${script}</script></html>`
    const whole = await shownOf('app-2026-03-04.html', page)
    assert.deepEqual([whole.kind, whole.records, whole.refused], ['catalogue', 1, 0])
    const cut = await shownOf('cut-app-2026-03-04.html', page.slice(0, page.indexOf('}]}')))
    assert.deepEqual([cut.kind, cut.refused], ['catalogue', 1])
    assert.match(cut.firstRefusal?.reason ?? '', /stops in the middle/)
  })

  test('what is no file of anything is named, with the reason', async () => {
    const cases: [content: string | Uint8Array, why: RegExp][] = [
      ['', /empty/],
      [' \n\n', /empty/],
      ['<html><b>x</b></html>', /HTML or XML/],
      [Buffer.from('PK\u0003\u0004xl/workbook.xml', 'latin1'), /Excel workbook/],
      [Buffer.from('%PDF-1.7'), /PDF/],
      ['{"code":40101,"msg":"no permission"}', /an error that a service answered.*no permission/],
      ['{"errors":[{"message":"Rate limit exceeded","code":1}],"data":null}', /Rate limit exceeded/],
      [
        'date,app,country,installations\n2026-02-07,6551000099,de,900\n',
        /no form that is known; it has date, app, country, installations/,
      ],
      [
        'Page ID,Page name,Disclaimer,Amount spent (USD),Number of ads in Library\n104829173650281,Alder,,100,7\n',
        /Meta's Ad Library Report, a table of advertisers/,
      ],
      [
        'Ad ID,page_id,page_name,ad_delivery_start_time,ad_creative_bodies\n1,1,Alder,2026-01-30,a\n',
        /like .* but without /,
      ],
      ['a,b\n1,2\n', /no form that is known; it has a, b/],
      ['{"a":', /broken or truncated/],
      ['tide planner\nquiet alarm\n', /rivalscope import keywords/],
      [
        lines({ file: 'a', position: 'line 1', reason: 'x', record: app }),
        /rejected records of an earlier import/,
      ],
      ['{"fields":{"term":"Suchbegriff"}}', /a mapping: pass it with --map/],
    ]
    for (const [index, [content, why]] of cases.entries()) {
      const one = await shownOf(`odd-${index}`, content)
      assert.equal(one.kind, null)
      assert.match(one.why ?? '', why)
    }
  })

  test('a file that is cut off is still told, and refused where it stops', async () => {
    const whole = JSON.stringify({ resultCount: 2, results: [app, { ...app, trackId: 6551000002 }] })
    const document = await shownOf('cut.json', whole.slice(0, -20))
    assert.deepEqual([document.kind, document.refused, document.records], ['catalogue', 1, 1])
    assert.match(document.firstRefusal?.reason ?? '', /stops in the middle/)
    const packed = gzipSync(
      Array.from({ length: 200 }, (_, id) => JSON.stringify({ ...post, id: `${id}7300000` })).join('\n'),
    )
    const half = await shownOf('cut.ndjson.gz', packed.subarray(0, packed.length - 40))
    assert.match(half.why ?? half.firstRefusal?.reason ?? '', /truncated or damaged/)
    const table = await shownOf(
      'cut.csv',
      'date,app,country,downloads\n2026-02-07,6551000099,de,900\n2026-02-08,65510',
    )
    assert.deepEqual([table.kind, table.refused], ['sales', 1])
  })

  test('a long document is recognised by its beginning, and read to its end', async () => {
    const items = Array.from({ length: 6_000 }, (_, index) => ({
      ...post,
      id: `73000000000${index}`,
      text: 'x'.repeat(1_500),
    }))
    const { kind, records } = await shownOf('long.json', JSON.stringify({ about: 'made up', posts: items }))
    assert.deepEqual([kind, records], ['organic', 6_000])
  })

  test('markup and control characters of a file never reach the terminal', async () => {
    folder.write('evil.csv', 'a\u001b[31m<b>,b\u202e\n1,2\n')
    const { out } = await run(['import', '--dry-run', 'evil.csv'], { cwd: folder.path })
    assert.ok(!out.includes('\u001b') && !out.includes('\u202e'))
  })
})

test('two tables in one file are refused whole, whatever they are of', async () => {
  const lists = await shownOf('two-lists.csv', 'Keyword,Popularity\ntide,6\nTerm,Country,Notes\nswell,us,x\n')
  assert.deepEqual([lists.kind, lists.refused, lists.records], ['keywords', 1, 1])
  const ranks = await shownOf(
    'two-ranks.csv',
    'date,keyword,country,rank,app_id\n2026-01-15,tide,us,4,6551000099\nKeyword,Date,Country,App ID,Rank\ntide,2026-01-16,us,6551000099,5\n',
  )
  assert.deepEqual([ranks.kind, ranks.refused, ranks.records], ['keyword-ranks', 1, 1])
})

describe('the command', () => {
  const words = (...more: string[]) => ['import', ...more, ...here.location]

  test('a dry run stores nothing, and makes no store', async () => {
    folder.write('one/places.csv', made['places.csv']?.[1] ?? '')
    const { code, out, err } = await run(['import', '--dry-run', 'one', '--data-dir', 'none'], {
      cwd: folder.path,
    })
    assert.deepEqual([code, err], [0, ''])
    assert.match(
      out,
      /^one\/places\.csv: charts: charts, a place a row, 1 record of 1 app, 2026-02-09\n1 file: 1 charts\n$/,
    )
    assert.ok(!existsSync(join(folder.path, 'none')))
    folder.write('nothing.csv', 'a,b\n1,2\n')
    assert.equal((await run(['import', '--dry-run', 'nothing.csv'], { cwd: folder.path })).code, 1)
  })

  test('without a terminal and without --yes it stores nothing, and says how', async () => {
    const { code, err, out } = await run(words('one'), { cwd: folder.path })
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /one\/places\.csv: charts/)
    assert.match(err, /Nothing was stored: nobody is here to be asked\. --yes imports/)
  })

  test('--yes imports each kind as its own command does, and says what was left out', async () => {
    folder.write('one/odd.csv', 'a,b\n1,2\n')
    folder.write('one/posts.ndjson', lines(post))
    const { code, out, err } = await run(words('one', '--yes'), { cwd: folder.path })
    assert.equal(code, 0)
    assert.equal(
      out,
      'charts: read 1, stored 1, unchanged 0, rejected 0 chart places from 1 file\n' +
        'organic: read 1, stored 1, unchanged 0, rejected 0 posts from 1 file\n',
    )
    assert.match(err, /1 file left out/)
    const again = await run(words('one', '--yes', '--json'), { cwd: folder.path })
    const { files, imports } = JSON.parse(again.out)
    assert.equal(files.length, 3)
    assert.deepEqual(
      imports.map((one: { kind: string; unchanged: number }) => [one.kind, one.unchanged]),
      [
        ['charts', 1],
        ['organic', 1],
      ],
    )
  })

  test('at a terminal it asks which of several kinds is meant, and whether to import', async () => {
    folder.write('asked/both.ndjson', lines({ ...post, id: '7300000000000000009' }, { ...ad, archiveId: '99' }))
    const one = begin(words('asked'), { cwd: folder.path, isTTY: true })
    await one.says(/could be .*organic.* or .*paid-ads|could be .*paid-ads.* or .*organic/)
    await one.says(/Which\? Enter leaves it out: /)
    one.stdin.write('organic\n')
    await one.says(/Import 1 file\? \[y\/N\] /)
    one.stdin.write('y\n')
    const { code, out } = await one.ended
    assert.equal(code, 0)
    assert.match(out, /organic: read 2, stored 1, unchanged 0, rejected 1 posts/)
    const other = begin(words('asked'), { cwd: folder.path, isTTY: true })
    await other.says(/Which\?/)
    other.stdin.write('organic\n')
    await other.says(/\[y\/N\] /)
    other.stdin.write('\n')
    const refused = await other.ended
    assert.deepEqual([refused.code, refused.out], [0, ''])
    assert.match(refused.err, /Nothing was stored\./)
  })

  test('a word that is neither a kind nor a file names the kinds, and options before a kind never import', async () => {
    const typo = await run(words('chart', '--yes'), { cwd: folder.path })
    assert.equal(typo.code, 2)
    assert.match(
      typo.err,
      /There is no file or directory chart\. A kind goes before its files.*catalogue, charts/,
    )
    const before = await run(['import', '--dry-run', 'charts', 'one'], { cwd: folder.path })
    assert.equal(before.code, 2)
    assert.match(before.err, /There is no file or directory charts/)
    const pipe = await run(words('-', '--yes'), { input: lines(post) })
    assert.equal(pipe.code, 2)
    assert.match(pipe.err, /Standard input can be read once: name its kind/)
  })
})
