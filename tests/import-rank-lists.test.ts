import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
import { replay } from '../src/projections/replay.ts'
import { removeOld } from '../src/projections/retention/retain.ts'
import { rows } from '../src/storage/database.ts'
import { MediaOnDisk } from '../src/storage/media-on-disk.ts'
import { cases } from './support/cases.ts'
import { derivedState, forgetDerived } from './support/derived-state.ts'
import { openFolder } from './support/files.ts'
import { importInto } from './support/imports.ts'
import { operate } from './support/operator.ts'
import { openWorld, type World } from './support/world.ts'

/** Lists that tell the ranks of some apps, and nothing of the rest of their chart. */

const folder = openFolder()
const world = await openWorld()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const mapping = parseMapping(
  {
    fields: {
      storeId: 'app',
      name: 'name',
      capturedAt: 'date',
      country: 'country',
      chart: 'chart',
      category: 'category',
      rank: 'rank',
    },
  },
  'charts',
  'map.json',
)

/** Every test has a genre of its own, so that none sees the charts of another. */
let genre = 6000
const nextGenre = () => String(++genre)

type Told = [date: string, app: number, rank: number | string]
let files = 0
const listOf = (categoryId: string, told: readonly Told[]) =>
  folder.write(
    `list-${++files}.csv`,
    [
      'date,app,name,country,chart,category,rank',
      ...told.map(([date, app, rank]) => `${date},${app},App ${app},us,top-free,${categoryId},${rank}`),
      '',
    ].join('\n'),
  )
const bringIn = (categoryId: string, told: readonly Told[], into = world, more: object = {}) =>
  importInto(into, { kind: 'charts', paths: [listOf(categoryId, told)], mapping, ...more })
const whole = (date: string, apps: readonly number[]): Told[] =>
  apps.map((app, index) => [date, app, index + 1])

const chart = async (categoryId: string, date?: string, of = world) =>
  (await of.call('get_apple_charts', { categoryId, ...(date ? { date } : {}) })).body
const placesOn = async (categoryId: string, date: string, of = world) =>
  (await chart(categoryId, date, of)).items?.map(
    ({ rank, app }: { rank: number; app: { storeId: string } }) => `${rank}:${app.storeId}`,
  )
async function historyOf(app: number, categoryId: string, of = world) {
  const { body } = await of.call('get_apple_chart_history', {
    storeId: String(app),
    categoryId,
    from: '2026-02-09',
    to: '2026-02-11',
  })
  return body
}
const ranksOf = async (app: number, categoryId: string, of = world) =>
  (await historyOf(app, categoryId, of)).charts?.[0]?.series.map(({ rank }: { rank: object }) => rank)
const notMeasured = (reason: string) => ({ state: 'not-measured', reason })
const measured = (value: number, depth: number | null) => ({ state: 'measured', value, depth })
const absent = (depth: number) => ({ state: 'absent', depth })

const [monday, tuesday, wednesday] = ['2026-02-09', '2026-02-10', '2026-02-11'] as const

test('the rank history of one app measures that app alone: nobody is absent that day, and nobody returns from it', async () => {
  const genres = [nextGenre(), nextGenre()]
  for (const [index, of] of genres.entries()) {
    const lists = [whole(monday, [1, 2, 3]), [[tuesday, 99, 57]] as Told[], whole(wednesday, [1, 2, 3])]
    for (const list of index === 0 ? lists : lists.toReversed())
      assert.equal((await bringIn(of, list)).stored, list.length)
    const { items, previousCapturedAt } = await chart(of)
    assert.deepEqual(
      items.map(({ entry, previousRank }: { entry: string; previousRank: object }) => [entry, previousRank]),
      [1, 2, 3].map((rank) => ['same', measured(rank, 3)]),
    )
    assert.equal(previousCapturedAt.slice(0, 10), monday)
    assert.deepEqual(await ranksOf(1, of), [measured(1, 3), notMeasured('partial-snapshot'), measured(1, 3)])
    assert.deepEqual(await ranksOf(99, of), [absent(3), measured(57, null), absent(3)])
    const { charts, coverage, sources } = await historyOf(99, of)
    assert.deepEqual(
      [
        charts[0].best.rank,
        charts[0].best.date,
        charts[0].daysInChart,
        charts[0].daysOutside,
        charts[0].snapshots,
      ],
      [57, tuesday, 1, 2, 2],
    )
    assert.deepEqual([coverage.chartsObserved, coverage.chartsWithApp], [1, 1])
    assert.equal(sources[charts[0].series[1]?.source ?? -1]?.source, 'chart-file')
  }
})

