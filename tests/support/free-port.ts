import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port of loopback that a program can be told to listen on. The system gives ports from 32768 on (on Linux) to connections that
 * are made, also those of tests beside this one: a port of those may be taken until the program listens, or while it restarts.
 */
export const freePort = (): Promise<number> => freePorts(1)

/** The first of so many ports in a row, as `freePort`. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(15_000, 32_000)
    const ports = Array.from({ length: count }, (_, at) => first + at)
    const free = await Promise.all(ports.map(isFree))
    if (free.every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (listens) await once(server.close(), 'close')
  return listens
}
