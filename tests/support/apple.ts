import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { type AppleAnswer, answerOf, type PlayedApp, playedApps } from './apple-answers.ts'

/** What the server does instead of Apple's answer. */
export type Behaviour =
  /** Too many requests. */
  | { does: 'throttle'; status: 403 | 429; retryAfter?: string }
  | { does: 'unavailable'; retryAfter?: string }
  | { does: 'status'; status: number; body?: string }
  /** Half of the body it announced, then the connection ends. */
  | { does: 'cut' }
  /** Half of the document, announced as the whole. */
  | { does: 'truncate' }
  | { does: 'blank-lines' }
  | { does: 'html' }
  /** A 200 without a single byte. */
  | { does: 'nothing' }
  /** A well-formed answer that holds nothing. */
  | { does: 'empty' }
  /** This many bytes, without announcing the length. */
  | { does: 'flood'; bytes: number }
  /** A byte every this many milliseconds. */
  | { does: 'drip'; everyMs: number }
  /** Accepts the request and never answers. */
  | { does: 'hang' }
  /** Answers as Apple does, but not before this has settled. */
  | { does: 'hold'; until: Promise<unknown> }
  | { does: 'hang-up' }
  | { does: 'redirect'; to: string }
  /** The bytes of a recorded answer. */
  | { does: 'serve-file'; file: string }
  | { does: 'serve'; body: string | Uint8Array }

/** The requests a behaviour applies to: those whose path begins so, or that match the predicate. */
type Matcher = string | ((request: PlayedRequest) => boolean)

interface PlayedRequest {
  /** With the query. */
  path: string
  headers: Record<string, string>
  /** Milliseconds since 1970. */
  at: number
}

/** A fake of Apple on loopback. Requests without a set behaviour get Apple's answer. */
export interface PlayedApple extends AsyncDisposable {
  /** For every `baseUrl`. */
  url: string
  apps: readonly PlayedApp[]
  requests: PlayedRequest[]
  /** Sets the behaviour from now on, the newest match first; `times` limits its use. */
  behave(matcher: Matcher, behaviour: Behaviour, times?: number): void
  /** Returns to Apple's answers. */
  recover(): void
}

export interface PlayedOptions {
  apps?: readonly PlayedApp[]
  /** PEM; the server then speaks HTTPS. */
  certificate?: { key: string; cert: string }
}

export async function startApple({
  apps = playedApps(),
  certificate,
}: PlayedOptions = {}): Promise<PlayedApple> {
  const requests: PlayedRequest[] = []
  const behaviours: { matcher: Matcher; behaviour: Behaviour; times: number }[] = []
  const take = (request: PlayedRequest): Behaviour | undefined => {
    const found = behaviours.findLast(({ matcher, times }) => times > 0 && matches(matcher, request))
    if (found) found.times--
    return found?.behaviour
  }
  const play = (incoming: IncomingMessage, reply: ServerResponse) => {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    )
    const request = { path: incoming.url ?? '/', headers, at: Date.now() }
    requests.push(request)
    const behaviour = take(request)
    const answer = answerOf(apps, request, behaviour?.does === 'empty')
    respond(reply, answer, behaviour).catch(() => reply.destroy())
  }
  const server = certificate ? createSecureServer(certificate, play) : createServer(play)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    apps,
    requests,
    behave: (matcher, behaviour, times = Number.POSITIVE_INFINITY) =>
      behaviours.push({ matcher, behaviour, times }),
    recover: () => behaviours.splice(0),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

/** A `sources` section that uses this server for everything, without rate limit and with short timeouts. */
export function playedSources(apple: Pick<PlayedApple, 'url'>, more: Record<string, unknown> = {}) {
  const each = { baseUrl: apple.url, callsPerMinute: 0, timeoutSeconds: 20, ...more }
  return {
    itunes: each,
    'apple-rss': each,
    'apple-rss-legacy': each,
    'apple-search-hints': each,
    'app-store-page': each,
    'app-store-search': each,
  }
}

const matches = (matcher: Matcher, request: PlayedRequest) =>
  typeof matcher === 'string' ? request.path.startsWith(matcher) : matcher(request)

async function respond(
  reply: ServerResponse,
  answer: AppleAnswer,
  behaviour: Behaviour | undefined,
): Promise<void> {
  const { status, type, body } = answer
  const send = (bytes: string | Uint8Array, headers: Record<string, string> = {}, code = status) => {
    reply.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(bytes), ...headers })
    reply.end(bytes)
  }
  const wait = (retryAfter: string | undefined): Record<string, string> =>
    retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const half = body.slice(0, Math.ceil(body.length / 2))
  // An empty answer has already been prepared.
  if (!behaviour || behaviour.does === 'empty') return send(body, answer.headers)
  switch (behaviour.does) {
    case 'throttle':
      return send('Too many', wait(behaviour.retryAfter), behaviour.status)
    case 'unavailable':
      return send('Out of order', wait(behaviour.retryAfter), 503)
    case 'status':
      return send(behaviour.body ?? '', {}, behaviour.status)
    case 'cut':
      reply.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
      reply.write(half, () => reply.destroy())
      return
    case 'truncate':
      return send(half)
    case 'blank-lines':
      return send(`\n\n\n${body}\n\n`)
    case 'html':
      return send('<!DOCTYPE html><html><body>Please try again later</body></html>', {
        'content-type': 'text/html',
      })
    case 'nothing':
      return send('')
    case 'flood':
      return flood(reply, behaviour.bytes)
    case 'drip':
      reply.writeHead(status, { 'content-type': type })
      for (const letter of body) {
        if (reply.destroyed) return
        reply.write(letter)
        await setTimeout(behaviour.everyMs)
      }
      reply.end()
      return
    case 'hang':
      return
    case 'hold':
      await behaviour.until
      return send(body, answer.headers)
    case 'hang-up':
      reply.destroy()
      return
    case 'redirect':
      return send('', { location: behaviour.to }, 301)
    case 'serve-file':
      return send(readFileSync(behaviour.file), {}, 200)
    case 'serve':
      return send(behaviour.body, {}, 200)
  }
}

/** Spaces, as long as the client reads them. */
function flood(reply: ServerResponse, bytes: number): Promise<void> {
  reply.writeHead(200, { 'content-type': 'application/json' })
  const block = Buffer.alloc(256 * 1024, ' ')
  return pipeline(Array(Math.ceil(bytes / block.length)).fill(block), reply)
}
