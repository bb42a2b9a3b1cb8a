import { z } from 'zod'
import { type AdPlatform, adPlatforms } from '../../../vocabulary/ad-platforms.ts'
import type { ImportEnding } from '../../../vocabulary/creatives.ts'
import type { Door } from '../../../vocabulary/provenance.ts'
import type { WorkKind } from '../../work/kind.ts'
import type { Work } from '../../work/work.ts'
import type { AdQuery } from '../ad-query.ts'

const AdImportInput = z.strictObject({ platform: z.enum(adPlatforms) })

/** A run of an import; its subject is its own id, and what it imports stands in `ad_imports`. */
export const adImport: WorkKind<z.output<typeof AdImportInput>> = {
  name: 'ad-import',
  input: AdImportInput,
  unit: 'ads',
}

/** A record that was not taken. */
export interface RejectedRecord {
  /** Place among the records read, from 1. */
  position: number
  archiveId: string | null
  reason: 'no-id' | 'wrong-platform' | 'unknown-form' | 'impossible-date' | 'bad-value' | 'too-large'
  message: string
}

/** Rejected records that are kept; all are counted. */
export const mostRejectionsStored = 100

/** Something a run could not show. `since` is RFC 3339; null for a lasting property of the library. */
export interface RunNote {
  code:
    | 'region-limited'
    | 'date-window'
    | 'filter-not-supported'
    | 'limit-reached'
    | 'stopped-early'
    | 'suspect-empty'
  message: string
  since: string | null
}

interface RunCounts {
  read: number
  stored: number
  updated: number
  unchanged: number
  rejected: number
}

/** Where a run stands in the library, and what it has read until there. */
export interface RunState extends RunCounts {
  runId: string
  accountId: string
  /** The way it was asked through. */
  door: Door
  /** When what it brought was withdrawn; null while it stands. */
  withdrawnAt: Date | null
  platform: AdPlatform
  /** Null for inline records. */
  query: AdQuery | null
  /** Which of its searches it is at, from 0. */
  search: number
  /** The library's own; null at the beginning of a search. */
  cursor: string | null
  pageSize: number | null
  restarts: number
  searchRead: number
  counted: number
  requests: number
  pages: number
  rejections: RejectedRecord[]
  notes: RunNote[]
  /** How the reading ended; null while it has not. */
  endedAtPosition: ImportEnding | null
  attemptsBefore: number
}

/** A run with how it does as work. */
export interface ImportRun {
  state: RunState
  work: Work
}
