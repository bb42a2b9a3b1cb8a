import { sql } from 'kysely'
import { type Database, firstRow } from '../storage/database.ts'

/** Whether a store holds synthetic evidence, such as the demo's: figures measured on it are meaningless. */
export async function holdsSyntheticEvidence(db: Database): Promise<boolean> {
  const found = await firstRow(
    db,
    sql<{ madeUp: boolean }>`select exists(select 1 from readings where origin = 'sample') as "madeUp"`,
  )
  return found?.madeUp ?? false
}
