import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/*
 * Client address and host of a request, from its connection or, where the peer is a trusted proxy, from the proxy's headers.
 * Proxies forward client-supplied headers more often than their operators know: every value is validated before it is used.
 */

/** The client's address; that of the proxy where it names none. */
export function addressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
}

/** A name or address with or without a port: anything else only looks like a host once it is read as an address. */
const plainHost = /^[\w.:[\]-]+$/

/** The host that was asked, and its port where it was named; empty when it is none. */
export function hostOf({ host }: FastifyRequest): string {
  return plainHost.test(host) ? host : ''
}

export function protocolOf({ protocol }: FastifyRequest): 'http' | 'https' {
  return protocol === 'https' ? 'https' : 'http'
}

/** Where the service is reached, without a slash at the end: as configured, or as this request asked. */
export function homeOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? `${protocolOf(request)}://${hostOf(request) || 'localhost'}`
}
