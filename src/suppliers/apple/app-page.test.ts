import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { readAppPage } from './app-page.ts'

const html = (data: unknown, body = '') =>
  `<!DOCTYPE html><html><head><title>App</title></head><body>${body}<script type="application/json" id="serialized-server-data">${JSON.stringify(data)}</script><p>after</p></body></html>`
const read = (text: string) => readAppPage(Buffer.from(text), '42', 'us')
const icon = { template: 'https://pictures.example/i/{w}x{h}{c}.{f}', width: 512, height: 512 }
const shot = (name: string) => ({
  screenshot: { template: `https://pictures.example/${name}/{w}x{h}{c}.{f}`, width: 1284, height: 2778 },
})
const page = (data: object) => ({ intent: { id: '42' }, data })
const usual = (shelfMapping: object = {}, lockup: object = {}) =>
  html({ data: [page({ lockup: { adamId: '42', title: 'Lantern', ...lockup }, shelfMapping })] })

test('the page is found in both wrappings Apple has used', () => {
  const data = { lockup: { title: 'Lantern &amp; Co', subtitle: 'Light' }, shelfMapping: {} }
  const expected = {
    sighting: { storeId: '42', listing: { name: 'Lantern & Co', subtitle: 'Light' }, hints: {} },
    similar: [],
  }
  assert.deepEqual(read(html({ data: [page(data)] })), expected)
  assert.deepEqual(read(html([page(data)])), expected)
})

test("a page that says it is of another storefront is refused, by Apple's number or by its code", () => {
  const said = (storeFront: string) =>
    html([
      page({ lockup: { title: 'Lantern' }, shelfMapping: {}, pageMetrics: { pageFields: { storeFront } } }),
    ])
  for (const own of ['143441', '143441-1,29', 'us', 'US', '', 'a storefront of tomorrow'])
    assert.equal(read(said(own)).sighting.listing.name, 'Lantern', own)
  for (const other of ['143462', '143462-9,29', 'jp'])
    assert.throws(() => read(said(other)), /the page of the storefront "jp", not of "us"/, other)
})

test('previews and screenshots come by device, pictures in their whole size', () => {
  const video = (name: string) => ({ video: { videoUrl: `https://pictures.example/${name}.m3u8` } })
  const { sighting } = read(
    usual(
      {
        product_media_phone_: {
          items: [video('one'), shot('a'), shot('b'), { screenshot: { template: 'x' } }],
        },
        product_media_pad_: { items: [video('two'), video('one'), shot('c')] },
        product_media_watch_: { items: [shot('w')] },
      },
      { icon },
    ),
  )
  assert.deepEqual(sighting.listing.previews, [
    'https://pictures.example/one.m3u8',
    'https://pictures.example/two.m3u8',
  ])
  assert.deepEqual(sighting.hints, {
    iconUrl: 'https://pictures.example/i/512x512bb.jpg',
    screenshotsIphone: [
      'https://pictures.example/a/1284x2778bb.jpg',
      'https://pictures.example/b/1284x2778bb.jpg',
    ],
    screenshotsIpad: ['https://pictures.example/c/1284x2778bb.jpg'],
  })
})

test('no video among media means none, and no media means that nobody looked', () => {
  assert.deepEqual(read(usual({ product_media_phone_: { items: [shot('a')] } })).sighting.listing.previews, [])
  for (const shelves of [{}, { product_media_phone_: { items: [] } }])
    assert.equal('previews' in read(usual(shelves)).sighting.listing, false)
})

test('a subtitle is taken from the lockup, else from the heading; an empty one is empty, and none is none', () => {
  const listing = (text: string) => read(text).sighting.listing
  assert.equal(listing(usual({}, { subtitle: ' Light ' })).subtitle, 'Light')
  assert.equal(listing(usual({}, { subtitle: '' })).subtitle, null)
  assert.equal(listing(usual({}, { subtitle: null })).subtitle, null)
  assert.equal('subtitle' in listing(usual()), false)
  assert.equal('subtitle' in listing(usual({}, { subtitle: 7 })), false)
  const heading =
    '<header><h2 class="subtitle svelte-1">Light <b>&amp;</b> warm</h2><h2 class="subtitle">Other</h2></header>'
  const data = { data: [page({ title: 'Lantern', shelfMapping: {} })] }
  assert.deepEqual(listing(html(data, heading)), { name: 'Lantern', subtitle: 'Light & warm' })
})

