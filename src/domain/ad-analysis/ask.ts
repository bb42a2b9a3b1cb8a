import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, rows } from '../../storage/database.ts'
import type { NamedAd } from '../paid-ads/ad.ts'
import { adNamesAsRows } from '../paid-ads/ad-writes.ts'
import { askForWork, type Enqueue, type WorkAsked } from '../work/ask-for-work.ts'
import { newestWork } from '../work/queries.ts'
import type { Work, WorkKind } from '../work/work.ts'
import type { AdName } from './queries.ts'

/** The language is a hint of the requester, as BCP 47. */
const TranscriptInput = z.strictObject({ language: z.string().nullable() })

export type TranscriptInput = z.output<typeof TranscriptInput>

export const adTranscript: WorkKind<TranscriptInput> = {
  name: 'ad-transcript',
  input: TranscriptInput,
  unit: 'pieces',
}

/** The account of the request. */
const AnalysisInput = z.strictObject({ accountId: z.string() })

export type AnalysisInput = z.output<typeof AnalysisInput>

export const adAnalysis: WorkKind<AnalysisInput> = { name: 'ad-analysis', input: AnalysisInput, unit: 'ads' }

/** An ad as the subject of work. */
export const analysisSubject = ({ platform, archiveId }: AdName): string => `${platform}/${archiveId}`

/** The ad of a work. */
export function adOfSubject(subject: string): AdName {
  const [platform = '', archiveId = ''] = subject.split('/')
  return { platform, archiveId }
}

/** Requests a transcript; an ended one is returned as it is, unless it is to be made again. */
export function askForTranscript(
  db: Database,
  enqueue: Enqueue,
  ad: AdName,
  input: TranscriptInput,
  force: boolean,
): Promise<Work> {
  return ask(db, enqueue, { kind: adTranscript, subject: analysisSubject(ad), input }, force)
}

/**
 * Requests an analysis; an ended one is returned as it is, unless it is to be made again. It measures the media of which the
 * requesting account has a copy.
 */
export function askForAnalysis(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  ad: AdName,
  force: boolean,
): Promise<Work> {
  return ask(db, enqueue, { kind: adAnalysis, subject: analysisSubject(ad), input: { accountId } }, force)
}

async function ask<Input>(
  db: Database,
  enqueue: Enqueue,
  asked: WorkAsked<Input>,
  force: boolean,
): Promise<Work> {
  const known = force ? undefined : await newestWork(db, asked.kind.name, asked.subject)
  return known ?? askForWork(db, enqueue, asked)
}

/**
 * Deletes the transcripts and analyses based on withdrawn readings: those of ads that no source has shown, and those that
 * quote the readings.
 */
export async function deleteAnalysisResults(
  db: Database,
  ads: readonly NamedAd[],
  withdrawn: readonly string[],
): Promise<void> {
  const resting = await rows(
    db,
    sql<{ platform: string; archiveId: string }>`
      with n as materialized (select platform, archive_id from ${adNamesAsRows(ads)} n),
      shown as materialized (
        select platform, archive_id from ads a
        where (platform, archive_id) in (select platform, archive_id from n)
          and exists (select 1 from ad_observations o where o.ad_number = a.ad_number and not o.brought)
      ), quoting as materialized (
        select platform, archive_id from ad_analyses y
        where (platform, archive_id) in (select platform, archive_id from n)
          and exists (select 1 from unnest(${[...withdrawn]}::text[]) gone where position(gone in y.result::text) > 0)
      )
      select platform, archive_id as "archiveId" from n
      where (platform, archive_id) not in (select platform, archive_id from shown)
        or (platform, archive_id) in (select platform, archive_id from quoting)`,
  )
  const gone = adNamesAsRows(resting as NamedAd[])
  for (const table of ['ad_transcripts', 'ad_analyses'])
    await sql`delete from ${sql.table(table)} where (platform, archive_id) in ${gone}`.execute(db)
  await sql`
    delete from work
    where kind in (${adTranscript.name}, ${adAnalysis.name}) and status not in ('queued', 'running')
      and subject in (select platform || '/' || archive_id from ${gone} n)`.execute(db)
}
