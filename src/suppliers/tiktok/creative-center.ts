import { z } from 'zod'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  archiveIdOf,
  countriesIn,
  fitting,
  mediumAt,
  oneOf,
  type ReadMedia,
  Text,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { carried } from '../../ingest/unreadable.ts'

/**
 * A material of TikTok's Creative Center. It names no advertiser id and no dates. Its `cost`, `ctr` and counts are levels
 * and engagement, and are not read.
 */
const Material = z.object({
  ad_title: Text,
  brand_name: Text,
  country_code: Texts,
  landing_page: Address.optional(),
  video_info: z
    .object({
      duration: z.number().min(0).nullish(),
      cover: Address.optional(),
      video_url: z.record(z.string(), Address).nullish(),
      width: z.number().int().min(1).nullish(),
      height: z.number().int().min(1).nullish(),
    })
    .nullish(),
})

type Video = NonNullable<z.output<typeof Material>['video_info']>

/** A material of the Creative Center. */
export const tiktokMaterial: AdForm = {
  label: "TikTok's Creative Center",
  platform: 'tiktok',
  is: (record) => 'id' in record && ('ad_title' in record || 'video_info' in record),
  read: readMaterial,
}

/** @throws AdRefusal */
function readMaterial(record: Record<string, unknown>): AdDraft {
  const archiveId = archiveIdOf(record.id, 'id')
  const { ad_title, brand_name, country_code, landing_page, video_info } = fitting(Material, record)
  return {
    platform: 'tiktok',
    archiveId,
    advertiserId: null,
    stated: carried({
      advertiserName: brand_name,
      format: video_info ? 'video' : undefined,
      countries: countriesIn(country_code),
    }),
    creatives: [
      carried({ body: ad_title, linkUrl: landing_page, media: video_info ? mediaIn(video_info) : undefined }),
    ],
  }
}

function mediaIn({ duration, cover, video_url, width, height }: Video): ReadMedia {
  const byHeight = Object.entries(video_url ?? {}).sort(
    ([one], [other]) => Number.parseInt(other, 10) - Number.parseInt(one, 10),
  )
  const film = mediumAt('video', oneOf(...byHeight.map(([, address]) => address)), {
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(duration ? { durationSeconds: duration } : {}),
  })
  return [film, ...(cover ? [mediumAt('thumbnail', cover)] : [])]
}
