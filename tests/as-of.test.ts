import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOf, turnHours, withAsOf } from '../src/api/as-of.ts'
import { keepReplyJson, replyJsonOf } from '../src/api/reply-json.ts'
import { contract } from '../src/contract/contract.ts'
import { hasAsOf, type Operation } from '../src/contract/operation.ts'
import { Schedule } from '../src/jobs/schedule.ts'
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

test('every read that rests on evidence says today and how old its evidence is', async () => {
  await using world = await openWorld()
  for (const [tool, operation] of Object.entries<Operation>(contract))
    assert.equal('asOf' in (operation.reply?.shape ?? {}), hasAsOf(operation), tool)
  const { body } = await world.call('list_aso_apps', {})
  assert.equal(body.asOf.newestEvidenceAt, null)
  assert.match(body.asOf.today, /^\d{4}-\d\d-\d\d$/)
})
