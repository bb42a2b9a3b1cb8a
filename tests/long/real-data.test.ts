import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { mergeSearchIndexes } from '../../src/domain/catalogue/record-writes.ts'
import { refreshEstimates } from '../../src/domain/estimates/refresh.ts'
import type { ImportSummary } from '../../src/imports/run-import.ts'
import type { MappedKind } from '../../src/ingest/mapping/mappable-fields.ts'
import { readMapping } from '../../src/ingest/mapping/mapping.ts'
import { rejectedLines } from '../support/files.ts'
import { openWorld, sharedData, type World } from '../support/world.ts'

const skip = existsSync(join(sharedData, 'catalogue'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

const mapping = (name: string, kind: MappedKind) =>
  readMapping(fileURLToPath(new URL(`../../docs/maps/${name}.json`, import.meta.url)), kind)
const filesOf = (directory: string, pattern: RegExp) =>
  readdirSync(join(sharedData, directory))
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(directory, name))
const read = (file: string) => readFileSync(join(sharedData, file), 'utf8')

interface ChatResult {
  trackId: number
  trackName: string
  screenshotUrls: string[]
}
const chatAnswers = () =>
  filesOf('apple/search', /^search_chat/).map((file): { day: string; results: ChatResult[] } => ({
    day: /\d{4}-\d{2}-\d{2}/.exec(file)?.[0] ?? '',
    results: JSON.parse(read(file)).results,
  }))

describe('On real catalogues, answers and charts', { skip }, () => {
  let world: World
  let brought: Record<'table' | 'descriptions' | 'answers' | 'feeds' | 'lists', ImportSummary>

  before(async () => {
    world = await openWorld()
    const observedAt = '2017-07-15'
    brought = {
      table: await world.import({
        kind: 'catalogue',
        paths: ['catalogue/AppleStore.csv'],
        observedAt,
        mapping: await mapping('app-store-2017', 'catalogue'),
      }),
      descriptions: await world.import({
        kind: 'catalogue',
        paths: filesOf('catalogue', /^appleStore_description\d*\.csv$/),
        observedAt,
        mapping: await mapping('app-store-2017-descriptions', 'catalogue'),
      }),
      answers: await world.import({ kind: 'catalogue', paths: ['apple/search'] }),
      feeds: await world.import({
        kind: 'charts',
        paths: ['apple/charts/us-daily-2026', 'apple/charts/rss-v1-hk-2019'],
      }),
      lists: await world.import({
        kind: 'charts',
        paths: filesOf('apple/charts/jp-finance-daily', /\.json$/),
        mapping: await mapping('ranked-list', 'charts'),
      }),
    }
    await mergeSearchIndexes(world.store.db)
  })
  after(() => world[Symbol.asyncDispose]())

  const record = async (storeId: string, country = 'us') =>
    (await world.call('get_competitor', { platform: 'ios', storeId, country })).body
  const found = async (
    q: string,
    more: Record<string, unknown> = {},
  ): Promise<{ storeId: string; name: string }[]> =>
    (await world.call('search_competitors', { q, ...more })).body.items

  test('every file is read whole: all rows of the catalogue, all places of the charts, with nothing refused', () => {
    const counts = ({ read: all, stored, rejected }: ImportSummary) => [all, stored, rejected]
    assert.deepEqual(counts(brought.table), [7_197, 7_197, 0])
    assert.deepEqual(counts(brought.descriptions), [7_197, 7_197, 0])
    assert.deepEqual(counts(brought.lists), [12_000, 12_000, 0])
    const feeds = brought.feeds
    assert.deepEqual([feeds.files, feeds.rejected], [74, 0])
  })

  test('of the saved answers, the broken one is refused as one document and Mac apps one by one', () => {
    const refused = rejectedLines(brought.answers.rejectedFile)
    const broken = refused.filter((line) => basename(line.file) === 'broken_2022-06-27.json')
    assert.equal(broken.length, 1)
    assert.match(broken[0]?.reason ?? '', /^broken or truncated JSON/)
    const mac = refused.filter((line) => line.reason === 'not an iOS app (mac-software)')
    assert.equal(mac.length, 1 + 37)
    const others = refused.filter((line) => !broken.includes(line) && !mac.includes(line))
    assert.deepEqual(
      others.map((line) => [basename(line.file), line.reason]),
      [['captures.csv', 'a table needs a mapping: pass --map FILE']],
    )
  })

  test('no name carries an HTML escape', async () => {
    const { rows } = await sql`
      select name from app_records where name ~ '&(amp|lt|gt|quot|apos|nbsp|#[0-9]+|#x[0-9a-fA-F]+);'`.execute(
      world.store.db,
    )
    assert.deepEqual(rows, [])
  })

  test('Evernote is found by its beginning, by a typo, by its name and by its id', async () => {
    for (const q of [
      'evernot',
      'evernoet',
      'evrenote',
      'id281796108',
      'Evernote',
      'EVERNOTE organized',
      '281796108',
      'https://apps.apple.com/us/app/evernote/id281796108',
    ])
      assert.equal((await found(q))[0]?.storeId, '281796108', q)
  })

  test('Japanese and Chinese names are found by a part of the name, also one from their middle', async () => {
    const parts: [part: string, country: string][] = [
      ['楽天', 'us'],
      ['家計簿', 'us'],
      ['マネーフォ', 'us'],
      ['通帳', 'jp'],
      ['ペイペイ', 'jp'],
      ['银行', 'us'],
      ['商银', 'us'],
      ['信', 'us'],
      ['百度', 'us'],
    ]
    for (const [part, country] of parts) {
      const items = await found(part, { country })
      assert.ok(items[0]?.name.includes(part), `${part}: ${items[0]?.name}`)
    }
  })

  test('a hundred names of the catalogue each find their app among the first', async () => {
    const { rows } = await sql<{ storeId: string; name: string }>`
      select store_id::text as "storeId", name from app_records
      where country = 'us' and length(name) < 60 order by md5(store_id::text) limit 100`.execute(world.store.db)
    const missed: string[] = []
    for (const { storeId, name } of rows) {
      const items = await found(name, { limit: 10 })
      if (!items.some((item) => item.storeId === storeId)) missed.push(name)
    }
    assert.deepEqual(missed, [])
  })

  test('the Finance history of an app that comes and goes is what the files say, day by day in Japan', async () => {
    const [storeId, from, to] = ['1479153270', '2024-12-20', '2025-04-25']
    const expected = expectedSeries(storeId, from, to)
    const { body } = await world.call('get_apple_chart_history', {
      storeId,
      country: 'jp',
      categoryId: '6015',
      from,
      to,
    })
    assert.equal(body.charts.length, 1)
    const [chart] = body.charts
    assert.deepEqual(
      chart.series.map(({ date, rank }: { date: string; rank: unknown }) => ({ date, rank })),
      expected,
    )
    assert.equal(chart.snapshots, 120)
    const inState = (state: string) => expected.filter(({ rank }) => rank.state === state).length
    assert.deepEqual(
      [chart.daysInChart, chart.daysOutside, chart.daysWithoutSnapshot],
      [inState('measured'), inState('absent'), inState('not-measured')],
    )
    assert.ok(
      chart.daysOutside > 5 && chart.daysWithoutSnapshot > 5,
      'both kinds of days are there to tell apart',
    )
    assert.deepEqual(body.coverage, { chartsObserved: 1, chartsWithApp: 1 })
  })

  test('ten past ten in the evening UTC is the next day in Japan', async () => {
    const { body } = await world.call('get_apple_charts', {
      country: 'jp',
      categoryId: '6015',
      date: '2025-04-23',
    })
    assert.deepEqual(
      [body.date, body.capturedAt, body.returned],
      ['2025-04-23', '2025-04-22T22:10:00.000Z', 100],
    )
  })

  test('of two captures on one day the last one is that day', async () => {
    const { body } = await world.call('get_apple_charts', {
      country: 'jp',
      categoryId: '6015',
      date: '2024-12-29',
    })
    assert.equal(body.capturedAt, '2024-12-29T12:13:00.000Z')
    assert.equal(body.previousCapturedAt, '2024-12-29T09:10:00.000Z')
  })

  test('5 March 2026 was not captured in the US: no snapshot, which is not the same as not ranked', async () => {
    const missing = await world.call('get_apple_charts', { categoryId: '6000', date: '2026-03-05' })
    assert.deepEqual([missing.status, missing.body.code], [404, 'snapshot-not-found'])
    assert.match(missing.body.detail, /2026-03-04 and 2026-03-06/)
    const { body } = await world.call('get_apple_chart_history', {
      storeId: '309735670',
      categoryId: '6000',
      from: '2026-03-01',
      to: '2026-03-07',
    })
    const states = body.charts[0].series.map(
      (point: { rank: { state: string; reason?: string } }) => point.rank.reason ?? point.rank.state,
    )
    assert.deepEqual(states, [
      'measured',
      'measured',
      'measured',
      'measured',
      'no-snapshot',
      'measured',
      'measured',
    ])
  })

  test('a chart that Apple returned with 97 places says so', async () => {
    const { body } = await world.call('get_apple_charts', {
      categoryId: '6000',
      chart: 'top-paid',
      date: '2026-02-25',
    })
    assert.deepEqual([body.returned, body.requested, body.bound, body.items.length], [97, 100, 200, 97])
    assert.deepEqual([body.items.at(96).rank, body.categoryName], [97, 'Business'])
  })

  test("Apple's own feeds of 2019 are charts of Hong Kong", async () => {
    const { body } = await world.call('get_apple_charts', { country: 'hk' })
    assert.deepEqual(
      [body.returned, body.capturedAt, body.date],
      [100, '2019-07-15T08:30:17.000Z', '2019-07-15'],
    )
    const grossing = await world.call('get_apple_charts', { country: 'hk', chart: 'top-grossing' })
    assert.equal(grossing.body.evidence.source, 'apple-rss-v1')
  })

  test('a renamed app shows the newest name, and its history the old ones with their times', async () => {
    const names = chatAnswers().flatMap(({ day, results }) =>
      results
        .filter(({ trackId }) => trackId === 1659730883)
        .map(({ trackName }) => ({ name: trackName, day })),
    )
    const chat = await record('1659730883')
    assert.equal(chat.name, names.at(-1)?.name)
    const history = chat.listingHistory.filter((version: { field: string }) => version.field === 'name')
    assert.deepEqual(
      history.map(
        (version: { value: string; firstSeenAt: string }) =>
          `${version.firstSeenAt.slice(0, 10)} ${version.value}`,
      ),
      names
        .filter(({ name }, at) => name !== names[at - 1]?.name)
        .map(({ name, day }) => `${day} ${name}`)
        .reverse(),
    )
    assert.ok(history.length >= 4)
    const finance = await record('1487752024', 'jp')
    assert.equal(finance.name, 'ワンバンク:AI家計簿アプリで頑張らなくていいお金の管理')
    assert.deepEqual(
      finance.listingHistory.map((version: { value: string; current: boolean }) => [
        version.value,
        version.current,
      ]),
      [
        ['ワンバンク:AI家計簿アプリで頑張らなくていいお金の管理', true],
        ['家計簿B/43:シンプル&人気のAIレシート入力で簡単管理', false],
      ],
    )
  })

  test('an app announced before its release has no price, and one of 2017 has its old version string', async () => {
    const announced = chatAnswers()
      .flatMap(({ results }) => results)
      .filter((result) => !('price' in result))
    assert.ok(announced.length > 0)
    const evernote = await record('281796108')
    assert.deepEqual([evernote.version.value, evernote.sizeBytes.value], ['8.2.2', 158_578_688])
    assert.deepEqual(evernote.subtitle, { state: 'not-measured', reason: 'not-carried' })
    assert.match(evernote.description.value, /Evernote/)
    const game = await record('281656475')
    assert.deepEqual([game.name, game.price.value], ['PAC-MAN Premium', { amount: 3.99, currency: 'USD' }])
    assert.match(game.description.value, /^SAVE 20%, now only \$3\.99 for a limited time!\n\nOne of the most/)
    assert.deepEqual(
      evernote.evidence.map((one: { source: string; timeBasis: string }) => `${one.source} ${one.timeBasis}`),
      ['catalogue-file stated', 'catalogue-file stated'],
    )
  })

  test('categories count the apps of a storefront, every app once', async () => {
    const { body } = await world.call('list_competitor_categories', {})
    const apps = new Map<string, number>(
      body.items.map((item: { name: string; apps: number }) => [item.name, item.apps]),
    )
    assert.equal(apps.get('All apps'), appsOfTheUs().size)
    assert.ok((apps.get('Games') ?? 0) > 3_800 && (apps.get('Finance') ?? 0) >= 104)
    assert.equal(apps.get('Stickers'), 0)
    const japan = await world.call('list_competitor_categories', { country: 'jp' })
    assert.ok(japan.body.items[0].apps > 150)
  })

  test('similar apps come with their reasons, and with what could not be looked at', async () => {
    const { body } = await world.call('get_similar_competitors', { platform: 'ios', storeId: '281796108' })
    assert.ok(body.items.length > 5)
    for (const { score, reasons } of body.items) {
      assert.ok(score > 0 && score <= 1 && reasons.length > 0)
      assert.ok(reasons.every((reason: { detail: string }) => reason.detail !== ''))
    }
    const states = Object.fromEntries(
      body.basis.map((one: { kind: string; state: string }) => [one.kind, one.state]),
    )
    assert.deepEqual(
      [states['similar-text'], states['apple-list'], states['charting-together']],
      ['measured', 'not-measured', 'not-measured'],
    )
    const japan = await world.call('get_similar_competitors', {
      platform: 'ios',
      storeId: '1487752024',
      country: 'jp',
    })
    const kinds = new Set(
      japan.body.items.flatMap((item: { reasons: { kind: string }[] }) =>
        item.reasons.map((reason) => reason.kind),
      ),
    )
    assert.ok(kinds.has('charting-together') && kinds.has('similar-text'))
  })

  test('the media of an app are those of the newest answer, and their changes are dated', async () => {
    const storeId = '382617920'
    const answers = chatAnswers().flatMap(({ day, results }) =>
      results
        .filter((result) => String(result.trackId) === storeId)
        .map((result) => ({ day, shots: result.screenshotUrls })),
    )
    const { body } = await world.call('get_competitor_media', { platform: 'ios', storeId })
    const current = body.items.filter(
      (item) => item.kind === 'screenshot' && item.device === 'iphone' && item.current,
    )
    assert.deepEqual(
      current.map((item) => item.url),
      answers.at(-1)?.shots,
    )
    assert.ok(current.every((item, index) => item.position === index + 1 && item.width > 0))
    assert.ok(
      body.items.some((item) => !item.current),
      'pictures that went are kept in mind',
    )
    const changes = body.changes.filter((change) => change.kind === 'screenshot' && change.device === 'iphone')
    assert.ok(changes.length >= 4)
    const days = new Set(answers.map(({ day }) => day))
    assert.ok(changes.every((change) => days.has(change.at.slice(0, 10))))
    const preview = body.coverage.find((one) => one.kind === 'preview')
    assert.equal(preview.state, 'not-measured')
  })

  test('all of it brought in again stores nothing', async () => {
    const again = await world.import({ kind: 'charts', paths: ['apple/charts/us-daily-2026'] })
    assert.deepEqual([again.stored, again.unchanged, again.rejected], [0, again.read, 0])
    const answers = await world.import({ kind: 'catalogue', paths: ['apple/search'] })
    assert.deepEqual([answers.stored, answers.rejected], [0, brought.answers.rejected])
  })
})

/** The series that the Japanese files hold, found without any of the product's own reading. */
function expectedSeries(storeId: string, from: string, to: string) {
  const last = new Map<string, number | null>()
  for (const file of filesOf('apple/charts/jp-finance-daily', /\.json$/)) {
    const [, date, hour, minute] = /(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})Z/.exec(file) ?? []
    const inJapan = new Date(Date.parse(`${date}T${hour}:${minute}:00Z`) + 9 * 3_600_000)
      .toISOString()
      .slice(0, 10)
    const places: { rank: number; url: string }[] = JSON.parse(read(file))
    last.set(inJapan, places.find(({ url }) => url.endsWith(`/id${storeId}`))?.rank ?? null)
  }
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(Date.parse(from) + index * 86_400_000).toISOString().slice(0, 10)
    const rank = last.get(date)
    if (rank === undefined) return { date, rank: { state: 'not-measured', reason: 'no-snapshot' } }
    if (rank === null) return { date, rank: { state: 'absent', depth: 100 } }
    return { date, rank: { state: 'measured', value: rank, depth: 100 } }
  })
}

