import { type AccountRequest, requestsByDemand } from '../domain/demand/queries.ts'
import { dismissRequest } from '../domain/demand/request-data.ts'
import type { RequestStatus } from '../vocabulary/data-requests.ts'
import type { OperatorContext } from './operator-context.ts'
import { refusesControl } from './plain-text.ts'

export interface ListRequestsOptions {
  status: RequestStatus | 'all'
  json?: boolean
}

/** Data requests grouped by kind, app and storefront, most wanted first, each with the requests of its accounts. */
export async function listRequestsCommand(
  { db, terminal }: OperatorContext,
  { status, json }: ListRequestsOptions,
): Promise<0 | 1> {
  const requests = await requestsByDemand(db, status === 'all' ? undefined : status)
  const wants = [
    ...Map.groupBy(requests, ({ kind, country, storeId }) => `${kind} of ${storeId} in ${country}`),
  ]
  if (json) terminal.out(JSON.stringify(wants.map(([, same]) => wantShape(same))))
  else if (wants.length === 0)
    terminal.out(status === 'all' ? 'Nobody asked for data yet.' : `No request is ${status}.`)
  else {
    for (const [want, same] of wants) {
      terminal.out(`${same[0]?.wanted}  ${want}`)
      for (const request of same) terminal.out(`   ${requestLine(request)}`)
    }
  }
  return 0
}

function wantShape(same: readonly AccountRequest[]) {
  const [first] = same
  return {
    storeId: first?.storeId,
    country: first?.country,
    kind: first?.kind,
    demand: first?.wanted,
    requests: same.map(({ storeId, country, kind, wanted, ...request }) => request),
  }
}

function requestLine(request: AccountRequest): string {
  const { requestId, status, account, demand, lastRequestedAt, note, dismissalReason } = request
  const asked = `asked ${demand === 1 ? 'once' : `${demand} times`}, last ${lastRequestedAt.toISOString().slice(0, 16)}Z`
  const words = [note, dismissalReason && `dismissed: ${dismissalReason}`].filter(Boolean).join('; ')
  return `${requestId}  ${status.padEnd(9)}  ${account}  ${asked}  ${words.replaceAll(/\s+/g, ' ')}`.trimEnd()
}

export interface DismissRequestOptions {
  requestId: string
  reason?: string
}

/** Dismisses one account's open request without data. */
export async function dismissRequestCommand(
  { db, terminal }: OperatorContext,
  { requestId, reason }: DismissRequestOptions,
): Promise<0 | 1> {
  if (refusesControl(terminal, { reason })) return 1
  const before = await dismissRequest(db, requestId, reason?.trim() || undefined)
  if (before === 'open') {
    terminal.out(`dismissed ${requestId}`)
    return 0
  }
  terminal.note(
    before ? `The request ${requestId} is ${before} already.` : `No request has the id "${requestId}".`,
  )
  return 1
}
