import type { Ground } from '../creatives/grounds.ts'
import type { AdSighting } from './ad.ts'

/** Of the App Store alone; another address that mentions one is none. */
const page = /^https?:\/\/(?:apps|itunes)\.apple\.com\/(?:[^?#\s]*\/)?id([1-9]\d{0,18})(?![\d])/i
const pagesInText = /\b(?:https?:\/\/)?(?:apps|itunes)\.apple\.com\/[^\s"'<>()]*/gi

/** Parameters in which redirects carry the address they lead to. */
const carriers = [
  'u',
  'url',
  'redirect',
  'redirect_url',
  'af_ios_url',
  'af_r',
  '$ios_url',
  '$fallback_url',
  'link',
  'target',
]
/** Links that carry the store's own id outright. */
const idParameters = ['isi', '$ios_app_id', 'ios_app_id', 'af_ios_store_id']
/** Redirects within redirects that are followed on paper. */
const deepest = 3

/** The app whose App Store page an address is, or says that it leads to. Nothing is fetched. */
export function storeIdLedTo(address: string, depth = 0): string | undefined {
  const own = existing(page.exec(address.trim())?.[1])
  if (own || depth >= deepest || !URL.canParse(address)) return own
  const { searchParams } = new URL(address)
  for (const name of idParameters) {
    const id = /^(?:id)?([1-9]\d{5,18})$/.exec(searchParams.get(name) ?? '')?.[1]
    if (id) return existing(id)
  }
  for (const name of carriers) {
    const inner = searchParams.get(name)
    const found = inner && /^https?:/i.test(inner) ? storeIdLedTo(inner, depth + 1) : undefined
    if (found) return found
  }
  return undefined
}

/** The last few numbers of 19 digits are ids of nothing. */
const existing = (id: string | undefined) => (id !== undefined && BigInt(id) < 2n ** 63n ? id : undefined)

/** App Store addresses that stand in a text, each app once. */
export function storePagesIn(text: string): { storeId: string; text: string }[] {
  const found = new Map<string, string>()
  for (const [match] of text.matchAll(pagesInText)) {
    const storeId = existing(page.exec(/^https?:/i.test(match) ? match : `https://${match}`)?.[1])
    if (storeId && !found.has(storeId)) found.set(storeId, match)
  }
  return [...found].map(([storeId, shown]) => ({ storeId, text: shown }))
}

/** Why an ad belongs to apps, as far as the ad itself tells; each app, kind and place once. */
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
      for (const seen of storePagesIn(text ?? '')) add({ ...seen, kind: 'store-url', foundIn: 'text' })
    }
  }
  return [...grounds.values()]
}
