import { sql } from 'kysely'
import { atomically, type Database, firstRow } from '../../storage/database.ts'
import { mainSurface, type SearchSurface } from '../../vocabulary/search-surfaces.ts'
import { countChange } from '../evidence/changes.ts'

/** The surface whose ranks an account is shown where it names none. */
export async function surfaceOf(db: Database, accountId: string): Promise<SearchSurface> {
  const found = await firstRow(
    db,
    sql<{ surface: SearchSurface }>`select surface from accounts where account_id = ${accountId}::uuid`,
  )
  return found?.surface ?? mainSurface
}

export function chooseSurface(db: Database, accountId: string, surface: SearchSurface): Promise<void> {
  return atomically(db, async (transaction) => {
    await sql`update accounts set surface = ${surface} where account_id = ${accountId}::uuid`.execute(
      transaction,
    )
    await countChange(transaction, ['accounts'])
  })
}
