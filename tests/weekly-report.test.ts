import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { decodeHTML } from 'entities'
import { Parser } from 'htmlparser2'
import { v7 as uuidv7 } from 'uuid'
import { writeCandidates } from '../src/domain/emerging/candidate-queries.ts'
import { inTransaction } from '../src/storage/database.ts'
import { skip as noBrowser, openBrowser } from './support/browser.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { operate } from './support/operator.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld, sharedData, type World } from './support/world.ts'

/** The weekly report. Each test has an account of its own. */

const real = existsSync(join(sharedData, 'apple'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

let world: World
const parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
before(async () => {
  world = parts.use(await openWorld())
})
after(() => parts.disposeAsync())

let files = 0

/** Writes a report, and reads it. */
async function report(account: string, options: object = {}): Promise<{ page: string; path: string }> {
  const out = join(folder.path, `report-${++files}.html`)
  const {
    code,
    notes,
    out: said,
  } = await operate(world, { command: 'report', options: { account, out, ...options } })
  assert.equal(code, 0, notes)
  return { page: readFileSync(said.trim(), 'utf8'), path: said.trim() }
}

/** The cells of the rows of all tables, by the first, as people read them. */
function rowsOf(page: string): Map<string, string[]> {
  const rows: string[][] = []
  let isInCell = false
  const parser = new Parser({
    onopentag: (tag) => {
      if (tag === 'tr') rows.push([])
      if (tag !== 'td' && tag !== 'th') return
      rows.at(-1)?.push('')
      isInCell = true
    },
    ontext: (text) => {
      const row = rows.at(-1)
      if (isInCell && row) row.push(`${row.pop()}${text}`)
    },
    onclosetag: (tag) => {
      if (tag === 'td' || tag === 'th') isInCell = false
    },
  })
  parser.end(page)
  return new Map(rows.map(([first = '', ...cells]) => [first.trim(), cells]))
}

const wordsOf = (page: string) =>
  decodeHTML(page.replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ')).replaceAll(/\s+/g, ' ')

async function chart(
  country: string,
  observedAt: string,
  rank: number | undefined,
  name = 'Notes',
): Promise<void> {
  const lines = Array.from({ length: 50 }, (_, index) =>
    index + 1 === rank ? `${rank},71,${name}` : `${index + 1},${900_000 + index},Another app`,
  )
  await importContent(world, folder, 'charts', `rank,id,name\n${lines.join('\n')}\n`, {
    country,
    chart: 'top-free',
    category: '36',
    observedAt,
  })
}

describe('On real evidence a report says what the operations answer', { skip: real }, () => {
  before(async () => {
    await world.import({ kind: 'charts', paths: ['apple/charts/us-daily-2026'] })
    const answers = ['2022-02-15_64e4a4f1', '2022-03-04_006fb011', '2022-03-12_fad4f847']
    await world.import({
      kind: 'search-results',
      paths: ['captures.csv', ...answers.map((name) => `search_chat_us_${name}.json`)].map((name) =>
        join('apple/search', name),
      ),
    })
  })

  test('first, last and best rank of a week of charts, and on how many days somebody looked', async () => {
    const { items } = (await world.call('get_apple_charts', { categoryId: '6014', date: '2026-03-07' })).body
    const { storeId } = items[4].app
    await storeTracked(world, { storeId, account: 'charts' })
    const { page } = await report('charts', { week: '2026-W10' })
    const { charts } = (
      await world.call('get_apple_chart_history', { storeId, from: '2026-03-02', to: '2026-03-08' })
    ).body
    const [{ series, best }] = charts
    const looked = series.filter(({ rank }: { rank: { state: string } }) => rank.state !== 'not-measured')
    assert.equal(looked.length, 5, 'the 5th is missing, and the 8th was not captured')
    const inWords = ({ rank }: { rank: { state: string; value: number; depth: number } }) =>
      rank.state === 'measured' ? `#${rank.value}` : `not in top ${rank.depth}`
    const [, first, last, bestRank, , days] = rowsOf(page).get('Top Free, Games') ?? []
    assert.deepEqual(
      [first, last, bestRank, days],
      [inWords(looked[0]), inWords(looked.at(-1)), `#${best.rank}`, '5 of 7'],
    )
    assert.match(page, /2–8 Mar 2026/)
  })

  test('keywords with the rank and the change of the workstation', async () => {
    const appId = await storeTracked(world, {
      storeId: '985746746',
      account: 'keywords',
      keywords: ['chat', 'forum'],
    })
    const key = await world.key(undefined, 'keywords')
    const { keywords, distribution, movement } = (await world.call('get_aso_workstation', { appId }, { key }))
      .body
    const { page } = await report('keywords', { week: '2022-W10' })
    const words = wordsOf(page)
    const { climbed, fallen, entered, left, unchanged, notMeasured } = movement.over7Days
    assert.ok(
      words.includes(
        `${distribution.top3} in the top 3, ${distribution.top10} in the top 10, ${distribution.top50} in the top 50`,
      ),
      words,
    )
    assert.ok(
      words.includes(
        `${climbed} up, ${fallen} down, ${entered} new, ${left} out, ${unchanged} unchanged, ${notMeasured} without data`,
      ),
      words,
    )
    const chat = keywords.find(({ term }: { term: string }) => term === 'chat')
    assert.equal(chat.over7Days.state, 'measured')
    const row = rowsOf(page).get('chat')
    const places = chat.over7Days.places
    assert.equal(row === undefined, places === 0, 'what did not move is not listed')
    if (row) assert.deepEqual([row[2], row[5]], [`#${chat.rank.value}`, '1 of 7'])
    assert.ok(words.includes('Search results for "forum" (United States): no valid results collected'), words)
  })

  test('ratings and changes of the listing as the record of the app has them', async () => {
    const { ratings, timeline } = (
      await world.call('get_competitor_aso', { platform: 'ios', storeId: '985746746', country: 'us' })
    ).body
    await storeTracked(world, { storeId: '985746746', account: 'listing' })
    const words = wordsOf((await report('listing', { week: '2022-W10' })).page)
    const [{ days, added }] = ratings.growth
    assert.deepEqual([days, added.state], [7, 'measured'])
    assert.ok(
      words.includes(
        `${ratings.ratingCount.value.toLocaleString('en')} ratings, +${added.value.toLocaleString('en')} in`,
      ),
      words,
    )
    const week = timeline.filter(({ firstSeenAt }: { firstSeenAt: string }) => firstSeenAt >= '2022-03-07')
    const fields = week.flatMap(({ fields }) => fields)
    const version = fields.find(({ field }) => field === 'version')
    assert.ok(words.includes(`released ${version?.to.value} after ${version?.from.value}`), words)
  })
})

test('a week in which nobody looked says so, and shows no fall', async () => {
  await storeTracked(world, { storeId: '71', country: 'de', account: 'unlooked', keywords: ['noten'] })
  await chart('de', '2026-10-30T10:00:00Z', 4)
  const { page } = await report('unlooked', { week: '2026-W46' })
  const [, short = ''] = /Summary(.*?)<\/ul>/s.exec(page) ?? []
  assert.match(short, /No competitors tracked\..*No ad data collected\..*emerging apps not checked\./s)
  assert.doesNotMatch(short, /0 ads|0 apps/)
  const words = wordsOf(page)
  assert.deepEqual(rowsOf(page).get('Top Free, all apps')?.slice(1), [
    'no data',
    'no data',
    '–',
    'no data',
    '0 of 7',
  ])
  for (const said of [
    'No rating data',
    'Listing of Notes (Germany): not collected',
    'Search results for "noten" (Germany): no valid results collected',
    'Emerging apps (Germany): not checked',
  ])
    assert.ok(words.includes(said), said)
  assert.doesNotMatch(words, /▼/)
})

test('leaving a chart is told with the places that were looked at', async () => {
  await storeTracked(world, { storeId: '71', country: 'fr', account: 'left' })
  await chart('fr', '2026-11-16T10:00:00Z', 4)
  await chart('fr', '2026-11-18T10:00:00Z', undefined)
  const { page } = await report('left', { week: '2026-W47' })
  assert.deepEqual(rowsOf(page).get('Top Free, all apps')?.slice(1), [
    '#4',
    'not in top 50',
    '#4',
    '▼ out',
    '2 of 7',
  ])
})

test('the week is that of the time zone of the account, and ends on a day of choice', async () => {
  await storeTracked(world, { storeId: '71', country: 'fr', account: 'zone' })
  await operate(world, { command: 'watches times', options: { account: 'zone', timeZone: 'Asia/Tokyo' } })
  const { page } = await report('zone', { until: '2026-11-18' })
  assert.match(page, /<title>Weekly report, 12–18 Nov 2026<\/title>/)
  assert.match(page, /midnight in Asia\/Tokyo/)
})

test('ads that began and stopped are told in the week they did, and posts by their views', async () => {
  await storeTracked(world, { storeId: '9000000811', account: 'creatives', role: 'rival' })
  const ad = (archiveId: string, observedAt: string, more: object) => ({
    platform: 'meta',
    archiveId,
    advertiser: { id: '5001', name: 'Tidepool Habits' },
    creatives: [{ title: `Ad ${archiveId}`, media: [], linkUrl: 'https://apps.apple.com/us/app/id9000000811' }],
    countries: ['us'],
    observedAt,
    ...more,
  })
  const lines = [
    ad('81', '2026-11-17T08:00:00Z', { startedOn: '2026-11-17', active: true }),
    ad('82', '2026-11-10T08:00:00Z', { startedOn: '2026-11-01', active: true }),
    ad('82', '2026-11-18T08:00:00Z', { startedOn: '2026-11-01', active: false, endedOn: '2026-11-17' }),
    ad('82', '2026-11-24T08:00:00Z', { startedOn: '2026-11-01', active: false, endedOn: '2026-11-17' }),
  ]
  await world.import({
    kind: 'paid-ads',
    paths: [folder.write('ads.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))],
  })
  const week = wordsOf((await report('creatives', { week: '2026-W47' })).page)
  assert.match(week, /New ads: 1 ad Ad 81 .*Meta.*started 17 Nov 2026/)
  assert.match(week, /Ended ads: 1 ad Ad 82 .*ended 17 Nov 2026/)
  const key = await world.key(undefined, 'creatives')
  const { total } = (
    await world.call(
      'search_paid_ads',
      { competitor: ['9000000811'], startedFrom: '2026-11-16', startedTo: '2026-11-22' },
      { key },
    )
  ).body
  assert.deepEqual(total, { value: 1, relation: 'exact' })
  const before = wordsOf((await report('creatives', { week: '2026-W46' })).page)
  assert.match(before, /New ads: 0 ads/)
  assert.match(before, /Ended ads: 0 ads/)
})

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp.exe =cmd|' /C calc'!A0`

test('names of strangers are text, and the page asks nobody for anything', async () => {
  await storeTracked(world, { storeId: '71', country: 'it', account: 'hostile' })
  await chart('it', '2026-11-17T10:00:00Z', 4, `"${hostile.replaceAll('"', '""')}"`)
  await inTransaction(world.store.db, (transaction) =>
    writeCandidates(
      transaction,
      { country: 'it', categoryId: null, windowDays: 7 },
      { runId: uuidv7(), at: new Date('2026-11-18') },
      [
        {
          storeId: '900001',
          kind: 'moved-up',
          score: 80,
          reasons: [],
          evidence: [],
          firstSeenAt: new Date('2026-11-18'),
        },
      ],
    ),
  )
  const { page } = await report('hostile', { week: '2026-W47', publicUrl: 'https://r.example' })
  assert.doesNotMatch(page, /<script|<img|<link|<iframe|@import|url\(|<[^>]*\ssrc=|\u202e/i)
  assert.ok(page.includes('&lt;script&gt;alert(1)'))
  assert.match(page, /Content-Security-Policy" content="default-src 'none'/)
  for (const [, address = ''] of page.matchAll(/href="([^"]*)"/g))
    assert.match(address, /^https:\/\/r\.example\//)
})

test('what cannot be reported is refused in a sentence that says what to do', async () => {
  await world.key(undefined, 'empty')
  await storeTracked(world, { storeId: '71', country: 'fr', account: 'one-app' })
  const cases: [object, RegExp][] = [
    [{ account: 'nobody' }, /No account is named "nobody"/],
    [{ account: 'empty' }, /tracks no app.*track-aso-app/],
    [{ account: 'one-app', app: ['72'] }, /does not track the app 72/],
    [{ account: 'one-app', country: 'us' }, /tracks no app in us/],
    [{ account: 'one-app', week: '2999-W01' }, /has not begun yet/],
    [{ account: 'one-app', week: '2025-W53' }, /no week 2025-W53/],
    [{ account: 'one-app', week: '2026-W47', until: '2026-11-22' }, /either --week or --until/],
    [{ account: 'one-app', out: '/nonexistent/report.html' }, /failed.*No half-written file/],
  ]
  for (const [options, refusal] of cases) {
    const { code, notes, out } = await operate(world, { command: 'report', options })
    assert.deepEqual([code, out], [1, ''], notes)
    assert.match(notes, refusal)
  }
})

test('without a Chromium, PDF is refused with what to install', async () => {
  await storeTracked(world, { storeId: '71', country: 'fr', account: 'unprinted' })
  const out = join(folder.path, 'unprinted.pdf')
  const { code, notes } = await operate(
    world,
    { command: 'report', options: { account: 'unprinted', out } },
    { signal: new AbortController().signal, environment: { PATH: folder.path } },
  )
  assert.equal(code, 1)
  assert.match(notes, /install chromium.*RIVALSCOPE_CHROMIUM.*\.html/)
  assert.ok(!existsSync(out))
})

test('a report is one page of PDF, and fits a phone', { skip: noBrowser }, async () => {
  await storeTracked(world, { storeId: '71', country: 'fr', account: 'printed' })
  const { path } = await report('printed', { week: '2026-W47', out: join(folder.path, 'printed.pdf') })
  const pdf = readFileSync(path, 'latin1')
  assert.match(pdf, /^%PDF-/)
  assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1)
  const { page: html } = await report('printed', { week: '2026-W47' })
  await using browsers = new AsyncDisposableStack()
  const browser = browsers.adopt(await openBrowser(), (one) => one.close())
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.setContent(html)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  assert.deepEqual(asked, [])
})
