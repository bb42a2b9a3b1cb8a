import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/*
 * Where a request comes from and what it was sent to, as its connection says or, where that is one of a trusted proxy, the
 * proxy. Proxies hand on what they were sent more often than their operators know: none of it is taken unless it has the
 * shape of what it stands for.
 */

/** The address of who asks; that of the proxy where it names none. */
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
