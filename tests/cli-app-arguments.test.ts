import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sampleApps } from '../sample/apps.ts'
import { trackDemoApps } from '../sample/demo/tracking.ts'
import { sampleLookups } from '../sample/lookups.ts'
import { importSample } from '../src/imports/import-sample.ts'
import { run } from './support/in-process.ts'
import { openWorld, type World } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
let world: World
let env: Record<string, string>
before(async () => {
  world = parts.use(await openWorld())
  const span = { seed: 7, until: '2026-11-20' }
  const needed = sampleApps(span).filter(({ storeId }) => demoApps.includes(String(storeId)))
  await importSample(world.store.db, sampleLookups(needed, span, ['us', 'jp']), () => {})
  await trackDemoApps(world.store.db)
  const RIVALSCOPE_SERVER = await world.server.listen({ host: '127.0.0.1', port: 0 })
  env = { RIVALSCOPE_SERVER, RIVALSCOPE_KEY: await world.key(undefined, 'demo') }
  const { body } = await world.call('get_competitor', { platform: 'ios', storeId })
  bundleId = body.bundleId.value
})

const tracked = '019aa0b6-5c00-7000-8000-000000000002'
const storeId = '9000000137'
/** Apps that the demo tracks. */
const demoApps = [storeId, '9000000150']
let bundleId: string
const json = async (...args: string[]) => {
  const { code, out, err } = await run([...args, '--json'], { env })
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

test('an app is named by its store id, bundle id, address or tracked id, whatever the command takes', async () => {
  const names = [storeId, bundleId, `https://apps.apple.com/us/app/any-name/id${storeId}`, tracked]
  for (const name of names) {
    assert.equal((await json('get-competitor', name)).storeId, storeId, name)
    assert.equal((await json('get-apple-chart-history', name)).app.storeId, storeId, name)
    assert.equal((await json('get-aso-workstation', name)).tracked.appId, tracked, name)
    assert.equal((await json('update-aso-app-role', name, '--role', 'rival')).appId, tracked, name)
    const gap = await json('get-aso-keyword-gap', '019aa0b6-5c00-7000-8000-000000000001', name)
    assert.equal(gap.rival.storeId, storeId, name)
    assert.equal((await json('track-aso-app', '--app', name, '--role', 'rival')).appId, tracked, name)
    await json('search-organic-content', '--competitor', name)
  }
})

test('an app that is tracked in two storefronts is asked back for, or told by its address', async () => {
  const both = await run(['get-aso-workstation', '9000000150'], { env })
  assert.equal(both.code, 1)
  assert.match(both.err, /several storefronts.*0001 \(us\).*|0005 \(jp\)/)
  const japanese = await json('get-aso-workstation', 'https://apps.apple.com/jp/app/id9000000150')
  assert.equal(japanese.tracked.country, 'jp')
})

test('an id that is wrong names the command that lists the right ones', async () => {
  const unknown = '019aa0b6-5c00-7000-8000-00000000ffff'
  const cases: [string[], number, RegExp][] = [
    [['get-aso-workstation', unknown], 1, /rivalscope list-aso-apps/],
    [
      ['get-aso-workstation', '9000000399'],
      1,
      /does not track 9000000399.*list-aso-apps.*track-aso-app --app 9000000399/,
    ],
    [['get-aso-workstation', 'nonsense'], 2, /rivalscope list-aso-apps/],
    [['get-competitor', unknown], 1, /rivalscope list-aso-apps/],
    [
      ['get-competitor', 'com.example.no.such'],
      1,
      /search-competitors.*request-ios-competitor --app com\.example\.no\.such/,
    ],
    [['get-competitor', '1'], 1, /rivalscope search-competitors/],
    [['get-competitor', 'nonsense'], 2, /rivalscope search-competitors/],
    [['remove-aso-keyword', tracked, unknown], 1, /rivalscope get-aso-workstation/],
    [['get-organic-content', 'tiktok_1'], 1, /rivalscope search-organic-content/],
    [['get-paid-ad', 'meta', '1'], 1, /rivalscope search-paid-ads/],
    [['get-apple-charts', '--category-id', 'x'], 2, /rivalscope list-competitor-categories/],
  ]
  for (const [args, code, pattern] of cases) {
    const said = await run(args, { env })
    assert.equal(said.code, code, `${args}: ${said.err}`)
    assert.match(said.err, pattern, String(args))
  }
})
