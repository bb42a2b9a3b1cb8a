import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { adsOnFile } from './support/ads-on-file.ts'
import { lookAtSchedule } from './support/collecting.ts'
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
    reading.map(({ offer }) => offer.state),
    none.map((text) => (text.startsWith('Retours') ? 'absent' : 'not-measured')),
    'and that there is none is said in the language in which nearly all are found',
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

test('nothing is said to be absent in a language of which it is not shown that nearly all is found, or that cannot be told', async () => {
  const finnishText = 'Yritä uudelleen joka päivä, koska jokainen askel vie sinua eteenpäin tällä matkalla.'
  const [finnish, unclear, german, signs] = await readings([
    finnishText,
    'Zorbelux',
    'Der Wald ist still am Morgen, und über den Wiesen liegt noch lange der Nebel der Nacht.',
    '🔥🔥🔥',
  ])
  const [both] = await readings([finnishText], 'Every single step counts on this long journey of yours.')
  for (const field of ['offer', 'callToAction', 'urgency'] as const)
    assert.deepEqual(
      [finnish, unclear, german, signs, both].map((reading) => reading?.[field]),
      Array(5).fill({ state: 'not-measured', reason: 'language-not-validated' }),
      field,
    )
  assert.equal(
    german?.hook.statement,
    'Der Wald ist still am Morgen, und über den Wiesen liegt noch lange der Nebel der Nacht.',
  )
  assert.equal(german?.hook.kinds, undefined, 'a statement is what nothing else was found in')
})

test('where nearly all calls to action or offers are found, an ad without one has none', async () => {
  const [korean, english, french] = await readings([
    '오늘도 바람이 시원하게 불어오는 조용한 아침입니다. 강가의 나무들이 천천히 흔들립니다.',
    'The wind was cold this morning, and the trees along the river were moving very slowly.',
    'Le vent était froid ce matin, et les arbres le long de la rivière bougeaient lentement.',
  ])
  assert.deepEqual(
    [korean?.callToAction, english?.callToAction, french?.offer],
    Array(3).fill({ state: 'absent' }),
  )
  assert.deepEqual(
    [korean?.offer, english?.offer, french?.callToAction].map((one) => said(one)),
    Array(3).fill('language-not-validated'),
  )
})

test('an ad of a button alone asks for what it says, and nothing is said of an offer it has no words for', async () => {
  await ads.import({ archiveId: '9900', title: null, text: null, callToAction: 'Install Now' })
  await world.call('analyze_paid_ad_creative', { platform: 'meta', archiveId: '9900' })
  const { analysis } = await until(
    async () => (await world.call('get_paid_ad', { platform: 'meta', archiveId: '9900' })).body,
    (shown) => Boolean(shown.analysis?.finishedAt),
  )
  const { callToAction, offer } = analysis.result.reading
  assert.equal(callToAction.statement, 'Install the app.')
  assert.deepEqual(offer, { state: 'not-measured', reason: 'too-little-evidence' })
})

test('Korean calls to action are read by the forms of their verbs, and questions and greetings are none', async () => {
  const asked: [string, string][] = [
    ['올 가을 신상 운동화가 드디어 입고되었습니다. 지금 바로 확인해 보세요!', 'Learn more.'],
    ['하루 십 분이면 충분합니다. 무료로 다운로드하세요', 'Download it.'],
    ['우리 동네 이웃과 함께 달리기 모임을 열어요. 오늘 신청하러 가기 👉', 'Sign up.'],
    ['매일 아침 새로운 이야기가 도착합니다. 첫 장을 시작해보세요', 'Start now.'],
    ['따뜻한 겨울을 위한 담요를 준비했어요. 소중한 사람에게 마음을 전하세요', 'Asks for what is quoted.'],
  ]
  const reading = await readings(asked.map(([text]) => text))
  assert.deepEqual(
    reading.map(({ callToAction }) => said(callToAction)),
    asked.map(([, action]) => action),
  )
  assert.equal(reading.at(-1)?.callToAction.kinds, undefined, 'the tables have no word for it')
  const [greeting, question] = await readings([
    '안녕하세요, 우리 가게는 강가에 있는 작은 빵집이고 매일 아침 빵을 굽습니다.',
    '요즘 어깨가 무겁고 밤에 잠이 오지 않으세요? 그 마음을 잘 알고 있습니다.',
  ])
  assert.deepEqual([greeting?.callToAction.state, question?.callToAction.state], ['absent', 'absent'])
})

