import { BlockList, isIP } from 'node:net'
import { Problem } from './problem.ts'

/**
 * Refuses a credential that is used from a network where it is not allowed.
 * @param networks as CIDR; empty for everywhere
 * @throws Problem `unauthenticated`
 */
export function refuseOtherNetworks(networks: readonly string[], address: string): void {
  if (!isAllowedFrom(networks, address))
    throw new Problem('unauthenticated', `The credential may not be used from ${address || 'here'}.`)
}

/** Whether an address is in one of the networks; always true without networks. */
export function isAllowedFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  // A socket for IPv4 and IPv6 shows IPv4 clients with this prefix.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(plain)
  if (version === 0) return false
  const allowed = new BlockList()
  for (const network of networks) {
    const [start = '', bits = ''] = network.split('/')
    const family = isIP(start)
    if (family === version)
      allowed.addSubnet(start, Number(bits || bitsOf(family)), family === 4 ? 'ipv4' : 'ipv6')
  }
  return allowed.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}

/** Whether a text is a network in CIDR notation, or an address. */
export function isNetwork(text: string): boolean {
  const [, start = '', bits] = /^([0-9a-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text) ?? []
  const family = isIP(start)
  return family !== 0 && Number(bits ?? 0) <= bitsOf(family)
}

/** Whether all addresses of a network are in another one. */
export function isWithin(network: string, other: string): boolean {
  const [start = '', bits] = network.split('/')
  const family = isIP(start)
  const [ofOther = '', bitsOfOther] = other.split('/')
  return (
    isIP(ofOther) === family &&
    Number(bits ?? bitsOf(family)) >= Number(bitsOfOther ?? bitsOf(family)) &&
    isAllowedFrom([other], start)
  )
}

const bitsOf = (family: number) => (family === 4 ? 32 : 128)
