import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { DataKind } from '../../vocabulary/data-requests.ts'
import { newestPageAbout } from '../aso/keywords/competitor-keyword-queries.ts'
import { mediaFields } from '../catalogue/media.ts'
import { similarListReading } from '../catalogue/similar-lists.ts'
import { newestTold } from '../charts/told-queries.ts'
import { wholeListings } from '../intake/intake.ts'
import { newestSightingOf } from '../organic/app-posts.ts'

type NewestOf = (db: Database, storeId: string, country: string) => Promise<Date | undefined>

/** When the newest evidence of each kind was observed; an observation that found nothing is evidence, too. */
const newestOf: Record<DataKind, NewestOf> = {
  record: (db, storeId, country) => newestListing(db, storeId, country, isOfListing(storeId)),
  media: (db, storeId, country) => newestListing(db, storeId, country, showsMedia),
  similar: async (db, storeId, country) =>
    (await firstRow(db, similarListReading(storeId, country)))?.observedAt,
  organic: async (db, storeId) => (await firstRow(db, newestSightingOf(storeId)))?.observedAt,
  aso: async (db, storeId, country) => (await firstRow(db, newestPageAbout(storeId, country)))?.observedAt,
  estimates: (db, storeId, country) =>
    newest(
      db,
      sql`select max(computed_at) as at from estimates where store_id = ${bigintId(storeId)} and country = ${country}`,
    ),
  charts: async (db, storeId, country) => {
    const inChart = await newest(
      db,
      sql`
        select max(k.captured_at) as at from chart_ranks k join charts c using (chart_id)
        where k.store_id = ${bigintId(storeId)} and c.country = ${country}`,
    )
    const told = await newestTold(db, storeId, country)
    return !inChart || (told && told > inChart) ? told : inChart
  },
}

/** The kinds among these with evidence of the app in the storefront, with the time of the newest. */
export async function newestEvidence(
  db: Database,
  storeId: string,
  country: string,
  kinds: readonly DataKind[],
): Promise<Map<DataKind, Date>> {
  const found = new Map<DataKind, Date>()
  for (const kind of kinds) {
    const at = await newestOf[kind](db, storeId, country)
    if (at) found.set(kind, at)
  }
  return found
}

/** A whole listing, or the app's own page: pages of other apps contain hardly more than a name. */
const isOfListing = (storeId: string) => sql`
  (e ->> 'source' = any(${wholeListings}::text[]) or e ->> 'source' = 'app-store-page' and (e ->> 'readingId')::uuid in (
    select reading_id from readings
    where reading_id in (select (e ->> 'readingId')::uuid from stated where e ->> 'source' = 'app-store-page')
      and context ->> 'storeId' = ${storeId}))`

const showsMedia = sql`
  e -> 'fields' ?| ${sql.lit(`{${mediaFields}}`)}::text[]`

function newestListing(
  db: Database,
  storeId: string,
  country: string,
  counts: RawBuilder<unknown>,
): Promise<Date | undefined> {
  return newest(
    db,
    sql`
      with stated as materialized (
        select jsonb_array_elements(evidence) as e from app_records
        where store_id = ${bigintId(storeId)} and country = ${country}
      )
      select max((e ->> 'observedAt')::timestamptz) as at from stated where ${counts}`,
  )
}

async function newest(db: Database, query: RawBuilder<unknown>): Promise<Date | undefined> {
  const [found] = await rows(db, query as RawBuilder<{ at: Date | null }>)
  return found?.at ?? undefined
}