test('rank histories are read without a mapping: a row for each rank, a column for each day, and what AppTweak answers', async () => {
  const of = nextGenre()
  const bring = (name: string, content: string, more: object = {}) =>
    importInto(world, { kind: 'charts', paths: [folder.write(name, content)], ...more })
  const long = await bring(
    'long.csv',
    `date,app,name,country,chart,category,rank\n${tuesday},4301,Own app,us,top-free,${of},57\n`,
  )
  assert.deepEqual([long.stored, long.rejected], [1, 0])
  const wide = await bring(
    'wide.csv',
    `App,App ID,appId,country,chart,category,${monday},${tuesday},${wednesday}\nOwn,x,4302,us,free,${of},91,-,>200\n`,
  )
  assert.deepEqual([wide.stored, wide.rejected], [3, 0])
  const ranking = (rank: number) => ({
    rank,
    fetch_date: monday,
    category: of,
    category_name: 'Some',
    chart_type: 'free',
    fetch_depth: 200,
  })
  const answer = {
    result: {
      4303: {
        rankings: [
          { date: monday, value: [ranking(1)] },
          {
            date: tuesday,
            value: [ranking(3), { ...ranking(80), category: '0', category_name: 'category all' }],
          },
        ],
      },
    },
  }
  const answered = await bring('apptweak.json', JSON.stringify(answer), { country: 'us' })
  assert.deepEqual([answered.stored, answered.rejected], [3, 0])
  assert.deepEqual(await ranksOf(4301, of), [
    notMeasured('partial-snapshot'),
    measured(57, null),
    notMeasured('partial-snapshot'),
  ])
  assert.deepEqual(await ranksOf(4302, of), [measured(91, null), notMeasured('partial-snapshot'), absent(200)])
  assert.deepEqual((await ranksOf(4303, of))?.slice(0, 2), [measured(1, null), measured(3, null)])
  assert.deepEqual((await ranksOf(4303, '36'))?.[1], measured(80, null))
  assert.equal((await chart(of)).code, 'chart-not-found')
})

test('a chart of which only ranks are told is no chart, says so, and its app is shown with its rank', async () => {
  const of = nextGenre()
  await bringIn(of, [
    [tuesday, 4100, 57],
    [tuesday, 4101, 190],
  ])
  const none = await chart(of)
  assert.equal(none.code, 'chart-not-found')
  assert.match(none.detail, /was never stored\. Only ranks of 2 apps are known of it/)
  const { body } = await world.call('get_apple_chart_history', { storeId: '4100', categoryId: of })
  assert.equal(body.to, tuesday)
  assert.deepEqual(body.charts[0].current, measured(57, null))
  assert.equal(body.charts[0].evidence.source, 'chart-file')
  assert.deepEqual([body.coverage.chartsObserved, body.coverage.chartsWithApp], [1, 1])
  const record = (await world.call('get_competitor', { platform: 'ios', storeId: '4100' })).body
  assert.deepEqual([record.name, record.chartPositions], ['App 4100', []])
  await bringIn(of, whole(wednesday, [1, 2]))
  const day = await chart(of, tuesday)
  assert.equal(day.code, 'snapshot-not-found')
  assert.match(
    day.detail,
    /^No snapshot of this chart is stored for 2026-02-10\. Only ranks of 2 apps .* nearest are of 2026-02-11/,
  )
})

