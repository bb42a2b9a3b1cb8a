import type { SourceName } from '../domain/evidence/reading.ts'
import { readAdRecord } from './ad-records/read-ad-record.ts'
import type { Harvest, ReadingContext } from './harvest.ts'
import { rowsOf } from './rows.ts'

/** The ads of a file or an answer. @throws UnreadableError */
export function readAds(source: SourceName, bytes: Uint8Array, context: ReadingContext, from: number): Harvest {
  const { rows, rejected } = rowsOf(bytes, context, from)
  const harvest: Harvest & Required<Pick<Harvest, 'ads'>> = {
    source,
    sightings: [],
    charts: [],
    ads: [],
    rejected,
    records: rows.length + rejected.length,
  }
  for (const { position, record } of rows) {
    const ad = readAdRecord(record)
    if ('reason' in ad) harvest.rejected.push({ position, reason: `${ad.reason}: ${ad.message}`, record })
    else harvest.ads.push(ad)
  }
  return harvest
}