test('a genre in the place of the subtitle is not taken for one', () => {
  const information = { items: [{ title: 'Kategorie', items: [{ text: 'Finanzen' }] }] }
  assert.equal('subtitle' in read(usual({ information }, { subtitle: 'Finanzen' })).sighting.listing, false)
  assert.equal(read(usual({ information }, { subtitle: 'Geld' })).sighting.listing.subtitle, 'Geld')
})

const information = {
  contentType: 'annotation',
  items: [
    { title: 'Anbieter', items: [{ $kind: 'AnnotationItem', text: 'Lantern GmbH' }] },
    { title: 'Größe', items: [{ text: '142,3 MB' }] },
    { title: 'Kategorie', items: [{ text: 'Finanzen' }] },
    {
      title: 'Kompatibilität',
      summary: 'Läuft auf diesem iPhone.',
      items: [
        { heading: 'iPhone', text: 'Erfordert iOS 16.0 oder neuer.' },
        { heading: 'Mac', text: 'Erfordert macOS 13.0.' },
      ],
    },
    { title: 'Sprachen', items: [{ text: 'Deutsch, Englisch und Französisch' }] },
    { title: 'Altersfreigabe', summary: '4+', items: [{ text: '4+' }, { text: 'Keine Einschränkung' }] },
    {
      title: 'In-App-Käufe',
      summary: 'Ja',
      items: [
        { textPairs: [['Lantern Plus', '4,99 €'], ['Ein Jahr', '29,99 €'], ['zu', 'viele', 'Teile'], 7] },
      ],
    },
    { title: 'Copyright', items: [{ text: '© 2026 Lantern GmbH' }] },
  ],
}

test('what the information tells is told by its form, in any language', () => {
  const { listing, hints } = read(usual({ information })).sighting
  assert.deepEqual(listing, {
    name: 'Lantern',
    inAppPurchases: [
      { name: 'Lantern Plus', price: '4,99 €' },
      { name: 'Ein Jahr', price: '29,99 €' },
    ],
    compatibility: [
      { device: 'iPhone', requirement: 'Erfordert iOS 16.0 oder neuer.' },
      { device: 'Mac', requirement: 'Erfordert macOS 13.0.' },
    ],
    languagesShown: 'Deutsch, Englisch und Französisch',
    sizeShown: '142,3 MB',
    copyright: '© 2026 Lantern GmbH',
  })
  assert.equal(hints?.contentRating, '4+')
  for (const size of ['142.3 MB', '98 MB', '1,2 Go', '142,3 МБ', '١٤٢٫٣ م.ب.', '142.3MB']) {
    const only = { items: [{ title: '?', items: [{ text: size }] }] }
    assert.equal(read(usual({ information: only })).sighting.listing.sizeShown, size)
  }
})

test('an app that sells nothing says so itself; without a word about it nobody knows', () => {
  const offers = (hasInAppPurchases: unknown) => ({ offerDisplayProperties: { hasInAppPurchases } })
  assert.equal(read(usual({}, offers(false))).sighting.listing.inAppPurchases, null)
  for (const unknown of [offers(true), offers('no'), {}])
    assert.equal('inAppPurchases' in read(usual({}, unknown)).sighting.listing, false)
})

test('ratings are hints, and none left is zero of them', () => {
  const ratings = (item: unknown) => read(usual({ productRatings: { items: [item] } })).sighting.hints
  assert.deepEqual(ratings({ ratingAverage: 4.7, totalNumberOfRatings: 29_348_518 }), {
    rating: 4.7,
    ratingCount: 29_348_518,
  })
  assert.deepEqual(ratings({ ratingAverage: 0, totalNumberOfRatings: 0 }), { rating: null, ratingCount: 0 })
  for (const odd of [{ totalNumberOfRatings: '12' }, { totalNumberOfRatings: -1 }, null])
    assert.deepEqual(ratings(odd), {})
})

