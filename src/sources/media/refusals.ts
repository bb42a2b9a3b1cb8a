import ipaddr from 'ipaddr.js'

/**
 * Why an address in the web is not asked, in words; undefined when it may be. Whoever writes a post or an ad chooses its
 * addresses, so each is taken for an attempt to reach what only this machine can.
 * @param hosts names that stand for themselves and the hosts below them
 */
export function refusalOfUrl(url: URL, hosts: readonly string[]): string | undefined {
  if (url.protocol !== 'https:') return `Media are copied over https only, not ${url.protocol.slice(0, -1)}.`
  if (url.username !== '' || url.password !== '') return 'The address carries credentials.'
  if (url.port !== '') return `Port ${url.port} is none that media are served from.`
  const host = url.hostname.replace(/\.$/, '')
  return hosts.some((known) => host === known || host.endsWith(`.${known}`))
    ? undefined
    : `The host ${url.hostname} is not among those that media are copied from.`
}

/** Why a machine is not spoken to, in words; undefined when it is one of the public internet. */
export function refusalOfAddress(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} is no address.`
  // An IPv4 address within an IPv6 one counts as what it is.
  const parsed = ipaddr.process(address)
  const isPublic = parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || isGlobal(parsed.toByteArray()))
  return isPublic ? undefined : `${address} is not an address of the public internet.`
}

/** The part of IPv6 that is given out for the internet, 2000::/3 (RFC 4291); all else is for special use. */
const isGlobal = ([first = 0]: number[]) => first >> 5 === 0b001
