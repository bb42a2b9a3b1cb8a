import { sql } from 'kysely'
import { isDistributed } from '../../storage/cluster.ts'
import { type Database, rows } from '../../storage/database.ts'
import { genreAndDescendants } from '../catalogue/genres.ts'

/** Apps that stored ads are linked to, by what is stored of their categories. */
export interface LinkedApps {
  /** Those that list a genre, or one below it, in any storefront. */
  ofGenre: string[]
  all: number
  /** Of which no storefront tells a genre. */
  unknown: number
}

/** The linked apps of a genre; the root stands for every genre. Two statements, and one for whether the store is distributed. */
export async function linkedAppsOf(db: Database, genreId: number): Promise<LinkedApps> {
  const genres = genreAndDescendants(genreId)
  const listed = genres ? sql`category_ids && ${`{${genres.join(',')}}`}::int[]` : sql`category_ids <> '{}'`
  const all = await linkedStoreIds(db)
  const known = await rows(
    db,
    sql<{ storeId: string; isListed: boolean }>`
      select store_id::text as "storeId", bool_or(${listed}) as "isListed" from app_records
      where store_id = any(${all}::bigint[]) and category_ids <> '{}'
      group by store_id`,
  )
  return {
    ofGenre: known.filter(({ isListed }) => isListed).map(({ storeId }) => storeId),
    all: all.length,
    unknown: all.length - known.length,
  }
}

/** One look into the index for each app: there are far fewer apps than links. A cluster reads the links of all its shards. */
async function linkedStoreIds(db: Database): Promise<string[]> {
  const found = await rows(
    db,
    (await isDistributed(db))
      ? sql<{ storeId: string }>`select distinct store_id::text as "storeId" from ad_links`
      : sql<{ storeId: string }>`
          with recursive linked as (
            (select store_id from ad_links order by store_id limit 1)
            union all
            select (
              select l.store_id from ad_links l where l.store_id > linked.store_id order by l.store_id limit 1)
            from linked where linked.store_id is not null
          )
          select store_id::text as "storeId" from linked where store_id is not null`,
  )
  return found.map(({ storeId }) => storeId)
}