test('the privacy label is named by its headings', () => {
  const privacyTypes = {
    items: [{ title: 'Data Linked to You' }, { title: 3 }, { title: 'Data Not Linked to You' }],
  }
  assert.deepEqual(read(usual({ privacyTypes })).privacyTypes, ['Data Linked to You', 'Data Not Linked to You'])
  assert.equal('privacyTypes' in read(usual()), false)
})

test('neighbours keep their places; a shelf that is missing is not an empty one', () => {
  const similarItems = {
    items: [
      { $kind: 'Lockup', adamId: '7', title: 'Torch', subtitle: 'Utilities', developerName: 'Maker', icon },
      { adamId: 'x', title: 'Nameless' },
      { adamId: '42', title: 'Itself' },
      { adamId: 9, title: 'Wick' },
    ],
  }
  assert.deepEqual(read(usual({ similarItems })).similar, [
    {
      kind: 'similar',
      apps: [
        {
          position: 1,
          sighting: {
            storeId: '7',
            listing: { name: 'Torch' },
            hints: { iconUrl: 'https://pictures.example/i/512x512bb.jpg', developer: 'Maker' },
          },
          subtitle: 'Utilities',
        },
        { position: 4, sighting: { storeId: '9', listing: { name: 'Wick' }, hints: {} } },
      ],
    },
  ])
  const moreByDeveloper = { items: [] }
  assert.deepEqual(read(usual({ moreByDeveloper })).similar, [{ kind: 'same-developer', apps: [] }])
})

test('a page that is not of this app, or not a page of an app, is unfit', () => {
  const kinds: [string, UnfitPayload['kind'], RegExp][] = [
    [usual().replace('"id":"42"', '"id":"43"'), 'unexpected-shape', /another app/],
    ['<html><body>Busy</body></html>', 'unexpected-shape', /carries no data/],
    ['<html><p id="serialized-server-data">[]</p></html>', 'unexpected-shape', /carries no data/],
    [html({ data: [] }), 'unexpected-shape', /no shelves/],
    [html({ data: [page({ lockup: { title: 'Lantern' } })] }), 'unexpected-shape', /no shelves/],
    [html({ data: [page({ shelfMapping: {} })] }), 'unexpected-shape', /name no app/],
    [usual().replace('"data"', 'data'), 'unexpected-shape', /cannot be read/],
    [usual().slice(0, -60), 'cut-off', /in the middle/],
    ['\n', 'cut-off', /empty/],
  ]
  for (const [text, kind, message] of kinds)
    assert.throws(() => read(text), { name: 'UnfitPayload', kind, message }, text)
})

test('whatever JSON the page carries, it is a page or unfit', () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('https://[', '{w}', { items: 3 }, { items: [null, [], 'x'] }),
  )
  const items = fc.record({
    items: fc.array(
      fc.dictionary(
        fc.constantFrom(
          'adamId',
          'title',
          'icon',
          'video',
          'screenshot',
          'items',
          'text',
          'heading',
          'textPairs',
          'summary',
          'ratingAverage',
          'totalNumberOfRatings',
          '__proto__',
        ),
        odd,
      ),
    ),
  })
  const shelf = fc.constantFrom(
    'similarItems',
    'moreByDeveloper',
    'productRatings',
    'information',
    'privacyTypes',
    'product_media_phone_',
    'product_media_pad',
    'constructor',
  )
  const near = fc.record({
    lockup: fc.oneof(odd, fc.record({ title: fc.string(), subtitle: odd, icon: odd })),
    shelfMapping: fc.dictionary(shelf, fc.oneof(odd, items)),
  })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        near.map((data) => ({ data: [page(data)] })),
        near.map((data) => [page(data)]),
      ),
      (data) => {
        try {
          const { sighting } = read(html(data))
          assert.equal(sighting.storeId, '42')
          assert.ok(sighting.listing.name.length > 0)
        } catch (error) {
          assert.ok(error instanceof UnfitPayload, String(error))
        }
      },
    ),
    { numRuns: 500 },
  )
})
