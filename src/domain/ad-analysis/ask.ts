import { z } from 'zod'
import type { Database } from '../../storage/database.ts'
import { askForWork, type Enqueue, type WorkAsked } from '../work/ask-for-work.ts'
import type { WorkKind } from '../work/kind.ts'
import { newestWork } from '../work/queries.ts'
import type { Work } from '../work/work.ts'
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
