import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { DataKind, RequestStatus } from '../../vocabulary/data-requests.ts'
import { fullListingSources } from '../add-app/add-app.ts'
import { newestPageShowing } from '../aso/keywords/competitor-keyword-queries.ts'
import { mediaFields } from '../catalogue/media.ts'
import { similarListReading } from '../catalogue/similar-lists.ts'
import { newestRankListTime } from '../charts/rank-list-queries.ts'
import { newestSightingOf } from '../organic/post-summary.ts'
import {
  closeRequestAsDismissed,
  type DataRequest,
  type DataRequestInput,
  reopenRequests,
  requestStatus,
  storeOrCountRequests,
} from './queries.ts'

/** Maximum age of the newest evidence for which an ended request stays ended when it is made again. */
const freshMs = 24 * 3_600_000

/**
 * Records demand and nothing else: it starts no job and no call. A request that has ended is counted too, and reopens when
 * the newest evidence of its kind is older than a day. Without any evidence of that kind an ended request can only have
 * been dismissed, and stays so.
 * @returns one request for each kind, in the order of their first mention, and whether any of them is new
 */
export async function requestData(
  db: Database,
  { kinds, ...request }: DataRequestInput,
): Promise<{ requests: DataRequest[]; created: boolean }> {
  const asked = [...new Set(kinds)].map((kind) => ({ requestId: uuidv7(), kind }))
  const recorded = await atomically(db, async (transaction) => {
    const counted = await storeOrCountRequests(transaction, request, asked)
    const reopened = await reopenRequests(transaction, await outdated(transaction, counted))
    return new Map([...counted, ...reopened].map((request) => [request.kind, request]))
  })
  return {
    requests: asked.flatMap(({ kind }) => recorded.get(kind) ?? []),
    created: asked.some(({ requestId, kind }) => recorded.get(kind)?.requestId === requestId),
  }
}

/** The ended requests among these, all about one app in one storefront, whose newest evidence is out of date. */
async function outdated(db: Database, requests: readonly DataRequest[]): Promise<string[]> {
  const ended = requests.filter(({ status }) => status !== 'open')
  const [first] = ended
  if (!first) return []
  const kinds = ended.map(({ kind }) => kind)
  const newest = await newestEvidence(db, first.storeId, first.country, kinds)
  return ended
    .filter(({ kind, lastRequestedAt }) => {
      const observedAt = newest.get(kind)
      return observedAt !== undefined && lastRequestedAt.getTime() - observedAt.getTime() > freshMs
    })
    .map(({ requestId }) => requestId)
}

/** Dismisses an open request without data. @returns its status before; undefined when there is no such request */
export async function dismissRequest(
  db: Database,
  requestId: string,
  reason: string | undefined,
): Promise<RequestStatus | undefined> {
  return (await closeRequestAsDismissed(db, requestId, reason)) ? 'open' : requestStatus(db, requestId)
}

type NewestOf = (db: Database, storeId: string, country: string) => Promise<Date | undefined>

/** When the newest evidence of each kind was observed; an observation that found nothing is evidence, too. */
const newestOf: Record<DataKind, NewestOf> = {
  record: (db, storeId, country) => newestListing(db, storeId, country, isOfListing(storeId)),
  media: (db, storeId, country) => newestListing(db, storeId, country, showsMedia),
  similar: async (db, storeId, country) =>
    (await firstRow(db, similarListReading(storeId, country)))?.observedAt,
  organic: async (db, storeId) => (await firstRow(db, newestSightingOf(storeId)))?.observedAt,
  aso: async (db, storeId, country) => (await firstRow(db, newestPageShowing(storeId, country)))?.observedAt,
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
    const told = await newestRankListTime(db, storeId, country)
    return !inChart || (told && told > inChart) ? told : inChart
  },
}

/** The kinds among these with evidence of the app in the storefront, with the time of the newest. */
async function newestEvidence(
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
  (e ->> 'source' = any(${fullListingSources}::text[]) or e ->> 'source' = 'app-store-page' and (e ->> 'readingId')::uuid in (
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