test('an app of which nothing but its rank is known is no unknown app', async () => {
  const of = nextGenre()
  const list = folder.write('nameless.csv', 'date,id,rank\n2026-02-10,4105,57\n')
  await importInto(world, { kind: 'charts', paths: [list], country: 'us', chart: 'top-free', category: of })
  const { body } = await world.call('get_apple_chart_history', {
    storeId: '4105',
    from: '2025-01-01',
    to: '2025-02-01',
  })
  assert.deepEqual([body.app.catalogued, body.charts], [false, []])
})

test('a whole chart of the same instant replaces what is told of it, whichever comes first', async () => {
  for (const first of ['list', 'chart']) {
    const of = nextGenre()
    const lists = [[[tuesday, 99, 57]] as Told[], whole(tuesday, [1, 2, 3])]
    for (const list of first === 'list' ? lists : lists.toReversed()) await bringIn(of, list)
    assert.deepEqual(await placesOn(of, tuesday), ['1:1', '2:2', '3:3'])
    assert.deepEqual((await ranksOf(2, of))[1], measured(2, 3))
    assert.equal((await historyOf(99, of)).charts.length, 0)
  }
})

test('parts of one chart that come apart are the chart once they fill its places, in any order', async () => {
  const parts = [[58, 60, 62], [59, 61], Array.from({ length: 57 }, (_, index) => index + 1)]
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ]) {
    const of = nextGenre()
    for (const part of order)
      await bringIn(
        of,
        (parts[part] ?? []).map((rank) => [tuesday, 5000 + rank, rank]),
      )
    const { items, returned } = await chart(of, tuesday)
    assert.deepEqual([items.length, returned, items.at(-1).app.storeId], [62, 62, '5062'])
  }
})

test('a rank history stays one on the days on which its apps stand at the top', async () => {
  const of = nextGenre()
  await bringIn(of, [
    [monday, 4200, 3],
    [tuesday, 4200, 1],
    [tuesday, 4201, 40],
    [wednesday, 4200, 1],
    [wednesday, 4201, 2],
  ])
  assert.deepEqual(await ranksOf(4200, of), [measured(3, null), measured(1, null), measured(1, null)])
  assert.equal((await chart(of, wednesday)).code, 'chart-not-found')
})

test('a mapping can say that a file has ranks of some apps, or whole charts', async () => {
  const [some, all] = [nextGenre(), nextGenre()]
  const saying = (value: string) => ({ ...mapping, constants: { whole: value } })
  await bringIn(some, [[tuesday, 4300, 1]], world, { mapping: saying('false') })
  assert.equal((await chart(some)).code, 'chart-not-found')
  assert.deepEqual((await ranksOf(4300, some))[1], measured(1, null))
  await bringIn(
    all,
    [
      [tuesday, 4300, 1],
      [tuesday, 4301, 9],
    ],
    world,
    { mapping: saying('true') },
  )
  assert.deepEqual(await placesOn(all, tuesday), ['1:4300', '9:4301'])
  const { reasons } = await bringIn(all, [[tuesday, 4300, 1]], world, { mapping: saying('perhaps') })
  assert.deepEqual(reasons, ['line 2: whole: "perhaps" is neither true nor false'])
})

test('two apps with one rank are told as they are in a history, and are no chart together', async () => {
  const of = nextGenre()
  const { rejected } = await bringIn(of, [
    [tuesday, 4400, 57],
    [tuesday, 4401, 57],
  ])
  assert.equal(rejected, 0)
  for (const app of [4400, 4401]) assert.deepEqual((await ranksOf(app, of))[1], measured(57, null))
})

