import { trackDemoApps } from '../../sample/demo/tracking.ts'
import { sampleEvidence } from '../../sample/sample-evidence.ts'
import { computeRatingScales } from '../../src/domain/aso/pages/rating-scale-runs.ts'
import { mergeSearchIndexes } from '../../src/domain/catalogue/record-writes.ts'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { importSample } from '../../src/imports/import-sample.ts'
import type { Database } from '../../src/storage/database.ts'

/** The demo's apps, creatives and tracked apps, and the newest days of its charts and searches, all of one storefront. */
export async function importNewestSample(db: Database, from: string): Promise<void> {
  const newest = sampleEvidence({ seed: 7, until: '2026-11-20' }).filter(
    ({ kind, observedAt, country }) =>
      country === null || (country === 'us' && (kind === 'catalogue' || observedAt >= from)),
  )
  await importSample(db, newest, () => {})
  await mergeSearchIndexes(db)
  await computeWordWeights(db, new Date())
  await computeRatingScales(db, new Date())
  await trackDemoApps(db)
}
