import { sql } from 'kysely'
import { mergeSearchIndexes } from '../../src/domain/catalogue/record-writes.ts'
import { computeWordWeights } from '../../src/domain/catalogue/word-weights.ts'
import { importSample } from '../../src/imports/import-sample.ts'
import { type Database, firstRow } from '../../src/storage/database.ts'
import { dayText, lastDay } from '../calendar.ts'
import type { SampleDocument } from '../document.ts'
import { referenceEvidence } from '../reference-evidence.ts'
import { sampleEvidence } from '../sample-evidence.ts'

/** The same evidence on every machine: this is its last day. */
export const sample = { seed: 7, until: '2026-11-20' }

/** Last days of charts, searches and listings that are stored before the first page; the older ones follow while it is looked at. */
const firstDays = 14
const ofOneDay = new Set<SampleDocument['kind']>(['catalogue', 'charts', 'search-results'])
const firstDay = dayText(lastDay(sample) - firstDays)
const isFirst = ({ kind, observedAt }: SampleDocument) => !ofOneDay.has(kind) || observedAt >= firstDay

/** Documents of each part: of the first pages, and of the whole. */
export const documentsOf = { first: 624, whole: 2_233 }

export type EvidencePart = 'first' | 'older' | 'whole'

/** The made-up evidence with that of the reference's examples, or a part of it, in the order in which it is stored. */
export function* demoEvidence(part: EvidencePart): Generator<SampleDocument> {
  for (const evidence of [sampleEvidence(sample), referenceEvidence(sample)])
    for (const document of evidence)
      if (part === 'whole' || isFirst(document) === (part === 'first')) yield document
}

/** Stores a part of the evidence; what is stored is skipped. */
export async function storeEvidence(
  db: Database,
  part: EvidencePart,
  onProgress: (done: number) => void,
): Promise<void> {
  await importSample(db, demoEvidence(part), onProgress)
  await mergeSearchIndexes(db)
  await computeWordWeights(db, new Date())
}

/** Whether all of it is stored. */
export async function isWhole(db: Database): Promise<boolean> {
  const found = await firstRow(
    db,
    sql<{ documents: number }>`select count(*)::int as documents from readings where origin = 'sample'`,
  )
  return (found?.documents ?? 0) >= documentsOf.whole
}
