import { storeReadings } from '../../src/projections/store-readings.ts'
import { collected } from './collected.ts'
import type { World } from './world.ts'

export interface MadeListing {
  trackId: number
  observedAt: string
  country?: string
  trackName: string
  /** Left out when the page of the app was not collected; null when it shows none. */
  subtitle?: string | null
  /** Any other field of an iTunes Lookup answer, such as `description`. */
  [field: string]: unknown
}

/** Stores Lookup answers for apps, and their pages where a subtitle is given, as if collected at their time. */
export async function storeListings({ store }: World, listings: readonly MadeListing[]): Promise<void> {
  const lookups = listings.map(({ observedAt, country = 'us', subtitle, ...app }) => {
    const results = [{ wrapperType: 'software', kind: 'software', currency: 'USD', price: 0, ...app }]
    const bytes = Buffer.from(JSON.stringify({ resultCount: 1, results }))
    return collected('itunes-lookup', bytes, { country }, observedAt)
  })
  const pages = listings.flatMap(({ trackId, trackName, observedAt, country = 'us', subtitle }) => {
    if (subtitle === undefined) return []
    const lockup = { adamId: String(trackId), title: trackName, subtitle }
    const page = { intent: { id: String(trackId) }, data: { lockup, shelfMapping: {} } }
    const bytes = Buffer.from(
      `<script id="serialized-server-data">${JSON.stringify({ data: [page] })}</script>`,
    )
    return [collected('app-page', bytes, { country, storeId: String(trackId) }, observedAt)]
  })
  await storeReadings(store.db, [...lookups, ...pages])
}
