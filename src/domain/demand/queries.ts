import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import type { DataKind, RequestStatus } from '../../vocabulary/data-requests.ts'
import { appScope } from '../evidence/change-scopes.ts'
import { withCountedChange } from '../evidence/changes.ts'

/** One account's request for one kind of data about one app in one storefront. */
export interface DataRequest {
  requestId: string
  /** Digits. */
  storeId: string
  country: string
  kind: DataKind
  status: RequestStatus
  /** How many times it was requested. */
  demand: number
  firstRequestedAt: Date
  lastRequestedAt: Date
  /** When it was fulfilled or dismissed; null while it is open. */
  closedAt: Date | null
  /** The newest note. */
  note: string | null
  /** The operator's reason, where it was dismissed with one. */
  dismissalReason: string | null
}

export interface DataRequestInput {
  accountId: string
  storeId: string
  country: string
  kinds: readonly DataKind[]
  note: string | undefined
}

const requestColumns = sql`
  request_id as "requestId", store_id as "storeId", country, kind, status, demand,
  first_requested_at as "firstRequestedAt", last_requested_at as "lastRequestedAt", closed_at as "closedAt", note,
  dismissal_reason as "dismissalReason"`

/** Stores new requests and counts repeated ones, in one order, so that requesters cannot deadlock. */
export function storeOrCountRequests(
  db: Database,
  { accountId, storeId, country, note }: Omit<DataRequestInput, 'kinds'>,
  asked: readonly { requestId: string; kind: DataKind }[],
): Promise<DataRequest[]> {
  return rows(
    db,
    withCountedChange(
      sql<DataRequest>`
      insert into data_requests as known (request_id, account_id, store_id, country, kind, note)
      select "requestId", ${accountId}::uuid, ${storeId}, ${country}, kind, nullif(${note ?? null}, '')
      from json_to_recordset(${JSON.stringify(asked)}::json) as asked("requestId" uuid, kind text)
      order by kind
      on conflict (account_id, store_id, country, kind) do update
      set demand = known.demand + 1, note = coalesce(excluded.note, known.note),
        last_requested_at = greatest(known.last_requested_at, excluded.last_requested_at)
      returning ${requestColumns}`,
      { area: 'other', scopes: [appScope(storeId, country)] },
    ),
  )
}

/** Reopens ended requests. @returns those that were ended */
export async function reopenRequests(db: Database, requestIds: readonly string[]): Promise<DataRequest[]> {
  if (requestIds.length === 0) return []
  return rows(
    db,
    withCountedChange(sql<DataRequest>`
      update data_requests set status = 'open', closed_at = null, dismissal_reason = null
      where request_id in (select value::uuid from json_array_elements_text(${JSON.stringify(requestIds)}::json))
        and status <> 'open'
      returning ${requestColumns}`),
  )
}

export interface RequestFilters {
  country?: string | undefined
  status?: RequestStatus | undefined
  kind?: DataKind | undefined
}

/** An account's requests about one app, latest first. */
export function dataRequestsOf(
  db: Database,
  accountId: string,
  storeId: string,
  { country, status, kind }: RequestFilters,
  page: { limit: number; after?: { lastRequestedAt: string; requestId: string } | undefined },
): Promise<DataRequest[]> {
  const { after } = page
  return rows(
    db,
    sql<DataRequest>`
      select ${requestColumns}
      from data_requests
      where account_id = ${accountId} and store_id = ${storeId}
        and (${country ?? null}::text is null or country = ${country ?? null})
        and (${status ?? null}::text is null or status = ${status ?? null})
        and (${kind ?? null}::text is null or kind = ${kind ?? null})
        and (${after?.requestId ?? null}::uuid is null
          or (last_requested_at, request_id) < (${after?.lastRequestedAt ?? null}::timestamptz, ${after?.requestId ?? null}::uuid))
      order by last_requested_at desc, request_id desc
      limit ${page.limit}`,
  )
}

/** New evidence of one kind about apps of a storefront. */
export interface NewEvidence {
  kind: DataKind
  /** Null for evidence without a storefront, such as posts: it fulfils requests for any. */
  country: string | null
  /** Digits. */
  storeIds: readonly string[]
}

/**
 * Fulfils the open requests, of every account, that evidence answers. Runs as the last step of the transaction that stores
 * the evidence: anyone who makes the same request waits for the end of that transaction. Requests are locked in the order
 * in which requesting locks them. The time is that of the call, not of the start of the transaction: a request made in
 * between must not be newer than its end.
 */
export async function fulfilRequests(db: Database, arrivals: readonly NewEvidence[]): Promise<void> {
  if (arrivals.length === 0) return
  const sent = sql`json_to_recordset(${JSON.stringify(arrivals)}::json) as a(kind text, country text, "storeIds" json)`
  await sql`
    with answered as (
      select request_id
      from data_requests r
      where status = 'open' and (
        (store_id, country, kind) in (
          select json_array_elements_text(a."storeIds"), a.country, a.kind from ${sent} where a.country is not null)
        or (store_id, kind) in (
          select json_array_elements_text(a."storeIds"), a.kind from ${sent} where a.country is null))
      order by account_id, store_id, country, kind
      for update of r)
    update data_requests
    set status = 'fulfilled', closed_at = (select clock_timestamp())
    where request_id in (select request_id from answered)`.execute(db)
}

/** @returns whether it was open */
export async function closeRequestAsDismissed(
  db: Database,
  requestId: string,
  reason: string | undefined,
): Promise<boolean> {
  const closed = await rows(
    db,
    withCountedChange(sql<{ requestId: string }>`
      update data_requests
      set status = 'dismissed', closed_at = clock_timestamp(), dismissal_reason = ${reason ?? null}
      where request_id::text = ${requestId} and status = 'open'
      returning request_id as "requestId"`),
  )
  return closed.length > 0
}

/** Undefined when there is no such request; the id may be any text. */
export async function requestStatus(db: Database, requestId: string): Promise<RequestStatus | undefined> {
  const found = await firstRow(
    db,
    sql<{ status: RequestStatus }>`select status from data_requests where request_id::text = ${requestId}`,
  )
  return found?.status
}

export type AccountRequest = DataRequest & { account: string; wanted: number }

/**
 * Requests of all accounts, or of one; `wanted` sums the demand for the same kind, app and storefront. Most wanted first, then by the
 * latest request; equal requests are adjacent, the account with the highest demand first.
 */
export function requestsByDemand(
  db: Database,
  status: RequestStatus | undefined,
  { accountId, limit }: { accountId?: string | undefined; limit?: number } = {},
): Promise<AccountRequest[]> {
  return rows(
    db,
    sql<AccountRequest>`
      select ${requestColumns}, a.name as account, (sum(demand) over same)::int as wanted
      from data_requests join accounts a using (account_id)
      where (${status ?? null}::text is null or status = ${status ?? null})
        and (${accountId ?? null}::uuid is null or account_id = ${accountId ?? null}::uuid)
      window same as (partition by store_id, country, kind)
      order by wanted desc, max(last_requested_at) over same desc, store_id, country, kind, demand desc, request_id
      limit ${limit ?? null}`,
  )
}
