import type { Database } from '../../storage/database.ts'
import { type KnownMoments, momentKey, type Statement, statedAt } from '../evidence/known-moments.ts'
import type { AppSighting, ListingField } from './listing.ts'
import { recordsIn } from './record-queries.ts'

/** An app as it was seen in a storefront at a moment. */
export interface ObservedApp {
  sighting: AppSighting
  country: string
  observedAt: Date
}

const appKey = (storeId: string, country: string) => `${storeId} ${country}`

export const appStatement = ({ sighting, country, observedAt }: ObservedApp): Statement => ({
  key: momentKey(appKey(sighting.storeId, country), observedAt),
  fields: sighting.listing,
})

/** What the records of these apps rest on that was seen at these moments. */
export async function appMoments(db: Database, observed: readonly ObservedApp[]): Promise<KnownMoments> {
  const fields = new Set(observed.flatMap(({ sighting }) => Object.keys(sighting.listing) as ListingField[]))
  const pairs = new Map(
    observed.map(({ sighting: { storeId }, country }) => [appKey(storeId, country), { storeId, country }]),
  )
  const records = await recordsIn(db, [...pairs.values()], [...fields])
  const stored = new Map(records.map((record) => [appKey(record.storeId, record.country), record]))
  return new Map(
    observed.flatMap(({ sighting, country, observedAt }) => {
      const key = appKey(sighting.storeId, country)
      const record = stored.get(key)
      if (!record?.evidence.some((entry) => entry.observedAt === observedAt.toISOString())) return []
      return [[momentKey(key, observedAt), statedAt(record.facts, record.evidence, observedAt)]]
    }),
  )
}
