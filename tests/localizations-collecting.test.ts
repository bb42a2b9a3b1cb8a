import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { rows } from '../src/storage/database.ts'
import { playedSources, startApple } from './support/apple.ts'
import { playedApps } from './support/apple-answers.ts'
import { asked, jobsEnd, lookAtSchedule, openCollecting, patient } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import { operate } from './support/operator.ts'
import { openWorld, type World } from './support/world.ts'

const [own = '', rival = '', other = ''] = playedApps().map(({ storeId }) => storeId)
const french = { name: 'Lanterne', subtitle: 'Le soir au calme', description: 'Une lanterne.' }
const apps = () =>
  playedApps().map((app) => (app.storeId === own ? { ...app, localized: { 'fr-FR': french } } : app))

/** What the default of these apps is, collected in the US. */
async function collectDefaults({ collecting: { collector } }: World, storeIds: readonly string[]) {
  await collector.lookup(storeIds, 'us', patient)
  for (const storeId of storeIds) await collector.page(storeId, 'us', patient)
}

const track = ({ store }: World, storeId: string, role: string) =>
  sql`
    insert into tracked_apps (app_id, account_id, store_id, country, role)
    select gen_random_uuid(), account_id, ${storeId}::bigint, 'us', ${role} from accounts where name = 'default'`.execute(
    store.db,
  )

const localized = (path: string) => new URL(path, 'http://x').searchParams.get('l')

test('the schedule reads tracked apps and rivals in the languages of their storefront, weekly, and nothing else', async () => {
  await using apple = await startApple({ apps: apps() })
  await using world = await openWorld({
    works: true,
    sources: playedSources(apple, { attempts: 1 }),
    schedule: { localizations: {} },
  })
  await jobsEnd(world, 'schedule')
  await collectDefaults(world, [own, rival, other])
  await track(world, own, 'own')
  await track(world, rival, 'rival')
  await track(world, other, 'watched')
  apple.requests.splice(0)
  // One page is in another language than asked for: it keeps no other waiting, and the app's own page counts as read.
  const wrong = '<html lang="en-US"><script id="serialized-server-data">{"data":[]}</script></html>'
  apple.behave(({ path }) => path.includes('/app/') && path.includes(rival) && localized(path) === 'ko', {
    does: 'serve',
    body: wrong,
  })
  const read = () => asked(apple, '/us/app/id').map((path) => [path.slice(10, 20), localized(path)])
  await lookAtSchedule(world)
  await jobsEnd(world, 'collect-localizations')
  assert.deepEqual(
    read()
      .map((one) => one.join())
      .sort(),
    [own, rival]
      .flatMap((storeId) =>
        ['ar', 'es-MX', 'fr-FR', 'ko', 'pt-BR', 'ru', 'vi', 'zh-Hans-CN', 'zh-Hant-TW'].map(
          (tag) => `${storeId},${tag}`,
        ),
      )
      .sort(),
  )
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: own, language: 'fr' })
  assert.deepEqual(body.localizations?.known, ['fr-FR'])
  assert.equal(body.localizations?.absent.length, 8)
  assert.deepEqual(body.localization?.texts.subtitle, {
    state: 'measured',
    value: french.subtitle,
    evidence: 0,
  })
  assert.deepEqual(
    body.localization.evidence.map(({ origin, timeBasis }) => [origin, timeBasis]),
    [['collected', 'clock']],
  )
  assert.equal(body.name, 'Lantern Chat')
  const { body: theirs } = await world.call('get_competitor', { platform: 'ios', storeId: rival })
  assert.deepEqual(theirs.localizations?.notMeasured, ['ko'])
  assert.equal(theirs.freshness.find(({ part }) => part === 'similar')?.state, 'measured')

  await lookAtSchedule(world)
  await jobsEnd(world, 'collect-localizations')
  assert.equal(read().length, 18, 'within a week nothing is asked again')
  const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000)
  await sql`update localization_checks set checked_at = ${eightDaysAgo} where language = 'fr-FR'`.execute(
    world.store.db,
  )
  await lookAtSchedule(world)
  await jobsEnd(world, 'collect-localizations')
  assert.equal(read().length, 20)
})

test('chosen languages alone, and lookups with them, where the schedule says so', async () => {
  await using opened = await openCollecting({
    schedule: { localizations: { languages: ['fr-FR', 'de-DE'], lookups: true } },
  })
  const { world, apple } = opened
  await jobsEnd(world, 'schedule')
  await collectDefaults(world, [own])
  await track(world, own, 'own')
  apple.requests.splice(0)
  await lookAtSchedule(world)
  await jobsEnd(world, 'collect-localizations')
  assert.deepEqual(asked(apple, '/us/app/id').map(localized), ['fr-FR'], 'the US do not support German')
  const [lookup = '', ...more] = asked(apple, '/lookup')
  assert.equal(new URL(lookup, 'http://x').searchParams.get('lang'), 'fr_fr')
  assert.deepEqual(more, [])
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId: own })
  assert.deepEqual(body.localizations?.absent, ['fr-FR'])

  // What was collected, with all that was asked, goes out and comes back.
  using folder = openFolder()
  const out = join(folder.path, 'catalogue.ndjson')
  await operate(world, { command: 'export catalogue', options: { out } })
  await using other = await openWorld()
  const { stored, rejected } = await other.import({ kind: 'catalogue', paths: [out] })
  assert.ok(stored > 3)
  assert.equal(rejected, 0)
})

test('the command asks for named apps, and its plan says what another language costs', async () => {
  await using opened = await openCollecting({ works: false })
  const { world, apple } = opened
  await collectDefaults(world, [own])
  await track(world, own, 'own')
  apple.requests.splice(0)
  const command = 'collect localizations'
  const plan = await operate(world, { command, options: { plan: true, json: true, country: 'us' } })
  const { everyDays, pages, bytesEach, example } = JSON.parse(plan.out)
  assert.deepEqual([everyDays, pages], [7, 9])
  assert.ok(bytesEach > 100)
  // Nine in the US, one each in Germany, France and Japan, none in the United Kingdom.
  assert.deepEqual(
    [example.apps, example.storefronts, example.requests],
    [10, ['us', 'de', 'fr', 'jp', 'gb'], 120],
  )
  const { out } = await operate(world, { command, options: { plan: true, country: 'us' } })
  assert.match(
    out,
    /^1 app in 1 storefront with other languages, every 7 days:\n {2}9 requests to app-store-page/,
  )
  assert.match(out, /10 apps in us, de, fr, jp, gb: 120 requests/)
  assert.deepEqual(apple.requests, [])

  const named = await operate(world, {
    command,
    options: { storeIds: [own], country: 'us', language: ['ES-mx', 'fr'] },
  })
  assert.match(named.out, /^asked 1|^asked 2: stored 2/)
  assert.deepEqual(asked(apple, '/us/app/id').map(localized).sort(), ['es-MX', 'fr-FR'])
  const due = await operate(world, { command, options: { country: 'us' } })
  assert.match(due.out, /^asked 7: stored 7/)
  const { code, notes } = await operate(world, {
    command,
    options: { storeIds: [own], country: 'us', language: ['xx'] },
  })
  assert.equal(code, 2)
  assert.match(notes, /"xx" is not a localization of the App Store/)
  assert.equal((await rows(world.store.db, sql`select from localization_checks`)).length, 9)
})
