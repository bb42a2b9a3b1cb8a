import { z } from 'zod'
import type { PayloadFormat } from '../../ingest/format.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { platformAds } from '../read-ad-record.ts'

const Page = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({
      cursors: z.object({ after: z.string().nullish() }).nullish(),
      next: z.string().nullish(),
    })
    .nullish(),
})

/** A page of Meta's `ads_archive`. */
export const metaArchiveFormat: PayloadFormat = {
  isMappable: false,
  parse(payload) {
    const page = Page.safeParse(payload.document())
    if (!page.success) throw new UnfitPayload('answers JSON that is no page of ads')
    return {
      ...platformAds('meta-ad-library', 'meta', page.data.data),
      nextPage: nextIn(page.data),
    }
  },
}

/**
 * The end is a page without ads, even when it names a next one, or one that names none. `next` is never followed: it
 * carries the token, and its host is not ours to trust.
 */
function nextIn({ data, paging }: z.output<typeof Page>): string | null {
  if (data.length === 0 || typeof paging?.next !== 'string') return null
  return paging.cursors?.after ?? URL.parse(paging.next)?.searchParams.get('after') ?? null
}
