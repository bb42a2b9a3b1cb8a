import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { copyCheckout } from '../support/copied-checkout.ts'

/** Adds a read to a copy of the checkout: all that asks every read asks it without a word, and finds what is wrong with it. */

const copy = await copyCheckout()
after(() => copy[Symbol.asyncDispose]())

const contract = 'src/contract/competitor-series.ts'
const handlers = 'src/api/handlers/competitors.ts'
const sweeps = ['tests/one-storefront.test.ts', 'tests/long/reads-asked-again.test.ts']

test('a new read is a row, a handler, its example call and a test, and everything that asks all reads asks it', {
  timeout: 900_000,
}, () => {
  copy.addBefore(
    contract,
    '  refresh_competitor_estimates: {',
    `  get_competitor_name: {
    method: 'GET',
    path: '/v1/competitors/{platform}/{storeId}/name',
    scope: 'context:read',
    ending: 'read',
    restsOn: ['apps'],
    summary: 'How long the name of one app is.',
    description: 'In the storefront, where it is known there.',
    params: ofApp,
    query: z.strictObject({ country: Country.default('us') }),
    reply: z
      .object({ app: AppLabel, country: Country, letters: z.number().int().describe('0 where it is not known.') })
      .meta({ id: 'CompetitorName', description: 'The name of one app.' }),
    problems: ['competitor-not-found'],
    example: examples.get_competitor_name,
    title: 'Length of a name',
    use: 'To see how long a name is.',
  },
`,
  )
  copy.addBefore(
    handlers,
    '    get_competitor_media: async',
    `    get_competitor_name: async (input, caller) => {
      const { app, country } = appReplyHeader(await catalogued(db, caller, input.storeId, input.country))
      return { app, country, letters: app.name?.length ?? 0 }
    },
`,
  )
  copy.addBefore(
    'scripts/examples/calls.ts',
    "  { tool: 'get_competitor_media',",
    "  { tool: 'get_competitor_name', input: { ...app, country } },\n",
  )
  copy.write('tests/name.test.ts', ofNames)
  assert.equal(copy.addedTo.size, 3, 'beside the test')
  copy.run('scripts/write-sample.ts', 'examples')
  copy.run('scripts/write-reference.ts')
  for (const sweep of sweeps)
    copy.write(sweep, readFileSync(new URL(`../../${sweep}`, import.meta.url), 'utf8'))
  copy.write(
    'tsconfig.new-operation.json',
    JSON.stringify({
      extends: './tsconfig.json',
      include: ['src', 'scripts/examples', 'tests/name.test.ts', ...sweeps],
    }),
  )
  copy.checkTypes('tsconfig.new-operation.json')
  copy.runTest('tests/name.test.ts')
  assert.match(copy.runTest(sweeps[0] ?? ''), /get_competitor_name of a storefront shows no value of another/)
  copy.runTest(sweeps[1] ?? '')
})

test('one that shows what another storefront has, or the moment at which it was asked, is named', {
  timeout: 300_000,
}, () => {
  const answered = 'letters: app.name?.length ?? 0 }'
  const handler = copy.read(handlers)
  copy.write(handlers, handler.replace(answered, 'letters: Date.now() }'))
  assert.throws(() => copy.runTest(sweeps[1] ?? ''), /get_competitor_name .*letters was \d+, is \d+/)
  copy.write(handlers, handler.replace(answered, 'letters: 7133 }'))
  assert.throws(() => copy.runTest(sweeps[0] ?? ''), /✖ get_competitor_name of a storefront shows no value/)
})

/** The test that runs in the copy. It compiles only if the contract has the new names. */
const ofNames = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storeListings } from './support/listings.ts'
import { openWorld } from './support/world.ts'

test('letters are counted', async () => {
  await using world = await openWorld()
  await storeListings(world, [{ trackId: 1, trackName: 'Five!', observedAt: '2026-03-01T00:00:00Z' }])
  const { body } = await world.call('get_competitor_name', { platform: 'ios', storeId: '1' })
  assert.equal(body.letters, 5)
})
`
