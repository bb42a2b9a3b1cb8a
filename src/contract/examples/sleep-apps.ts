/** Invented apps and observations that the examples of competitors and charts share. Their day is 14 October 2026. */

export const notCollected = { state: 'not-measured', reason: 'never-collected' } as const
const notCarried = { state: 'not-measured', reason: 'not-carried' } as const

export const measured = (value: unknown, evidence = 0) => ({ state: 'measured', value, evidence })
export const absent = (evidence = 0) => ({ state: 'absent', evidence })
export const ranked = (value: number) => ({ state: 'measured', value, depth: 100 })
export const outside = { state: 'absent', depth: 100 } as const

export const health = { categoryId: '6013', name: 'Health & Fitness' }
export const topFree = {
  country: 'us',
  chart: 'top-free',
  categoryId: health.categoryId,
  categoryName: health.name,
  device: 'iphone',
} as const

export const lookup = {
  source: 'itunes-lookup',
  origin: 'collected',
  surface: 'iTunes Lookup API',
  country: 'us',
  observedAt: '2026-10-14T12:20:10Z',
  timeBasis: 'clock',
  readingId: '01a13a5b-1490-72c9-bddc-355a80f3b7f9',
}
export const storePage = {
  ...lookup,
  source: 'app-store-page',
  surface: 'App Store page on the web',
  observedAt: '2026-10-13T06:00:30Z',
  readingId: '01a133d9-2030-7094-adda-d040f89ce874',
}
export const topFreeFeed = {
  ...lookup,
  source: 'apple-rss-legacy',
  surface: 'Apple RSS feed with genre',
  observedAt: '2026-10-14T12:05:20Z',
  readingId: '01a13a4d-8000-74de-ab22-4ec9fec417c8',
}
const catalogueFile = {
  source: 'catalogue-file',
  origin: 'imported',
  surface: 'catalogue file',
  country: 'us',
  observedAt: '2026-10-02T09:14:33Z',
  timeBasis: 'file-name',
  readingId: '01a0fbe4-d4a8-7d19-9551-71e182186f9a',
}

const iconOf = (storeId: string) => `https://sample.invalid/${storeId}/icon/512x512.png`
const storeUrlOf = (storeId: string) => `https://apps.apple.com/us/app/id${storeId}`
const label = (storeId: string, name: string, developer: string) => ({
  platform: 'ios',
  storeId,
  name,
  developer,
  iconUrl: iconOf(storeId),
  namedIn: 'us',
  catalogued: true,
})

export const duskwell = label('9000000001', 'Duskwell: Sleep Sounds', 'Fenwick Hollow Apps')
export const mothlight = label('9000000002', 'Mothlight White Noise', 'Orrery & Oak Ltd')
export const pillowfort = label('9000000004', 'Pillowfort Bedtime Stories', 'Tamsin Grey')
/** Seen in a chart file that holds ids only. */
export const unnamed = {
  ...pillowfort,
  storeId: '9000000005',
  name: null,
  developer: null,
  iconUrl: null,
  namedIn: null,
  catalogued: false,
}

const identity = ({ platform, storeId, name }: typeof duskwell) => ({
  platform,
  storeId,
  country: 'us',
  name,
  namedIn: 'us',
  storeUrl: storeUrlOf(storeId),
})

export const duskwellSummary = {
  ...identity(duskwell),
  developer: measured(duskwell.developer),
  developerId: measured('9000000101'),
  bundleId: measured('example.fenwickhollow.duskwell'),
  icon: measured(duskwell.iconUrl),
  price: measured({ amount: 0, currency: 'USD' }),
  primaryCategory: measured(health),
  rating: measured(4.72),
  ratingCount: measured(18340),
  releasedAt: measured('2023-04-18T07:00:00Z'),
  updatedAt: measured('2026-10-12T07:14:00Z'),
  evidence: [lookup],
}

export const mothlightSummary = {
  ...duskwellSummary,
  ...identity(mothlight),
  developer: measured(mothlight.developer),
  developerId: measured('9000000102'),
  bundleId: measured('example.orreryoak.mothlight'),
  icon: measured(mothlight.iconUrl),
  price: measured({ amount: 1.99, currency: 'USD' }),
  rating: measured(4.58),
  ratingCount: measured(40215),
  releasedAt: measured('2019-11-05T08:00:00Z'),
  updatedAt: measured('2026-08-27T11:02:31Z'),
}

/** The file it comes from has a column for ratings, empty for this app, and none for several other fields. */
export const nightjarSummary = {
  ...identity(label('9000000003', 'Nightjar: Sleep Diary', 'Fenwick Hollow Apps')),
  developer: measured('Fenwick Hollow Apps'),
  developerId: measured('9000000101'),
  bundleId: measured('example.fenwickhollow.nightjar'),
  icon: notCarried,
  price: measured({ amount: 0, currency: 'USD' }),
  primaryCategory: measured(health),
  rating: absent(),
  ratingCount: measured(0),
  releasedAt: measured('2026-09-30T07:00:00Z'),
  updatedAt: notCarried,
  evidence: [catalogueFile],
}
