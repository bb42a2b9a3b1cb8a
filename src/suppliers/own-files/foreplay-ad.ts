import { z } from 'zod'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  AdRefusal,
  archiveIdOf,
  callToActionOf,
  dayOf,
  fitting,
  formatOfMedia,
  languageIn,
  mediumAt,
  publishersIn,
  type ReadMedia,
  Text,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { carried } from '../../ingest/unreadable.ts'
import type { AdFormat } from '../../vocabulary/ad-fields.ts'
import { type AdPlatform, publisherPlatforms } from '../../vocabulary/ad-platforms.ts'

const shown = {
  headline: Text,
  description: Text,
  cta_type: Text,
  cta_title: Text,
  link_url: Address.optional(),
  video: Address.optional(),
  image: Address.optional(),
  thumbnail: Address.optional(),
}

/** An ad in answers of Foreplay about boards and swipe files. Its guesses about an ad, transcripts among them, are not read. */
const ForeplayAd = z.object({
  ...shown,
  brand_name: Text,
  live: z.boolean().nullish(),
  display_format: z.string().nullish(),
  publisher_platform: Texts,
  languages: Texts,
  cards: z.array(z.object(shown)).nullish(),
})

export const foreplayAd: AdForm = {
  is: (record) => 'ad_id' in record && 'brand_id' in record && 'publisher_platform' in record,
  read: readForeplayAd,
}

/** @throws AdRefusal */
function readForeplayAd(record: Record<string, unknown>): AdDraft {
  const ad = fitting(ForeplayAd, record)
  const platform = platformOf(ad.publisher_platform)
  const cards = (ad.cards ?? []).map(creativeOf).filter((card) => Object.keys(card).length > 0)
  const creatives = cards.length > 0 ? cards : [creativeOf(ad)]
  const active = ad.live ?? undefined
  return {
    platform,
    archiveId: archiveIdOf(record.ad_id, 'ad_id, the number of an ad in its library,'),
    advertiserId: null,
    stated: carried({
      advertiserName: ad.brand_name ?? undefined,
      format: formats.get(ad.display_format?.toLowerCase() ?? '') ?? formatOfMedia(creatives),
      language: languageIn(ad.languages ?? undefined),
      startedOn: dayOf(secondsOf(record.started_running), 'started_running'),
      publisherPlatforms: platform === 'meta' ? publishersIn(ad.publisher_platform) : undefined,
      active,
      endedOn: active ? null : undefined,
    }),
    creatives,
  }
}

/** The library in which an ad stands, by where it was shown. @throws AdRefusal */
function platformOf(shownOn: readonly string[] | null | undefined): AdPlatform {
  const places = (shownOn ?? []).map((place) => place.toLowerCase().replaceAll('_', '-'))
  if (places.includes('tiktok')) return 'tiktok'
  if (places.some((place) => (publisherPlatforms as readonly string[]).includes(place))) return 'meta'
  throw new AdRefusal(
    'wrong-platform',
    `publisher_platform is "${places.join(', ').slice(0, 60)}", and neither TikTok nor a place where Meta shows ads.`,
  )
}

function creativeOf(card: z.output<z.ZodObject<typeof shown>>): SeenCreative {
  return carried({
    title: card.headline,
    body: card.description,
    linkUrl: card.link_url,
    callToAction: callToActionOf(card.cta_type),
    callToActionText: card.cta_title,
    media: mediaOf(card),
  })
}

function mediaOf({ video, image, thumbnail }: z.output<z.ZodObject<typeof shown>>): ReadMedia | undefined {
  if (video === undefined && image === undefined) return undefined
  return [
    ...(video ? [mediumAt('video', video)] : []),
    ...(image ? [mediumAt('image', image)] : []),
    ...(video && thumbnail ? [mediumAt('thumbnail', thumbnail)] : []),
  ]
}

/** Milliseconds as seconds; dates as they are. */
const secondsOf = (value: unknown): unknown =>
  /^\d{12,13}$/.test(String(value)) ? Math.floor(Number(value) / 1000) : value

const formats: ReadonlyMap<string, AdFormat> = new Map([
  ['video', 'video'],
  ['image', 'image'],
  ['carousel', 'carousel'],
  ['multi_images', 'carousel'],
  ['multi_videos', 'carousel'],
  ['multi_medias', 'carousel'],
  ['dco', 'dynamic'],
  ['dpa', 'dynamic'],
  ['text', 'text'],
])
