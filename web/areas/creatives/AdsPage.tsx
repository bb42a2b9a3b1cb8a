import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readPages } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { totalOf } from '../../evidence/format.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { Empty, Loaded } from '../../ui/parts.tsx'
import { AdFilters } from './AdFilters.tsx'
import { Coverage } from './Coverage.tsx'
import { CreativeCard } from './CreativeCard.tsx'
import { CreativesFrame } from './CreativesFrame.tsx'
import { Gallery, GallerySkeleton } from './Gallery.tsx'
import { adArguments } from './search.ts'

/** The stored ads that match a search, as a gallery. */
export function AdsPage() {
  const search = useSearch({ from: '/creatives/ads' })
  const query = useInfiniteQuery({
    ...readPages('search_paid_ads', adArguments(search)),
    placeholderData: (before) => before,
  })
  const pages = query.data?.pages
  const ads = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  const buttons = useMemo(
    () => [
      ...new Set(
        ads.flatMap(({ creatives }) =>
          creatives.flatMap(({ callToAction }) =>
            callToAction.state === 'measured' ? [callToAction.value] : [],
          ),
        ),
      ),
    ],
    [ads],
  )
  const total = pages?.[0]?.total
  return (
    <CreativesFrame title="Paid ads" subtitle={total ? totalOf(total, 'ad') : 'Loading…'}>
      <AdFilters buttons={buttons} />
      <Loaded query={query} skeleton={<GallerySkeleton />}>
        {(data) => (
          <>
            <Coverage coverage={data.pages[0]?.coverage ?? []} />
            {ads.length === 0 ? (
              <NoAds
                isFiltered={Object.keys(search).some((key) => !['country', 'items', 'sort'].includes(key))}
              />
            ) : (
              <Gallery
                label="Ads"
                items={ads}
                idOf={({ platform, archiveId }) => `${platform} ${archiveId}`}
                size={total?.relation === 'exact' ? total.value : undefined}
                card={(ad, reachable) => <CreativeCard piece={{ kind: 'ad', ad }} reachable={reachable} />}
                query={query}
              />
            )}
          </>
        )}
      </Loaded>
    </CreativesFrame>
  )
}

function NoAds({ isFiltered }: { isFiltered: boolean }) {
  const mayWrite = useHasScope('content:write')
  if (isFiltered)
    return (
      <Empty title="No ads match these filters">
        Other ads may have run: see the coverage limits, or remove a filter.
      </Empty>
    )
  return (
    <Empty title="No ads yet" action={mayWrite && <LinkButton to="/admin">Import ads</LinkButton>}>
      Import them from the ad libraries or from a file.
    </Empty>
  )
}
