import { v7 as uuidv7 } from 'uuid'
import { type Database, inTransaction } from '../../storage/database.ts'
import type { RequestStatus } from '../../vocabulary/data-requests.ts'
import type { DataRequest, DataRequestInput } from './data-request.ts'
import { newestEvidence } from './newest-evidence.ts'
import { closeAsDismissed, countDemand, reopen, requestStatus } from './queries.ts'

/** How old the newest evidence may be for an ended request to stay ended when it is asked for again. */
const freshMs = 24 * 3_600_000

/**
 * Records demand and nothing else: no job and no call follows from it. A request that has ended is counted too, and
 * reopens when the newest evidence of its kind is older than a day. Where there is none of that kind nothing has grown
 * old: a request can then only have been dismissed, and stays so.
 * @returns one request for each kind, in the order they were first named, and whether any of them is new
 */
export async function requestData(
  db: Database,
  { kinds, ...request }: DataRequestInput,
): Promise<{ requests: DataRequest[]; created: boolean }> {
  const asked = [...new Set(kinds)].map((kind) => ({ requestId: uuidv7(), kind }))
  const recorded = await inTransaction(db, async (transaction) => {
    const counted = await countDemand(transaction, request, asked)
    const reopened = await reopen(transaction, await outdated(transaction, counted))
    return new Map([...counted, ...reopened].map((request) => [request.kind, request]))
  })
  return {
    requests: asked.flatMap(({ kind }) => recorded.get(kind) ?? []),
    created: asked.some(({ requestId, kind }) => recorded.get(kind)?.requestId === requestId),
  }
}

/** Of these requests about one app in one storefront, those that ended and whose newest evidence is no longer fresh. */
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

/** Ends an open request without its data. @returns what it was before; undefined when there is no such request */
export async function dismissRequest(
  db: Database,
  requestId: string,
  reason: string | undefined,
): Promise<RequestStatus | undefined> {
  return (await closeAsDismissed(db, requestId, reason)) ? 'open' : requestStatus(db, requestId)
}
