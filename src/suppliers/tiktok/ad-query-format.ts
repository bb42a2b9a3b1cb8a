import { z } from 'zod'
import type { PayloadFormat } from '../../ingest/format.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { platformAds } from '../read-ad-record.ts'

const Page = z.object({
  data: z.object({
    ads: z.array(z.unknown()).nullish(),
    has_more: z.boolean().nullish(),
    search_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  }),
})

/** A page of `ad/query` of TikTok's Commercial Content API. It may leave the list out when it has none. */
export const tiktokAdQueryFormat: PayloadFormat = {
  isMappable: false,
  parse(payload) {
    const page = Page.safeParse(payload.document())
    if (!page.success) throw new UnfitPayload('answers JSON that is no page of ads')
    const { ads, has_more, search_id } = page.data.data
    const records = ads ?? []
    return {
      ...platformAds('tiktok-ad-library', 'tiktok', records),
      nextPage: records.length > 0 && has_more === true ? (search_id ?? null) : null,
    }
  },
}
