import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client, type Pool } from 'pg'

/** A proxy to PostgreSQL that breaks in the middle of a transaction: for the database, the same as the death of a process. */
export interface BreakingLine extends AsyncDisposable {
  /** The address of the database through this proxy. */
  url: string
  /**
   * Breaks all connections at a turn of the next transaction, counted from 1, the request to begin it; never when left out.
   * Odd turns are requests, which do not reach the server; even ones its answers, which do not reach the client.
   */
  breakAt(turn?: number): void
  /** Turns until it breaks; 0 when it has broken. */
  left(): number
}

/** Opens a proxy to the database of a pool. */
export async function breakingLineTo(pool: Pool): Promise<BreakingLine> {
  const { host, port, user, database, password } = new Client(pool.options)
  const ends = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  let begun = false
  /** Counts a turn. @returns whether it may pass */
  const pass = () => {
    left = Math.max(0, left - 1)
    if (left === 0) for (const end of ends) end.destroy()
    return left !== 0
  }
  const passRequest = (type: string, message: Buffer) => {
    begun ||= type === 'Q' && /^begin\b/.test(message.toString('latin1', 5))
    return begun && (type === 'Q' || type === 'S') ? pass() : true
  }
  const passAnswer = (type: string) => (begun && type === 'Z' ? pass() : true)
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const end of [near, far]) {
      ends.add(end)
      // No Nagle delay: each message would otherwise wait 40 ms.
      end.setNoDelay()
      end.on('error', () => {}).on('close', () => ends.delete(end))
    }
    near.on('data', relay(far, 0, passRequest)).on('close', () => far.destroy())
    far.on('data', relay(near, 1, passAnswer)).on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const name = [user, password].map((part) => encodeURIComponent(String(part ?? ''))).join(':')
  return {
    url: `postgres://${name}@${own}/${database}`,
    breakAt(turn = Number.POSITIVE_INFINITY) {
      left = turn
      begun = false
    },
    left: () => left,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}

/**
 * Forwards whole messages as long as they may pass: a query is a `Q`, one with values ends with an `S`, and the server's
 * answer to either ends with a `Z`.
 * @param typeBytes 0 where the first message has no type: that of a client
 */
function relay(to: Socket, typeBytes: number, passes: (type: string, message: Buffer) => boolean) {
  let kept: Buffer = Buffer.alloc(0)
  let before = typeBytes
  return (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk])
    while (kept.length >= before + 4) {
      const length = before + kept.readUInt32BE(before)
      if (kept.length < length) return
      const message = kept.subarray(0, length)
      if (!passes(before === 0 ? '' : message.toString('latin1', 0, 1), message)) return
      to.write(message)
      kept = kept.subarray(length)
      before = 1
    }
  }
}
