import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dayNumber, dayOfNumber } from '../../src/domain/aso/pages/rank-days.ts'
import { replay } from '../../src/projections/replay.ts'
import { openWorld, sharedData, type World } from '../support/world.ts'

const skip = existsSync(join(sharedData, 'apple/search'))
  ? false
  : 'the real material is not beside the project (../shared/data)'

const chatFiles = skip
  ? []
  : readdirSync(join(sharedData, 'apple/search'))
      .filter((name) => name.startsWith('search_chat'))
      .map((name) => join('apple/search', name))

const reddit = '1064216828'
const weChat = '414478124'
const truthSocial = '1586018825'
/** ChatGPT came out on 18 May 2023; the newest of these pages was captured before 10 April. */
const chatGpt = '6448311069'

/** Every day of the fifteen months that has a page, in New York, with where each of the three stood. */
const days = {
  '2022-02-14': { reddit: 46, weChat: 3, truthSocial: 27 },
  '2022-03-04': { reddit: 41, weChat: 3 },
  '2022-03-12': { reddit: 41, weChat: 3 },
  '2022-03-31': { reddit: 42, weChat: 3 },
  '2022-04-09': { reddit: 41, weChat: 3 },
  '2022-04-12': { reddit: 40, weChat: 3 },
  '2022-04-22': { reddit: 40, weChat: 3 },
  '2022-05-18': { reddit: 40, weChat: 3 },
  '2022-05-22': { reddit: 40, weChat: 3 },
  '2022-06-04': { reddit: 36, weChat: 3 },
  '2022-06-19': { reddit: 35, weChat: 3 },
  '2022-06-23': { reddit: 35, weChat: 3 },
  '2022-07-14': { reddit: 36, weChat: 3 },
  '2022-07-29': { reddit: 35, weChat: 3 },
  '2022-08-13': { reddit: 34, weChat: 12 },
  '2022-09-08': { reddit: 34, weChat: 13 },
  '2022-10-21': { reddit: 44, weChat: 3 },
  '2022-12-04': { reddit: 48, weChat: 3 },
  '2023-01-20': { reddit: 43, weChat: 3 },
  '2023-02-13': { reddit: 44, weChat: 3 },
  '2023-03-03': { reddit: 2, weChat: 4 },
  '2023-04-03': { reddit: 2, weChat: 4 },
  '2023-04-06': { reddit: 2, weChat: 4 },
} as const satisfies Record<string, { reddit: number; weChat: number; truthSocial?: number }>

type Told = { date: string; rank: { state: string; value?: number; depth?: number } }

const measured = (date: string, value: number): Told => ({
  date,
  rank: { state: 'measured', value, depth: 50 },
})
const absent = (date: string): Told => ({ date, rank: { state: 'absent', depth: 50 } })
const entries = Object.entries(days) as [string, { reddit: number; weChat: number; truthSocial?: number }][]
const histories: Record<string, Told[]> = {
  [reddit]: entries.map(([day, reported]) => measured(day, reported.reddit)),
  [weChat]: entries.map(([day, reported]) => measured(day, reported.weChat)),
  [truthSocial]: entries.map(([day, { truthSocial: rank }]) => (rank ? measured(day, rank) : absent(day))),
}
const bests: Record<string, { value: number; on: string }> = {
  [reddit]: { value: 2, on: '2023-03-03' },
  [weChat]: { value: 3, on: '2022-02-14' },
  [truthSocial]: { value: 27, on: '2022-02-14' },
}

