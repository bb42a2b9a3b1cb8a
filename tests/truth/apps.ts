import { filesIn, jsonOf, plain, tableOf } from './plain.ts'

/** What is known of an app in the storefront us; a field is undefined where no file carries it. */
export interface KnownApp {
  name: string
  price?: number | null
  currency?: string
  rating?: number | null
  ratingCount?: number
  version?: string
  sizeBytes?: number
  bundleId?: string
  description?: string
  minimumOsVersion?: string
  contentRating?: string
  /** Ratings by the time they were seen, oldest first. */
  ratings: { at: string; count: number; average: number | null }[]
}

/** A saved answer of a search for "chat". */
export interface Answer {
  at: string
  // biome-ignore lint/suspicious/noExplicitAny: results as Apple sends them
  results: any[]
}

/** The answers by time, each capture once. */
export function answers(): Answer[] {
  const bounds = new Map(tableOf('apple/search/captures.csv').map((row) => [row.file, row]))
  const all = filesIn('apple/search', /^search_chat.*\.json$/).map((file): Answer => {
    const { results } = jsonOf(file)
    const bound = bounds.get(file.split('/').at(-1) ?? '')
    const lowest = Date.parse(bound?.capturedNotBefore ?? '')
    // A page is no older than the newest version it shows; a pre-order, which has no price yet, tells of a day to come.
    const shown = results
      .filter(({ price }: { price?: number }) => price !== undefined)
      .map((result: Record<string, string>) => Date.parse(result.currentVersionReleaseDate ?? ''))
    return { at: new Date(Math.max(lowest, ...shown)).toISOString(), results }
  })
  all.sort((one, other) => one.at.localeCompare(other.at))
  const seen = new Set<string>()
  return all.filter(({ results }) => {
    const same = JSON.stringify(
      results.map(({ trackId, userRatingCount, version }) => [trackId, userRatingCount, version]),
    )
    return !seen.has(same) && seen.add(same)
  })
}

/** All apps of the tables of 2017, with what newer answers say of them. */
export function knownApps(): Map<string, KnownApp> {
  const apps = new Map<string, KnownApp>()
  for (const row of tableOf('catalogue/AppleStore.csv')) {
    const count = Number(row.rating_count_tot)
    const average = count === 0 ? null : Number(row.user_rating)
    apps.set(row.id ?? '', {
      name: (row.track_name ?? '').trim(),
      price: Number(row.price),
      currency: row.currency ?? '',
      rating: average,
      ratingCount: count,
      version: (row.ver ?? '').trim(),
      sizeBytes: Number(row.size_bytes),
      contentRating: row.cont_rating ?? '',
      ratings: [{ at: '2017-07-15T00:00:00.000Z', count, average }],
    })
  }
  for (const file of filesIn('catalogue', /^appleStore_description\d*\.csv$/)) {
    for (const row of tableOf(file)) {
      const app = apps.get(row.id ?? '')
      if (app) app.description = (row.app_desc ?? '').trim()
    }
  }
  for (const { at, results } of answers()) {
    for (const result of results) {
      const id = String(result.trackId)
      const before = apps.get(id)
      const count = result.userRatingCount
      const average = count === 0 ? null : result.averageUserRating
      apps.set(id, {
        ...before,
        name: plain(result.trackName),
        rating: average,
        ratingCount: count,
        version: result.version,
        sizeBytes: Number(result.fileSizeBytes),
        bundleId: result.bundleId,
        description: plain(result.description),
        minimumOsVersion: result.minimumOsVersion,
        contentRating: result.contentAdvisoryRating ?? result.trackContentRating,
        ...(result.price === undefined ? {} : { price: result.price, currency: result.currency }),
        ratings: [...(before?.ratings ?? []), { at, count, average }],
      })
    }
  }
  return apps
}
