import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { ImportRequest } from '../src/imports/import-request.ts'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
import { replay } from '../src/projections/replay.ts'
import { derivedState, forgetDerived } from './support/derived-state.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { operate } from './support/operator.ts'
import { openWorld } from './support/world.ts'

/** Ranks of keywords as other tools export them: apart from our own, with the tool that told them. */

const folder = openFolder()
const world = await openWorld()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

type Order = Partial<Omit<ImportRequest, 'kind' | 'paths'>>
let files = 0
function bring(content: unknown, order: Order = {}, into = world) {
  const isText = typeof content === 'string'
  const path = folder.write(
    `file-${++files}.${isText ? 'csv' : 'json'}`,
    isText ? content : JSON.stringify(content),
  )
  return importInto(into, { kind: 'keyword-ranks', paths: [path], ...order })
}

let apps = 6_551_000_000
/** A tracked app with a keyword; tests have an app each. */
async function tracking(terms: readonly string[], country = 'us') {
  const storeId = String(++apps)
  const { body: tracked } = await world.call('track_aso_app', { app: storeId, country, role: 'own' })
  await world.call('add_aso_keywords', { appId: tracked.appId, terms: [...terms] })
  return { storeId, appId: tracked.appId as string }
}

async function told(appId: string, term: string, windowDays = 7) {
  const { body } = await world.call('get_aso_workstation', { appId, windowDays })
  return body.keywords.find((keyword: { term: string }) => keyword.term === term)?.otherTools ?? []
}

const csv = (...lines: string[]) => [...lines, ''].join('\n')

