import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clean, instant } from '../../ingest/fields.ts'
import { isItunesAnswer, readItunesResults } from './itunes.ts'

/** A record of an invented app with every field that is read. */
const complete = {
  wrapperType: 'software',
  kind: 'software',
  trackId: 1234567890,
  trackName: 'Pocket Orchard',
  artistName: 'Windfall Labs',
  artistId: 987654321,
  sellerName: 'Windfall Labs GmbH',
  sellerUrl: 'https://windfall.example',
  bundleId: 'example.windfall.orchard',
  artworkUrl512: 'https://pictures.example/512x512bb.jpg',
  artworkUrl100: 'https://pictures.example/100x100bb.jpg',
  description: 'Grow trees.',
  releaseNotes: 'More trees.',
  version: '2.1.0',
  price: 2.99,
  currency: 'USD',
  primaryGenreId: 6002,
  genreIds: ['6002', '6007'],
  averageUserRating: 4.5,
  userRatingCount: 120,
  averageUserRatingForCurrentVersion: 4.25,
  userRatingCountForCurrentVersion: 12,
  releaseDate: '2019-05-01T07:00:00Z',
  currentVersionReleaseDate: '2021-02-03T04:05:06Z',
  fileSizeBytes: '3221225472',
  languageCodesISO2A: ['EN', 'DE'],
  minimumOsVersion: '12.0',
  contentAdvisoryRating: '9+',
  trackContentRating: '4+',
  screenshotUrls: ['https://pictures.example/a/392x696bb.jpg'],
  ipadScreenshotUrls: [],
  appletvScreenshotUrls: [],
}

function sightingOf(record: object) {
  const { sightings, rejected } = readItunesResults([record])
  assert.deepEqual(rejected, [])
  const [sighting] = sightings
  assert.ok(sighting)
  return sighting
}

const listingOf = (more: object) => sightingOf({ ...complete, ...more }).listing
const without = (...fields: string[]) =>
  sightingOf(Object.fromEntries(Object.entries(complete).filter(([field]) => !fields.includes(field)))).listing
const refusal = (record: unknown) => readItunesResults([record]).rejected[0]?.reason

test('a record says everything that a listing holds', () => {
  assert.deepEqual(sightingOf(complete), {
    storeId: '1234567890',
    listing: {
      name: 'Pocket Orchard',
      developer: 'Windfall Labs',
      developerId: '987654321',
      seller: 'Windfall Labs GmbH',
      sellerUrl: 'https://windfall.example',
      bundleId: 'example.windfall.orchard',
      iconUrl: 'https://pictures.example/512x512bb.jpg',
      description: 'Grow trees.',
      releaseNotes: 'More trees.',
      version: '2.1.0',
      price: 2.99,
      currency: 'USD',
      primaryCategoryId: 6002,
      categoryIds: [6002, 6007],
      rating: 4.5,
      ratingCount: 120,
      ratingCurrentVersion: 4.25,
      ratingCountCurrentVersion: 12,
      releasedAt: '2019-05-01T07:00:00.000Z',
      updatedAt: '2021-02-03T04:05:06.000Z',
      sizeBytes: 3221225472,
      languages: ['en', 'de'],
      minimumOsVersion: '12.0',
      contentRating: '4+',
      screenshotsIphone: ['https://pictures.example/a/392x696bb.jpg'],
      screenshotsIpad: [],
      screenshotsTv: [],
    },
  })
})

test('the subtitle and the previews are not of this source, so it says nothing of them', () => {
  assert.ok(!('subtitle' in listingOf({})) && !('previews' in listingOf({})))
})

test('what Apple left out is absent: an announced app has no price, many have no seller site and no notes', () => {
  const listing = without('price', 'sellerUrl', 'releaseNotes', 'artistId', 'genreIds', 'primaryGenreId')
  for (const field of ['price', 'sellerUrl', 'releaseNotes', 'developerId', 'categoryIds'] as const)
    assert.equal(listing[field], null, field)
  assert.equal(listingOf({ releaseNotes: '  ' }).releaseNotes, null)
  assert.equal(listingOf({ sellerUrl: null }).sellerUrl, null)
})

test('a field of an odd type is not carried, and the rest of the record stays', () => {
  const odd = {
    artistName: 7,
    sellerUrl: 'not an address',
    price: '2.99',
    currency: 'dollars',
    userRatingCount: '',
    averageUserRating: 9,
    fileSizeBytes: '3 GB',
    currentVersionReleaseDate: '2021-02-30T00:00:00Z',
    languageCodesISO2A: 'EN',
    screenshotUrls: [1],
    bundleId: 'x'.repeat(600),
  }
  const listing = listingOf(odd)
  for (const field of [
    'developer',
    'sellerUrl',
    'price',
    'currency',
    'ratingCount',
    'rating',
    'sizeBytes',
    'updatedAt',
    'languages',
    'screenshotsIphone',
    'bundleId',
  ] as const)
    assert.ok(!(field in listing), field)
  assert.equal(listing.name, 'Pocket Orchard')
})

test('an app that nobody rated has no rating rather than a bad one, and its count is zero', () => {
  const listing = listingOf({ userRatingCount: 0, averageUserRating: 0, userRatingCountForCurrentVersion: 0 })
  assert.deepEqual([listing.rating, listing.ratingCount, listing.ratingCurrentVersion], [null, 0, null])
})

