import { queryOptions } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { RivalscopeProblem } from '../../src/client/client.ts'
import { httpRequestOf } from '../../src/client/request.ts'
import { routes } from '../../src/client/routes.ts'
import { jsonLines } from './json-lines.ts'
import { type ArgumentsOf, call, type ReplyOf, type Tool } from './operations.ts'
import { signedIn } from './session.ts'

/** Reads of one bundle, as many as the service takes (docs/http.md). */
const mostReads = 40
/** Characters of its address: servers and proxies take 8,000. */
const longestAddress = 6_000
const longestSeconds = 60

/**
 * The same read as `read`, for pages that need dozens of them: what is asked for in the same moment is one request, and each reply is
 * there as soon as the service has it. Failed reads are cached, too, until requested again: a day without a snapshot remains one.
 */
export function readTogether<T extends Tool>(tool: T, given: ArgumentsOf<T>) {
  return queryOptions({
    queryKey: [tool, given] as const,
    queryFn: ({ signal }) => together(tool, given, signal),
    retryOnMount: false,
  })
}

interface Waiting {
  tool: Tool
  given: ArgumentsOf<Tool>
  address: string
  signal: AbortSignal
  resolve: (reply: Promise<unknown> | unknown) => void
  reject: (error: unknown) => void
}

let waiting: Waiting[] = []

function together<T extends Tool>(tool: T, given: ArgumentsOf<T>, signal: AbortSignal): Promise<ReplyOf<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  if (waiting.length === 0) setTimeout(sendWaiting)
  const address = `/${httpRequestOf(tool, routes[tool], given).path}`
  waiting.push({ tool, given, address, signal, resolve, reject })
  return promise as Promise<ReplyOf<T>>
}

function sendWaiting(): void {
  const asked = waiting.filter(({ signal, reject }) => {
    if (signal.aborted) reject(signal.reason)
    return !signal.aborted
  })
  waiting = []
  for (const bundle of bundlesOf(asked)) void answer(bundle)
}

/** In the order in which they were asked for: what stands first on a page is in the first bundle. */
function bundlesOf(asked: readonly Waiting[]): Waiting[][] {
  const bundles: Waiting[][] = []
  let length = 0
  for (const one of asked) {
    const added = encodeURIComponent(one.address).length + '&read='.length
    const last = bundles.at(-1)
    if (last && last.length < mostReads && length + added <= longestAddress) last.push(one)
    else {
      bundles.push([one])
      length = 0
    }
    length += added
  }
  return bundles
}

/** A few at once: browsers open six connections to a server, and two stay free for what the user does meanwhile. */
const inTurn = pLimit(4)

/** Asks for a read as if it were the only one, with all patience of the client. */
const alone = ({ tool, given, signal, resolve, reject }: Waiting): Promise<void> =>
  inTurn(() => {
    signal.throwIfAborted()
    return call(tool, given, signal)
  }).then(resolve, reject)

async function answer(bundle: readonly Waiting[]): Promise<void> {
  const [first] = bundle
  const left = new Set(bundle)
  if (bundle.length > 1 && first) {
    await signedIn()
    await readLines(bundle, ({ read, ...line }) => {
      const one = bundle[read]
      if (one && left.has(one) && settle(one, line)) left.delete(one)
    }).catch(() => undefined)
  }
  // The bundle was refused or broke off, or these were left out of it: alone they are tried again, or tell why not.
  await Promise.all([...left].map(alone))
}

interface Line {
  read: number
  status: number
  etag?: string
  body?: unknown
}

/** Replies that are held with their tags, by address. */
const held = new Map<string, { etag: string; reply: unknown }>()
const mostHeld = 400

/** @returns false where asking alone may help */
function settle(
  { tool, address, resolve, reject }: Waiting,
  { status, etag, body }: Omit<Line, 'read'>,
): boolean {
  if (status === 200) {
    if (held.size >= mostHeld) held.clear()
    if (etag) held.set(address, { etag, reply: body })
    resolve(body)
    return true
  }
  const before = held.get(address)
  if (status === 304 && before) {
    resolve(before.reply)
    return true
  }
  if (status < 400 || status === 401 || status === 429 || status >= 500) return false
  reject(new RivalscopeProblem(tool, body as ConstructorParameters<typeof RivalscopeProblem>[1], null))
  return true
}

/** @throws where the bundle is refused or breaks off */
async function readLines(bundle: readonly Waiting[], take: (line: Line) => void): Promise<void> {
  const gone = new AbortController()
  let wanted = bundle.length
  for (const { signal } of bundle)
    signal.addEventListener('abort', () => {
      if (--wanted === 0) gone.abort()
    })
  const tags = bundle.flatMap(({ address }) => held.get(address)?.etag ?? [])
  const query = new URLSearchParams(bundle.map(({ address }): [string, string] => ['read', address]))
  const response = await fetch(`/reads?${query}`, {
    credentials: 'same-origin',
    cache: 'no-store',
    headers: { 'x-rivalscope-page': '1', ...(tags.length > 0 ? { 'if-none-match': tags.join(', ') } : {}) },
    signal: AbortSignal.any([gone.signal, AbortSignal.timeout(longestSeconds * 1_000)]),
  })
  if (!response.ok || !response.body) throw new Error(`Unexpected answer from the server: ${response.status}.`)
  for await (const line of jsonLines<Line>(response.body)) take(line)
}
