import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { KeywordMatrixReply } from '../src/api/keyword-matrix.ts'
import { appsOf, storePages } from './support/result-pages.ts'
import { track } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

const [then, observedAt] = ['2026-01-25T06:00:00.000Z', '2026-03-01T06:00:00.000Z']
let world: World
let key: string
before(async () => {
  world = await openWorld()
  key = await world.key()
  await storePages(world, [
    { term: 'timer', observedAt: then, apps: appsOf([8, 2, 1]) },
    { term: 'timer', observedAt, apps: appsOf([8, 1, 3]) },
    { term: 'exam', observedAt, apps: appsOf([1, 9]) },
    { term: 'study', observedAt, apps: appsOf([2, 9, 1]) },
    { term: 'elsewhere', observedAt, apps: appsOf([8, 9]) },
    { term: 'timer', country: 'gb', observedAt, apps: appsOf([9]) },
    { term: 'revision', country: 'gb', observedAt, apps: appsOf([1]) },
  ])
})
after(() => world[Symbol.asyncDispose]())

const addressOf = (apps: readonly string[]) => `/keyword-matrix?${apps.map((app) => `app=${app}`).join('&')}`
const ask = (apps: readonly string[], headers: Record<string, string> = { authorization: `Bearer ${key}` }) =>
  world.request<KeywordMatrixReply & { code: string; errors: { pointer: string }[] }>({
    url: addressOf(apps),
    headers,
  })

/** `2 of 3`, `>3`, or why nothing is known. */
const cellsOf = ({ items }: KeywordMatrixReply) =>
  items.map(({ term, cells }) => [
    term,
    ...cells.map(({ rank }) =>
      rank.state === 'measured'
        ? `${rank.value} of ${rank.depth}`
        : rank.state === 'absent'
          ? `>${rank.depth}`
          : rank.reason,
    ),
  ])

test('each app stands at a place of the same page, or is absent among its depth, over every page that showed one of them', async () => {
  const { status, body } = await ask(['1.us', '2.us', '3.us'])
  assert.equal(status, 200)
  assert.equal(body.total, 3)
  assert.deepEqual(cellsOf(body), [
    ['study', '3 of 3', '1 of 3', '>3'],
    ['timer', '2 of 3', '>3', '3 of 3'],
    ['exam', '1 of 2', '>2', '>2'],
  ])
  const [, timer] = body.items
  assert.deepEqual(
    timer?.cells.map(({ over30Days }) => over30Days),
    [
      { state: 'measured', places: 1, comparedOn: '2026-01-25' },
      { state: 'left', from: 2, depth: 3, comparedOn: '2026-01-25' },
      { state: 'entered', depth: 3, comparedOn: '2026-01-25' },
    ],
  )
  assert.equal(timer?.pages.us?.observedAt, observedAt)
  assert.equal(timer?.pages.us?.surface, body.surface)
})

test('visibilities of one storefront are over the same keywords', async () => {
  const { body } = await ask(['1.us', '2.us', '3.us'])
  assert.deepEqual(
    [...new Set(body.subjects.map(({ visibility }) => visibility.termSet?.slice(0, 5)))],
    ['us:3:'],
  )
  assert.equal(new Set(body.subjects.map(({ visibility }) => visibility.termSet)).size, 1)
})

test('one app across storefronts: a keyword without a page in one of them is not measured there', async () => {
  const { body } = await ask(['1.us', '1.gb'])
  assert.deepEqual(
    cellsOf(body).toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    [
      ['exam', '1 of 2', 'never-collected'],
      ['revision', 'never-collected', '1 of 1'],
      ['study', '3 of 3', 'never-collected'],
      ['timer', '2 of 3', '>1'],
    ],
  )
  const timer = body.items.find(({ term }) => term === 'timer')
  assert.deepEqual(Object.keys(timer?.pages ?? {}).toSorted(), ['gb', 'us'])
  assert.notEqual(body.subjects[0]?.visibility.termSet, body.subjects[1]?.visibility.termSet)
})

test('keywords that the account tracks for one of the apps are among them, searched or not; those of other accounts are not', async () => {
  await track(world, 3, ['never searched', 'elsewhere'])
  const { body } = await ask(['3.us'])
  assert.deepEqual(cellsOf(body), [
    ['timer', '3 of 3'],
    ['elsewhere', '>2'],
    ['never searched', 'never-collected'],
  ])
  const stranger = await world.key(['context:read'], 'stranger')
  const theirs = await ask(['3.us'], { authorization: `Bearer ${stranger}` })
  assert.deepEqual(cellsOf(theirs.body), [['timer', '3 of 3']])
})

test('an app of which nothing is stored has no keywords, and nothing is claimed', async () => {
  const { body } = await ask(['77.us'])
  assert.deepEqual([body.total, body.items, body.subjects[0]?.visibility.share.state], [0, [], 'not-measured'])
})

test('bad input and bad credentials are refused by name', async () => {
  const refused = async (apps: readonly string[]) => {
    const { status, body } = await ask(apps)
    return [status, body.code, body.errors[0]?.pointer]
  }
  for (const bad of [
    '1',
    '1.xx',
    '01.us',
    `${'9'.repeat(19)}.us`,
    '1.us.us',
    'x.us',
    `${'9'.repeat(30)}.us`,
    '1.us%00',
  ])
    assert.deepEqual(await refused(['1.us', bad]), [400, 'invalid-request', '/query/app/1'], bad)
  const seven = Array.from({ length: 7 }, (_, index) => `${index + 1}.us`)
  for (const apps of [[], seven, ['1.us', '1.us']])
    assert.deepEqual(await refused(apps), [400, 'invalid-request', '/query/app'])
  assert.deepEqual(await refused(['1.us&colour=red']), [400, 'invalid-request', '/query/colour'])
  assert.equal((await ask(['1.us'], {})).status, 401)
  const writer = await world.key(['content:write'])
  assert.equal((await ask(['1.us'], { authorization: `Bearer ${writer}` })).status, 403)
  assert.equal((await world.request({ method: 'POST', url: '/keyword-matrix' })).status, 405)
})
