import { z } from 'zod'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  archiveIdOf,
  Digits,
  dayOf,
  fitting,
  formatOfMedia,
  isRecord,
  mediumAt,
  type ReadMedia,
  requireOneOf,
  Text,
} from '../../ingest/ads/ad-values.ts'
import { carried, unreadable } from '../../ingest/unreadable.ts'

const Seen = z.union([z.string(), z.number()]).nullish()

/** An ad of TikTok's commercial content library: `ad/query`, and `ad/detail` without its targeting. */
const LibraryRecord = z.object({
  ad: z.object({
    status: z.string().nullish(),
    videos: z
      .array(z.union([z.string(), z.object({ url: Address, cover_image_url: Address.optional() })]))
      .nullish(),
    image_urls: z.array(Address).nullish(),
    reach: z.object({ unique_user_seen: Seen, unique_users_seen: Seen }).nullish(),
  }),
  advertiser: z
    .object({
      business_id: Digits,
      business_name: Text,
      paid_for_by: Text,
      paid_by: Text,
      profile_url: Address.optional(),
      country_code: Text,
    })
    .nullish(),
})

type LibraryAd = z.output<typeof LibraryRecord>['ad']

/** An ad of `ad/query`. */
export const tiktokLibraryAd: AdForm = {
  label: "TikTok's ad/query",
  platform: 'tiktok',
  is: ({ ad }) => typeof ad === 'object' && ad !== null && 'id' in ad,
  read: readLibraryRecord,
}

const adFields = ['first_shown_date', 'last_shown_date', 'status', 'videos', 'image_urls', 'reach']

const statuses: ReadonlyMap<string, boolean> = new Map([
  ['active', true],
  ['inactive', false],
])

/** @throws AdRefusal */
function readLibraryRecord(record: Record<string, unknown>): AdDraft {
  const dates = record.ad as Record<string, unknown>
  const archiveId = archiveIdOf(dates.id, 'ad.id')
  if (!isRecord(record.advertiser)) requireOneOf(dates, adFields)
  const { ad, advertiser } = fitting(LibraryRecord, record)
  const media = mediaIn(ad)
  const creatives = media ? [carried({ media })] : []
  const payer = advertiser?.paid_for_by ?? advertiser?.paid_by
  const status = ad.status?.trim().toLowerCase()
  const active = status ? (statuses.get(status) ?? unreadable) : undefined
  const lastShownOn = dayOf(dates.last_shown_date, 'ad.last_shown_date')
  const seen = ad.reach?.unique_user_seen ?? ad.reach?.unique_users_seen
  return {
    platform: 'tiktok',
    archiveId,
    advertiserId: advertiser?.business_id ?? null,
    stated: carried({
      advertiserName: advertiser?.business_name,
      advertiserUrl: advertiser?.profile_url,
      paidBy: payer ? [payer] : undefined,
      format: formatOfMedia(creatives),
      startedOn: dayOf(dates.first_shown_date, 'ad.first_shown_date'),
      active,
      endedOn: active === true ? null : lastShownOn,
      reachText: seen === null || seen === undefined ? undefined : String(seen),
    }),
    creatives,
  }
}

function mediaIn({ videos, image_urls }: LibraryAd): ReadMedia | undefined {
  if (!videos && !image_urls) return undefined
  const films = (videos ?? []).flatMap((video) => {
    if (typeof video === 'string') return [mediumAt('video', Address.parse(video))]
    const cover = video.cover_image_url
    return [mediumAt('video', video.url), ...(cover ? [mediumAt('thumbnail', cover)] : [])]
  })
  return [...films, ...(image_urls ?? []).map((url) => mediumAt('image', url))]
}
