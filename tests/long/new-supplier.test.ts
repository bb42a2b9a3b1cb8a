import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { copyCheckout } from '../support/copied-checkout.ts'

/** Adds a supplier of posts and ads to a copy of the checkout, in as few files as possible. */

const copy = await copyCheckout()
after(() => copy[Symbol.asyncDispose]())

const row = `  pin: {
    label: 'Pinboard',
    mediaHosts: ['pinimg.example'],
    posts: {
      nativeId: /^[\\w-]{1,64}$/,
      hides: ['saves'],
      handlePrefix: '@',
      address: 'https://www.pinboard.com/spotlight/{id}',
      profile: /^(?:www\\.)?pinboard\\.com\\/add\\/([\\w.-]{2,30})$/i,
      forms: { pin: 'Pinboard Spotlight' },
    },
    ads: {
      library: 'Pin ad library',
      surface: 'Pinboard Ads Library API',
      pages: 'pin-ads',
      records: ['Pin \`ads_library\`'],
      advertiserId: 'organization id',
      address: 'https://adsgallery.pin.com/details/{id}',
      credential: 'a key',
      variables: ['RIVALSCOPE_PIN_KEY'],
      baseUrl: 'https://adsapi.pinboard.com',
      callsPerMinute: 20,
      filters: ['active'],
      gaps: [{ code: 'region-limited', message: 'The Pin ad library shows only ads delivered in the EU.' }],
    },
  },

`

const folder = `import { z } from 'zod'
import type { AdForm } from '../../ingest/ads/ad-draft.ts'
import { archiveIdOf, fitting, Text } from '../../ingest/ads/ad-values.ts'
import { firstOf, idOf, type PostForm } from '../../ingest/posts/post-draft.ts'
import { carried } from '../../ingest/unreadable.ts'
import { type AdLibrary, discreet, type LibraryPage, type LibraryParts } from '../ad-library.ts'

export const pinPost: PostForm = {
  is: (record) => 'pinId' in record,
  read: (record) => ({
    network: 'pin',
    id: idOf(firstOf(record, 'pinId')),
    author: { handle: firstOf(record, 'creator') },
    text: firstOf(record, 'caption'),
  }),
}

const Ad = z.object({ headline: Text })

export const pinAd: AdForm = {
  is: (record) => 'pin_ad_id' in record,
  read: (record) => ({
    platform: 'pin',
    archiveId: archiveIdOf(record.pin_ad_id, 'pin_ad_id'),
    advertiserId: null,
    stated: {},
    delivery: {},
    creatives: [carried({ title: fitting(Ad, record).headline })],
  }),
}

const Page = z.object({ ads: z.array(z.unknown()) })

export const pinPage = (document: unknown): LibraryPage => ({ records: Page.parse(document).ads, nextPage: null })

export function openPinLibrary({ credential: [key = ''], read, source: open }: LibraryParts): AdLibrary {
  const source = open(discreet(() => [key], () => undefined))
  return {
    pageSizes: { usual: 100, least: 10 },
    page: ({ search: { term }, onRequest }, signal) =>
      source.get({
        path: \`/ads?q=\${term}\`,
        country: null,
        headers: { authorization: \`Bearer \${key}\` },
        onRequest,
        read,
        signal,
      }),
  }
}
`

test('a network with a library of ads is a row, a folder and its lines in the registry', {
  timeout: 600_000,
}, () => {
  copy.addBefore('src/vocabulary/suppliers.ts', '  apple: {', row)
  copy.write('src/suppliers/pin/pin.ts', folder)
  const registry = 'src/suppliers/registry.ts'
  copy.addBefore(
    registry,
    'import { tiktokLibraryAd }',
    "import { openPinLibrary, pinAd, pinPage, pinPost } from './pin/pin.ts'\n",
  )
  copy.addBefore(registry, '  reddit: [reddit],', '  pin: [pinPost],\n')
  copy.addBefore(registry, '  metaArchiveAd,\n]', '  pinAd,\n')
  copy.addBefore(registry, '  tiktok: { pageOf', '  pin: { pageOf: pinPage, open: openPinLibrary },\n')
  assert.deepEqual(
    [...copy.addedTo],
    ['src/vocabulary/suppliers.ts', 'src/suppliers/registry.ts'],
    'beside its folder',
  )

  copy.write('tests/new-supplier.test.ts', testOfIt)
  copy.write(
    'tsconfig.new-supplier.json',
    JSON.stringify({
      extends: './tsconfig.json',
      include: ['src', 'sample', 'bench', 'tests/new-supplier.test.ts'],
    }),
  )
  for (const project of ['tsconfig.new-supplier.json', 'web']) copy.checkTypes(project)
  copy.runTest('tests/new-supplier.test.ts')
})

/** The test that runs in the copy. It compiles only if the contract has the new names. */
const testOfIt = `import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openFolder } from './support/files.ts'
import { importContent } from './support/imports.ts'
import { openWorld } from './support/world.ts'

test('its posts and ads are imported and found, and its library is asked', async () => {
  const asked: string[] = []
  const library = createServer(({ url, headers }, response) => {
    asked.push(\`\${url} \${headers.authorization}\`)
    response.end(JSON.stringify({ ads: [{ pin_ad_id: '2', headline: 'Again' }] }))
  }).listen(0, '127.0.0.1')
  await once(library, 'listening')
  const baseUrl = \`http://127.0.0.1:\${(library.address() as AddressInfo).port}\`
  await using world = await openWorld({
    sources: { 'pin-ad-library': { baseUrl, callsPerMinute: 0 } },
    adTokens: { pin: ['a-key'] },
  })
  using folder = openFolder()

  const observedAt = '2026-03-01'
  await importContent(world, folder, 'organic', [{ pinId: 'one', creator: 'moss', caption: 'Calm' }], { observedAt })
  const { body: posts } = await world.call('search_organic_content', { network: ['pin'] })
  assert.deepEqual(
    posts.items.map(({ postId, url, metrics }) => [postId, url, metrics.saves.state === 'not-measured' && metrics.saves.reason]),
    [['pin_one', 'https://www.pinboard.com/spotlight/one', 'hidden-upstream']],
  )

  await importContent(world, folder, 'paid-ads', [{ pin_ad_id: '1', headline: 'Calm' }], { observedAt })
  const { body: ads } = await world.call('search_paid_ads', { platform: 'pin' })
  assert.deepEqual(ads.items.map(({ archiveId }) => archiveId), ['1'])
  assert.deepEqual(ads.coverage.map(({ notes }) => notes.map(({ code }) => code)), [['region-limited']])

  const { body: preview } = await world.call('admin_preview_paid_ads', { platform: 'pin', terms: ['calm'] })
  assert.deepEqual([preview.platform, preview.matching.value], ['pin', 1])
  assert.deepEqual(asked, ['/ads?q=calm Bearer a-key'])
  const { body: advertisers } = await world.call('admin_search_paid_ad_advertisers', { platform: 'pin', q: 'moss' })
  assert.equal(advertisers.lookups[0]?.message, 'The Pin ad library API has no search for advertisers.')
  library.close()
})
`
