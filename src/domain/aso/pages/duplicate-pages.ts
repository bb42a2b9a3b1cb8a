import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import { type StoredPlaces, storedPlaces } from './page-writes.ts'

/** The earliest page of the same capture, and whether it is only stored as a duplicate. */
export interface DuplicatePage extends StoredPlaces {
  isDuplicate: boolean
}

export function duplicateOf(
  db: Database,
  termId: number,
  fingerprint: string,
): Promise<DuplicatePage | undefined> {
  return firstRow(
    db,
    sql<DuplicatePage>`
      select ${storedPlaces}, false as "isDuplicate" from result_pages
      where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')
      union all
      select captured_at, '', '[]'::json, true from duplicate_pages
      where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')
      order by 1 limit 1`,
  )
}

export async function storeDuplicate(
  db: Database,
  page: { termId: number; capturedAt: Date; readingId: string; fingerprint: string | null },
): Promise<void> {
  await sql`
    insert into duplicate_pages (term_id, captured_at, reading_id, fingerprint)
    values (${page.termId}, ${page.capturedAt}, ${page.readingId}, decode(${page.fingerprint}::text, 'hex'))
    on conflict do nothing`.execute(db)
}

/** Deletes the duplicate of this capture. */
export async function deleteDuplicate(db: Database, termId: number, fingerprint: string): Promise<void> {
  await sql`
    delete from duplicate_pages
    where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')`.execute(db)
}

/** Deletes all duplicates of an instant. @returns their readings */
export async function takeDuplicates(db: Database, termId: number, capturedAt: Date): Promise<string[]> {
  const taken = await rows(
    db,
    sql<{ readingId: string }>`
      delete from duplicate_pages where term_id = ${termId} and captured_at = ${capturedAt}
      returning reading_id as "readingId"`,
  )
  return taken.map(({ readingId }) => readingId)
}
