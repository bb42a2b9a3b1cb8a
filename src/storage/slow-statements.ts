import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** The cancel key that a connection received at startup: undocumented in the driver, and present in all of its versions. */
interface Begun {
  host: string
  port: number
  processID: number | null
  secretKey: number | null
}

/**
 * Cancels statements that take too long where the session cannot have a `statement_timeout`: a pooler in transaction mode shares
 * its sessions, and forwards a cancel request to the session that is lent. The statement fails as with `statement_timeout`.
 */
export function endSlowStatements(client: PoolClient, limitMs: number): void {
  const query = client.query.bind(client) as (...sent: unknown[]) => unknown
  const bounded = (...sent: unknown[]): unknown => {
    const answer = query(...sent)
    if (!(answer instanceof Promise)) return answer
    const timer = setTimeout(() => cancelStatement(client as unknown as Begun), limitMs)
    timer.unref()
    return answer.finally(() => clearTimeout(timer))
  }
  client.query = bounded as typeof client.query
}

const patienceMs = 30_000
const cancelRequest = 80_877_102

/** A cancel request has no response: the statement fails. Source: PostgreSQL's protocol, "Canceling Requests in Progress". */
function cancelStatement({ host, port, processID, secretKey }: Begun): void {
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(16)
  for (const [index, value] of [message.length, cancelRequest, processID, secretKey].entries())
    message.writeInt32BE(value, 4 * index)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  // The connection stays open until the other side closes it: a pooler drops requests of closed connections. Errors are
  // ignored: where this connection fails, that of the statement fails too.
  socket.on('error', () => {}).setTimeout(patienceMs, () => socket.destroy())
  socket.write(message)
  socket.resume()
}