test('the primary genre comes first and each genre once', () => {
  assert.deepEqual(
    listingOf({ primaryGenreId: 6007, genreIds: ['6002', '6007', '6002'] }).categoryIds,
    [6007, 6002],
  )
})

test('the smaller icon stands in for the larger', () => {
  assert.equal(without('artworkUrl512').iconUrl, complete.artworkUrl100)
  assert.equal(without('artworkUrl512', 'artworkUrl100').iconUrl, null)
})

test('ids are digits that a 64-bit number holds, written as numbers or as text', () => {
  assert.equal(sightingOf({ ...complete, trackId: '1234567890' }).storeId, '1234567890')
  assert.equal(sightingOf({ ...complete, trackId: '9223372036854775807' }).storeId, '9223372036854775807')
  for (const trackId of ['9223372036854775808', '012', '12a', '', -1, 1.5, 0, 2 ** 60, true, [], {}])
    assert.match(refusal({ ...complete, trackId }) ?? '', /^trackId/, String(trackId))
  for (const trackId of [undefined, null]) assert.equal(refusal({ ...complete, trackId }), 'no trackId')
})

test('what is no iOS app is refused by what it is', () => {
  assert.equal(refusal({ ...complete, kind: 'mac-software' }), 'not an iOS app (mac-software)')
  assert.equal(refusal({ wrapperType: 'artist', artistId: 5 }), 'not an app (artist)')
  assert.equal(refusal(null), 'not an object')
  assert.equal(refusal('text'), 'not an object')
  assert.match(refusal({ ...complete, trackName: ' ' }) ?? '', /^trackName/)
  assert.equal(
    refusal({ ...complete, releaseDate: '2022-02-30T00:00:00Z' }),
    'impossible releaseDate "2022-02-30T00:00:00Z"',
  )
})

test('a refused record keeps its place in the answer', () => {
  const { sightings, rejected } = readItunesResults([complete, null, { ...complete, trackId: 5 }])
  assert.deepEqual(
    sightings.map((sighting) => sighting.storeId),
    ['1234567890', '5'],
  )
  assert.deepEqual(rejected, [{ index: 1, isOther: false, reason: 'not an object', record: null }])
})

test('whatever a record holds, reading it never throws, and what is read is text, numbers and lists', () => {
  const anything = fc.anything({ withBigInt: false, withDate: false, withNullPrototype: false })
  const record = fc.record(
    Object.fromEntries(
      Object.entries(complete).map(([field, value]) => [field, fc.oneof(fc.constant(value), anything)]),
    ),
    { requiredKeys: ['trackId', 'trackName'] },
  )
  fc.assert(
    fc.property(record, (one) => {
      const { sightings, rejected } = readItunesResults([one])
      assert.equal(sightings.length + rejected.length, 1)
      for (const value of Object.values(sightings[0]?.listing ?? {}))
        assert.ok(value === null || ['string', 'number'].includes(typeof value) || Array.isArray(value))
    }),
  )
})

test('what was read of an app before changes nothing in what the next record of it says', () => {
  const alternatives = [null, 7, -1, '8', 'Other', '2020-01-02T03:04:05Z', 'not a date', ['DE'], [], [{}], {}]
  for (const [index, field] of Object.keys(complete).entries()) {
    const url = `https://apps.apple.com/us/app/orchard/id${index}`
    for (const value of alternatives) {
      const record = { ...complete, [field]: value }
      const [again] = [complete, complete, record]
        .map((one) => readItunesResults([{ ...one, trackViewUrl: url }]))
        .slice(-1)
      const { sightings, unreadable } = readItunesResults([record])
      assert.deepEqual(again?.sightings, sightings, `${field} as ${JSON.stringify(value)}`)
      assert.deepEqual(again?.unreadable, unreadable)
      assert.deepEqual(again?.rejected[0]?.reason, refusal(record))
    }
  }
})

test('an answer is known by its list of results', () => {
  assert.ok(isItunesAnswer({ resultCount: 0, results: [] }))
  for (const other of [null, [], {}, { results: {} }, 'results', { errorMessage: 'Invalid value' }])
    assert.ok(!isItunesAnswer(other))
})

test('text that passed through an HTML escaper is what Apple meant, and other text is left alone', () => {
  assert.equal(clean('AT&amp;T &#39;Mail&#x27; &lt;b&gt; &quot;x&quot;'), `AT&T 'Mail' <b> "x"`)
  for (const text of ['AT&T', 'Q&A', 'a &copy b', 'https://x.example/?a=1&lt=2', '5 & 6; 7'])
    assert.equal(clean(text), text)
  assert.equal(clean(' a\0b \n'), 'ab')
})

test('a time is read with its zone, and one that cannot be is none', () => {
  assert.equal(instant('2021-02-03T04:05:06Z'), '2021-02-03T04:05:06.000Z')
  assert.equal(instant('2019-07-15T01:30:17.000-07:00'), '2019-07-15T08:30:17.000Z')
  assert.equal(instant('2021-02-03'), '2021-02-03T00:00:00.000Z')
  assert.equal(instant('2021-02-03T04:05:06'), '2021-02-03T04:05:06.000Z')
  for (const wrong of [
    '',
    'yesterday',
    '2021-02-29',
    '2021-13-01',
    '2021-02-03T25:00:00Z',
    '21-02-03',
    '9999-12-31T23:00:00-07:00',
  ])
    assert.equal(instant(wrong), undefined, wrong)
})
