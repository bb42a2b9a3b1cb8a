import { v5 as uuidv5 } from 'uuid'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { SeenCreative } from './ad.ts'

const namespace = '9a0c1d52-6f3b-5b1e-8f0e-6f6f3c2f7b40'

/**
 * The id of a card or variant. It depends on the ad and on the texts, link and media of the creative, not on how addresses
 * are signed, and survives a replay.
 */
export function creativeIdOf(platform: AdPlatform, archiveId: string, creative: SeenCreative): string {
  return uuidv5(`${platform} ${archiveId} ${fingerprint(creative)}`, namespace)
}

/**
 * The content that identifies a creative. One with unreadable fields is a different creative, so it never replaces a
 * readable one.
 */
function fingerprint({ title, body, description, linkUrl, media, unreadable = [] }: SeenCreative): string {
  return JSON.stringify([
    comparableText(title),
    comparableText(body),
    comparableText(description),
    linkUrl ? withoutTracking(linkUrl) : null,
    mediaContent(media),
    ...unreadable,
  ])
}

/** A text for comparison of creatives: white space is removed. */
export const comparableText = (text: string | null | undefined): string | null =>
  text?.replace(/\s+/gu, ' ').trim() || null

/** The media of a creative by what identifies them; null when their source shows none at all. */
export function mediaContent(media: readonly StatedMedium[] | null | undefined): string[] | null {
  return media?.map(({ kind, url }) => `${kind} ${(url && stablePart(url)) ?? ''}`.trim()) ?? null
}

/** Click tracking parameters, which do not change where an address leads. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gbraid|wbraid|ttclid|msclkid|igshid|mc_[ce]id|_nc_\w+|__tn__|h|hsa_\w+|click_?id|tt_\w+)$/i

/** An address without tracking parameters. */
export function withoutTracking(address: string): string {
  if (!URL.canParse(address)) return address.trim()
  const url = new URL(address)
  const kept = [...url.searchParams].filter(([name]) => !tracking.test(name)).sort()
  const query = new URLSearchParams(kept).toString()
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${query === '' ? '' : `?${query}`}`
}

/**
 * The part of a media address that is the same every day. The networks sign their addresses each time, in the query and, at
 * TikTok, in the path; Meta's videos are renamed as well.
 * @returns undefined where no part is stable
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
