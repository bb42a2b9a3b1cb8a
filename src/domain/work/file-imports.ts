import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import type { Enqueue } from './ask-for-work.ts'
import { insertWork, workColumns } from './queries.ts'
import type { Work, WorkKind } from './work.ts'

/** The import of one file that somebody of an account sent. Its subject is the account, of which one file is imported at a time. */
export const fileImport: WorkKind<FileImportInput> = {
  name: 'file-import',
  input: z.strictObject({
    /** As its sender names it: a name may tell a time, a term or a storefront. */
    name: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    /** When the file was last written, as its sender says; null where that is not known. */
    modifiedAt: z.string().nullable(),
    kind: z.string(),
    /** What it was taken for, in a few words. */
    of: z.string(),
    /** What the sender said of it: storefront, app, time and what else an import of its kind takes. */
    said: z.record(z.string(), z.string()),
  }),
  unit: 'bytes',
}

export interface FileImportInput {
  name: string
  bytes: number
  sha256: string
  modifiedAt: string | null
  kind: string
  of: string
  said: Record<string, string>
}

/**
 * Stores a file with the work that imports it, atomically. The same file, sent again while it is imported, is that work.
 * @returns undefined while another file of the account is imported
 */
export function startFileImport(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  input: FileImportInput,
  content: AsyncIterable<Uint8Array>,
): Promise<Work | undefined> {
  return atomically(db, async (transaction) => {
    await deleteEndedFileImports(transaction)
    const work = await insertWork(transaction, {
      ...{ workId: uuidv7(), kind: fileImport.name, subject: accountId, status: 'queued' as const },
      input,
    })
    if (!work) return undefined
    if (!work.fresh) return isSame(work.input as FileImportInput, input) ? work : undefined
    let part = 0
    for await (const bytes of content)
      await sql`insert into file_import_parts (work_id, part, bytes) values (${work.workId}, ${part++}, ${bytes})`.execute(
        transaction,
      )
    await enqueue(transaction, fileImport, { workId: work.workId })
    return work
  })
}

const isSame = (one: FileImportInput, other: FileImportInput) =>
  one.sha256 === other.sha256 &&
  one.kind === other.kind &&
  JSON.stringify(Object.entries(one.said).sort()) === JSON.stringify(Object.entries(other.said).sort())

/** The bytes of a file that is imported, in order; none once its import has ended. */
export async function* fileImportBytes(db: Database, workId: string): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part++) {
    const found = await firstRow(
      db,
      sql<{
        bytes: Uint8Array
      }>`select bytes from file_import_parts where work_id = ${workId} and part = ${part}`,
    )
    if (!found) return
    yield found.bytes
  }
}

/** Deletes the bytes of imports that have ended. */
export async function deleteEndedFileImports(db: Database): Promise<void> {
  await sql`
    delete from file_import_parts where work_id in
      (select work_id from work where kind = ${fileImport.name} and status not in ('queued', 'running'))`.execute(
    db,
  )
}

/** Maximum imports in a list. */
const mostListed = 50

/** The newest imports of files of an account, newest first. */
export function newestFileImports(db: Database, accountId: string): Promise<Work[]> {
  return rows(
    db,
    sql<Work>`
      select ${workColumns} from work where kind = ${fileImport.name} and subject = ${accountId}
      order by work_id desc limit ${mostListed}`,
  )
}
