import { v5 as uuidv5 } from 'uuid'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Stated } from '../facts/merge.ts'
import type { CreativeFields } from './ad.ts'

const namespace = '9a0c1d52-6f3b-5b1e-8f0e-6f6f3c2f7b40'

/**
 * The id of a card or variant: the same for the same words, link and pictures of the same ad, however its addresses are
 * signed today, and after a replay.
 */
export function creativeIdOf(
  platform: AdPlatform,
  archiveId: string,
  creative: Stated<CreativeFields>,
): string {
  return uuidv5(`${platform} ${archiveId} ${fingerprint(creative)}`, namespace)
}

/** What makes a creative that creative. */
function fingerprint({ title, body, description, linkUrl, media }: Stated<CreativeFields>): string {
  return JSON.stringify([
    comparableText(title),
    comparableText(body),
    comparableText(description),
    linkUrl ? withoutTracking(linkUrl) : null,
    mediaContent(media),
  ])
}

/** A text as creatives are compared by it: white space does not count. */
export const comparableText = (text: string | null | undefined): string | null =>
  text?.replace(/\s+/gu, ' ').trim() || null

/** The media of a creative as far as they can be recognised again; null when their source shows none at all. */
export function mediaContent(media: readonly StatedMedium[] | null | undefined): string[] | null {
  return media?.map(({ kind, url }) => `${kind} ${(url && stablePart(url)) ?? ''}`.trim()) ?? null
}

/** Parameters that say who clicked where, not where an address leads. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gbraid|wbraid|ttclid|msclkid|igshid|mc_[ce]id|_nc_\w+|__tn__|h|hsa_\w+|click_?id|tt_\w+)$/i

/** An address without what changes with every click. */
export function withoutTracking(address: string): string {
  if (!URL.canParse(address)) return address.trim()
  const url = new URL(address)
  const kept = [...url.searchParams].filter(([name]) => !tracking.test(name)).sort()
  const query = new URLSearchParams(kept).toString()
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${query === '' ? '' : `?${query}`}`
}

/**
 * What stays of a media address from day to day. The networks sign theirs anew each time, in the query and, at TikTok, in
 * the path; Meta's videos have names that are made anew as well.
 * @returns undefined where nothing of it lasts
 */
export function stablePart(address: string): string | undefined {
  if (!URL.canParse(address)) return address
  const { host, pathname } = new URL(address)
  const name = pathname.split('/').at(-1) ?? ''
  if (/\.fbcdn\.net$/.test(host)) return /^\d+_\d+_\d+_n\./.exec(name) ? name.replace(/\.\w*$/, '') : undefined
  const kept = /\/(tos-?[a-z0-9-]*\/.+?)(?:~|\/?$)/.exec(pathname)?.[1]
  if (/tiktok|ibyteimg|byteimg|muscdn/.test(host) && kept) return kept.split('/').at(-1)
  return `${host}${pathname}`
}
