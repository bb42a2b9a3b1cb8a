import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import type { Analysis } from './analysis.ts'
import type { Transcript } from './transcript.ts'

/** An ad as its library names it. */
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

/** Keeps how the making of a transcript ended, in place of an earlier one. */
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

/** Keeps an analysis in place of an earlier one. */
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
