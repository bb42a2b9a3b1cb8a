import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../api/problem.ts'
import { hostOf } from './forwarded.ts'

/** What a browser may say about where a request comes from and goes to. */
export interface TrustedPlaces {
  /** Where the service is reached, such as `https://apps.example.com`; undefined when nobody said. */
  publicUrl: string | undefined
  /** Origins that browsers may call from. */
  corsOrigins: readonly string[]
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Refuses what a page of somebody else's may have a browser send. On loopback `Host` is looked at too: a name of the
 * page's own that suddenly leads to this machine (DNS rebinding) makes every origin look like ours.
 * @throws Problem `origin-refused`
 */
export function refuseForeignPages(request: FastifyRequest, { publicUrl, corsOrigins }: TrustedPlaces): void {
  const { origin } = request.headers
  const home = publicUrl === undefined ? undefined : new URL(publicUrl)
  const onLoopback = listensOnLoopback(request)
  const hostname = hostnameOf(`http://${hostOf(request)}`)
  if (onLoopback && !loopbackNames.has(hostname) && hostname !== home?.hostname)
    throw refusal(`The host ${quoted(request.host)} is not one this service is reached by.`)
  if (origin === undefined) return
  const trusted =
    origin === home?.origin ||
    corsOrigins.includes(origin) ||
    (onLoopback && isOrigin(origin) && loopbackNames.has(hostnameOf(origin)))
  if (!trusted) throw refusal(`Pages of ${quoted(origin)} may not call here.`)
}

/** Written as browsers write the origin of a page: `http://localhost:6274`, and nothing beside it. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

function refusal(reason: string): Problem {
  return new Problem(
    'origin-refused',
    `${reason} The operator allows more with --public-url and --cors-origin.`,
  )
}

/** Whether only this machine can reach the service. One that does not listen is called from within. */
function listensOnLoopback({ server }: FastifyRequest): boolean {
  const address = server.server.address() as AddressInfo | string | null
  if (address === null || typeof address === 'string') return true
  return address.address === '::1' || address.address.startsWith('127.')
}

function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : ''
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100))
