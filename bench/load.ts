import { Agent, request } from 'node:http'

/** Asks an address for paths over kept-alive connections. */
export class Client {
  readonly #address: URL
  readonly #authorization: string
  readonly #agent: Agent

  constructor(address: string, key: string, connections: number) {
    this.#address = new URL(address)
    this.#authorization = `Bearer ${key}`
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' })
  }

  /** The size of the body. @param etag of the answer that is known: 304 is expected. @throws when the answer is not as expected */
  get(path: string, etag?: string): Promise<number> {
    const { hostname, port } = this.#address
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const headers = {
      authorization: this.#authorization,
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
    }
    const expected = etag === undefined ? 200 : 304
    const asked = request({ hostname, port, path, agent: this.#agent, headers }, (reply) => {
      let bytes = 0
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
      })
      reply.on('end', () =>
        reply.statusCode === expected ? resolve(bytes) : reject(new Error(`${reply.statusCode} for ${path}`)),
      )
    })
    asked.on('error', reject).end()
    return promise
  }

  /** Milliseconds of each path, asked one after the other. */
  async timesOf(paths: readonly string[]): Promise<number[]> {
    const times: number[] = []
    for (const path of paths) {
      const started = performance.now()
      await this.get(path)
      times.push(performance.now() - started)
    }
    return times
  }

  /** Requests a second when `connections` ask at once, each its next as soon as it has its answer. */
  async rateOf(
    pathAt: (index: number) => string,
    count: number,
    connections: number,
    etag?: string,
  ): Promise<number> {
    let next = 0
    const worker = async () => {
      while (next < count) await this.get(pathAt(next++), etag)
    }
    const started = performance.now()
    await Promise.all(Array.from({ length: connections }, worker))
    return (count / (performance.now() - started)) * 1000
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
