import { isIP } from 'node:net'

/** Names that stand for ranges, as the HTTP engine knows them. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

/** Bits of the widest range, by the version of IP: that of `uniquelocal`. */
const widest = { 4: 8, 6: 7 }

/** Why a text names no proxies to trust; undefined when it does. */
export function whyNoProxy(text: string): string | undefined {
  if (namedRanges.includes(text)) return undefined
  if (/^(true|yes|on|all|\*)$/i.test(text))
    return 'trusting everybody lets every caller say who they are: name the addresses of your proxies'
  // "1" is an address to parsers that know the forms of old.
  if (/^\d+$/.test(text))
    return 'a number of proxies does not say who they are, and callers could pass for one: name their addresses'
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address) as 0 | 4 | 6
  if (version === 0 || isMapped(address))
    return `"${text}" is no address, no range such as 10.0.0.0/8 or fd00::/8, and none of ${namedRanges.join(', ')}`
  if (bits === undefined) return undefined
  const most = version === 4 ? 32 : 128
  if (Number(bits) > most) return `"${text}" is no range: IPv${version} has ${most} bits`
  if (Number(bits) < widest[version])
    return `"${text}" is more of the internet than proxies of yours can be: a range has at least /${widest[version]}`
  return undefined
}

/** An IPv4 address written as IPv6, whose ranges count otherwise than they look. */
const isMapped = (address: string) =>
  isIP(address) === 6 && URL.parse(`http://[${address}]`)?.hostname.startsWith('[::ffff:') === true
