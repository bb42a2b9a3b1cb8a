import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { adPlatforms } from '../../../src/vocabulary/ad-platforms.ts'
import { read, readPages } from '../../api/operations.ts'
import { count, countWithNoun, totalOf } from '../../evidence/format.ts'
import type { PaidAd } from '../../evidence/shapes.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { customProperties } from '../../ui/css.ts'
import { Checkbox } from '../../ui/fields.tsx'
import { Empty, Filters, Loaded, MorePages, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { CreativesFrame } from './CreativesFrame.tsx'
import { AnyOf } from './filter-fields.tsx'
import { SearchAsTyped } from './SearchAsTyped.tsx'
import type { TimelineSearch } from './search.ts'
import { TimelineTable } from './TimelineTable.tsx'
import styles from './timeline.module.css'

/** Ads that are drawn without being asked for more. */
const enough = 500

/** When the ads of one advertiser ran. */
export function TimelinePage() {
  const { q, advertiser, platform, active } = useSearch({ from: '/creatives/timeline' })
  const navigate = useNavigate({ from: '/creatives/timeline' })
  const set = (change: Partial<Record<keyof TimelineSearch, unknown>>) =>
    void navigate({
      search: (before) => compactSearch({ ...before, ...change }) as TimelineSearch,
      replace: true,
      resetScroll: false,
    })
  return (
    <CreativesFrame title="Timeline" subtitle="Run times of an advertiser’s ads">
      <Filters>
        <div className={styles.search}>
          <SearchAsTyped
            label="Find an advertiser"
            placeholder="Advertiser name or ID"
            value={q}
            onSearch={(text) => set({ q: text, advertiser: undefined })}
          />
        </div>
        <AnyOf
          label="Ad library"
          options={adPlatforms.map((id) => ({ id, name: adPlatformInWords[id] }))}
          value={platform}
          onChange={(one) => set({ platform: one })}
        />
        {advertiser && (
          <Checkbox isSelected={active ?? false} onChange={(on) => set({ active: on || undefined })}>
            Active only
          </Checkbox>
        )}
      </Filters>
      {advertiser ? <Runs advertiser={advertiser} /> : <Advertisers />}
    </CreativesFrame>
  )
}

function Runs({ advertiser }: { advertiser: string }) {
  const { platform, active } = useSearch({ from: '/creatives/timeline' })
  const query = useInfiniteQuery(
    readPages('search_paid_ads', {
      advertiser,
      sort: 'recent',
      limit: 100,
      ...compactSearch({ platform, active }),
    }),
  )
  const { hasNextPage, isFetching, fetchNextPage } = query
  const ads = query.data?.pages.flatMap(({ items }) => items) ?? []
  const wantsMore = hasNextPage && !isFetching && ads.length < enough
  useEffect(() => {
    if (wantsMore) void fetchNextPage()
  }, [wantsMore, fetchNextPage])
  const total = query.data?.pages[0]?.total
  const name = nameOf(ads)
  return (
    <Loaded query={query} skeleton={<Skeleton height={480} />}>
      {() =>
        ads.length === 0 ? (
          <Empty title="No ads collected for this advertiser">
            {active ? 'None was active when last seen.' : 'Select another advertiser or ad library.'}
          </Empty>
        ) : (
          <Panel title={name} note={total && totalOf(total, 'ad')} flush>
            <TimelineTable ads={ads} name={name} />
            {ads.length >= enough && <MorePages query={query} shown={ads.length} />}
          </Panel>
        )
      }
    </Loaded>
  )
}

/** The one advertiser of all these ads, or how many there are. */
function nameOf(ads: readonly PaidAd[]): string {
  const names = new Set(
    ads.map(({ advertiser: { name } }) => (name.state === 'measured' ? name.value : 'Unknown advertiser')),
  )
  return names.size === 1 ? ([...names][0] ?? '') : `${count(names.size)} advertisers`
}

/** Advertisers to choose from: those of the ads that were observed last. */
function Advertisers() {
  const { q, platform } = useSearch({ from: '/creatives/timeline' })
  const query = useQuery({
    ...read('search_paid_ads', {
      sort: 'last-observed',
      limit: 100,
      ...compactSearch({ advertiser: q, platform }),
    }),
    placeholderData: (before) => before,
  })
  return (
    <Loaded query={query} skeleton={<Skeleton height={320} />}>
      {({ items, nextCursor }) => {
        const found = advertisersOf(items)
        if (found.length === 0)
          return (
            <Empty title={q ? 'No advertisers found' : 'No ads yet'}>
              {q ? 'Try fewer words, or the advertiser ID.' : 'Import ads to see their advertisers.'}
            </Empty>
          )
        return (
          <Panel
            title="Select an advertiser"
            note={
              nextCursor === null ? undefined : 'From the 100 ads seen last. Search by name to find others.'
            }
          >
            <ul className="tiles gap-6 rows-2" style={customProperties({ '--tile': '260px' })}>
              {found.map(({ platform: library, id, name, ads }) => (
                <li key={`${library} ${id}`} className="row nowrap baseline between">
                  <Link to="/creatives/timeline" search={{ advertiser: id, platform: library }}>
                    <bdi>{name}</bdi>
                  </Link>
                  <span className="quiet">
                    {adPlatformInWords[library]}, {countWithNoun(ads, 'ad')}
                  </span>
                </li>
              ))}
            </ul>
          </Panel>
        )
      }}
    </Loaded>
  )
}

interface Advertiser {
  platform: PaidAd['platform']
  id: string
  name: string
  ads: number
}

function advertisersOf(ads: readonly PaidAd[]): Advertiser[] {
  const found = new Map<string, Advertiser>()
  for (const { platform, advertiser } of ads) {
    const name = advertiser.name.state === 'measured' ? advertiser.name.value : 'Unknown advertiser'
    const id = advertiser.advertiserId ?? name
    const one = found.get(`${platform} ${id}`) ?? { platform, id, name, ads: 0 }
    found.set(`${platform} ${id}`, { ...one, ads: one.ads + 1 })
  }
  return [...found.values()].sort((a, b) => b.ads - a.ads || a.name.localeCompare(b.name))
}
