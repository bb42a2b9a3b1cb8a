import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOf, turnHours, withAsOf } from '../src/api/as-of.ts'
import { keepReplyJson, replyJsonOf } from '../src/api/reply-json.ts'
import { present, presentPages } from '../src/cli/present/present.ts'
import { contract } from '../src/contract/contract.ts'
import type { Operation } from '../src/contract/operation.ts'
import { Schedule } from '../src/jobs/schedule.ts'
import { playedSources, startApple } from './support/apple.ts'
import { importPosts, madePost } from './support/posts.ts'
import { appsOf, storePage } from './support/result-pages.ts'
import { openWorld } from './support/world.ts'

const day = (date: string) => new Date(`${date}T12:00:00.000Z`)
const seen = day('2026-11-22').toISOString()

test('evidence is due after one turn of the schedule, and late after two', () => {
  const at = (now: string, hours: number | undefined) => asOf(seen, hours, day(now))
  assert.deepEqual(at('2026-11-22', 24), {
    today: '2026-11-22',
    newestEvidenceAt: seen,
    state: 'fresh',
    since: null,
  })
  assert.deepEqual(
    [at('2026-11-23', 24).state, at('2026-11-23', 24).since],
    ['due', '2026-11-23T12:00:00.000Z'],
  )
  assert.deepEqual(
    [at('2026-11-29', 24).state, at('2026-11-29', 24).since],
    ['late', '2026-11-24T12:00:00.000Z'],
  )
  assert.deepEqual(
    [at('2026-11-29', undefined).state, at('2026-11-29', undefined).since],
    ['not-scheduled', null],
  )
  assert.equal(asOf(null, 24, day('2026-11-29')).state, 'unknown')
})

test('turns are those of the areas that a reply rests on, in its storefront', () => {
  const schedule = Schedule.parse({
    charts: [{ countries: ['us'], everyHours: 6 }],
    apps: { countries: ['us', 'de'], everyDays: 7 },
    keywords: { everyHours: 12 },
  })
  assert.equal(turnHours(schedule, ['charts'], 'us'), 6)
  assert.equal(turnHours(schedule, ['charts'], 'de'), undefined)
  assert.equal(turnHours(schedule, ['charts', 'apps'], 'us'), 168)
  assert.equal(turnHours(schedule, ['keywords'], undefined), 12)
  assert.equal(turnHours(schedule, ['ads', 'posts'], 'us'), undefined)
  assert.equal(turnHours(undefined, ['charts'], 'us'), undefined)
})

test('a remembered reply is the same object and text until asOf changes', async () => {
  const reply = { items: [{ observedAt: '2026-11-20T00:00:00.000Z' }, { evidence: { observedAt: seen } }] }
  keepReplyJson(reply)
  const made = withAsOf(reply, ['apps'], undefined, day('2026-11-29'))
  assert.equal(withAsOf(reply, ['apps'], undefined, new Date('2026-11-29T23:59:59.000Z')), made)
  assert.deepEqual(JSON.parse(await replyJsonOf(made)), JSON.parse(JSON.stringify(made)))
  assert.equal(Object.keys(made)[0], 'asOf')
  assert.notEqual(withAsOf(reply, ['apps'], undefined, day('2026-11-30')), made)
})

test('every reply says today and how old its evidence is', async () => {
  await using world = await openWorld()
  for (const [tool, operation] of Object.entries<Operation>(contract))
    if (operation.reply) assert.equal(Object.keys(operation.reply.shape)[0], 'asOf', tool)
  const { body } = await world.call('list_aso_apps', {})
  assert.equal(body.asOf.newestEvidenceAt, null)
  assert.match(body.asOf.today, /^\d{4}-\d\d-\d\d$/)
})

test('a write says how old the evidence is that it shows, by its own area of the schedule', async () => {
  await using apple = await startApple()
  await using world = await openWorld({
    sources: playedSources(apple, { attempts: 1 }),
    schedule: { keywords: { everyHours: 24 } },
  })
  await importPosts(world, [madePost('7801', { observedAt: seen })])
  const saved = (await world.call('save_organic_content', { postId: 'tiktok_7801' })).body.asOf
  assert.deepEqual([saved.newestEvidenceAt, saved.state], [seen, 'not-scheduled'])
  const observedAt = new Date(Date.now() - 60 * 3_600_000).toISOString()
  await storePage(world, { term: 'sea salt', country: 'us', observedAt, apps: appsOf([1]) })
  const stored = { term: 'sea salt', country: 'us', live: false }
  const found = (await world.call('search_ios_apps', stored)).body.asOf
  assert.deepEqual([found.newestEvidenceAt, found.state], [observedAt, 'late'])
  assert.equal(found.since, new Date(Date.parse(observedAt) + 48 * 3_600_000).toISOString())
  const { body } = await world.call('track_aso_app', { app: '7802', role: 'own' })
  assert.deepEqual([body.asOf.newestEvidenceAt, body.asOf.state], [null, 'unknown'])
  const added = await world.call('add_aso_keywords', { appId: body.appId, terms: ['sea salt'] })
  assert.equal(added.body.asOf.newestEvidenceAt, observedAt)
  const gone = await world.call('remove_aso_app', { appId: body.appId })
  assert.equal(gone.status, 204)
})

test('a repeated request under an Idempotency-Key is the first reply, with the asOf of then', async () => {
  await using world = await openWorld()
  const headers = { 'idempotency-key': 'as-of' }
  const first = await world.call('track_aso_app', { app: '7803', role: 'own' }, { headers })
  const again = await world.call('track_aso_app', { app: '7803', role: 'own' }, { headers })
  assert.deepEqual(again.body, first.body)
})

test('terminals say it under every list, once for all pages of one', () => {
  const { reply } = contract.search_competitors.example
  const screen = { width: 100, unicode: true, colour: false, drawings: false }
  const asOf = { today: '2026-11-29', state: 'late', since: '2026-11-24T12:00:00.000Z' }
  const page = (newestEvidenceAt: string, nextCursor: string | null) => ({
    ...reply,
    asOf: { ...asOf, newestEvidenceAt },
    nextCursor,
  })
  const line = 'Newest evidence 2026-11-22, late since 2026-11-24; today is 2026-11-29.'
  const pages = presentPages('search_competitors', screen)
  const texts = [
    pages.next(page('2026-11-20T00:00:00.000Z', 'a')),
    pages.next(page(seen, 'b')),
    pages.next(page('2026-11-19T00:00:00.000Z', null)),
  ]
  assert.deepEqual(
    texts.map((text) => text.includes(line)),
    [false, false, true],
  )
  assert.ok(present('search_competitors', page(seen, null), screen).includes(line))
})
