import { BlockList, isIP } from 'node:net'
import { Problem } from './problem.ts'

/**
 * Refuses a credential that is used from elsewhere than it may be.
 * @param networks as CIDR; everywhere where there is none
 * @throws Problem `unauthenticated`
 */
export function refuseOtherNetworks(networks: readonly string[], address: string): void {
  if (!isAllowedFrom(networks, address))
    throw new Problem('unauthenticated', `The credential may not be used from ${address || 'here'}.`)
}

/** Whether an address is in one of the networks; any is where there is none. */
export function isAllowedFrom(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  // An IPv4 client of a socket that listens on both.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  const version = isIP(plain)
  if (version === 0) return false
  const allowed = new BlockList()
  for (const network of networks) {
    const [start = '', bits = ''] = network.split('/')
    const family = isIP(start)
    if (family === version)
      allowed.addSubnet(start, Number(bits || (family === 4 ? 32 : 128)), family === 4 ? 'ipv4' : 'ipv6')
  }
  return allowed.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}
