import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { fieldBits } from '../src/domain/catalogue/listing.ts'
import { fieldMasksOf } from '../src/domain/catalogue/listing-history.ts'
import { searchKey, searchPlan, withQueryDefaults } from '../src/domain/paid-ads/search-plan.ts'
import type { ImportRequest } from '../src/imports/import-request.ts'
import type { Input } from '../src/imports/input-file.ts'
import { parserContextOf } from '../src/imports/read-piece.ts'
import { chartQuestion, pageQuestion, searchQuestion } from '../src/suppliers/apple/clients.ts'
import type { ParsedInput } from '../src/suppliers/parsed-input.ts'
import { keyOf, readingIdentity } from '../src/suppliers/reading-identity.ts'
import { adFieldsOf, adLevelFields } from '../src/vocabulary/ad-fields.ts'
import { allPostFields, metrics } from '../src/vocabulary/post-fields.ts'

/** Codes that stores hold. A line here is never changed: what is stored would mean something else. New fields add a line. */

test('every field whose changes are kept has the bit that stored sightings have', () => {
  assert.deepEqual(fieldBits, {
    name: 0x1,
    subtitle: 0x2,
    developer: 0x4,
    seller: 0x8,
    description: 0x10,
    version: 0x20,
    price: 0x40,
    primaryCategoryId: 0x80,
    bundleId: 0x100,
    contentRating: 0x200,
    minimumOsVersion: 0x400,
    iconUrl: 0x800,
    screenshotsIphone: 0x1000,
    screenshotsIpad: 0x2000,
    screenshotsTv: 0x4000,
    previews: 0x8000,
    inAppPurchases: 0x1_0000,
    compatibility: 0x2_0000,
    languagesShown: 0x4_0000,
    sizeShown: 0x8_0000,
    copyright: 0x10_0000,
    tags: 0x20_0000,
    reviewSummary: 0x40_0000,
    events: 0x80_0000,
    headerMedia: 0x100_0000,
    searchMedia: 0x200_0000,
  })
  const sighting = { storeId: '1', listing: { name: 'A', rating: 5, price: null }, hints: { copyright: 'B' } }
  assert.deepEqual(fieldMasksOf(sighting), { stated: 0x41, hinted: 0x10_0000 })
})

test('every fact of an ad and of a post has the key under which stores hold it', () => {
  assert.deepEqual(
    [...adLevelFields, ...adFieldsOf.creative],
    [
      ...['advertiserName', 'advertiserUrl', 'legalName', 'paidBy', 'beneficiaries', 'format', 'language'],
      ...['active', 'startedOn', 'endedOn', 'reachText', 'countries', 'publisherPlatforms'],
      ...['placements', 'targeting', 'byCountry'],
      ...['title', 'body', 'description', 'displayLink', 'linkUrl', 'callToAction', 'callToActionText'],
      ...['locale', 'layout', 'layoutVariant', 'productPageId'],
    ],
  )
  assert.deepEqual(allPostFields, [
    ...['authorName', 'authorUrl', 'authorBio', 'authorLinks', 'followers'],
    ...['community', 'title', 'text', 'linkUrl', 'language', 'hashtags', 'publishedAt', 'mediaType'],
  ])
  assert.deepEqual(metrics, ['views', 'likes', 'comments', 'shares', 'saves'])
})

const observedAt = new Date('2026-03-12T12:00:00Z')

const input = (part: Pick<ParsedInput, 'format' | 'context'> & Partial<ParsedInput>): ParsedInput => ({
  bytes: Buffer.from('{}'),
  origin: 'collected',
  country: 'us',
  observedAt,
  timeBasis: 'clock',
  parsed: { source: 'itunes-search', charts: [], sightings: [], rejected: [], records: 0 },
  ...part,
})

test('the same evidence has the identity that it had in stores made before', () => {
  const mapping = {
    fields: { storeId: 'id', name: 'n' },
    constants: { kind: 'x' },
    document: { at: 'd' },
    separators: { a: [','] },
    dates: { b: ['iso'] },
    numbers: { c: '1,2' },
    list: 'rows',
  }
  const piece = { layout: 'document', bytes: Buffer.from('{}'), from: 1, part: 2 } as const
  const request: ImportRequest = {
    kind: 'charts',
    paths: [],
    directory: '',
    rejectedFile: '',
    country: 'us',
    observedAt: '2026-03-01',
    format: 'tiktok',
    mapping,
    chart: 'top-free',
    category: '36',
    device: 'iphone',
  }
  const file: Input = {
    name: 'x.json',
    bytes: 2,
    modifiedAt: undefined,
    isKept: true,
    open: async () => Readable.from([]),
  }
  const imported = (format: 'chart-rows' | 'organic-posts') =>
    input({ origin: 'imported', format, context: parserContextOf(piece, format, request, file, undefined) })
  const chart = { country: 'us', kind: 'top-free', categoryId: 36, device: 'iphone' } as const
  assert.deepEqual(
    [
      input(searchQuestion('focus', 'us', 200)),
      input(pageQuestion('123', 'us')),
      input(chartQuestion(chart)),
      imported('chart-rows'),
      imported('organic-posts'),
    ].map((payload) => readingIdentity(payload)),
    [
      '6fb76b393307e46ed032d4ea82158aa0478defb91d81c88336f50fe7b8530bad',
      '1e52fbed7926ef1b631d94d08b08eb7b95dea3dbce9e08d2617fadbef10ef4b1',
      'eb580618bd4be141e4c641b26c21b57fae500808790fb6f4af27c34619b967a4',
      '3b834d9845c72c80513eb103218e974bfc9bb6277898a6af6f6a0fb404c1fa0f',
      'ec5194bd4ae1a96b27141515a21905a0e468c5ddb97c42dee1310d362064352f',
    ],
  )
})

test('the order in which the parts of a context are written down changes neither identity nor key', () => {
  const broughtBy = { accountId: 'a', door: 'http' } as const
  const inline = (context: ParsedInput['context']) =>
    input({ origin: 'imported', format: 'paid-ads', context, broughtBy })
  for (const context of [
    { layout: 'document', country: null, run: 'r' },
    { run: 'r', country: null, layout: 'document' },
  ] as const) {
    assert.equal(
      readingIdentity(inline(context)),
      '05a67d20754ea4fcca1b1c3b5ff5853a9bfc26e85b3d89230ff7ebb26699f62d',
    )
    assert.equal(keyOf(inline(context), ''), 'c57eb33c2686eebdcd37de3cee417686')
  }
})

test('a search of an ad library has the key by which its earlier answers are found', () => {
  const keys = (['meta', 'tiktok'] as const).map((platform) => {
    const wish = { terms: ['a'], countries: ['de'], deliveredFrom: '2026-01-01', deliveredTo: '2026-02-01' }
    const [search] = searchPlan(platform, withQueryDefaults(platform, wish, observedAt))
    assert.ok(search)
    const turned = Object.fromEntries(Object.entries(search).reverse()) as unknown as typeof search
    assert.equal(searchKey(platform, turned, observedAt), searchKey(platform, search, observedAt))
    return searchKey(platform, search, observedAt)
  })
  assert.deepEqual(keys, ['f6c89bee937c9dabc2bff22b456e1a39', 'd0fe633dc27f31b3654863964b1bb39b'])
  const [ofApp] = searchPlan(
    'apple',
    withQueryDefaults('apple', { apps: ['6449120387'] }, observedAt),
    observedAt,
  )
  assert.equal(ofApp && searchKey('apple', ofApp, observedAt), 'd581a4b2501d2adb0873fbed9af0059c')
})
