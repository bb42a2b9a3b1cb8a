import type { Database } from '../../storage/database.ts'
import { askForWork, type Enqueue } from '../work/ask-for-work.ts'
import { newestWork } from '../work/queries.ts'
import type { Work } from '../work/work.ts'
import type { AdName } from './queries.ts'
import type { TranscriptInput } from './transcript.ts'

export const transcriptKind = 'ad-transcript'
export const analysisKind = 'ad-analysis'

/** An ad as the subject of work. */
export const readingSubject = ({ platform, archiveId }: AdName): string => `${platform}/${archiveId}`

/** The ad that work is about. */
export function adOfSubject(subject: string): AdName {
  const [platform = '', archiveId = ''] = subject.split('/')
  return { platform, archiveId }
}

/** Asks for a transcript; one that has ended answers as it ended, unless it shall be made again. */
export function askForTranscript(
  db: Database,
  enqueue: Enqueue,
  ad: AdName,
  input: TranscriptInput,
  force: boolean,
): Promise<Work> {
  return ask(db, enqueue, { kind: transcriptKind, subject: readingSubject(ad), input: { ...input } }, force)
}

/**
 * Asks for an analysis; one that has ended answers as it ended, unless it shall be made again. It measures what the account
 * that asks has a copy of.
 */
export function askForAnalysis(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  ad: AdName,
  force: boolean,
): Promise<Work> {
  return ask(db, enqueue, { kind: analysisKind, subject: readingSubject(ad), input: { accountId } }, force)
}

async function ask(
  db: Database,
  enqueue: Enqueue,
  asked: { kind: string; subject: string; input: Record<string, unknown> },
  force: boolean,
): Promise<Work> {
  const known = force ? undefined : await newestWork(db, asked.kind, asked.subject)
  return known ?? askForWork(db, enqueue, asked)
}
