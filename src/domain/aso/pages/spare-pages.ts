import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import { type StoredPlaces, storedPlaces } from './page-writes.ts'

/** The earliest page that is the same capture, and whether it only waits as a spare. */
export interface Twin extends StoredPlaces {
  isSpare: boolean
}

export function twinOf(db: Database, termId: number, fingerprint: string): Promise<Twin | undefined> {
  return firstRow(
    db,
    sql<Twin>`
      select ${storedPlaces}, false as "isSpare" from result_pages
      where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')
      union all
      select captured_at, '', '[]'::json, true from spare_pages
      where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')
      order by 1 limit 1`,
  )
}

export async function keepSpare(
  db: Database,
  page: { termId: number; capturedAt: Date; readingId: string; fingerprint: string | null },
): Promise<void> {
  await sql`
    insert into spare_pages (term_id, captured_at, reading_id, fingerprint)
    values (${page.termId}, ${page.capturedAt}, ${page.readingId}, decode(${page.fingerprint}::text, 'hex'))
    on conflict do nothing`.execute(db)
}

/** Of these readings, those whose page stands, and those whose page waits as a spare. */
export function heldPages(
  db: Database,
  readingIds: readonly string[],
): Promise<{ readingId: string; isSpare: boolean }[]> {
  const sent = sql`(select value::uuid from json_array_elements_text(${JSON.stringify(readingIds)}::json))`
  return rows(
    db,
    sql<{ readingId: string; isSpare: boolean }>`
      select reading_id as "readingId", false as "isSpare" from result_pages where reading_id in ${sent}
      union all
      select reading_id, true from spare_pages where reading_id in ${sent}`,
  )
}

/** Takes away the spare that is this capture. */
export async function dropSpare(db: Database, termId: number, fingerprint: string): Promise<void> {
  await sql`
    delete from spare_pages
    where term_id = ${termId} and fingerprint = decode(${fingerprint}, 'hex')`.execute(db)
}

/** Takes away all spares of an instant. @returns the readings that hold them */
export async function takeSpares(db: Database, termId: number, capturedAt: Date): Promise<string[]> {
  const taken = await rows(
    db,
    sql<{ readingId: string }>`
      delete from spare_pages where term_id = ${termId} and captured_at = ${capturedAt}
      returning reading_id as "readingId"`,
  )
  return taken.map(({ readingId }) => readingId)
}
