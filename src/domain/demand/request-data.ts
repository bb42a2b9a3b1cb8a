import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database } from '../../storage/database.ts'
import type { RequestStatus } from '../../vocabulary/data-requests.ts'
import type { DataRequest, DataRequestInput } from './data-request.ts'
import { newestEvidence } from './newest-evidence.ts'
import { closeAsDismissed, countDemand, reopen, requestStatus } from './queries.ts'

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
    const counted = await countDemand(transaction, request, asked)
    const reopened = await reopen(transaction, await outdated(transaction, counted))
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
  return (await closeAsDismissed(db, requestId, reason)) ? 'open' : requestStatus(db, requestId)
}
