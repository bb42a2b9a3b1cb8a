import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One received request. */
interface UpstreamResponse {
  atMs: number
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export type Play = (reply: ServerResponse, request: IncomingMessage, nth: number) => void

/** A server that follows a script, request by request; its last step answers all further requests. */
export interface ScriptedServer extends AsyncDisposable {
  address: string
  arrived: UpstreamResponse[]
  /** Currently open connections. */
  open(): Promise<number>
  plays(...plays: Play[]): void
}

export async function openScriptedServer(): Promise<ScriptedServer> {
  const arrived: UpstreamResponse[] = []
  let script: Play[] = []
  const server = createServer(async (request, reply) => {
    const nth = arrived.length
    const { method = '', url = '', headers } = request
    const one: UpstreamResponse = { atMs: performance.now(), method, url, headers, body: '' }
    arrived.push(one)
    one.body = await text(request).catch(() => '')
    script[Math.min(nth, script.length - 1)]?.(reply, request, nth)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrived,
    open: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    plays(...plays) {
      arrived.length = 0
      script = plays
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Play =>
  (reply) =>
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** A problem in the service's format, with the fields under test. */
export const problem = (
  code: string,
  status: number,
  headers: Record<string, string> = {},
  extras = {},
): Play =>
  json(
    {
      type: '',
      title: code,
      status,
      detail: `It is ${code}.`,
      instance: '/',
      code,
      requestId: 'r-1',
      ...extras,
    },
    status,
    {
      ...headers,
      'content-type': 'application/problem+json',
    },
  )

export const reset: Play = (_reply, request) => request.socket.destroy()

/** Begins a long answer and breaks off. */
export const half: Play = (reply, request) => {
  reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  reply.write('{"items": [', () => request.socket.destroy())
}

export const silence: Play = () => {}

/** Begins an answer and never goes on. */
export const stall: Play = (reply) => {
  reply.writeHead(200, { 'content-type': 'application/json' })
  reply.write('{"items": [')
}
