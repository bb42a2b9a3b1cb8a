import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { copyCheckout } from '../support/copied-checkout.ts'

/** Adds a field of a listing, an ad and a post, and a chart kind to a copy of the checkout, in as few files as possible. */

const copy = await copyCheckout()
after(() => copy[Symbol.asyncDispose]())

test('a field of a listing, an ad or a post is a row, its line in a parser and a migration where it has a column; a chart is a row and a migration', {
  timeout: 600_000,
}, () => {
  const fields = copy.read('src/vocabulary/listing-fields.ts')
  const bit = Math.max(...[...fields.matchAll(/bit: (\d+)/g)].map(([, number]) => Number(number))) + 1
  copy.addBefore(
    'src/vocabulary/listing-fields.ts',
    '  currency: {',
    `  priceShown: {
    kind: 'text',
    history: 'price-shown',
    bit: ${bit},
    reply: 'priceShown',
    mapping: 'price as the storefront writes it',
  },
`,
  )
  const parser = 'src/suppliers/apple/itunes.ts'
  copy.addBefore(parser, '  currency: field(currency),', '  formattedPrice: label,\n')
  copy.addBefore(parser, '    currency: result.currency,', '    priceShown: result.formattedPrice,\n')
  copy.addBefore(
    'src/vocabulary/ad-fields.ts',
    "  title: { kind: 'text', part: 'creative'",
    `  audienceText: {
    kind: 'text',
    part: 'audience',
    observed: true,
    mapping: 'size of the audience',
  },
`,
  )
  const ads = 'src/suppliers/tiktok/ad-library.ts'
  copy.addBefore(ads, '    image_urls: z.array(Address)', '    audience: Text,\n')
  copy.addBefore(ads, '      format: formatOfMedia(creatives),', '      audienceText: ad.audience,\n')
  copy.addBefore(
    'src/vocabulary/post-fields.ts',
    '  mediaType: {\n',
    "  musicTitle: { kind: 'line', of: 'post', mapping: 'name of the sound' },\n",
  )
  copy.addBefore(
    'src/suppliers/tiktok/posts.ts',
    "      publishedAt: at('createTime'),",
    "      musicTitle: wordsAt(record, 'music.title'),\n",
  )
  copy.addBefore(
    'src/vocabulary/chart-kinds.ts',
    "  'top-grossing': {",
    "  'top-new': { label: 'Top New', ranksBy: 'downloads' },\n",
  )
  copy.write(
    'migrations/9001_price_shown.sql',
    `alter table app_records add column price_shown text;
alter domain listing_field drop constraint listing_field_check;
alter domain listing_field add constraint listing_field_check check (value <> '');
`,
  )
  copy.write(
    'migrations/9002_top_new.sql',
    `alter domain chart_kind drop constraint chart_kind_check;
alter domain chart_kind add constraint chart_kind_check
  check (value in ('top-free', 'top-paid', 'top-new', 'top-grossing'));
`,
  )
  copy.write(
    'migrations/9003_audience_text.sql',
    'alter table ad_observations add column audience_text text;\n',
  )
  assert.equal(copy.addedTo.size, 7, 'two files for each of three fields, one for a chart')
  copy.write('tests/new-words.test.ts', testOfAll)
  copy.write(
    'tsconfig.new-words.json',
    JSON.stringify({ extends: './tsconfig.json', include: ['src', 'tests/new-words.test.ts'] }),
  )
  for (const project of ['tsconfig.new-words.json', 'web']) copy.checkTypes(project)
  copy.runTest('tests/new-words.test.ts')
})

/** The test that runs in the copy. It compiles only if the contract has the new names. */
const testOfAll = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMapping } from '../src/ingest/mapping/mapping.ts'
import { adColumns, postColumns } from '../src/exports/columns.ts'
import { adTable, postTable } from '../src/exports/tables.ts'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { openWorld } from './support/world.ts'

