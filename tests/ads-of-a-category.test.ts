import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { connectMcp } from './support/mcp.ts'
import { until } from './support/until.ts'
import { openWorld } from './support/world.ts'

const world = await openWorld({ works: true })
const folder = openFolder()
after(async () => {
  folder[Symbol.dispose]()
  await world[Symbol.asyncDispose]()
})

const ad = (archiveId: string, days: number, app: number | null, texts: object) => ({
  platform: 'meta',
  archiveId,
  advertiser: { id: `50${archiveId}`, name: `Maker ${archiveId}` },
  creatives: [{ ...texts, ...(app && { linkUrl: `https://apps.apple.com/us/app/x/id${app}` }) }],
  startedOn: new Date(Date.UTC(2026, 2, 1 - days)).toISOString().slice(0, 10),
  active: true,
  countries: ['de'],
  languages: ['en'],
  observedAt: '2026-03-01T06:00:00Z',
})
const saving = { title: 'Save more', text: 'Everyone says you need a budget. You could save $400 a year.' }
const records = [
  ad('1', 10, 990011, saving),
  ad('2', 40, 990012, { title: 'Try it free for 30 days', text: 'Your evenings are yours.' }),
  ad('3', 90, null, saving),
  ad('4', 80, 990013, saving),
  ad('5', 20, 990014, saving),
  ad('6', 30, 990015, { title: '   ' }),
]
const path = folder.write('ads.ndjson', records.map((one) => `${JSON.stringify(one)}\n`).join(''))
assert.equal((await world.import({ kind: 'paid-ads', paths: [path] })).rejected, 0)

const listing = (trackId: number, genres: number[] | null, country = 'us') => ({
  trackId,
  trackName: `App ${trackId}`,
  country,
  observedAt: '2026-02-01T00:00:00Z',
  ...(genres && { primaryGenreId: genres[0], genreIds: genres.map(String) }),
})
// 990014 is known in Japan alone, and of 990015 no storefront tells a genre.
await storeListings(world, [
  listing(990011, [6015, 6007]),
  listing(990012, [6007]),
  listing(990013, [7014, 6014]),
  listing(990014, [6015], 'jp'),
  listing(990015, null),
])

const search = async (input: Record<string, unknown>) => {
  const { status, body } = await world.call('search_paid_ads', input)
  assert.equal(status, 200)
  return body
}
type Body = Awaited<ReturnType<typeof search>>
const ids = ({ items }: Body) => items.map(({ archiveId }: { archiveId: string }) => archiveId)
const noteOf = ({ coverage }: Body) =>
  coverage[0].notes.find(({ code }: { code: string }) => code === 'not-linked')?.message

test('ads of a category are those linked to its apps, longest first, and what is not linked is told', async () => {
  const finance = await search({ categoryId: '6015', sort: 'longest-running', platform: 'meta' })
  assert.deepEqual(ids(finance), ['5', '1'])
  assert.deepEqual(finance.total, { value: 2, relation: 'exact' })
  assert.match(noteOf(finance), /Of 5 apps .* 2 are of this category, and of 1 none is known/)
  assert.deepEqual(ids(await search({ categoryId: '6007', sort: 'longest-running' })), ['2', '1'])
  assert.deepEqual(ids(await search({ categoryId: '6014' })), ['4'], 'with the genres below it')
  assert.deepEqual(ids(await search({ categoryId: '36', sort: 'longest-running' })), ['4', '2', '5', '1'])
  const none = await search({ categoryId: '6020' })
  assert.deepEqual([ids(none), none.total.value], [[], 0])
  assert.match(noteOf(none), /0 are of this category/)
  assert.equal(noteOf(await search({})), undefined)
})

test('a category narrows other filters, and pages of it go on', async () => {
  assert.deepEqual(ids(await search({ categoryId: '6007', competitor: ['990011', '990013'] })), ['1'])
  assert.deepEqual(ids(await search({ categoryId: '6014', competitor: ['990011'] })), [])
  assert.deepEqual(ids(await search({ categoryId: '6015', q: 'budget', minDaysRunning: 15 })), ['5'])
  const first = await search({ categoryId: '36', sort: 'longest-running', limit: 3 })
  const second = await search({
    categoryId: '36',
    sort: 'longest-running',
    limit: 3,
    cursor: first.nextCursor,
  })
  assert.deepEqual([...ids(first), ...ids(second)], ['4', '2', '5', '1'])
})

test('hook and promises are the words of the ad, of its analysis where there is one, and read from its texts elsewhere', async () => {
  const readings = async () =>
    new Map(
      (await search({ reading: true })).items.map(({ archiveId, reading }: Body['items'][number]) => [
        archiveId,
        reading,
      ]),
    )
  const before = await readings()
  assert.deepEqual(before.get('1'), {
    hook: { state: 'read', value: 'Everyone says you need a budget.' },
    promises: { state: 'read', value: ['You could save $400 a year.'] },
    readBy: { name: 'local', version: '3' },
    analysedAt: null,
  })
  assert.deepEqual(before.get('2')?.promises, { state: 'read', value: ['Try it free for 30 days'] })
  assert.deepEqual(
    [before.get('6')?.hook, before.get('6')?.promises],
    [
      { state: 'not-measured', reason: 'too-little-evidence' },
      { state: 'not-measured', reason: 'too-little-evidence' },
    ],
  )
  const name = { platform: 'meta', archiveId: '1' }
  await world.call('analyze_paid_ad_creative', name)
  await until(
    async () => (await world.call('get_paid_ad', name)).body.analysisState,
    (state) => state === 'available',
  )
  const analysed = (await readings()).get('1')
  assert.ok(analysed?.analysedAt)
  assert.deepEqual({ ...analysed, analysedAt: null }, before.get('1'))
  assert.equal((await search({})).items[0].reading, undefined)
})

test('a long text of a stranger is read to its beginning alone', async () => {
  const long = ad('7', 5, 990013, { text: `Open the door. ${'You could save $400 a year and '.repeat(600)}` })
  const file = folder.write('long.ndjson', JSON.stringify(long))
  assert.equal((await world.import({ kind: 'paid-ads', paths: [file] })).rejected, 0)
  const { items } = await search({ reading: true, categoryId: '6014', minDaysRunning: 1 })
  const { reading } = items.find(({ archiveId }: { archiveId: string }) => archiveId === '7')
  assert.equal(reading.hook.value, 'Open the door.')
  assert.ok(JSON.stringify(reading.promises).length < 1_000)
})

test('one call answers an agent which ads of a category run longest, with hook and promise', async () => {
  const address = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await using agent = await connectMcp(address, await world.key())
  const { reply } = await agent.call('search_paid_ads', {
    categoryId: 6015,
    sort: 'longest-running',
    reading: true,
  })
  const [longest] = reply.items
  assert.deepEqual(
    [longest.archiveId, longest.daysRunning, longest.hook, longest.promises],
    ['5', 21, 'Everyone says you need a budget.', ['You could save $400 a year.']],
  )
})

test('categories that are none are refused by name', async () => {
  for (const categoryId of ['finance', '0', '6015,6007']) {
    const { status, body } = await world.call('search_paid_ads', { categoryId })
    assert.deepEqual([status, body.errors[0].pointer], [400, '/query/categoryId'])
    assert.match(body.errors[0].message, /Apple genre id/)
  }
})
