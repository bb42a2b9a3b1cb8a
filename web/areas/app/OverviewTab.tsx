import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'
import { css } from '../../ui/css.ts'
import { Skeleton } from '../../ui/parts.tsx'
import { useAppOfPage } from './app-of-page.ts'
import { About } from './overview/About.tsx'
import { ChartPositions } from './overview/ChartPositions.tsx'
import { Freshness } from './overview/Freshness.tsx'
import { InAppPurchases } from './overview/InAppPurchases.tsx'
import { KeyFigures } from './overview/KeyFigures.tsx'
import { OpenRequests } from './overview/OpenRequests.tsx'
import { StoredCounts } from './overview/StoredCounts.tsx'
import { Texts } from './overview/Texts.tsx'

/** The app at a glance: key figures, where it charts, its texts, and how fresh each part is. */
export function OverviewTab() {
  const { storeId, country } = useAppOfPage()
  // The page around it tells a failure.
  const record = useQuery(read('get_competitor', { storeId, country })).data
  if (!record)
    return (
      <div className="stack" aria-busy="true">
        <Skeleton height={150} />
        <Skeleton height={420} />
      </div>
    )
  return (
    <>
      <KeyFigures record={record} />
      <StoredCounts record={record} />
      <div className="columns" style={css({ '--columns': 'minmax(0, 1fr) minmax(280px, 380px)' })}>
        <div className="stack gap-4">
          <ChartPositions record={record} />
          <Texts record={record} />
          <InAppPurchases record={record} />
        </div>
        <div className="stack gap-4">
          <Freshness record={record} />
          <About record={record} />
          <OpenRequests record={record} />
        </div>
      </div>
    </>
  )
}