test('a refused row leaves no empty chart behind, and no trouble on others', async () => {
  const [of, other] = [nextGenre(), nextGenre()]
  await bringIn(other, whole(monday, [4500]))
  await bringIn(of, whole(monday, [4500]))
  const refused = await bringIn(of, [
    [tuesday, 4500, 'four'],
    ['2026-02-12', 4500, 0],
  ])
  assert.deepEqual(refused.reasons, ['line 2: impossible rank "four"', 'line 3: impossible rank "0"'])
  assert.equal((await chart(of, tuesday)).code, 'snapshot-not-found')
  for (const categoryId of [of, other]) {
    const history = await historyOf(4500, categoryId)
    assert.deepEqual(history.trouble, [])
    assert.deepEqual(history.charts[0].series.at(-1).rank, notMeasured('no-snapshot'))
  }
  assert.deepEqual(await rows(world.store.db, sql`select from suspect_answers where subject like 'chart%'`), [])
})

test('ways to say "not ranked" are no refusals, and measure absence where they say how far was looked', async () => {
  const unmeasured = ['-', '–', '—', '--', 'n/a', 'N/A', '', 'null', 'not ranked', 'Unranked', 'NR']
  for (const words of unmeasured) {
    const of = nextGenre()
    const { rejected, stored, notes } = await bringIn(of, [
      [monday, 4600, 4],
      [tuesday, 4600, words],
    ])
    assert.deepEqual([rejected, stored], [0, 2], words)
    assert.match(
      notes.join(),
      /1 row says that an app has no rank and not how many places were looked at: not measured/,
    )
    assert.deepEqual(await ranksOf(4600, of), [
      measured(4, null),
      notMeasured('no-snapshot'),
      notMeasured('no-snapshot'),
    ])
    assert.deepEqual((await historyOf(4600, of)).trouble, [])
  }
  for (const words of ['>200', '> 200', '200+', '>=201', '≥201', 'not in top 200', 'outside the top 200']) {
    const of = nextGenre()
    const { rejected, notes } = await bringIn(of, [
      [monday, 4600, 4],
      [tuesday, 4600, words],
    ])
    assert.deepEqual([rejected, notes], [0, []], words)
    assert.deepEqual((await ranksOf(4600, of))[1], absent(200), words)
  }
})

test('a dash is absence down to the places that a mapping says were looked at, and an empty cell never is', async () => {
  const of = nextGenre()
  const looked = { ...mapping, constants: { requested: '500' } }
  await bringIn(
    of,
    [
      [monday, 4700, 4],
      [tuesday, 4700, '-'],
      [wednesday, 4700, ''],
    ],
    world,
    { mapping: looked },
  )
  assert.deepEqual(await ranksOf(4700, of), [measured(4, null), absent(500), notMeasured('no-snapshot')])
})

test('an empty rank is no place by the order of rows, with usual names of columns, too', async () => {
  const of = nextGenre()
  const lines = [
    { date: monday, id: '4800', rank: 1 },
    { date: monday, id: '4801', rank: null },
    { date: tuesday, id: '4801', rank: null },
  ].map((line) => `${JSON.stringify(line)}\n`)
  const brought = await importInto(world, {
    kind: 'charts',
    paths: [folder.write('empty-ranks.ndjson', lines.join(''))],
    country: 'us',
    chart: 'top-free',
    category: of,
  })
  assert.equal(brought.rejected, 0)
  assert.deepEqual(await placesOn(of, monday), ['1:4800'])
  assert.equal((await chart(of, tuesday)).code, 'snapshot-not-found')
})

test('a request for the charts of an app is answered by a list that tells its rank', async () => {
  const of = nextGenre()
  const app = { platform: 'ios', storeId: '4900' } as const
  await world.call('request_competitor_data', { ...app, kinds: ['charts'] })
  await bringIn(of, [[tuesday, 4900, 57]])
  const { body } = await world.call('list_competitor_data_requests', app)
  assert.equal(body.items[0].status, 'fulfilled')
})

