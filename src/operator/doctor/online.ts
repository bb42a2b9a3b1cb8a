import pLimit from 'p-limit'
import { error, type Finding, ok } from './finding.ts'

/** An external address that this installation calls because of its configuration. */
export interface CalledAddress {
  name: string
  url: string
}

const withinMs = 10_000
const atOnce = 4

/** Asks each address once for its headers, without credentials. Whatever is answered, it can be reached. */
export function checkReachability(
  addresses: readonly CalledAddress[],
  signal: AbortSignal,
): Promise<Finding[]> {
  return pLimit(atOnce).map(addresses, async ({ name, url }) => {
    try {
      const response = await fetch(url, {
        method: 'HEAD',
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
      })
      await response.body?.cancel()
      return ok('online', `${name} at ${url} answers (${response.status})`)
    } catch (failure) {
      signal.throwIfAborted()
      return error(
        'online',
        `${name} at ${url} cannot be reached: ${reasonOf(failure)}`,
        'Look at the network, DNS, proxy (HTTPS_PROXY with NODE_USE_ENV_PROXY=1) and firewall of this machine.',
      )
    }
  })
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  if (failure.name === 'TimeoutError') return `no answer within ${withinMs / 1_000} s`
  return failure.cause instanceof Error ? failure.cause.message || failure.cause.name : failure.message
}