describe('The fifteen months of "chat" in the United States', { skip }, () => {
  let world: World

  before(async () => {
    world = await openWorld()
    const summary = await world.import({ kind: 'search-results', paths: ['apple/search'] })
    // The broken answer, and the three of which nothing tells what was searched.
    assert.deepEqual([summary.stored, summary.rejected], [23 * 50, 4])
  })
  after(() => world[Symbol.asyncDispose]())

  test('Reddit comes from the forties to second, WeChat falls and returns, Truth Social is seen once', async () => {
    for (const [storeId, history] of Object.entries(histories)) {
      const keyword = await chatOf(world, storeId)
      assert.deepEqual(keyword.history, history, storeId)
      assert.deepEqual(keyword.best, { state: 'measured', ...bests[storeId] })
      const newest = history.at(-1)
      assert.deepEqual([keyword.rank.state, keyword.rank.value], [newest?.rank.state, newest?.rank.value])
      assert.equal(keyword.page.surface, 'iTunes Search API')
      assert.equal(keyword.page.observedAt, '2023-04-06T12:42:41.000Z')
    }
  })

  test('the story is the same after a second import in another order, and after a replay', async () => {
    const again = await world.import({
      kind: 'search-results',
      paths: chatFiles.toReversed(),
    })
    assert.equal(again.stored, 0)
    await replay(world.store.db, () => {}, new AbortController().signal)
    for (const [storeId, history] of Object.entries(histories))
      assert.deepEqual((await chatOf(world, storeId)).history, history, storeId)
  })

  test('explore_aso_keyword tells who came and went, and how hard the page is', async () => {
    const { body } = await world.call('explore_aso_keyword', { query: 'Chat', limit: 50 })
    assert.deepEqual([body.term, body.pagesStored], ['chat', 23])
    assert.equal(body.firstObservedAt, '2022-02-15T01:02:36.000Z')
    const places: { position: number; app: { storeId: string } }[] = body.page.results
    assert.deepEqual([body.page.depth, places.length, places[1]?.app.storeId], [50, 50, reddit])
    assert.deepEqual([body.difficulty.value, body.difficulty.formula], [77, 'difficulty/5 (common scale)'])
    assert.deepEqual([body.volatility.score.value, body.volatility.comparisons], [3, 22])
    const changes: {
      observedAt: string
      movers: { storeId: string; from: number; to: number }[]
      leavers: { storeId: string; position: number }[]
    }[] = body.changes
    const moved = (day: string, storeId: string) => {
      const change = changes.find(({ observedAt }) => observedAt.startsWith(day))
      const mover = change?.movers.find((app) => app.storeId === storeId)
      return mover ? [mover.from, mover.to] : undefined
    }
    assert.deepEqual(moved('2023-03-03', reddit), [44, 2])
    assert.deepEqual(moved('2022-08-13', weChat), [3, 12])
    const gone = changes.at(-1)?.leavers.find((app) => app.storeId === truthSocial)
    assert.equal(gone?.position, 27)
  })

  test('the workstation of a tracked Reddit ends with the newest page and shows the year before', async () => {
    const body = await workstationOf(world, reddit)
    assert.deepEqual([body.window.from, body.window.to], ['2022-04-07', '2023-04-06'])
    const [keyword] = body.keywords
    const series: (number | string | null)[] = keyword.series
    const shown = series.flatMap((rank, index) =>
      rank === null ? [] : [[dayOfNumber(dayNumber(body.window.from) + index), rank]],
    )
    const expected = entries.filter(([day]) => day >= '2022-04-07').map(([day, at]) => [day, at.reddit])
    assert.deepEqual(shown, expected)
    assert.deepEqual(keyword.best, { state: 'measured', ...bests[reddit] })
    assert.deepEqual(keyword.over30Days, { state: 'measured', places: 0, comparedOn: '2023-03-03' })
    assert.equal(body.visibility.share.value, 50)
  })

  test('an app that came out later was looked for on every page and is on none', async () => {
    const body = await workstationOf(world, chatGpt)
    const [keyword] = body.keywords
    assert.deepEqual(keyword.rank, { state: 'absent', depth: 50 })
    assert.deepEqual(keyword.best, { state: 'absent', depth: 50, pages: entries.length })
    assert.equal(body.visibility.share.value, 0)
  })
})

/** What get_competitor_aso says of an app and "chat". */
async function chatOf(world: World, storeId: string) {
  const { body } = await world.call('get_competitor_aso', { platform: 'ios', storeId })
  return body.keywords.items.find(({ term }: { term: string }) => term === 'chat')
}

/** The workstation of an app with the keyword "chat", over a year. */
async function workstationOf(world: World, app: string) {
  const tracked = await world.call('track_aso_app', { app, country: 'us', role: 'own' })
  const { appId } = tracked.body
  await world.call('add_aso_keywords', { appId, terms: ['CHAT'] })
  return (await world.call('get_aso_workstation', { appId, windowDays: 365 })).body
}
