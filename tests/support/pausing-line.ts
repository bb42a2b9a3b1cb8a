import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/**
 * Opens a proxy to the PostgreSQL of an address at which every transaction waits longer between any two statements than its session
 * may: the usual limit, which a connection asks for when it begins, is 9 ms here, and each wait 20.
 */
export async function pausingLineTo(address: string): Promise<{ url: string } & AsyncDisposable> {
  const target = new URL(address)
  const directory = target.searchParams.get('host')
  const ends = new Set<{ destroy(): void }>()
  const server = createServer((near) => {
    const far = directory
      ? connect(`${directory}/.s.PGSQL.${target.port}`)
      : connect(Number(target.port), target.hostname)
    for (const end of [near, far]) {
      ends.add(end)
      end.setNoDelay()
      end.on('error', () => {}).on('close', () => ends.delete(end))
    }
    let isInside = false
    far
      .on('data', (answer) => {
        // "Ready for the next statement", and whether inside a transaction. Source: PostgreSQL's manual, "Message Formats".
        const [readiness, inside] = answer.subarray(-6).toString('latin1').split('\0\0\0\x05')
        isInside = readiness === 'Z' && inside === 'T'
        near.write(answer)
      })
      .on('close', () => near.destroy())
    near
      .on('data', (asked) => {
        const sent = Buffer.from(asked.toString('latin1').replace(usual, shortest), 'latin1')
        near.pause()
        setTimeout(
          () => {
            if (far.writable) far.write(sent)
            near.resume()
          },
          isInside ? 20 : 0,
        )
        isInside = false
      })
      .on('close', () => far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  target.searchParams.delete('host')
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` }).href,
    async [Symbol.asyncDispose]() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}

const usual = 'idle_in_transaction_session_timeout=10s'
const shortest = 'idle_in_transaction_session_timeout=9ms'
