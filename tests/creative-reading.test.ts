import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adsOnFile } from './support/ads-on-file.ts'
import { until } from './support/until.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
const world = parts.use(await openWorld({ works: true }))
const ads = parts.use(adsOnFile(world))
after(() => parts.disposeAsync())

let adNumber = 9000

/** What is read in ads of these texts, through import, analysis and reply. */
async function readings(texts: readonly string[], title: string | null = null) {
  const named = texts.map((text) => ({ archiveId: String(++adNumber), text }))
  await ads.import(...named.map((ad) => ({ ...ad, title })))
  return Promise.all(
    named.map(async ({ archiveId }) => {
      const ad = { platform: 'meta', archiveId }
      await world.call('analyze_paid_ad_creative', ad)
      const { analysis } = await until(
        async () => (await world.call('get_paid_ad', ad)).body,
        (shown) => Boolean(shown.analysis?.finishedAt),
      )
      return analysis.result.reading
    }),
  )
}

const said = (one?: { state: string; statement?: string; reason?: string }) =>
  one?.statement ?? one?.reason ?? one?.state

test('what only sounds as if it were free, or is said not to be, is no offer in any language the tables know', async () => {
  const none = [
    'It is ad-free, interest-free, sugar free and hands-free from the very first day.',
    'Feel free to look around for as long as you like, there is no hurry here.',
    'No free trial and no tricks: we simply build good tools for thoughtful people.',
    'Free returns and free cancellation on everything that you order from our shop.',
    'Learn to be free of worries: in 7 days you will feel free like a bird again.',
    'Kostenlose Rücksendung und kostenlos stornieren, bei allem, was wir verkaufen.',
    'Retours gratuits et annulation gratuite sur toutes les commandes de la boutique.',
    'No es gratis, pero vale la pena. Además, todas las devoluciones gratis y sin prisa.',
    'Devolução grátis e parcelamento sem juros em todas as compras da nossa loja.',
    'Il reso gratuito vale per tutti i prodotti che trovi nel nostro negozio online.',
    '返品送料無料、キャンセル無料です。手数料無料で安心してご利用いただけます。',
    'Бесплатный возврат и рассрочка без процентов на все товары нашего магазина.',
    '这款应用不是免费的，但是支持免费退货，而且分期付款全程免息，请放心选择。',
    'Get 20% more done every single day with a calendar that understands your work.',
  ]
  const reading = await readings(none)
  assert.deepEqual(
    reading.map(({ offer }) => said(offer)),
    none.map(() => 'absent'),
  )
})

test('risk-free for sixty days is no free trial, and free delivery is told as that', async () => {
  const [shown, delivered, back] = await readings([
    'A mat that looks uncomfortable. Try it risk-free for 60 days and see for yourself.',
    'The new season is here, with free shipping and free returns on every single order.',
    'Not convinced after all? There is a 30-day money-back guarantee on all our plans.',
  ])
  assert.equal(said(shown?.offer), 'Risk-free for 60 days.')
  assert.deepEqual(shown?.offer.kinds, ['money-back'])
  assert.equal(said(delivered?.offer), 'Free delivery.')
  assert.equal(said(back?.offer), 'Money back for 30 days.')
  assert.deepEqual(back?.hook.kinds, ['question'])
})

test('of a language the tables do not know, or cannot tell, nothing is said to be absent', async () => {
  const finnishText = 'Yritä uudelleen joka päivä, koska jokainen askel vie sinua eteenpäin tällä matkalla.'
  const [finnish, unclear] = await readings([finnishText, 'Zorbelux'])
  const [both] = await readings([finnishText], 'Every single step counts on this long journey of yours.')
  for (const field of ['offer', 'callToAction', 'urgency'] as const)
    assert.deepEqual(
      [finnish, unclear, both].map((reading) => reading && said(reading[field])),
      ['outside-valid-range', 'too-little-evidence', 'outside-valid-range'],
      field,
    )
})
