import type { Network } from '../../vocabulary/networks.ts'
import type { Ground } from '../creatives/grounds.ts'
import { storeAddressesIn } from '../creatives/store-address.ts'
import type { Stated } from '../facts/merge.ts'
import type { PostFields } from './post.ts'

/** App Store addresses in one observation of a post: each app once for each field that holds it. */
export function storeGroundsOf(stated: Stated<PostFields>): Ground[] {
  const { title, text, linkUrl, authorBio, authorLinks } = stated
  const places = [
    ['text', [title, text]],
    ['link', [linkUrl]],
    ['profile', [authorBio, ...(authorLinks ?? [])]],
  ] as const
  return places.flatMap(([foundIn, texts]) =>
    storeAddressesIn(texts.filter((part) => typeof part === 'string').join('\n')).map((found) => ({
      ...found,
      kind: 'store-url' as const,
      foundIn,
    })),
  )
}

/** Apps whose store pages are linked on the author's profile. */
export function appsOnProfile({ authorBio, authorLinks }: Stated<PostFields>): string[] {
  const profile = [authorBio, ...(authorLinks ?? [])].filter((part) => typeof part === 'string').join('\n')
  return storeAddressesIn(profile).map(({ storeId }) => storeId)
}

/** Maximum accounts mentioned in one text; more is a list of strangers. */
const mostMentions = 50

const mention = /(?<![A-Za-z0-9_.@/])@([A-Za-z0-9_][A-Za-z0-9_.-]{1,59})/g
const redditMention = /(?<![A-Za-z0-9_.@/-])\/?u\/([A-Za-z0-9_-]{2,30})/g

/**
 * The accounts mentioned in a text as `@handle`, on Reddit as `u/handle`: lower case, each once. E-mail addresses do not
 * count.
 */
export function mentionsIn(network: Network, { title, text }: Stated<PostFields>): string[] {
  const words = [title, text].filter((part) => typeof part === 'string').join('\n')
  const pattern = network === 'reddit' ? redditMention : mention
  if (!words.includes(network === 'reddit' ? 'u/' : '@')) return []
  const found = [...words.matchAll(pattern)].map((match) =>
    (match[1] ?? '').replace(/[.-]+$/, '').toLowerCase(),
  )
  return [...new Set(found)].filter((handle) => handle.length > 1).slice(0, mostMentions)
}

interface Profile {
  network: Network
  handle: string
}

/** The address patterns of profiles by network; other pages of an account do not match. */
const profiles: readonly (readonly [Network, RegExp])[] = [
  ['tiktok', /^(?:www\.|m\.)?tiktok\.com\/@([\w.]{2,30})$/i],
  [
    'instagram',
    /^(?:www\.)?instagram\.com\/(?!(?:p|reel|reels|explore|stories|tv|accounts|about)$)([\w.]{2,30})$/i,
  ],
  ['youtube', /^(?:www\.|m\.)?youtube\.com\/(?:@([\w.-]{2,30})|channel\/(UC[\w-]{22}))$/i],
  ['reddit', /^(?:www\.|old\.)?reddit\.com\/u(?:ser)?\/([\w-]{2,30})$/i],
  [
    'x',
    /^(?:www\.|mobile\.)?(?:x|twitter)\.com\/(?!(?:home|share|intent|search|hashtag|explore|i)$)(\w{2,15})$/i,
  ],
]

/** The longest address that browsers accept. */
const longestAddress = 2_000

/** The account whose profile an address is, with its handle in lower case; undefined for any other address. */
export function profileAt(address: string): Profile | undefined {
  if (address.length > longestAddress) return undefined
  const bare = address
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/+$/, '')
  for (const [network, pattern] of profiles) {
    const match = pattern.exec(bare)
    const handle = match?.[1] ?? match?.[2]
    if (handle) return { network, handle: handle.toLowerCase() }
  }
  return undefined
}