test('French, Spanish and English requests without a word of the tables are read, statements and questions are not', async () => {
  const read = await readings([
    'Incarnez une héroïne des glaces et affrontez les dragons du nord dans ce nouveau jeu.',
    'Parie sur ton équipe préférée tout au long de la saison avec notre application.',
    '¡Cuéntanos qué sueñas y regálate un viaje por los pueblos blancos de la sierra!',
    'Declutter your desk in one afternoon with the little boxes that stack themselves.',
  ])
  assert.deepEqual(
    read.map(({ callToAction }) => said(callToAction)),
    Array(4).fill('Asks for what is quoted.'),
  )
  const none = await readings([
    'Vous aimez la mer et vous vivez chez vous comme en vacances, loin de la ville.',
    'Savez-vous combien de temps dure le voyage jusqu’à la lune en fusée ancienne ?',
    'El vehículo es el artículo más hermoso que cualquiera puede ver en la película.',
    'Introducing our little boxes that stack themselves on the desk of your study.',
  ])
  assert.deepEqual(
    none.map(({ callToAction }) => callToAction.state),
    ['not-measured', 'not-measured', 'not-measured', 'absent'],
  )
})

test('gifts, one more for the same price, and lower prices without a number are offers', async () => {
  const offers: [string, string[], string][] = [
    [
      'Un sac en toile offert pour toute commande passée avant la fin du mois de mai.',
      ['free'],
      'Something free.',
    ],
    [
      'Une remise exceptionnelle vous attend sur toute la collection de cet hiver.',
      ['discount'],
      'A lower price.',
    ],
    ['Profitez de 15 € de réduction sur votre première commande de légumes frais.', ['discount'], '15 € off.'],
    ['이번 주말까지 모든 고객님께 예쁜 사은품을 증정합니다. 많은 관심 부탁드립니다.', ['free'], 'A gift.'],
    ['가을 신상 운동화 전 품목 특가! 강가의 작은 가게에서 만나보세요.', ['discount'], 'A lower price.'],
    ['편안한 겨울 바지가 3만원대! 따뜻하게 입고 오래 걸어 보세요.', ['price'], 'A price of 3만원.'],
    ['Every order of this month comes with a free gift that our children picked for you.', ['free'], 'A gift.'],
    ['Con la compra de dos sillas te llevas una lámpara de regalo para la mesa.', ['free'], 'A gift.'],
    [
      'Buy one, get one free on all the candles in the shop until the end of the week.',
      ['free'],
      'One more for the same price.',
    ],
    ['ご購入いただいた方全員に、オリジナルの手帳をプレゼントします。', ['free'], 'A gift.'],
  ]
  const reading = await readings(offers.map(([text]) => text))
  assert.deepEqual(
    reading.map(({ offer }) => [offer.kinds, said(offer)]),
    offers.map(([, kinds, says]) => [kinds, says]),
  )
  const none = await readings([
    'La réduction de la fatigue et la remise en forme demandent un peu de patience.',
    'Les idées de cadeaux de notre magazine sont écrites par des lectrices fidèles.',
    '이 담요는 포장이 예뻐서 소중한 사람을 위한 선물용으로도 추천합니다.',
    'We are looking for the next big deal, and the house on the hill is for sale.',
  ])
  assert.deepEqual(
    none.map(({ offer }) => offer.state),
    ['absent', 'absent', 'not-measured', 'not-measured'],
  )
})

test('a reading of an older version is made anew after an update, and what a language model read stays', async () => {
  const text = '올 가을 신상 운동화가 드디어 입고되었습니다. 지금 바로 확인해 보세요!'
  await readings([text, text])
  const [own, models] = [adNumber - 1, adNumber].map(String)
  const absent = { state: 'absent' }
  await sql`
    update ad_analyses set result = jsonb_set(jsonb_set(result, '{reading,callToAction}', ${JSON.stringify(absent)}::jsonb),
      '{readingBy}', case when archive_id = ${own} then '{"name": "local", "version": "2"}'::jsonb
        else '{"name": "studio-model", "version": "gpt-4.1"}'::jsonb end)
    where archive_id in (${own}, ${models})`.execute(world.store.db)
  await lookAtSchedule(world, new Date(Date.now() + 7_200_000))
  const shown = async (archiveId: string) =>
    (await world.call('get_paid_ad', { platform: 'meta', archiveId })).body.analysis.result
  const renewed = await until(
    () => shown(own ?? ''),
    ({ readingBy }) => readingBy.version === '3',
  )
  assert.equal(renewed.reading.callToAction.statement, 'Learn more.')
  const kept = await shown(models ?? '')
  assert.deepEqual([kept.readingBy.name, kept.reading.callToAction.state], ['studio-model', 'absent'])
})
