import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Measured, NotMeasured } from '../../../evidence/Fact.tsx'
import { Figure, Figures } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-record.ts'
import { compactCount } from '../words.ts'

/** How much is stored of each kind, with the way to it. */
export function StoredCounts({ record: { storeId, counts } }: { record: AppRecord }) {
  const params = { storeId }
  return (
    <Figures>
      <Stored name="Stored searches that show it" fact={counts.keywords}>
        <Link {...linkOptions({ to: '/apps/$storeId/keywords', params })}>Ranks by keyword</Link>
      </Stored>
      <Stored name="Paid ads" fact={counts.paidAds}>
        <Link {...linkOptions({ to: '/apps/$storeId/ads', params })}>All ads</Link>
      </Stored>
      <Stored name="Organic posts" fact={counts.posts}>
        <Link {...linkOptions({ to: '/apps/$storeId/organic', params })}>All posts</Link>
      </Stored>
      <Stored name="Pictures and previews" fact={counts.media}>
        <Link {...linkOptions({ to: '/apps/$storeId/media', params })}>Gallery</Link>
      </Stored>
    </Figures>
  )
}

/** How many of something are stored. None stored is not the same as none there are. */
function Stored({
  name,
  fact,
  children,
}: {
  name: string
  fact: AppRecord['counts']['posts']
  children: ReactNode
}) {
  return (
    <Figure name={name} note={children}>
      {fact.state === 'measured' ? (
        <Measured note="So many are stored here; there may be others.">{compactCount(fact.value)}</Measured>
      ) : (
        <NotMeasured reason={fact.reason} />
      )}
    </Figure>
  )
}
