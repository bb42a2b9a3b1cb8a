import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAds as contract } from '../../contract/paid-ads.ts'
import { findCreatives } from '../../domain/creatives/search/search.ts'
import { ads } from '../../domain/paid-ads/ad-search.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { adPlatforms } from '../../vocabulary/ad-platforms.ts'
import { coverageOf } from '../ad-coverage.ts'
import { adShapes } from '../ad-shapes.ts'
import { appsNamed, cursorAfter, pageOfSearch } from '../creative-lists.ts'

type C = typeof contract

export async function searchPaidAds(
  db: Database,
  libraries: Pick<Collecting, 'adLibraries'>,
  accountId: string,
  { limit, cursor, ...asked }: Input<C['search_paid_ads']>,
): Promise<Reply<C['search_paid_ads']>> {
  const { competitor, saved, tag, sort, ...filters } = asked
  const list = ['search_paid_ads', accountId, asked]
  const page = pageOfSearch(cursor, list, { q: asked.q, sort, limit })
  const marks = {
    saved: saved === undefined ? undefined : { accountId, is: saved },
    tagged: tag === undefined ? undefined : { accountId, tag },
  }
  const apps = competitor && (await appsNamed(db, competitor))
  const [found, coverage] = await Promise.all([
    findCreatives(db, ads, { ...filters, ...marks, apps }, sort, page),
    coverageOf(db, libraries, filters.platform ? [filters.platform] : adPlatforms),
  ])
  return {
    items: await adShapes(db, accountId, found.numbers),
    total: found.total,
    nextCursor: cursorAfter(found, list),
    coverage,
  }
}
