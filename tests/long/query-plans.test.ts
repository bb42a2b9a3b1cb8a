import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { benchAccount as asoAccount, fillAso, rivals, trackedAppId } from '../../bench/aso-store.ts'
import { fillCharts } from '../../bench/chart-store.ts'
import { fillCreatives } from '../../bench/creative-store.ts'
import { benchApps, benchStoreId } from '../../bench/generate.ts'
import type { Tool } from '../../src/contract/contract.ts'
import { countChange } from '../../src/domain/evidence/changes.ts'
import { openFolder } from '../support/files.ts'
import { QueryPlans, type Work } from '../support/query-plans.ts'
import { storeTracked } from '../support/tracking.ts'
import { openWorld, type World } from '../support/world.ts'

/**
 * How PostgreSQL reads the tables of what is asked most, on stores that are large enough for it to matter: by which paths, in how
 * many statements, and how many rows, so that no read gets dearer unseen. All of it is kept beside this file: `npm run record -- plans`
 * writes anew what changed, and whoever does reads the difference.
 */
const kept = new URL('query-plans.json', import.meta.url)
const plans = JSON.parse(readFileSync(kept, 'utf8')) as Record<string, Work>
const found: Record<string, Work> = {}
after(() => {
  if (process.env.RIVALSCOPE_TEST_WRITE_PLANS === '1')
    writeFileSync(kept, `${JSON.stringify(found, null, 2)}\n`)
})

/** Rows above which a table is not read as a whole for one request. */
const large = 2_000

interface Asked {
  world: World
  plans: QueryPlans
}

/** What is read as a whole all the same, and why that is known. */
const known: Record<string, string[]> = {}

/** Statistics over all rows, so that two runs plan alike. */
async function analysed(world: World): Promise<Asked> {
  await world.store.db.connection().execute(async (db) => {
    await sql`set default_statistics_target = 2000`.execute(db)
    await sql`analyze`.execute(db)
    await sql`reset default_statistics_target`.execute(db)
  })
  return { world, plans: await QueryPlans.on(world.store, large) }
}

async function assertPlanned(name: string, asked: Asked, perform: () => Promise<unknown>): Promise<void> {
  // What is asked once, such as the credential, is not of interest the second time.
  await perform()
  // What is remembered is made anew.
  await countChange(asked.world.store.db, ['other'])
  const work = await asked.plans.of(perform)
  assert.ok(work.ways.length > 0, 'nothing was read')
  const before = plans[name]
  // A count that varies from run to run stays as it is.
  found[name] = before && isSame(work, before) ? before : work
  const whole = work.ways.filter((way) => way.startsWith('whole ') && !known[name]?.includes(way))
  assert.deepEqual(whole, [], 'large tables that are read as a whole')
  if (process.env.RIVALSCOPE_TEST_WRITE_PLANS === '1') return
  const { ways, statements, rows } = before ?? assert.fail('It was never written down: npm run record -- plans')
  assert.deepEqual(
    work.ways,
    ways,
    'read the difference, and where it is for the better: npm run record -- plans',
  )
  assert.ok(work.statements <= statements, `${work.statements} statements where it was ${statements}`)
  assert.ok(work.rows <= rows * moreRows + few, `${work.rows} rows are read where it was ${rows}`)
}

/** Which of several equal rows a plan meets first varies, and with it how many it reads. */
const moreRows = 1.5
const few = 50

const isSame = (one: Work, other: Work): boolean =>
  isDeepStrictEqual(one.ways, other.ways) &&
  one.statements === other.statements &&
  one.rows <= other.rows * moreRows + few &&
  other.rows <= one.rows * moreRows + few

const calls = (asked: () => Asked, account: string | undefined, all: [name: string, Tool, object][]) => {
  for (const [name, tool, input] of all)
    test(name, async () => {
      const key = await asked().world.key(undefined, account)
      await assertPlanned(name, asked(), async () => {
        const { status, body } = await asked().world.call(tool, { ...input }, { key })
        assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
      })
    })
}

