import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'

/** The secret of the store, 32 bytes, created once; all processes that share the store share it. */
export async function storeSecret(db: Database): Promise<Buffer> {
  const found = await firstRow(db, sql<{ secret: Buffer }>`select secret from store_secret`)
  if (!found) throw new Error('The store has lost its secret.')
  return found.secret
}
