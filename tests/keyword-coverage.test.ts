import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { storeListings } from './support/listings.ts'
import { operate } from './support/operator.ts'
import { storeTracked } from './support/tracking.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
let world: World
before(async () => {
  world = await openWorld()
  await storeListings(
    world,
    ['us', 'jp', 'de'].map((country) => ({
      ...{ trackId: 901, trackName: 'Tide Planner', country, observedAt: '2026-03-01T00:00:00Z' },
    })),
  )
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const texts = {
  'en-US': { name: 'Tide Planner', subtitle: 'Waves for surfers', keywords: 'harbour, moon' },
  'es-MX': { name: 'Mareas', keywords: 'luna,moon' },
  'en-GB': { name: 'Tides', subtitle: 'Of Britain', keywords: 'coast' },
  ja: { name: '潮見表', keywords: '波,満月' },
}

async function tell(account = 'default', observedAt = '2026-03-02') {
  const files = [folder.write('texts.json', JSON.stringify(texts))]
  const options = { files, app: '901', account, observedAt }
  assert.equal((await operate(world, { command: 'import listing', options })).code, 0)
}

async function coverage(country: 'us' | 'jp' | 'de', key?: string) {
  const asked = { platform: 'ios', storeId: '901', country } as const
  const { body } = await world.call('get_competitor_aso', asked, key === undefined ? {} : { key })
  return body.keywordCoverage
}

test('before anything is told, the localizations of a storefront are room and hold no words', async () => {
  await storeTracked(world, {
    storeId: '901',
    keywords: ['tide planner', 'harbour luna', 'moon waves', 'wave', 'lighthouse'],
  })
  const { told, localizations, counts, keywords, repeated, practice, table } = await coverage('us')
  assert.deepEqual([told, keywords, repeated, counts.total], [null, [], [], 0])
  assert.deepEqual(localizations.map(({ localization }) => localization).sort(), [
    'ar-SA',
    'en-US',
    'es-MX',
    'fr-FR',
    'ko',
    'pt-BR',
    'ru',
    'vi',
    'zh-Hans',
    'zh-Hant',
  ])
  assert.deepEqual(localizations[0], {
    ...{ localization: 'en-US', name: 'English (U.S.)', support: 'default', toldAt: null, texts: [] },
  })
  assert.ok(
    localizations.slice(1).every(({ support, texts }) => support === 'additional' && texts.length === 0),
  )
  assert.match(practice, /Apple does not document/)
  assert.match(table.source, /developer\.apple\.com/)
})

test('an own listing tells which keyword is covered by which localization, what is said twice, and the room left', async () => {
  await tell()
  const { told, localizations, counts, keywords, repeated } = await coverage('us')
  assert.deepEqual(told, { at: '2026-03-02T00:00:00.000Z', imports: 1 })
  assert.deepEqual(counts, { total: 5, oneField: 1, acrossFields: 1, likely: 1, split: 1, uncovered: 1 })
  assert.deepEqual(
    keywords.map(({ term, standing, missing }) => [term, standing, missing.join()]),
    [
      ['lighthouse', 'uncovered', 'lighthouse'],
      ['harbour luna', 'split', ''],
      ['wave', 'likely', ''],
      ['moon waves', 'across-fields', ''],
      ['tide planner', 'one-field', ''],
    ],
  )
  assert.deepEqual(keywords.at(-1)?.in, [
    { localization: 'en-US', how: 'one-field', fields: ['name'], missing: [] },
  ])
  assert.deepEqual(repeated, [
    {
      ...{ word: 'moon', where: 'several-localizations' },
      places: [
        { localization: 'en-US', field: 'keyword-field' },
        { localization: 'es-MX', field: 'keyword-field' },
      ],
    },
  ])
  const of = (code: string) => localizations.find(({ localization }) => localization === code)
  assert.deepEqual(of('en-US')?.texts, [
    { field: 'name', text: 'Tide Planner', characters: 12, left: 18, bytes: 12, blanks: null },
    { field: 'subtitle', text: 'Waves for surfers', characters: 17, left: 13, bytes: 17, blanks: null },
    { field: 'keyword-field', text: 'harbour, moon', characters: 13, left: 87, bytes: 13, blanks: 1 },
  ])
  const untold = { field: 'subtitle', text: null, characters: null, left: null, bytes: null, blanks: null }
  assert.deepEqual(of('es-MX')?.texts[1], untold)
  assert.deepEqual(of('ko'), {
    localization: 'ko',
    name: 'Korean',
    support: 'additional',
    toldAt: null,
    texts: [],
  })
})

test('each storefront reads its own localizations: another one covers nothing there', async () => {
  await storeTracked(world, { storeId: '901', country: 'jp', keywords: ['潮見表 波', '満月', 'tide planner'] })
  await storeTracked(world, { storeId: '901', country: 'de', keywords: ['tide planner', 'coast'] })
  const standingsOf = async (country: 'jp' | 'de') =>
    Object.fromEntries((await coverage(country)).keywords.map(({ term, standing }) => [term, standing]))
  assert.deepEqual(await standingsOf('jp'), {
    ...{ '潮見表 波': 'across-fields', 満月: 'one-field', 'tide planner': 'one-field' },
  })
  assert.deepEqual(await standingsOf('de'), { 'tide planner': 'uncovered', coast: 'one-field' })
})

test('another account sees nothing of it, whether it tracks the app or not', async () => {
  const key = await world.key(undefined, 'stranger')
  assert.equal((await coverage('us', key)).told, null)
  await storeTracked(world, { storeId: '901', account: 'stranger', keywords: ['moon'] })
  const seen = await world.call(
    'get_competitor_aso',
    { platform: 'ios', storeId: '901', country: 'us' },
    { key },
  )
  assert.equal(seen.body.keywordCoverage.told, null)
  assert.doesNotMatch(JSON.stringify(seen.body), /harbour|luna|surfers/)
})
