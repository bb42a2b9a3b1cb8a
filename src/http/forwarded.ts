import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/*
 * Client address and host of a request, from its connection or, where the peer is a trusted proxy, from the proxy's headers.
 * Proxies forward client-supplied headers more often than their operators know: every value is validated before it is used.
 */

/** The client's address; the address of the proxy where it names none. */
export function clientAddressOf({ ip, socket }: FastifyRequest): string {
  return isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip
}

/** A name or address with or without a port: anything else only looks like a host once it is parsed as an address. */
const plainHost = /^[\w.:[\]-]+$/

/** The requested host, with its port where one is named; empty when it is not valid. */
export function hostOf({ host }: FastifyRequest): string {
  return plainHost.test(host) ? host : ''
}

export function protocolOf({ protocol }: FastifyRequest): 'http' | 'https' {
  return protocol === 'https' ? 'https' : 'http'
}

/** Base address of the service, without a trailing slash: the configured one, or the one of this request. */
export function baseAddressOf(request: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ?? `${protocolOf(request)}://${hostOf(request) || 'localhost'}`
}
