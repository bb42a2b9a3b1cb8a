import { type FieldMasks, fieldMasksOf } from '../catalogue/listing-history.ts'
import type { SightingRow } from '../catalogue/sighting-queries.ts'
import type { ChartReading } from './chart-reading.ts'

/** The field masks that most entries of a snapshot share, and the apps whose entries differ. */
export interface EntryMasks extends FieldMasks {
  apart: string[]
}

/** The stored entries of a snapshot. */
export type StoredEntries = EntryMasks & { storeIds: readonly (string | null)[] }

/**
 * Encodes the sightings of a snapshot's apps in the snapshot itself, and returns the sightings that this cannot express.
 * @param instant the chart and instant of the snapshot
 * @param storeIds the places that are stored
 * @param readings all readings of this chart and instant, whether their capture won or not
 * @param stored what the store held before
 */
export function entriesOf(
  { country, capturedAt: observedAt }: { country: string; capturedAt: Date },
  storeIds: readonly (string | null)[],
  readings: readonly ChartReading[],
  stored: StoredEntries | undefined,
): { entries: EntryMasks; others: SightingRow[] } {
  const seen = readings.flatMap(({ sightings }) =>
    sightings.map((sighting) => ({
      storeId: sighting.storeId,
      country,
      observedAt,
      ...fieldMasksOf(sighting),
    })),
  )
  const before = stored
    ? stored.storeIds
        .filter((storeId) => storeId !== null)
        .filter((storeId) => !stored.apart.includes(storeId))
        .map((storeId) => ({ storeId, country, observedAt, stated: stored.stated, hinted: stored.hinted }))
    : []
  const usual = usualOf([...before, ...seen])
  const kept = new Set(storeIds.filter((storeId) => storeId !== null))
  const reported = new Set<string>()
  const others: SightingRow[] = []
  for (const row of [...before, ...seen]) {
    const isUsual = row.stated === usual.stated && row.hinted === usual.hinted
    if (isUsual && kept.has(row.storeId)) reported.add(row.storeId)
    else others.push(row)
  }
  return { entries: { ...usual, apart: [...kept].filter((storeId) => !reported.has(storeId)) }, others }
}

/** The masks that most entries share. */
function usualOf(rows: readonly FieldMasks[]): FieldMasks {
  const counted = new Map<string, { masks: FieldMasks; count: number }>()
  for (const { stated, hinted } of rows) {
    const key = `${stated} ${hinted}`
    const known = counted.get(key)
    if (known) known.count++
    else counted.set(key, { masks: { stated, hinted }, count: 1 })
  }
  return (
    [...counted.values()].toSorted((one, other) => other.count - one.count)[0]?.masks ?? {
      stated: 0,
      hinted: 0,
    }
  )
}
