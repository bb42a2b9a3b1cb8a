import { z } from 'zod'
import type { AccountRequest } from '../domain/demand/queries.ts'
import { command, Refusal } from './command.ts'
import { given } from './field-help.ts'
import { expectPrintable, jsonFlag, Text } from './fields.ts'

export const requestCommands = {
  /** Open requests grouped by kind, app and storefront, most requested first, each with the accounts that asked. */
  'requests list': command({
    input: {
      status: given(
        '<status>',
        'which requests',
        z.enum(['open', 'fulfilled', 'dismissed', 'all']).default('open'),
      ),
      json: jsonFlag,
    },
    async perform({ db, terminal }, { status, json: jsonFlag }) {
      const { requestsByDemand } = await import('../domain/demand/queries.ts')
      const found = await requestsByDemand(db, status === 'all' ? undefined : status)
      const wants = [
        ...Map.groupBy(found, ({ kind, country, storeId }) => `${kind} of ${storeId} in ${country}`),
      ]
      if (jsonFlag) terminal.out(JSON.stringify(wants.map(([, same]) => wantShape(same))))
      else if (wants.length === 0)
        terminal.out(status === 'all' ? 'Nobody asked for data yet.' : `No request is ${status}.`)
      else
        for (const [want, same] of wants) {
          terminal.out(`${same[0]?.wanted}  ${want}`)
          for (const request of same) terminal.out(`   ${requestLine(request)}`)
        }
      return 0
    },
  }),

  'requests dismiss': command({
    writes: true,
    input: {
      requestId: given('<requestId>', '', Text),
      reason: given('<text>', 'why, told to those who asked', Text.exactOptional()),
    },
    places: ['requestId'],
    async perform({ db, terminal }, { requestId, reason }) {
      expectPrintable({ reason })
      const { dismissRequest } = await import('../domain/demand/request-data.ts')
      const before = await dismissRequest(db, requestId, reason?.trim() || undefined)
      if (before !== 'open')
        throw new Refusal(
          before ? `The request ${requestId} is ${before} already.` : `No request has the id "${requestId}".`,
        )
      terminal.out(`dismissed ${requestId}`)
      return 0
    },
  }),
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