/** Every iOS app that the files show in the United States. */
function appsOfTheUs(): Set<string> {
  const ids = new Set<string>()
  for (const [id] of read('catalogue/AppleStore.csv').matchAll(/(?<=^\d+,)\d+(?=,)/gm)) ids.add(id)
  for (const file of [...filesOf('apple/search', /^(?:search|lookup).*\.json$/)])
    for (const { kind, trackId } of JSON.parse(read(file)).results)
      if (kind === 'software') ids.add(String(trackId))
  for (const file of filesOf('apple/charts/us-daily-2026', /\.json$/))
    for (const { id } of JSON.parse(read(file)).items) ids.add(id)
  return ids
}

test('real games of the US charts are estimated on every day but the one nobody captured', {
  skip,
}, async () => {
  await using world = await openWorld()
  await world.import({ kind: 'charts', paths: ['apple/charts/us-daily-2026'] })
  const day = { categoryId: '6014', date: '2026-03-04', limit: 5 }
  const storeId: string = (await world.call('get_apple_charts', day)).body.items[0].app.storeId
  await refreshEstimates(world.store.db, { storeId, country: 'us' }, new Date('2026-04-30'))
  const window = { from: '2026-03-03', to: '2026-03-06', metric: 'downloads' }
  const { points, models } = (
    await world.call('get_competitor_estimate_history', { platform: 'ios', storeId, country: 'us', ...window })
  ).body
  assert.deepEqual(
    points.map(
      ({ estimate }: { estimate: { reason?: string; version?: string } }) =>
        estimate.reason ?? estimate.version,
    ),
    Array(4).fill('chart-rank/4'),
  )
  const first = points.find(({ date }: { date: string }) => date === '2026-03-04').estimate
  assert.ok(first.low < 174_000 && first.high > 174_000)
  assert.deepEqual(models[0].validRanks, { from: 1, to: 100 })
})
