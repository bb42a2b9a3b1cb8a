import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Database, firstRow } from '../../../storage/database.ts'
import { type AdPlatform, adPlatforms } from '../../../vocabulary/ad-platforms.ts'
import type { ImportEndReason } from '../../../vocabulary/creatives.ts'
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
export const maxRejectionsStored = 100

/** A limitation of a run. `since` is RFC 3339; null for a permanent property of the library. */
export interface RunNote {
  code:
    | 'region-limited'
    | 'date-window'
    | 'filter-not-supported'
    | 'limit-reached'
    | 'stopped-early'
    | 'suspect-empty'
    | 'absent'
    | 'form-changed'
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
  endedAtPosition: ImportEndReason | null
  attemptsBefore: number
}

/** A run with its state as work. */
export interface ImportRun {
  state: RunState
  work: Work
}

/** The arguments of an import: a query of the library, or inline records as compressed JSON. */
export interface ImportArguments {
  platform: AdPlatform
  query: AdQuery | null
  records: Uint8Array | null
}

/** Minutes in which a preview can be turned into an import. */
const lastsMinutes = 15

/** Maximum number of unused previews of an account; older ones expire early, so that nobody fills the store with them. */
const mostWaiting = 100

const hashOf = (token: string) => hash('sha256', token)

/** Stores a preview, and deletes expired ones. */
export async function rememberPreview(
  db: Database,
  accountId: string,
  { platform, query, records }: ImportArguments,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const token = `pv1.${randomBytes(24).toString('base64url')}`
  const expiresAt = new Date(now.getTime() + lastsMinutes * 60_000)
  await sql`
    delete from ad_previews where run_id is null and (expires_at < ${now} or token_hash in (
      select token_hash from ad_previews where account_id = ${accountId} and run_id is null
      order by expires_at desc offset ${mostWaiting - 1}))`.execute(db)
  await sql`
    insert into ad_previews (token_hash, account_id, platform, query, records, expires_at)
    values (${hashOf(token)}, ${accountId}, ${platform}, ${query && JSON.stringify(query)}::jsonb, ${records},
      ${expiresAt})`.execute(db)
  return { token, expiresAt }
}

interface Preview extends ImportArguments {
  expiresAt: Date
  /** The run started from it; the preview then no longer expires. */
  runId: string | null
}

/** The preview of a token, locked until the transaction ends; undefined when the account has none. */
export function lockPreview(db: Database, accountId: string, token: string): Promise<Preview | undefined> {
  return firstRow(
    db,
    sql<Preview>`
      select platform, query, records, expires_at as "expiresAt", run_id as "runId"
      from ad_previews where token_hash = ${hashOf(token)} and account_id = ${accountId} for update`,
  )
}

/** Marks the preview as used by a run; it is kept as long as the run. */
export async function markPreviewUsed(db: Database, token: string, runId: string): Promise<void> {
  await sql`
    update ad_previews set run_id = ${runId}, records = null where token_hash = ${hashOf(token)}`.execute(db)
}
