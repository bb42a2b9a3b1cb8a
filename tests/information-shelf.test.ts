import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replay } from '../src/projections/replay.ts'
import { storeReadings } from '../src/projections/store-readings.ts'
import { collected } from './support/collected.ts'
import { openWorld } from './support/world.ts'

const storeId = '8100000001'

/** The page of an app, as it was collected on a day in March 2026. */
function page(day: number, offers: [name: string, price: string][], sells = offers.length > 0) {
  const rows = [
    { title: 'サイズ', items: [{ text: '142.3 MB' }] },
    { title: '互換性', items: [{ heading: 'iPhone', text: 'iOS 16.0以降が必要です。' }] },
    { title: '言語', items: [{ text: '日本語、英語' }] },
    { title: 'App内課金', items: offers.length > 0 ? [{ textPairs: offers }] : [{ text: 'なし' }] },
    { title: 'コピーライト', items: [{ text: '© Lantern' }] },
  ]
  const lockup = { adamId: storeId, title: '灯', offerDisplayProperties: { hasInAppPurchases: sells } }
  const data = { data: [{ data: { lockup, shelfMapping: { information: { items: rows } } } }] }
  const html = `<script id="serialized-server-data">${JSON.stringify(data)}</script>`
  const at = new Date(Date.UTC(2026, 2, day)).toISOString()
  return collected('app-page', Buffer.from(html), { country: 'jp', storeId }, at)
}

test('what the information of a page tells are facts of the record, with history, whatever the order they come in', async () => {
  await using world = await openWorld()
  const record = async () =>
    (await world.call('get_competitor', { platform: 'ios', storeId, country: 'jp' })).body
  const plus: [string, string] = ['プレミアム', '¥600']
  const year: [string, string] = ['年間', '¥4,800']
  await storeReadings(world.store.db, [page(20, [plus, year])])
  const first = await record()
  assert.deepEqual(first.inAppPurchases, {
    state: 'measured',
    value: [
      { name: 'プレミアム', price: '¥600' },
      { name: '年間', price: '¥4,800' },
    ],
    evidence: 0,
  })
  assert.deepEqual(first.compatibility.value, [{ device: 'iPhone', requirement: 'iOS 16.0以降が必要です。' }])
  assert.deepEqual(
    [first.languagesShown.value, first.sizeShown.value, first.copyright.value],
    ['日本語、英語', '142.3 MB', '© Lantern'],
  )
  // The same offers in another order are no change; another price is one.
  await storeReadings(world.store.db, [page(25, [year, plus])])
  assert.deepEqual((await record()).listingHistory, [])
  await storeReadings(world.store.db, [page(10, [['プレミアム', '¥500'], year])])
  const changed = await record()
  assert.deepEqual(
    changed.listingHistory.map(({ field, value }: { field: string; value: string }) => [
      field,
      value.split('\n')[0],
    ]),
    [
      ['in-app-purchases', '年間: ¥4,800'],
      ['in-app-purchases', 'プレミアム: ¥500'],
    ],
  )
  await storeReadings(world.store.db, [page(28, [])])
  const sold = await record()
  assert.deepEqual(sold.inAppPurchases, { state: 'absent', evidence: 0 })
  await replay(world.store.db, () => {}, new AbortController().signal)
  assert.deepEqual(await record(), sold)
})
