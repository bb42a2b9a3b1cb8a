import { z } from 'zod'
import { type AdPlatform, adPlatforms } from '../../../vocabulary/ad-platforms.ts'
import type { ImportEnding } from '../../../vocabulary/creatives.ts'
import type { Door } from '../../../vocabulary/provenance.ts'
import type { Work, WorkKind } from '../../work/work.ts'
import type { AdQuery } from '../search-plan.ts'

const AdImportInput = z.strictObject({ platform: z.enum(adPlatforms) })

/** A run of an import; its subject is its own id, and its query or records are stored in `ad_imports`. */
export const adImport: WorkKind<z.output<typeof AdImportInput>> = {
  name: 'ad-import',
  input: AdImportInput,
  unit: 'ads',
}

/** A rejected record. */
export interface RejectedRecord {
  /** Position among the records read, from 1. */
  position: number
  archiveId: string | null
  reason: 'no-id' | 'wrong-platform' | 'unknown-form' | 'impossible-date' | 'bad-value' | 'too-large'
  message: string
}

/** Rejected records that are stored; all are counted. */
export const mostRejectionsStored = 100

/** A limitation of a run. `since` is RFC 3339; null for a permanent property of the library. */
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

/** Progress of a run in the library, with the counts so far. */
export interface RunState extends RunCounts {
  runId: string
  accountId: string
  /** The interface it was requested through. */
  door: Door
  /** When its evidence was withdrawn; null while it is in force. */
  withdrawnAt: Date | null
  platform: AdPlatform
  /** Null for inline records. */
  query: AdQuery | null
  /** Index of the current search, from 0. */
  search: number
  /** The library's own cursor; null at the beginning of a search. */
  cursor: string | null
  pageSize: number | null
  restarts: number
  searchRead: number
  counted: number
  requests: number
  pages: number
  rejections: RejectedRecord[]
  notes: RunNote[]
  /** How reading ended; null until then. */
  endedAtPosition: ImportEnding | null
  attemptsBefore: number
}

/** A run with its state as work. */
export interface ImportRun {
  state: RunState
  work: Work
}
