import type { z } from 'zod'
import type { competitors as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { DataRequest as Shape } from '../../contract/shapes/competitors.ts'
import { type DataRequest, requestsOf } from '../../domain/demand/queries.ts'
import { requestData } from '../../domain/demand/request-data.ts'
import { intakesOf } from '../../domain/intake/intake.ts'
import type { Database } from '../../storage/database.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { storefrontCodes } from '../../vocabulary/storefronts.ts'
import { decodeCursor, encodeCursor, isTimePart, isUuidPart } from '../cursor.ts'
import { intakeShape } from './intake.ts'

type C = typeof contract

export async function requestCompetitorData(
  db: Database,
  accountId: string,
  { storeId, country, kinds, note }: Input<C['request_competitor_data']>,
): Promise<Reply<C['request_competitor_data']>> {
  const { requests, created } = await requestData(db, { accountId, storeId, country, kinds, note })
  return { created, resource: { items: requests.map(dataRequestShape) } }
}

export async function listDataRequests(
  db: Database,
  accountId: string,
  { storeId, status, kind, limit, cursor }: Input<C['list_competitor_data_requests']>,
): Promise<Reply<C['list_competitor_data_requests']>> {
  const list = ['list_competitor_data_requests', accountId, storeId, status, kind]
  const [lastRequestedAt, requestId] = decodeCursor(cursor, list, [isTimePart, isUuidPart]) ?? []
  const after = lastRequestedAt && requestId ? { lastRequestedAt, requestId } : undefined
  const [found, intakes] = await Promise.all([
    requestsOf(db, accountId, storeId, { status, kind }, { limit: limit + 1, after }),
    intakesOf(db, accountId, storeId, storefrontCodes),
  ])
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return {
    items: items.map(dataRequestShape),
    nextCursor:
      last && found.length > limit
        ? encodeCursor([last.lastRequestedAt.toISOString(), last.requestId], list)
        : null,
    intakes: intakes.map(intakeShape),
  }
}

export function dataRequestShape(request: DataRequest): z.output<typeof Shape> {
  return {
    ...request,
    platform: 'ios',
    country: request.country as StorefrontCode,
    firstRequestedAt: request.firstRequestedAt.toISOString(),
    lastRequestedAt: request.lastRequestedAt.toISOString(),
    closedAt: request.closedAt?.toISOString() ?? null,
  }
}
