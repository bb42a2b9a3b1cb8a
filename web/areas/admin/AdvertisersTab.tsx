import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { adPlatforms, allPlatforms, isAsked } from '../../../src/vocabulary/ad-platforms.ts'
import { capitalised } from '../../../src/vocabulary/suppliers.ts'
import { type ReplyOf, read } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { Absent, Measured } from '../../evidence/Fact.tsx'
import { count, countryName, dayText, timeAgo } from '../../evidence/format.ts'
import { watchesOfAdvertiser } from '../../evidence/watch-choices.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { WatchThis } from '../../ui/WatchThis.tsx'
import styles from './admin.module.css'
import { textOf } from './import-query.ts'
import { NeedsScope } from './NeedsScope.tsx'

type KnownAdvertisers = ReplyOf<'admin_search_paid_ad_advertisers'>
type Advertiser = KnownAdvertisers['items'][number]
type Lookup = KnownAdvertisers['lookups'][number]

/** Advertisers whose ads are stored and, when a name is searched, those that the libraries know. */
export function AdvertisersTab() {
  const mayWrite = useHasScope('content:write')
  return mayWrite ? <Advertisers /> : <NeedsScope />
}

function Advertisers() {
  const { q, platform } = useSearch({ from: '/admin/' })
  const navigate = useNavigate({ from: '/admin/' })
  const country = useCountry()
  const columns = useMemo(() => columnsOf(country), [country])
  const [draft, setDraft] = useState({ over: q, text: q ?? '' })
  // Back, forward and links change the address by themselves: what was typed over another one is no draft of this one.
  const typed = draft.over === q ? draft.text : (q ?? '')
  const query = useQuery(
    read('admin_search_paid_ad_advertisers', {
      limit: 100,
      ...(q ? { q } : {}),
      ...(platform ? { platform } : {}),
    }),
  )
  return (
    <>
      <form
        className={styles.search}
        onSubmit={(event) => {
          event.preventDefault()
          void navigate({ search: (old) => compactSearch({ ...old, q: typed.trim() || undefined }) })
        }}
      >
        <SearchField
          label="Advertiser"
          labelHidden={false}
          placeholder="Name or ID"
          value={typed}
          onChange={(text) => setDraft({ over: q, text })}
          onClear={() => void navigate({ search: (old) => compactSearch({ ...old, q: undefined }) })}
        />
        <FilterSelect
          label="Library"
          any={capitalised(allPlatforms)}
          values={adPlatforms}
          words={adPlatformInWords}
          value={platform}
          onChange={(value) => void navigate({ search: (old) => compactSearch({ ...old, platform: value }) })}
        />
        <Button type="submit" look="primary" isPending={query.isFetching}>
          Search
        </Button>
      </form>
      <Loaded query={query} skeleton={<Skeleton height={420} />}>
        {({ items, lookups, restrictions }) => (
          <Panel
            title="Advertisers"
            note={
              q
                ? 'From collected ads and a live search of the ad libraries. The search results are not saved.'
                : 'Advertisers with collected ads. Search by name to include the ad libraries.'
            }
            flush
          >
            <Lookups lookups={lookups} />
            <Restrictions restrictions={restrictions} />
            <DataTable
              label="Advertisers found"
              rows={items}
              rowId={(one) => `${one.platform} ${one.kind} ${one.advertiserId}`}
              columns={columns}
              file="advertisers"
              minWidth={1000}
              empty={
                <Empty title="No advertisers found">
                  Try another part of the name, or the ID shown by the ad library.
                </Empty>
              }
            />
          </Panel>
        )}
      </Loaded>
    </>
  )
}

const outcomeInWords: Record<Lookup['outcome'], string> = {
  answered: 'searched',
  'not-configured': 'not set up',
  'cannot-be-asked': 'no advertiser search',
  failed: 'failed',
  'timed-out': 'timed out',
  throttled: 'rate-limited',
}

const Lookups = ({ lookups }: { lookups: readonly Lookup[] }) =>
  lookups.length === 0 ? null : (
    <ul className="stack gap-1 pad-2-4 rule-below">
      {lookups.map(({ platform, outcome, found, message }) => (
        <li key={platform} className="row stretch rows-1">
          <Badge tone={outcome === 'answered' ? 'good' : outcome === 'cannot-be-asked' ? 'plain' : 'warn'}>
            {adPlatformInWords[platform]}: {outcomeInWords[outcome]}
            {found !== null && `, ${count(found)} found`}
          </Badge>
          {message && <span className="quiet">{message}</span>}
        </li>
      ))}
    </ul>
  )

