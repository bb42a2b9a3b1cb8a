import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../storage/database.ts'
import { closeAsDismissed, countDemand, requestStatus } from './queries.ts'

/** A part of what can be known about an app. */
export type DataKind = 'record' | 'similar' | 'organic' | 'aso' | 'estimates' | 'media' | 'charts'

export type RequestStatus = 'open' | 'fulfilled' | 'dismissed'

/** One account's wish for one kind of data about one app in one storefront. */
export interface DataRequest {
  requestId: string
  /** Digits. */
  storeId: string
  country: string
  kind: DataKind
  status: RequestStatus
  /** How many times it was asked for. */
  demand: number
  firstRequestedAt: Date
  lastRequestedAt: Date
  /** When it was fulfilled or dismissed; null while it is open. */
  closedAt: Date | null
  /** The newest one given. */
  note: string | null
  /** The operator's words, where it was dismissed with any. */
  dismissalReason: string | null
}

export interface Wish {
  accountId: string
  storeId: string
  country: string
  kinds: readonly DataKind[]
  note: string | undefined
}

/**
 * Records demand and nothing else: no job and no call follows from it. A request that has ended is counted too, and
 * stays ended.
 * @returns one request for each kind, in the order they were first named, and whether any of them is new
 */
export async function requestData(
  db: Database,
  { kinds, ...wish }: Wish,
): Promise<{ requests: DataRequest[]; created: boolean }> {
  const asked = [...new Set(kinds)].map((kind) => ({ requestId: uuidv7(), kind }))
  const recorded = new Map((await countDemand(db, wish, asked)).map((request) => [request.kind, request]))
  return {
    requests: asked.flatMap(({ kind }) => recorded.get(kind) ?? []),
    created: asked.some(({ requestId, kind }) => recorded.get(kind)?.requestId === requestId),
  }
}

/** Ends an open request without its data. @returns what it was before; undefined when there is no such request */
export async function dismissRequest(
  db: Database,
  requestId: string,
  reason: string | undefined,
): Promise<RequestStatus | undefined> {
  return (await closeAsDismissed(db, requestId, reason)) ? 'open' : requestStatus(db, requestId)
}
