import { BlockList, isIP } from 'node:net'
import type { MetricsOptions } from './metrics.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  return family === 0 ? address.toLowerCase() === 'localhost' : loopback.check(address, `ipv${family as 4 | 6}`)
}

/** The addresses of the service and of its metrics. */
interface Exposed {
  host: string
  publicUrl?: string | undefined
  metrics?: MetricsOptions
}

/** Warnings about addresses that other machines can reach, each with its remedy. */
export function exposureWarnings({ host, publicUrl, metrics }: Exposed): string[] {
  const isOpen = !isLoopback(host)
  const metricsHost = metrics?.at?.host ?? host
  const metricsAreOpen = !isLoopback(metricsHost) && metrics?.key === undefined
  return [
    ...(isOpen
      ? [
          `warning: ${host} can be reached from other machines, and keys travel in plain HTTP: put a proxy that speaks TLS in front${publicUrl ? '' : ', and name the address that clients use with --public-url'}.`,
        ]
      : []),
    ...(metricsAreOpen
      ? [
          `warning: everybody who reaches ${metricsHost} can read /metrics: keep it on this machine with --metrics-port, or give it a key with RIVALSCOPE_METRICS_KEY.`,
        ]
      : []),
  ]
}