/** `advertising removed` of `ACTION_ADVERTISING_REMOVED`, as a library writes it. */
const actionInWords = (action: string): string =>
  action
    .replace(/^ACTION_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()

/** What a library did to advertisers lately, as it tells it. */
const Restrictions = ({ restrictions }: { restrictions: KnownAdvertisers['restrictions'] }) =>
  restrictions.length === 0 ? null : (
    <ul className="stack gap-1 pad-2-4 rule-below small" aria-label="Restrictions">
      {restrictions.map((one) => (
        <li key={`${one.platform} ${one.action} ${one.actedOn} ${one.details}`}>
          {adPlatformInWords[one.platform]}, {dayText(one.actedOn)}: {actionInWords(one.action)}{' '}
          <bdi>{[one.reason, one.basis, one.details].filter(Boolean).join(', ')}</bdi>{' '}
          <span className="quiet">
            {one.advertiserId ? <code>{one.advertiserId}</code> : 'Advertiser not disclosed.'}
          </span>
        </li>
      ))}
    </ul>
  )

const columnsOf = (country: ReturnType<typeof useCountry>): readonly Column<Advertiser>[] => [
  {
    id: 'name',
    name: 'Advertiser',
    value: ({ name }) => name,
    cell: ({ kind, name, advertiserId }) => (
      <>
        <bdi title={advertiserId}>{name}</bdi>
        {kind === 'app' && <span className="quiet"> app</span>}
      </>
    ),
  },
  {
    id: 'library',
    name: 'Library',
    width: 76,
    value: ({ platform }) => adPlatformInWords[platform],
    cell: ({ platform }) => adPlatformInWords[platform],
  },
  {
    id: 'id',
    name: 'ID',
    width: 130,
    csv: ({ advertiserId }) => advertiserId,
    cell: ({ advertiserId }) => <code>{advertiserId}</code>,
  },
  {
    id: 'found',
    name: 'Found in',
    width: 150,
    csv: ({ foundIn }) => foundIn.join(' '),
    cell: ({ foundIn, country: at }) => (
      <span title={at ? countryName(at) : undefined}>
        {foundIn.map((where) => (where === 'stored' ? 'collected ads' : 'ad library')).join(', ')}
      </span>
    ),
  },
  {
    id: 'ads',
    name: 'Ads',
    width: 96,
    align: 'end',
    descendingFirst: true,
    value: ({ storedAds }) => storedAds,
    cell: ({ storedAds, evidence, newestObservationAt }) => (
      <Measured
        evidence={evidence[0]}
        note={newestObservationAt ? `Last seen ${timeAgo(newestObservationAt)}.` : undefined}
      >
        {count(storedAds)}
      </Measured>
    ),
  },
  {
    id: 'apps',
    name: 'Linked apps',
    width: 190,
    csv: ({ linkedApps }) => linkedApps.map(({ storeId }) => storeId).join(' '),
    cell: ({ linkedApps }) => {
      const [first] = linkedApps
      if (!first) return <Absent>none</Absent>
      return (
        <span className="line gap-3 fits">
          <AppLink app={first} country={first.namedIn ?? country} size={20} />
          {linkedApps.length > 1 && <span className="quiet">+{count(linkedApps.length - 1)}</span>}
        </span>
      )
    },
  },
  {
    id: 'actions',
    name: 'Actions',
    width: 200,
    cell: ({ platform, kind, name, advertiserId }) => (
      <span className="line gap-3 fits">
        {isAsked(platform) && (
          <Link
            to="/admin/import"
            search={compactSearch({
              platform,
              ...(kind === 'app' ? { apps: advertiserId } : { advertisers: textOf([advertiserId]) }),
            })}
          >
            Import
          </Link>
        )}
        {kind === 'advertiser' && (
          <Link to="/admin/links" search={{ platform, advertiser: advertiserId }}>
            Link
          </Link>
        )}
        {kind === 'advertiser' && (
          <WatchThis
            small
            subject={name ?? advertiserId}
            choices={watchesOfAdvertiser(platform, advertiserId)}
          />
        )}
      </span>
    ),
  },
]
