import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import {
  type Analysis,
  type AnalysisReading,
  localAnalyser,
  type Provider,
  type Transcript,
} from './analysis.ts'

/** The identity of an ad in its library. */
export interface AdName {
  platform: string
  archiveId: string
}

/** The newest transcript of an ad, or the newest reason why there is none; undefined when none was ever made. */
export function storedTranscript(
  db: Database,
  { platform, archiveId }: AdName,
): Promise<{ result: Transcript; madeAt: Date } | undefined> {
  return firstRow(
    db,
    sql<{ result: Transcript; madeAt: Date }>`
      select result, made_at as "madeAt" from ad_transcripts
      where platform = ${platform} and archive_id = ${archiveId}`,
  )
}

/** Stores the outcome of a transcription, replacing an earlier one. */
export async function storeTranscript(
  db: Database,
  { platform, archiveId }: AdName,
  result: Transcript,
  madeAt: Date,
): Promise<void> {
  await sql`
    insert into ad_transcripts (platform, archive_id, outcome, result, made_at)
    values (${platform}, ${archiveId}, ${result.outcome}, ${JSON.stringify(result)}::jsonb, ${madeAt})
    on conflict (platform, archive_id) do update
      set outcome = excluded.outcome, result = excluded.result, made_at = excluded.made_at`.execute(db)
}

/** The newest analysis of an ad; undefined when none was ever made. */
export function storedAnalysis(
  db: Database,
  { platform, archiveId }: AdName,
): Promise<{ result: Analysis; madeAt: Date } | undefined> {
  return firstRow(
    db,
    sql<{ result: Analysis; madeAt: Date }>`
      select result, made_at as "madeAt" from ad_analyses
      where platform = ${platform} and archive_id = ${archiveId}`,
  )
}

/** What lists show of the analysis of an ad. */
interface StoredReading extends AdName {
  reading: Pick<AnalysisReading, 'hook' | 'offer' | 'claims'>
  readingBy: Provider
  madeAt: Date
}

/** The newest readings of ads, of those that have one. */
export function storedReadings(db: Database, ads: readonly AdName[]): Promise<StoredReading[]> {
  return rows(
    db,
    sql<StoredReading>`
      select platform, archive_id as "archiveId", result -> 'reading' as reading, result -> 'readingBy' as "readingBy",
        made_at as "madeAt"
      from ad_analyses
      where (platform, archive_id) in (
        select asked.platform, asked."archiveId" from json_to_recordset(${JSON.stringify(ads.map(({ platform, archiveId }) => ({ platform, archiveId })))}::json)
          as asked(platform text, "archiveId" text))`,
  )
}

/** Stores an analysis, replacing an earlier one. */
export async function storeAnalysis(
  db: Database,
  { platform, archiveId }: AdName,
  result: Analysis,
  madeAt: Date,
): Promise<void> {
  await sql`
    insert into ad_analyses (platform, archive_id, result, made_at)
    values (${platform}, ${archiveId}, ${JSON.stringify(result)}::jsonb, ${madeAt})
    on conflict (platform, archive_id) do update
      set result = excluded.result, made_at = excluded.made_at`.execute(db)
}

/** An ad with a reading by an older version of the local analyser, and the time of that reading. */
export interface OutdatedAnalysis extends AdName {
  madeAt: Date
}

/** The next such ads, by platform and id. @param reached the last ad before them; null for the first */
export function outdatedAnalyses(
  db: Database,
  reached: AdName | null,
  atMost: number,
): Promise<OutdatedAnalysis[]> {
  return rows(
    db,
    sql<OutdatedAnalysis>`
      select platform, archive_id as "archiveId", made_at as "madeAt" from ad_analyses
      where case when result->'readingBy'->>'name' = ${localAnalyser.name}
          then (result->'readingBy'->>'version')::int < ${Number(localAnalyser.version)} end
        and ${reached === null ? sql`true` : sql`(platform, archive_id) > (${reached.platform}, ${reached.archiveId})`}
      order by platform, archive_id limit ${atMost}`,
  )
}

/** Replaces this analysis. @returns false where another one has replaced it meanwhile */
export async function replaceAnalysis(
  db: Database,
  { platform, archiveId, madeAt: replaced }: OutdatedAnalysis,
  result: Analysis,
  madeAt: Date,
): Promise<boolean> {
  const found = await rows(
    db,
    sql<{ platform: string }>`
      update ad_analyses set result = ${JSON.stringify(result)}::jsonb, made_at = ${madeAt}
      where platform = ${platform} and archive_id = ${archiveId} and made_at = ${replaced}
      returning platform`,
  )
  return found.length > 0
}
