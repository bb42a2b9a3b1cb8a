import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way over loopback to a server, for tools that cannot send a key: it adds one and changes nothing else. */
export interface KeyProxy extends AsyncDisposable {
  address: string
}

export async function keyProxy(server: string, key: string): Promise<KeyProxy> {
  const { hostname, port } = new URL(server)
  const proxy = createServer((asked, reply) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` }
    const onward = request({ hostname, port, method: asked.method, path: asked.url, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    reply.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      await once(proxy.close(), 'close')
    },
  }
}
