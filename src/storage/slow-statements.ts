import { connect } from 'node:net'
import type { PoolClient } from 'pg'

/** What a connection learnt when it began: undocumented in the driver, and there in all of its versions. */
interface Begun {
  host: string
  port: number
  processID: number | null
  secretKey: number | null
}

/**
 * Ends statements of a connection that take too long, where its session cannot be told to: a pooler in transaction mode
 * gives a session to everybody, and follows a cancel request to the one it has lent. The statement fails as with
 * `statement_timeout`.
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

/** Nobody answers a cancel request: the statement itself fails. Source: PostgreSQL's protocol, "Canceling Requests in Progress". */
function cancelStatement({ host, port, processID, secretKey }: Begun): void {
  if (processID === null || secretKey === null) return
  const message = Buffer.alloc(16)
  for (const [index, value] of [message.length, cancelRequest, processID, secretKey].entries())
    message.writeInt32BE(value, 4 * index)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  // The connection stays until the other side ends it: a pooler forgets requests of those who have gone. One that cannot be
  // made needs no answer, for then the statement's own breaks too.
  socket.on('error', () => {}).setTimeout(patienceMs, () => socket.destroy())
  socket.write(message)
  socket.resume()
}