describe('a table with a row for each rank', () => {
  test('is shown beside the keyword with its tool and file, and measures nothing of our own', async () => {
    const { storeId, appId } = await tracking(['tide planner'], 'es')
    const table = csv(
      'date,keyword,country,rank,app_id',
      `2026-01-15,Tide  Planner,ES,42,${storeId}`,
      `2026-01-16,tide planner,es,,${storeId}`,
      `2026-01-17,tide planner,es,>200,${storeId}`,
      `2026-01-18,tide planner,es,#7,${storeId}`,
    )
    const done = await bring(table)
    assert.deepEqual([done.stored, done.rejected], [4, 0])
    assert.match(done.notes.join(), /1 rank is empty: not measured/)
    const { body } = await world.call('get_aso_workstation', { appId, windowDays: 7 })
    const [keyword] = body.keywords
    assert.deepEqual(body.window, { from: '2026-01-12', to: '2026-01-18', days: 7 })
    assert.deepEqual(keyword.rank, { state: 'not-measured', reason: 'never-collected' })
    assert.deepEqual(keyword.series, new Array(7).fill(null))
    assert.equal(body.visibility.measured, 0)
    const [{ evidence, ...shown }] = keyword.otherTools
    assert.deepEqual(shown, {
      tool: null,
      device: null,
      from: '2026-01-15',
      to: '2026-01-18',
      days: 3,
      newest: { state: 'measured', value: 7, depth: null },
      series: [null, null, null, 42, null, '>200', 7],
    })
    assert.deepEqual(
      [evidence.source, evidence.origin, evidence.country],
      ['keyword-rank-file', 'imported', 'es'],
    )
    const again = await bring(table)
    assert.deepEqual([again.stored, again.unchanged], [0, 4])
    const explored = (await world.call('explore_aso_keyword', { query: 'tide planner', country: 'es' })).body
    assert.equal(explored.page.state, 'not-measured')
    assert.equal(explored.trackedApps[0].otherTools[0].history.length, 3)
  })

  test('refuses numbers that are places with some tools and none with others, unless the tool or its sign is named', async () => {
    const { storeId, appId } = await tracking(['quiet alarm'])
    const table = csv(
      'day,term,storefront,position,app',
      ...[0, 500, 501, 999, 1000].map((rank, day) => `2026-01-0${day + 1},quiet alarm,us,${rank},${storeId}`),
    )
    const unnamed = await bring(table)
    assert.equal(unnamed.rejected, 5)
    assert.match(
      unnamed.reasons.join(),
      /"501" is a place with some tools, and with others .* --format \(apptweak/,
    )
    const apptweak = await bring(table, { format: 'apptweak' })
    assert.deepEqual(
      apptweak.reasons.map((reason) => reason.replace(/^[^:]*: /, '')),
      ['impossible rank "0"', 'impossible rank "999"', 'impossible rank "1000"'],
    )
    assert.match(apptweak.notes.join(), /1 rank is "501", not ranked with AppTweak: absent among 500 places/)
    const [{ tool, days, newest }] = await told(appId, 'quiet alarm')
    assert.deepEqual([tool, days, newest], ['AppTweak', 2, { state: 'absent', depth: 500 }])
    const mapping = parseMapping(
      { constants: { tool: 'Sensor Tower', unranked: '0', requested: 250 } },
      'keyword-ranks',
      'map.json',
    )
    const mapped = await bring(
      csv('day,term,storefront,position,app', `2026-02-01,quiet alarm,us,0,${storeId}`),
      { mapping },
    )
    assert.match(mapped.notes.join(), /"0", not ranked: absent among 250 places/)
    assert.deepEqual(
      (await told(appId, 'quiet alarm')).map((one: { tool: string; newest: object }) => [one.tool, one.newest]),
      [
        ['AppTweak', { state: 'absent', depth: 500 }],
        ['Sensor Tower', { state: 'absent', depth: 250 }],
      ],
    )
  })

  test('of a tool that does not say how many places it looks at measures no absence, unless the operator says it', async () => {
    const { storeId, appId } = await tracking(['calm harm', 'calm free'])
    const table = csv('Keyword,Popularity,Difficulty,Position', 'calm harm,6,64,52', 'calm free,21,77,1000')
    const order: Order = { format: 'astro', app: storeId, country: 'us', observedAt: '2026-03-01' }
    const done = await bring(table, order)
    assert.match(
      done.notes.join(),
      /1 rank is "1000", not ranked with Astro, and nothing says how many places .* not measured/,
    )
    assert.equal((await told(appId, 'calm harm'))[0].tool, 'Astro')
    assert.deepEqual(await told(appId, 'calm free'), [])
    await bring(table, { ...order, requested: 250 })
    assert.deepEqual((await told(appId, 'calm free'))[0].newest, { state: 'absent', depth: 250 })
  })

  test('tells neither absence nor rank where the tool writes one sign for failures, too', async () => {
    const { storeId, appId } = await tracking(['bible stories'])
    const done = await bring(
      csv(
        'date,keyword,country,rank,app_id',
        `2026-01-14 18:16:04.410251,bible stories,US,999,${storeId}`,
        `2026-01-15 18:16:04.410251,bible stories,US,73,${storeId}`,
      ),
      { format: 'aso-rank-guard', requested: 250 },
    )
    assert.match(
      done.notes.join(),
      /1 rank is 999, which ASO Rank Guard writes for a failed search, too: not measured/,
    )
    const [{ tool, days, newest }] = await told(appId, 'bible stories')
    assert.deepEqual([tool, days, newest], ['ASO Rank Guard', 1, { state: 'measured', value: 73, depth: null }])
  })

  test('of RespectASO is recognised, closes with a line that is no row, and takes its one app from the command', async () => {
    const { storeId, appId } = await tracking(['tide clock'])
    const header =
      'Keyword,App,Country,Popularity,Difficulty,Difficulty Label,Opportunity,Insight,Rank,Competitors,Date'
    const row = (app: string, rank: string) =>
      `tide clock,${app},US,40,30,Easy,50,Good Target,${rank},25,2026-02-0${rank || 1} 09:30`
    const table = `${header}\r\n${row('Tides', '3')}\r\n${row('Tides', '')}\r\n\r\nPrivacy first - https://respectlytics.com\r\n`
    const unnamed = await bring(table)
    assert.match(unnamed.reasons.join(), /no app id in "Tides": name the app with --app/)
    const done = await bring(table, { app: storeId })
    assert.deepEqual([done.stored, done.rejected], [2, 0])
    assert.equal((await told(appId, 'tide clock'))[0].tool, 'RespectASO')
    const two = await bring(`${header}\n${row('Tides', '4')}\n${row('Moons', '5')}\n`, { app: storeId })
    assert.match(two.reasons.join(), /several apps, such as "Tides" and "Moons", and --app one/)
  })
})

test('a table with a column for each day is read by its columns, in other forms of dates with a mapping', async () => {
  const { storeId, appId } = await tracking(['night sky'])
  const wide = await bring(
    csv('Keyword,App ID,Country,2026-01-30,2026-01-31,2026-02-01', `Night Sky,${storeId},US,12,-,9.0`),
  )
  assert.equal(wide.stored, 3)
  assert.match(wide.notes.join(), /1 rank is "-", not ranked, and nothing says/)
  assert.deepEqual((await told(appId, 'night sky'))[0].series, [null, null, null, null, 12, null, 9])
  const mapping = parseMapping(
    {
      fields: { term: 'Suchwort', storeId: 'ID' },
      constants: { country: 'us', tool: 'Eigenes' },
      dates: { day: 'dd.mm.yyyy' },
    },
    'keyword-ranks',
    'map.json',
  )
  const mapped = await bring(`Suchwort;ID;03.02.2026\nNight Sky;${storeId};4\n`, { mapping })
  assert.deepEqual([mapped.stored, mapped.rejected], [1, 0])
  assert.deepEqual(
    (await told(appId, 'night sky')).map(({ tool, to }: { tool: string | null; to: string }) => [tool, to]),
    [
      [null, '2026-02-01'],
      ['Eigenes', '2026-02-03'],
    ],
  )
})

describe('saved answers of APIs', () => {
  test('of AppTweak tell ranks, absence among 500 places, and days without a fetch', async () => {
    const { storeId, appId } = await tracking(['sleep sounds'])
    const point = (date: string, value: number | null, fetched: boolean) => ({
      date,
      value,
      fetch_performed: fetched,
      effective_value: value ?? 501,
    })
    const answer = {
      result: {
        [storeId]: {
          'sleep sounds': {
            rank: [
              point('2026-01-01', 12, true),
              point('2026-01-02', null, true),
              point('2026-01-03', null, false),
            ],
          },
        },
      },
      metadata: {},
    }
    const done = await bring(answer, { country: 'us', device: 'iphone' })
    assert.deepEqual([done.stored, done.rejected], [3, 0])
    const [{ tool, device, days, newest }] = await told(appId, 'sleep sounds')
    assert.deepEqual([tool, device, days, newest], ['AppTweak', 'iphone', 2, { state: 'absent', depth: 500 }])
    const lines = await bring(`${JSON.stringify(answer)}\n${JSON.stringify(answer)}\n`, {
      country: 'us',
      device: 'ipad',
    })
    assert.deepEqual([lines.stored, lines.rejected], [6, 0])
  })

  test('of Asodesk, FoxData, AppFollow and krankie are read, each with what it says itself', async () => {
    const { storeId, appId } = await tracking(['maps', 'routes', 'trips'])
    const asodesk = {
      id: '1',
      data: {
        storetype: 'appstore',
        storeid: storeId,
        country: 'US',
        query: 'maps,routes',
        results: { stats: { maps: { '2026-01-05': { rank: 9 } }, routes: { '2026-01-05': { rank: 0 } } } },
      },
    }
    const done = await bring(asodesk)
    assert.match(done.notes.join(), /"0", not ranked with Asodesk, and nothing says/)
    const single = structuredClone(asodesk) as { data: { query: string; results: { stats: object } } }
    Object.assign(single.data, { query: 'trips', results: { stats: { '2026-01-06': { rank: 3 } } } })
    await bring(single)
    await bring({
      code: 200,
      data: {
        requestParam: { appId: storeId, region: 'US', device: 'IPHONE' },
        result: [
          {
            keyword: 'maps',
            rank: [
              { value: 8, date: '2026-01-05' },
              { value: null, date: '2026-01-06' },
            ],
          },
        ],
      },
    })
    await bring(
      { keywords: { list: [{ kw: 'routes', pos: 14, popularity: 30 }] } },
      { app: storeId, country: 'us', observedAt: '2026-01-07' },
    )
    const tools = async (term: string) =>
      (await told(appId, term)).map(
        (one: { tool: string; device: string | null; newest: { value: number } }) => [
          one.tool,
          one.device,
          one.newest.value,
        ],
      )
    assert.deepEqual(await tools('maps'), [
      ['Asodesk', null, 9],
      ['FoxData', 'iphone', 8],
    ])
    assert.deepEqual(await tools('routes'), [['AppFollow', null, 14]])
    assert.deepEqual(await tools('trips'), [['Asodesk', null, 3]])
    const keyword = {
      id: 3,
      keyword: 'trips',
      store: 'us',
      app_store_id: storeId,
      app_name: 'Trips',
      platform: 'iphone',
    }
    await bring({ keyword, history: [{ id: 1, keyword_id: 3, rank: 11, checked_at: '2026-01-08 07:00:00' }] })
    const newest = { keyword_id: 3, ...keyword, current_rank: 10, previous_rank: 11, rank_change: 1 }
    await bring([
      { ...newest, checked_at: '2026-01-09 07:00:00' },
      { ...newest, keyword: 'maps', current_rank: null, checked_at: '2026-01-09 07:00:00' },
    ])
    assert.deepEqual(await tools('trips'), [
      ['Asodesk', null, 3],
      ['krankie', 'iphone', 10],
    ])
    const android = structuredClone(asodesk)
    android.data.storetype = 'googleplay'
    assert.match((await bring(android)).reasons.join(), /about googleplay, not about the App Store/)
  })
})

test('at a terminal the app may be a bundle id, and what signs were taken for is told; the workstation shows it apart', async () => {
  const { storeId, appId } = await tracking(['river map'])
  const record = {
    trackId: Number(storeId),
    trackName: 'Rivers',
    bundleId: 'com.example.rivers',
    artistId: 1,
    artistName: 'R',
  }
  const lookup = folder.write(
    'lookup.json',
    JSON.stringify({ resultCount: 1, results: [{ ...record, wrapperType: 'software', kind: 'software' }] }),
  )
  await importInto(world, { kind: 'catalogue', paths: [lookup], observedAt: '2026-02-01' })
  const table = folder.write('astro.csv', csv('Keyword,Position', 'river map,1000', 'river map 2,8'))
  const options = { files: [table], format: 'astro' as const, country: 'us', observedAt: '2026-03-01' }
  const imported = await operate(world, {
    command: 'import keyword-ranks',
    options: { ...options, app: 'com.example.rivers', requested: 250 },
  })
  assert.equal(imported.code, 0, imported.notes)
  assert.match(imported.notes, /astro.csv: 1 rank is "1000", not ranked with Astro: absent among 250 places/)
  assert.match(imported.out, /keyword-ranks: read 2, stored 2, .* ranks from 1 file/)
  const unknown = await operate(world, {
    command: 'import keyword-ranks',
    options: { ...options, app: 'com.example.nobody' },
  }).catch((error: Error) => ({ code: 1, notes: error.message, out: '' }))
  assert.match(
    unknown.notes,
    /"com.example.nobody" is no App Store id or address, and no bundle id of an app stored here/,
  )
  assert.deepEqual((await told(appId, 'river map'))[0].newest, { state: 'absent', depth: 250 })
})

test('an export comes back as it was, in another store, too', async () => {
  const { storeId } = await tracking(['export me'])
  await bring(
    csv(
      'date,keyword,country,rank,app_id,device',
      `2026-01-01,export me,us,500,${storeId},iphone`,
      `2026-01-02,export me,us,501,${storeId},iphone`,
    ),
    { format: 'apptweak' },
  )
  const out = join(folder.path, 'ranks.ndjson')
  await operate(world, { command: 'export keyword-ranks', options: { out } })
  await using other = await openWorld()
  const back = await other.import({ kind: 'keyword-ranks', paths: [out] })
  assert.equal(back.rejected, 0)
  const again = join(folder.path, 'again.ndjson')
  await operate(other, { command: 'export keyword-ranks', options: { out: again } })
  assert.equal(readFileSync(again, 'utf8'), readFileSync(out, 'utf8'))
})

test('the order of files does not matter, the later one counts, and a replay ends the same', async () => {
  const storeId = String(++apps)
  const files = [
    csv(
      'date,keyword,country,rank,app_id',
      `2026-01-01,in order,us,10,${storeId}`,
      `2026-01-02,in order,us,20,${storeId}`,
    ),
    csv(
      'date,keyword,country,rank,app_id',
      `2026-01-02,in order,us,22,${storeId}`,
      `2026-02-03,in order,us,30,${storeId}`,
    ),
  ]
  const states: object[] = []
  for (const order of [files, files.toReversed()]) {
    await using one = await openWorld()
    for (const file of order) await bring(file, {}, one)
    const { body: tracked } = await one.call('track_aso_app', { app: storeId, role: 'own' })
    await one.call('add_aso_keywords', { appId: tracked.appId, terms: ['in order'] })
    const shown = async () =>
      (await one.call('get_aso_workstation', { appId: tracked.appId, windowDays: 40 })).body.keywords[0]
        .otherTools[0]
    const { evidence: _, ...before } = await shown()
    assert.deepEqual([before.days, before.series.filter((rank: unknown) => rank !== null)], [3, [10, 22, 30]])
    await forgetDerived(one.store.db)
    await replay(one.store.db, () => {}, new AbortController().signal)
    const { evidence: __, ...after } = await shown()
    assert.deepEqual(after, before)
    states.push(before)
  }
  assert.deepEqual(states[0], states[1])
})

describe('what cannot be taken is refused by its name, and nothing of it is stored', () => {
  const storeId = '6550000001'
  const header = 'date,keyword,country,rank,app_id'
  const row = `2026-01-15,tide planner,es,42,${storeId}`
  const bad: [what: string, content: unknown, reason: RegExp, stored: number][] = [
    ['an empty file', '', /the file is empty/, 0],
    ['a header alone', `${header}\n`, /the table has no rows/, 0],
    [
      'a renamed column',
      csv('date,keyword,country,standing,app_id', row),
      /no column with the rank; it has date, keyword, country, standing, app_id/,
      0,
    ],
    [
      'days of another form as columns',
      csv('keyword,app_id,country,15/01/2026', `tide planner,${storeId},us,4`),
      /"15\/01\/2026" may be a day: a mapping names its form/,
      0,
    ],
    ['a list of keywords', csv('keyword,notes', 'tide planner,mine'), /no column with the rank/, 0],
    [
      'a chart',
      csv('date,app,chart,category,rank', `2026-01-15,${storeId},top-free,6007,4`),
      /no column with the keyword/,
      0,
    ],
    [
      'two columns of a name',
      csv('date,keyword,country,rank,rank,app_id', `2026-01-15,tide planner,es,1,2,${storeId}`),
      /two columns "rank"/,
      0,
    ],
    [
      'a second table',
      csv(header, row, 'Keyword,App ID,Day,Position,Country', row),
      /another table begins at line 3/,
      0,
    ],
    [
      'a second table of another width',
      csv(header, row, 'Keyword,Position', 'tide planner,3'),
      /another table begins at line 3/,
      0,
    ],
    ['JSON that is cut off', `{"result": {"${storeId}": {"tide`, /it stops in the middle/, 0],
    [
      'answers of two tools',
      `${JSON.stringify({ keywords: { list: [{ kw: 'a', pos: 1 }] } })}\n${JSON.stringify({ data: { requestParam: {}, result: [] } })}\n`,
      /forms of two tools, (AppFollow and FoxData|FoxData and AppFollow)/,
      0,
    ],
    [
      'an answer among rows',
      `${JSON.stringify({ keywords: { list: [{ kw: 'a', pos: 1 }] } })}\n${JSON.stringify({ keyword: 'a', rank: 1 })}\n`,
      /answers of an API and other records/,
      0,
    ],
    ['a page of HTML', '<html><body>Sign in</body></html>', /not JSON|HTML/i, 0],
    [
      'two ranks of one day',
      csv(header, row, row.replace('42', '57'), row.replace('-15', '-16')),
      /two ranks of one day, 42 \(line 2\) and 57 \(line 3\)/,
      1,
    ],
    ['a day that is none', csv(header, row.replace('01-15', '02-30')), /impossible date "2026-02-30"/, 0],
    ['a day to come', csv(header, row.replace('2026', '2098')), /cannot have been observed/, 0],
    [
      'no store of Apple',
      csv(header, row.replace(',es,', ',uk,')),
      /"uk" is not an App Store country; did you mean "gb"/,
      0,
    ],
    [
      'an app of another store',
      csv(header, row.replace(storeId, 'com.example.tides')),
      /no app id in "com.example.tides"/,
      0,
    ],
    ['ranks of Android', csv(`${header},platform`, `${row},android`), /of android, not of the App Store/, 0],
    ['a rank that is none', csv(header, row.replace(',42,', ',forty,')), /impossible rank "forty"/, 0],
    ['a keyword without letters', csv(header, row.replace('tide planner', '!!')), /no keyword/, 0],
    [
      'an id that is cut off',
      `${csv(header, row)}2026-01-16,tide planner,es,41,${storeId.slice(0, 6)}`,
      /the file ends within the app id 655000/,
      1,
    ],
    ['a row that is cut off', `${csv(header, row)}2026-01-16,tide pl`, /2 columns where the header has 5/, 1],
  ]
  for (const [what, content, reason, stored] of bad)
    test(what, async () => {
      await using one = await openWorld()
      const before = await derivedState(one.store.db)
      const done = await bring(content, {}, one)
      assert.match(done.reasons.join('; '), reason)
      assert.equal(done.stored, stored)
      if (stored === 0) assert.deepEqual(await derivedState(one.store.db), before)
    })

  test('a file of another tool than it is said to be', async () => {
    const done = await bring(
      { keywords: { list: [{ kw: 'a', pos: 1 }] } },
      { format: 'apptweak', app: storeId, country: 'us' },
    )
    assert.match(done.reasons.join(), /has the form of AppFollow, not of AppTweak/)
  })
})

test('another account sees it only of terms that it asks for itself', async () => {
  const { storeId } = await tracking(['secret plan'])
  await bring(csv('date,keyword,country,rank,app_id', `2026-01-15,secret plan,us,42,${storeId}`))
  const key = await world.key(undefined, 'stranger')
  const listed = await world.call('get_competitor_aso', { platform: 'ios', storeId }, { key })
  assert.doesNotMatch(JSON.stringify(listed.body), /secret plan/)
  const { body: tracked } = await world.call(
    'track_aso_app',
    { app: storeId, country: 'us', role: 'rival' },
    { key },
  )
  const asked = await world.call('explore_aso_keyword', { query: 'secret plan' }, { key })
  assert.equal(asked.body.trackedApps[0].appId, tracked.appId)
  assert.equal(asked.body.trackedApps[0].otherTools[0].newest.value, 42)
})