describe('On 15,000 apps with charts, posts and ads', { timeout: 600_000 }, () => {
  let asked: Asked
  before(async () => {
    const world = await openWorld()
    using folder = openFolder()
    const apps = folder.write(
      'apps.ndjson',
      [...benchApps(15_000)].map((app) => `${JSON.stringify(app)}\n`).join(''),
    )
    const summary = await world.import({
      kind: 'catalogue',
      paths: [apps],
      country: 'us',
      observedAt: '2026-11-01',
    })
    assert.equal(summary.stored, 15_000)
    await fillCharts(world.store.db, {
      charts: 60,
      days: 120,
      depth: 100,
      apps: 15_000,
      until: '2026-11-20',
      storefronts: ['us', 'jp'],
    })
    await fillCreatives(world.store, 12_000)
    for (let index = 0; index < 25; index++)
      await storeTracked(world, { storeId: String(benchStoreId(index)), keywords: ['budget'] })
    asked = await analysed(world)
  })
  after(() => asked?.world[Symbol.asyncDispose]())

  const app = { platform: 'ios', storeId: String(benchStoreId(7)) }
  calls(() => asked, undefined, [
    ['search_competitors by relevance', 'search_competitors', { q: 'budget planner' }],
    ['search_competitors by beginning', 'search_competitors', { q: 'bud' }],
    ['search_competitors without words', 'search_competitors', { sort: 'rating-count' }],
    [
      'search_competitors by a filter that few pass',
      'search_competitors',
      { releasedTo: '2010-06-01', sort: 'rating-count' },
    ],
    ['list_aso_apps', 'list_aso_apps', {}],
    ['get_competitor', 'get_competitor', app],
    ['get_similar_competitors', 'get_similar_competitors', app],
    ['get_apple_charts', 'get_apple_charts', { chart: 'top-free' }],
    [
      'get_apple_chart_history',
      'get_apple_chart_history',
      { storeId: app.storeId, from: '2026-08-01', to: '2026-11-20' },
    ],
    ['search_organic_content by relevance', 'search_organic_content', { q: 'moon' }],
    ['search_organic_content by outlier', 'search_organic_content', { sort: 'outlier' }],
    [
      'search_organic_content by views that a network hides',
      'search_organic_content',
      { network: ['reddit'], sort: 'views' },
    ],
    ['get_competitor_organic', 'get_competitor_organic', app],
    ['search_paid_ads by relevance', 'search_paid_ads', { q: 'free' }],
    ['search_paid_ads by time', 'search_paid_ads', { sort: 'recent' }],
    [
      'search_paid_ads by days and format',
      'search_paid_ads',
      { minDaysRunning: 60, format: ['video'], sort: 'recent' },
    ],
    ['search_paid_ads of an app', 'search_paid_ads', { competitor: [app.storeId] }],
  ])
})

/** A tracked app that stands on few pages. */
const rarelyRanked = '01980000-0000-7000-8000-000000000009'

describe('On 30,000 terms with pages of two months', { timeout: 600_000 }, () => {
  let asked: Asked
  before(async () => {
    const world = await openWorld()
    await fillAso(world.store.db, { keywords: 40, days: 60, depth: 10, terms: 30_000 })
    await sql`
      insert into tracked_apps (app_id, account_id, store_id, country, role)
      select ${rarelyRanked}::uuid, account_id, ${benchStoreId(500)}::bigint, 'us', 'own' from accounts where name = ${asoAccount}`.execute(
      world.store.db,
    )
    await fillQueue(world)
    asked = await analysed(world)
  })
  after(() => asked?.world[Symbol.asyncDispose]())

  calls(() => asked, asoAccount, [
    ['explore_aso_keyword', 'explore_aso_keyword', { query: 'topic7 word7 7' }],
    ['get_aso_workstation', 'get_aso_workstation', { appId: trackedAppId }],
    ['get_aso_keyword_gap', 'get_aso_keyword_gap', { appId: trackedAppId, rivalStoreId: rivals[0] }],
    [
      'get_aso_keyword_gap of apps on few pages',
      'get_aso_keyword_gap',
      { appId: rarelyRanked, rivalStoreId: String(benchStoreId(501)) },
    ],
    ['get_competitor_aso', 'get_competitor_aso', { platform: 'ios', storeId: String(benchStoreId(500)) }],
  ])

  test('a worker takes a job', () =>
    assertPlanned('a worker takes a job', asked, () => asked.world.queue.boss.fetch('intake')))
})

/** Jobs of many days, nearly all of them done. */
async function fillQueue({ store, queue }: World): Promise<void> {
  await queue.boss.insert(
    'intake',
    Array.from({ length: 20_000 }, (_, at) => ({ data: { workId: String(at) }, singletonKey: String(at) })),
  )
  await sql`
    update pgboss.job set state = 'completed', completed_on = now()
    where name = 'intake' and (data ->> 'workId')::int > 50`.execute(store.db)
}
