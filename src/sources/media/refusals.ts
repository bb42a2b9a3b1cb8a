import ipaddr from 'ipaddr.js'

/**
 * Why a URL is not requested, in words; undefined when it may be. The author of a post or an ad chooses its URLs, so each is
 * treated as a possible server-side request forgery.
 * @param hosts allowed names; each includes its subdomains
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

/** Why an IP address is refused, in words; undefined for a public one. */
export function refusalOfAddress(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} is no address.`
  // An IPv4 address mapped into IPv6 is judged as IPv4.
  const parsed = ipaddr.process(address)
  const isPublic = parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || isGlobal(parsed.toByteArray()))
  return isPublic ? undefined : `${address} is not an address of the public internet.`
}

/** Global unicast, 2000::/3 (RFC 4291); all other IPv6 addresses are for special use. */
const isGlobal = ([first = 0]: number[]) => first >> 5 === 0b001
