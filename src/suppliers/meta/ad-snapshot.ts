import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import {
  Address,
  callToActionOf,
  Digits,
  mediumAt,
  oneOf,
  type ReadMedia,
  Text,
  tidy,
} from '../../ingest/ads/ad-values.ts'
import { carried } from '../../ingest/unreadable.ts'

/** A body is plain text, an object around it, or what the page shows as HTML. */
const Body = z
  .union([
    z.string(),
    z.object({ text: z.string().nullish(), markup: z.object({ __html: z.string().nullish() }).nullish() }),
  ])
  .nullish()
  .transform((body) => {
    if (body === undefined || body === null) return body
    if (typeof body === 'string') return tidy(body) || null
    return (typeof body.text === 'string' ? tidy(body.text) : textOfHtml(body.markup?.__html ?? '')) || null
  })

const Video = z.object({
  video_hd_url: Address.optional(),
  video_sd_url: Address.optional(),
  video_preview_image_url: Address.optional(),
})
const Image = z.object({ original_image_url: Address.optional(), resized_image_url: Address.optional() })

const words = {
  title: Text,
  body: Body,
  link_description: Text,
  caption: Text,
  link_url: z.preprocess((link) => (isTemplate(link) ? undefined : link), Address.optional()),
  cta_type: Text,
  cta_text: Text,
}

const Card = z.object({ ...words, ...Video.shape, ...Image.shape })

/** What the web page shows of an ad. */
export const Snapshot = z.object({
  ...words,
  page_id: Digits,
  page_name: Text,
  current_page_name: Text,
  page_profile_uri: Address.optional(),
  byline: Text,
  display_format: z.string().nullish(),
  cards: z.array(Card).nullish(),
  images: z.array(Image).nullish(),
  videos: z.array(Video).nullish(),
  extra_texts: z.array(z.union([z.string(), z.object({ text: Text })])).nullish(),
})

type Snapshot = z.output<typeof Snapshot>
type Words = Pick<Snapshot, keyof typeof words>

/** Cards where there are any, else the ad itself; other texts of a dynamic ad are variants of their own. */
export function creativesIn(snapshot: Snapshot): SeenCreative[] {
  const cards = snapshot.cards ?? []
  const shown =
    cards.length > 0
      ? cards.map((card) => carried({ ...wordsOf(withFallback(card, snapshot)), media: cardMedia(card) }))
      : [carried({ ...wordsOf(snapshot), media: mediaIn(snapshot) })]
  const others = (snapshot.extra_texts ?? []).flatMap((extra) => {
    const body = typeof extra === 'string' ? tidy(extra) : extra.text
    return body && !isTemplate(body) ? [{ body }] : []
  })
  const known = new Set(shown.map((creative) => creative.body))
  return [...shown, ...others.filter(({ body }) => !known.has(body))].filter(
    (creative) => Object.keys(creative).length > 0,
  )
}

/** A card with an empty part shows that of the ad, unless it is only a template for the cards. */
function withFallback(card: Words, whole: Words): Words {
  const part = <Name extends keyof Words>(name: Name): Words[Name] => {
    const own = card[name]
    if (own && !isTemplate(own)) return own
    const general = whole[name]
    return general && !isTemplate(general) ? general : own === undefined ? undefined : (null as Words[Name])
  }
  return {
    title: part('title'),
    body: part('body'),
    link_description: part('link_description'),
    caption: part('caption'),
    link_url: part('link_url'),
    cta_type: part('cta_type'),
    cta_text: part('cta_text'),
  }
}

/** `{{product.name}}` is filled in when the ad is shown. */
const isTemplate = (text: unknown) => typeof text === 'string' && /^\s*\{\{[^{}]*\}\}\s*$/.test(text)

function wordsOf({ title, body, link_description, caption, link_url, cta_type, cta_text }: Words) {
  return {
    title,
    body,
    description: link_description,
    displayLink: caption,
    linkUrl: link_url,
    callToAction: callToActionOf(cta_type),
    callToActionText: cta_text,
  }
}

function mediaIn({ videos, images }: Snapshot): ReadMedia | undefined {
  if (!videos && !images) return undefined
  return [...(videos ?? []).flatMap(videoMedia), ...(images ?? []).flatMap(imageMedia)]
}

/** The media addresses of a card tell its format; a still alone does not. */
function cardMedia(card: z.output<typeof Card>): ReadMedia | undefined {
  if (card.video_hd_url || card.video_sd_url) return videoMedia(card)
  const images = imageMedia(card)
  const still = card.video_preview_image_url
  if (images.length > 0 || !still) return isCarried(card) ? images : undefined
  return [mediumAt('thumbnail', still)]
}

/** Whether a card has fields for media, even if empty. */
const isCarried = (card: z.output<typeof Card>) => mediaNames.some((name) => card[name] !== undefined)

const mediaNames = [
  'video_hd_url',
  'video_sd_url',
  'video_preview_image_url',
  'original_image_url',
  'resized_image_url',
] as const

function videoMedia(video: z.output<typeof Video>): ReadMedia {
  const url = oneOf(video.video_hd_url, video.video_sd_url)
  const preview = video.video_preview_image_url
  if (!url && !preview) return []
  return [mediumAt('video', url), ...(preview ? [mediumAt('thumbnail', preview)] : [])]
}

function imageMedia({ original_image_url, resized_image_url }: z.output<typeof Image>): ReadMedia {
  const url = oneOf(original_image_url, resized_image_url)
  return url ? [mediumAt('image', url)] : []
}

/** Converts HTML to text: line breaks are kept, links become their text. */
function textOfHtml(html: string): string {
  const plain = html.replaceAll(/<br\s*\/?>\s?/gi, '\n').replaceAll(/<[^<>]*>/g, '')
  return tidy(decodeHTMLStrict(plain))
}