test('both are imported and told', async () => {
  await using world = await openWorld()
  using folder = openFolder()
  const country = 'us'
  const about = async (storeId: string) => (await world.call('get_competitor', { platform: 'ios', storeId, country })).body
  for (const [day, formattedPrice] of [['2026-03-01', 'Free'], ['2026-03-02', '$0.99']] as const) {
    const result = { kind: 'software', trackId: 1, trackName: 'A', formattedPrice }
    const answer = { resultCount: 1, results: [result] }
    await importContent(world, folder, 'catalogue', answer, { country, observedAt: day })
  }
  const answered = await about('1')
  assert.equal(answered.priceShown.value, '$0.99')
  assert.deepEqual(
    answered.listingHistory.map(({ field, value }: { field: string; value: string }) => [field, value]),
    [['price-shown', '$0.99'], ['price-shown', 'Free']],
  )
  await importContent(world, folder, 'catalogue', 'id,name,shown\\n2,B,Gratis', {
    country,
    observedAt: '2026-03-01',
    mapping: parseMapping({ fields: { storeId: 'id', name: 'name', priceShown: 'shown' } }, 'catalogue', 'map.json'),
  })
  assert.equal((await about('2')).priceShown.value, 'Gratis')

  await importContent(world, folder, 'charts', 'id,name,place\\n1,A,1\\n2,B,2', {
    observedAt: '2026-03-01',
    mapping: parseMapping(
      { fields: { storeId: 'id', name: 'name', rank: 'place' }, constants: { country, chart: 'Top New', category: '36' } },
      'charts',
      'map.json',
    ),
  })
  const { body: chart } = await world.call('get_apple_charts', { country, chart: 'top-new' })
  assert.deepEqual([chart.chart, chart.returned], ['top-new', 2])
})

test('fields of ads and posts are imported, told, taken out and brought in again', async () => {
  await using world = await openWorld()
  await using other = await openWorld()
  using folder = openFolder()
  for (const [day, audience] of [['2026-03-01', '1K-5K'], ['2026-03-02', '5K-10K']] as const)
    await importContent(world, folder, 'paid-ads', { ad: { id: '1', status: 'active', audience } }, { observedAt: day })
  await importContent(world, folder, 'paid-ads', 'library,ad,size\\ntiktok,2,9K', {
    mapping: parseMapping({ fields: { platform: 'library', archiveId: 'ad', audienceText: 'size' } }, 'paid-ads', 'map.json'),
  })
  await importContent(world, folder, 'organic', { id: '7', desc: 'A', stats: { playCount: 1 }, author: 'b', music: { title: 'C' } })
  const told = async (of: typeof world) => {
    const ads = (await of.call('search_paid_ads', { sort: 'recent' })).body.items
    const post = (await of.call('get_organic_content', { postId: 'tiktok_7' })).body
    return [
      ...ads.map(({ archiveId, audienceText, observations }) => [archiveId, audienceText, observations.map((one) => one.audienceText)]),
      post.musicTitle,
    ]
  }
  assert.deepEqual(
    (await told(world)).flat(2).map((fact) => (typeof fact === 'string' || fact.state !== 'measured' ? fact : fact.value)),
    ['2', '9K', '9K', '1', '5K-10K', '5K-10K', '1K-5K', 'C'],
  )
  for (const [kind, table] of [['paid-ads', adTable], ['organic', postTable]] as const) {
    const lines = await Array.fromAsync(table(world.store.db, { savedOnly: false }).lines(() => {}))
    await importContent(other, folder, kind, lines.join(''), { name: \`\${kind}.ndjson\` })
  }
  const values = async (of: typeof world) => JSON.stringify(await told(of)).replaceAll(/"evidence":\\d+/g, '')
  assert.equal(await values(other), await values(world))
  assert.ok([...adColumns, ...postColumns].filter(({ name }) => ['audienceText', 'musicTitle'].includes(name)).length === 2)
})
`
