import type { AddressInfo, Server } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../api/problem.ts'
import { hostOf, protocolOf } from './forwarded.ts'

/** The origins and hosts that a browser's request may name. */
export interface TrustedPlaces {
  /** The public address of the service, such as `https://apps.example.com`; undefined when not configured. */
  publicUrl: string | undefined
  /** Origins that browsers may call from. */
  corsOrigins: readonly string[]
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Refuses cross-site requests of browsers. On loopback `Host` is checked too: with DNS rebinding, a foreign name that
 * resolves to this machine makes every origin look like ours.
 * @throws Problem `origin-refused`
 */
export function refuseForeignPages(request: FastifyRequest, { publicUrl, corsOrigins }: TrustedPlaces): void {
  const { origin } = request.headers
  const onLoopback = listensOnLoopback(request)
  if (origin === undefined && !onLoopback) return
  const home = publicUrl === undefined ? undefined : new URL(publicUrl)
  const hostname = hostnameOf(`http://${hostOf(request)}`)
  if (onLoopback && !loopbackNames.has(hostname) && hostname !== home?.hostname)
    throw refusal(`The host ${quoted(request.host)} is not one this service is reached by.`)
  if (origin !== undefined && !isTrustedOrigin(origin, request, { publicUrl, corsOrigins }))
    throw refusal(`Pages of ${quoted(origin)} may not call here.`)
}

/** Whether pages of an origin may call with a credential: the public address, those of the operator, and on loopback this machine. */
export function isTrustedOrigin(
  origin: string,
  at: Pick<FastifyRequest, 'server'>,
  { publicUrl, corsOrigins }: TrustedPlaces,
): boolean {
  const isHere = isOrigin(origin) && loopbackNames.has(hostnameOf(origin))
  const home = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  return origin === home || corsOrigins.includes(origin) || (isHere && listensOnLoopback(at))
}

/**
 * Refuses requests that pages of other sites, or of other ports of this machine, make the browser send with the cookie. The
 * browser states the origin in `Sec-Fetch-Site` and `Origin`, and no script can change either.
 * @throws Problem `origin-refused`
 */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string | undefined): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw refusal(`Pages of other sites may not call here with the session of a person.`)
  const own = [`${protocolOf(request)}://${hostOf(request)}`, publicUrl && new URL(publicUrl).origin]
  if (origin !== undefined && !own.includes(origin))
    throw refusal(`Pages of ${quoted(origin)} may not call here with the session of a person.`)
}

/**
 * Also refuses changes without a header that our own pages send: a page of another site can add it only after a preflight
 * request, which is refused.
 * @throws Problem `origin-refused`
 */
export function refuseAllButOwnPages(request: FastifyRequest, publicUrl: string | undefined): void {
  refuseOtherSites(request, publicUrl)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (!reads && request.headers['x-rivalscope-page'] !== '1')
    throw new Problem('origin-refused', 'Pages send `x-rivalscope-page: 1` with every change.')
}

/** Whether a text is an origin in the form of browsers: `http://localhost:6274`, and nothing else. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

function refusal(reason: string): Problem {
  return new Problem(
    'origin-refused',
    `${reason} The operator allows more with --public-url and --cors-origin.`,
  )
}

/** Whether a listening server is on loopback, cached: querying the system takes longer than everything else here. */
const known = new WeakMap<Server, boolean>()

/** Whether only this machine can reach the service. One that does not listen is called from within the process. */
function listensOnLoopback({ server: { server } }: Pick<FastifyRequest, 'server'>): boolean {
  const before = known.get(server)
  if (before !== undefined) return before
  const address = server.address() as AddressInfo | string | null
  if (address === null || typeof address === 'string') return true
  const onLoopback = address.address === '::1' || address.address.startsWith('127.')
  known.set(server, onLoopback)
  return onLoopback
}

const hostnameOf = (address: string): string => URL.parse(address)?.hostname ?? ''

const quoted = (text: string) => JSON.stringify(text.slice(0, 100))
