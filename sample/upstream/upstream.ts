import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { adLibraryAnswer } from './ad-libraries.ts'
import { missing } from './answer.ts'
import { appleAnswer } from './apple.ts'
import type { MadeUpStore } from './made-up-store.ts'
import { snapAdsOf, snapAnswer } from './snap.ts'

/** What a question to the libraries has at most. */
const longestBody = 100_000

/**
 * A server on loopback that answers as Apple and the ad libraries would, over apps and ads that were made up. It asks
 * nobody, and knows nothing but the sample.
 * @returns where it answers
 */
export async function openUpstream(store: MadeUpStore): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (incoming, reply) => {
    try {
      const body = await bodyOf(incoming)
      const url = new URL(incoming.url ?? '/', 'http://made-up.invalid')
      const storefront = incoming.headers['x-apple-store-front']
      const { accept = '' } = incoming.headers
      const request = { url, storefront: typeof storefront === 'string' ? storefront : '', accept, body }
      const answer =
        appleAnswer(store, request) ??
        adLibraryAnswer(store, request) ??
        snapAnswer(snapAdsOf(store), request) ??
        missing
      reply.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
    } catch {
      reply.writeHead(500).end()
    }
  })
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > longestBody) throw new RangeError('the question is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
