import { z } from 'zod'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  advertiserIdOf,
  archiveIdOf,
  dayOf,
  fitting,
  formatOfMedia,
  mediumAt,
  type ReadMedia,
  Text,
} from '../../ingest/ads/ad-values.ts'
import { carried } from '../../ingest/unreadable.ts'

/** An ad as the web page of TikTok's library lists it, and as collectors of it write it. What was spent is not read. */
const Listed = z.object({
  name: Text,
  advertiser: Text,
  title: Text,
  estimated_audience: Text,
  videos: z.array(z.object({ video_url: Address.optional(), cover_img: Address.optional() })).nullish(),
  video_link: Address.optional(),
  cover_image: Address.optional(),
  image_urls: z.array(Address).nullish(),
})
type Listed = z.output<typeof Listed>

const dates = {
  first: ['first_shown_date', 'first_shown_datetime'],
  last: ['last_shown_date', 'last_shown_datetime'],
} as const

/** An ad of the web page of TikTok's library. */
export const tiktokWebAd: AdForm = {
  label: "TikTok's ad library",
  platform: 'tiktok',
  ids: ['id'],
  fields: ['estimated_audience', 'audit_status', 'sor_audit_status', 'first_shown_date', 'image_urls'],
  is: (record) =>
    'id' in record &&
    dates.first.some((name) => name in record) &&
    ['estimated_audience', 'audit_status', 'videos'].some((name) => name in record),
  read: readListed,
}

/** @throws AdRefusal */
function readListed(record: Record<string, unknown>): AdDraft {
  const archiveId = archiveIdOf(record.id, 'id')
  const ad = fitting(Listed, record)
  const media = mediaOf(ad)
  const creatives = media || ad.title ? [carried({ body: ad.title, media })] : []
  const day = (name: keyof typeof dates) => {
    const key = dates[name].find((one) => one in record) ?? dates[name][0]
    return dayOf(inSeconds(record[key]), key)
  }
  return {
    platform: 'tiktok',
    archiveId,
    advertiserId: advertiserIdOf('tiktok', record.advertiser_id),
    stated: carried({
      advertiserName: ad.name ?? ad.advertiser,
      format: formatOfMedia(creatives),
      startedOn: day('first'),
      endedOn: day('last'),
      reachText: ad.estimated_audience,
    }),
    creatives,
  }
}

/** The page counts in milliseconds. */
const inSeconds = (time: unknown) => (/^\d{12,13}$/.test(String(time)) ? Math.floor(Number(time) / 1000) : time)

function mediaOf({ videos, image_urls, video_link, cover_image }: Listed): ReadMedia | undefined {
  if (!videos && !image_urls && video_link === undefined) return undefined
  const films = [
    ...(videos ?? []),
    ...(video_link === undefined ? [] : [{ video_url: video_link, cover_img: cover_image }]),
  ]
  if (films.length > 0)
    return films.flatMap(({ video_url, cover_img }) => [
      mediumAt('video', video_url),
      ...(cover_img ? [mediumAt('thumbnail', cover_img)] : []),
    ])
  return (image_urls ?? []).map((url) => mediumAt('image', url))
}
