import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy on loopback to a server, which can be cut as if the server were gone. */
export interface CuttableWay extends AsyncDisposable {
  /** The address of the server through this proxy. */
  url: string
  /** Breaks all connections, and refuses new ones until restored. */
  cut(): void
  mend(): Promise<void>
}

/** Opens a proxy to the server of an address, given by host and port or by the directory of its socket. */
export async function cuttableWayTo(address: string): Promise<CuttableWay> {
  const target = new URL(address)
  const directory = target.searchParams.get('host')
  target.searchParams.delete('host')
  const ends = new Set<Socket>()
  const hold = (end: Socket) => {
    ends.add(end)
    // Broken connections are the purpose.
    end.on('error', () => {}).on('close', () => ends.delete(end))
  }
  const server = createServer((near) => {
    const far = directory
      ? connect(`${directory}/.s.PGSQL.${target.port}`)
      : connect(Number(target.port), target.hostname)
    hold(near)
    hold(far)
    near.pipe(far).on('close', () => near.destroy())
    far.pipe(near).on('close', () => far.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = () => {
    server.close()
    for (const end of ends) end.destroy()
  }
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href,
    cut,
    async mend() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) cut()
    },
  }
}
