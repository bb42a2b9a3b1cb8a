import { type Ground, storeAddressesIn } from '../creatives/grounds.ts'
import type { AdSighting } from './ad.ts'

/** A redirect service, and the parts of its addresses that name the target app. */
interface Redirect {
  host: RegExp
  /** Parameters that hold an address. */
  addresses: readonly string[]
  /** Parameters that hold a store id. */
  ids?: readonly string[]
  /** A store id in the path. */
  path?: RegExp
}

const redirects: readonly Redirect[] = [
  { host: /^lm?\.(?:facebook|instagram|messenger|threads)\.com$/, addresses: ['u'] },
  { host: /(?:^|\.)tiktok\.com$/, addresses: ['target'] },
  { host: /^(?:www\.)?google\.[a-z.]{2,6}$/, addresses: ['q', 'url'] },
  { host: /\.onelink\.me$/, addresses: ['af_ios_url', 'af_r'] },
  { host: /^app\.appsflyer\.com$/, addresses: ['af_ios_url', 'af_r'], path: /^\/id(\d{6,19})$/ },
  {
    host: /^app\.adjust\.(?:com|io|world)$|\.adj\.st$|\.go\.link$/,
    addresses: ['redirect_ios', 'adj_redirect_ios', 'redirect', 'adj_redirect'],
  },
  { host: /\.app\.link$|\.bnc\.lt$/, addresses: ['$ios_url', '$fallback_url'], ids: ['$ios_app_id'] },
  { host: /\.page\.link$/, addresses: [], ids: ['isi'] },
]

/** Maximum depth of nested redirects to parse. */
const deepest = 3

/** The App Store app that an address is the page of, or explicitly redirects to. Nothing is fetched. */
export function storeIdLedTo(address: string, depth = 0): string | undefined {
  const given = address.trim()
  const [page] = storeAddressesIn(given)
  if (page && given.startsWith(page.text)) return page.storeId
  if (depth >= deepest || !URL.canParse(given)) return undefined
  const { hostname, pathname, searchParams } = new URL(given)
  const redirect = redirects.find(({ host }) => host.test(hostname))
  if (!redirect) return undefined
  const stated = [
    redirect.path?.exec(pathname)?.[1],
    ...(redirect.ids ?? []).map((name) => searchParams.get(name)),
  ]
  const id = stated.find((value) => value && /^[1-9]\d{5,18}$/.test(value))
  // Numbers of 19 digits beyond this are not valid ids.
  if (id && BigInt(id) < 2n ** 63n) return id
  for (const name of redirect.addresses) {
    const found = storeIdLedTo(searchParams.get(name) ?? '', depth + 1)
    if (found) return found
  }
  return undefined
}

/** The attributions in the ad itself; each app, kind and place once. */
export function groundsIn({ creatives }: Pick<AdSighting, 'creatives'>): Ground[] {
  const grounds = new Map<string, Ground>()
  const add = (ground: Ground) => {
    const key = `${ground.storeId} ${ground.kind} ${ground.foundIn}`
    if (!grounds.has(key)) grounds.set(key, ground)
  }
  for (const { title, body, description, displayLink, linkUrl } of creatives) {
    const landing = linkUrl ? storeIdLedTo(linkUrl) : undefined
    if (landing && linkUrl) add({ storeId: landing, kind: 'landing-url', foundIn: 'link', text: linkUrl })
    for (const text of [title, body, description, displayLink]) {
      for (const seen of storeAddressesIn(text ?? '')) add({ ...seen, kind: 'store-url', foundIn: 'text' })
    }
  }
  return [...grounds.values()]
}
