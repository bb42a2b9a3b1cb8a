import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import type { MediaStore } from '../../storage/media-store.ts'
import { hasRoomForCopy } from '../accounts/limits.ts'
import { countChange, mediaChange } from '../evidence/changes.ts'

/** Content stored in the media archive. */
export interface StoredContent {
  sha256: string
  contentType: string
  sizeBytes: number
}

/**
 * Records that a copy is stored, whose content must already be in the archive.
 * @returns why nothing was recorded: no account that wants it has room, or the file of an equal content was removed
 * meanwhile
 */
export function recordStored(
  db: Database,
  store: MediaStore,
  mediaId: string,
  content: StoredContent,
): Promise<'stored' | 'no-room' | 'removed'> {
  return inTransaction(db, async (transaction) => {
    if (!(await hasRoomForCopy(transaction, mediaId, content.sizeBytes))) return 'no-room'
    // No file is removed until the transaction ends.
    await sql`lock table removed_contents in row share mode`.execute(transaction)
    if ((await store.sizeOf(content.sha256)) !== content.sizeBytes) return 'removed'
    await insertStored(transaction, mediaId, content)
    await countChange(transaction, [mediaChange])
    return 'stored'
  })
}

async function insertStored(db: Database, mediaId: string, content: StoredContent): Promise<void> {
  const { sha256, contentType, sizeBytes } = content
  await sql`
    with content as (
      insert into media_objects (sha256, content_type, size_bytes)
      values (${sha256}, ${contentType}, ${sizeBytes})
      on conflict (sha256) do nothing)
    update archived_media set status = 'stored', reason = null, checked_at = now(), stored_at = now(), sha256 = ${sha256}
    where media_id = ${mediaId}`.execute(db)
}

/** Metadata of archived content; `removed` when retention removed it, undefined for an unknown hash. */
export async function archivedContentOf(
  db: Database,
  sha256: string,
): Promise<Pick<StoredContent, 'contentType' | 'sizeBytes'> | 'removed' | undefined> {
  const found = await firstRow(
    db,
    sql<Pick<StoredContent, 'contentType' | 'sizeBytes'>>`
      select content_type as "contentType", size_bytes::double precision as "sizeBytes"
      from media_objects where sha256 = ${sha256}`,
  )
  if (found) return found
  const removed = await firstRow(db, sql`select from archived_media where sha256 = ${sha256} limit 1`)
  return removed ? 'removed' : undefined
}

/**
 * Removes files of contents that no copy needs any more, in the caller's transaction, which prevents new copies of them.
 * Files that are already missing are ignored, so that the next run completes an interrupted one.
 * @returns whether there may be more
 */
export async function removeFiles(db: Database, store: MediaStore, atMost: number): Promise<boolean> {
  // Waits for a backup that lists the files: it holds locks on all tables until its end.
  await sql`lock table removed_contents in access exclusive mode`.execute(db)
  // An equal content may have been copied since. A query of its own: Citus joins no plain table to a distributed one in a
  // delete.
  const copied = await rows(
    db,
    sql<{ sha256: string }>`
      select sha256 from media_objects where sha256 in (select sha256 from removed_contents)`,
  )
  await sql`
    delete from removed_contents where sha256 = any(${copied.map(({ sha256 }) => sha256)}::text[])`.execute(db)
  const gone = await rows(
    db,
    sql<{ sha256: string }>`select sha256 from removed_contents order by sha256 limit ${atMost}`,
  )
  for (const { sha256 } of gone) {
    await store.remove(sha256)
    await sql`delete from removed_contents where sha256 = ${sha256}`.execute(db)
  }
  return gone.length === atMost
}