test('told ranks and charts with places that could not be read come back from an export, and a replay makes them again', async () => {
  await using from = await openWorld()
  const [of, other] = ['6007', '6010']
  await bringIn(of, [...whole(monday, [1, 2, 3]), [tuesday, 99, 57], [tuesday, 98, '>200']], from)
  await bringIn(of, [[wednesday, 99, 1]], from, { mapping: { ...mapping, constants: { whole: 'false' } } })
  await bringIn(
    other,
    [
      [monday, 1, 1],
      [monday, 0, 2],
      [monday, 3, 3],
    ],
    from,
  )
  const replies = async (world: World) => [
    await ranksOf(99, of, world),
    await ranksOf(98, of, world),
    await ranksOf(1, of, world),
    await placesOn(of, monday, world),
    await placesOn(other, monday, world),
  ]
  const expected = await replies(from)
  assert.deepEqual(expected[0], [absent(3), measured(57, null), measured(1, null)])
  assert.deepEqual(expected[4], ['1:1', '3:3'])
  const out = `${folder.path}/charts.ndjson`
  assert.equal((await operate(from, { command: 'export charts', options: { out } })).code, 0)
  await using to = await openWorld()
  assert.equal((await importInto(to, { kind: 'charts', paths: [out] })).rejected, 0)
  assert.deepEqual(await replies(to), expected)
  assert.equal((await importInto(to, { kind: 'charts', paths: [out] })).stored, 0)
  const before = await derivedState(to.store.db)
  assert.equal(before.told_ranks?.length, 3)
  await replay(to.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await derivedState(to.store.db), before)
})

test('told ranks go with the month that retention removes', async () => {
  await using world = await openWorld()
  const days = ['2025-01-15', '2025-06-15', '2026-01-31', '2026-02-10']
  await bringIn(
    '6007',
    days.map((day) => [day, 99, 57]),
    world,
  )
  const kept = { keepDays: { chartRanks: 180 } }
  const { db } = world.store
  const { signal } = new AbortController()
  await removeOld(
    { db, media: new MediaOnDisk(`${folder.path}/media`) },
    kept,
    new Date('2026-03-01'),
    () => {},
    signal,
  )
  const left = await rows(db, sql<{ day: string }>`select day::text from told_ranks order by 1`)
  assert.deepEqual(
    left.map(({ day }) => day),
    ['2026-01-31', '2026-02-10'],
  )
})

test('ranks that are told without their chart are read where histories, requests and exports ask for them, and nowhere else', () => {
  const root = new URL('../src/', import.meta.url).pathname
  const naming = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && readFileSync(`${root}${name}`, 'utf8').includes('told_ranks'))
    .sort()
  assert.deepEqual(naming, [
    'domain/charts/rank-list-queries.ts',
    'domain/charts/writes.ts',
    'projections/catalogue.ts',
    'projections/retention/chart-ranks.ts',
  ])
})

const delivery = fc.uniqueArray(
  fc.record({ rank: fc.integer({ min: 1, max: 7 }), app: fc.integer({ min: 1, max: 9 }) }),
  { selector: ({ app }) => app, minLength: 1, maxLength: 5 },
)

test('lists of one instant come to the same in any order, in one import or in several', async () => {
  await using world = await openWorld()
  const { db } = world.store
  const stateAfter = async (lists: readonly { rank: number; app: number }[][], at: string) => {
    await forgetDerived(db)
    await sql`truncate readings, reading_identities`.execute(db)
    const paths = lists.map((list) =>
      listOf(
        '6007',
        list.map(({ rank, app }) => [tuesday, app, rank]),
      ),
    )
    for (const some of at === 'once' ? [paths] : paths.map((path) => [path]))
      await importInto(world, { kind: 'charts', paths: some, mapping })
    const { told_ranks, chart_snapshots, chart_months } = await derivedState(db)
    return { told_ranks, chart_snapshots, chart_months }
  }
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(delivery, { minLength: 2, maxLength: 5 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      fc.constantFrom('once', 'each'),
      async ([all, shuffled], at) => {
        assert.deepEqual(await stateAfter(shuffled, at), await stateAfter(all, 'each'))
      },
    ),
    { numRuns: cases(40) },
  )
})
