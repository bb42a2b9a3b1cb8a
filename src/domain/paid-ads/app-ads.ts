import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'

/**
 * How many stored ads belong to an app after all decisions; null while this installation has not stored a single ad, for
 * then nobody has looked.
 */
export async function countAdsOf(db: Database, storeId: string): Promise<number | null> {
  const found = await firstRow(
    db,
    sql<{ collected: boolean; ads: number }>`
      select exists (select from ads) as collected, count(*)::int as ads
      from ad_links where store_id = ${bigintId(storeId)}`,
  )
  return found?.collected ? found.ads : null
}
