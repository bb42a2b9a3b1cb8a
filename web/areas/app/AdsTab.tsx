import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import {
  adPlatforms,
  askedLibraryRow,
  askedPlatforms,
  placementLabel,
  searchSubjectsOf,
} from '../../../src/vocabulary/ad-platforms.ts'
import type { ReplyOf } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { Fact, Measured, NotMeasured } from '../../evidence/Fact.tsx'
import {
  count,
  countryName,
  countWithNoun,
  dayText,
  momentText,
  timeAgo,
  totalOf,
} from '../../evidence/format.ts'
import type { PaidAd } from '../../evidence/shapes.ts'
import {
  adFormatInWords,
  adFormats,
  adPlatformInWords,
  adSortInWords,
  publisherInWords,
} from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { Select } from '../../ui/fields.tsx'
import { Search } from '../../ui/icons.ts'
import { Badge, Empty, Filters, Loaded, MorePages, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { useAdImport } from '../creatives/use-ad-import.ts'
import { useAppOfPage } from './app-of-page.ts'
import { activeInWords, appAdSorts } from './choices.ts'
import { adsQueryOf } from './tab-reads.ts'

type Coverage = ReplyOf<'search_paid_ads'>['coverage']

/** Paid ads linked to the app, and what the ad libraries cannot show. */
export function AdsTab() {
  const { storeId } = useAppOfPage()
  const { platform, format, active, sort } = useSearch({ from: '/apps/$storeId/ads' })
  const navigate = useNavigate({ from: '/apps/$storeId/ads' })
  const ads = useInfiniteQuery(adsQueryOf(storeId, { platform, format, active, sort }))
  const isFiltered = platform !== undefined || format !== undefined || active !== undefined
  return (
    <>
      <Filters>
        <FilterSelect
          label="Ad library"
          any="All ad libraries"
          values={adPlatforms}
          words={adPlatformInWords}
          value={platform}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, platform: value }) })
          }
        />
        <FilterSelect
          label="Format"
          any="All formats"
          values={adFormats}
          words={adFormatInWords}
          value={format}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, format: value }) })
          }
        />
        <FilterSelect
          label="Status"
          any="Active or inactive"
          values={['yes', 'no']}
          words={activeInWords}
          value={active}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, active: value }) })
          }
        />
        <Select
          label="Sort by"
          value={sort ?? 'recent'}
          options={appAdSorts.map((id) => ({ id, name: adSortInWords[id] }))}
          onChange={(id) => void navigate({ search: (search) => ({ ...search, sort: id }) })}
        />
      </Filters>
      <AskStore />
      <Loaded query={ads} skeleton={<Waiting />}>
        {({ pages }) => {
          const [first] = pages
          const items = pages.flatMap((page) => page.items)
          return (
            <>
              <Panel title="Paid ads" note={first && `${totalOf(first.total, 'ad')} linked to this app`} flush>
                <DataTable
                  label="Paid ads linked to this app"
                  rows={items}
                  rowId={({ platform: of, archiveId }) => `${of}/${archiveId}`}
                  columns={columns}
                  minWidth={1110}
                  file={`ads-of-${storeId}`}
                  onOpen={({ platform: of, archiveId }) =>
                    void navigate({
                      to: '/creatives/ads/$platform/$archiveId',
                      params: { platform: of, archiveId },
                    })
                  }
                  empty={isFiltered ? <NoneFits /> : <NoneStored />}
                />
                <MorePages query={ads} shown={items.length} />
              </Panel>
              {first && <CoveragePart coverage={first.coverage} />}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

/** The libraries that know apps and need no credential: one press asks them for the ads of this one. */
const askable = askedPlatforms.filter(
  (platform) => searchSubjectsOf(platform).includes('apps') && askedLibraryRow(platform).variables.length === 0,
)

function AskStore() {
  const { storeId } = useAppOfPage()
  const mayWrite = useHasScope('content:write')
  const { run, ask, isPending } = useAdImport()
  if (!mayWrite) return null
  const note = run?.coverage.notes.find(({ code }) => code === 'absent')
  return (
    <div className="stack gap-2">
      {askable.map((platform) => (
        <div key={platform} className="row gap-3">
          <Button
            look="primary"
            icon={<Search size={14} aria-hidden="true" />}
            isPending={isPending || isUnderWay(run)}
            onPress={() => ask({ platform, apps: [storeId] })}
          >
            Import App Store ads
          </Button>
          <span className="quiet small">{costOf(platform)}</span>
        </div>
      ))}
      {run && (
        <div role="status">
          <WorkProgress work={run} name="App Store ads" />
          {!isUnderWay(run) && (
            <p className="small">
              {`${countWithNoun(run.counts.stored, 'new ad')}, ${count(run.counts.updated)} updated, ${countWithNoun(run.upstream?.requests ?? 0, 'request')}.`}{' '}
              {note?.message}
            </p>
          )}
        </div>
      )}
    </div>
  )
}

/** What asking for an app costs, where all its countries are asked for. */
function costOf(platform: (typeof askable)[number]): string {
  const { library, countries, countriesTogether = 1 } = askedLibraryRow(platform)
  const codes = countries?.codes.length ?? 0
  return `${library}, ${codes} countries: at least ${countWithNoun(Math.ceil(codes / countriesTogether), 'request')}. No credentials needed.`
}

/** The first text that the ad shows: of its newest creative, the body before the title. */
function firstText({ creatives }: PaidAd): string | undefined {
  for (const { body, title, description } of creatives)
    for (const fact of [body, title, description]) if (fact.state === 'measured') return fact.value
  return undefined
}

const transcriptInWords = {
  'not-requested': 'Not requested',
  'under-way': 'In progress',
  available: 'Available',
  'no-speech': 'No speech',
  unavailable: 'Unavailable',
  failed: 'Failed',
} as const satisfies Record<PaidAd['transcriptState'], string>

const columns: readonly Column<PaidAd>[] = [
  {
    id: 'advertiser',
    name: 'Advertiser',
    width: 150,
    cell: ({ advertiser, evidence }) => (
      <Fact fact={advertiser.name} evidence={evidence} format={(name) => <bdi>{name}</bdi>} />
    ),
    csv: ({ advertiser }) => (advertiser.name.state === 'measured' ? advertiser.name.value : null),
  },
  {
    id: 'text',
    name: 'Text',
    cell: (ad) => {
      const text = firstText(ad)
      return (
        <Link to="/creatives/ads/$platform/$archiveId" params={ad} title={text}>
          <bdi>{text ?? `Ad ${ad.archiveId}`}</bdi>
        </Link>
      )
    },
    csv: (ad) => firstText(ad) ?? null,
  },
  {
    id: 'platform',
    name: 'Ad library',
    width: 90,
    cell: ({ platform }) => adPlatformInWords[platform],
    csv: ({ platform }) => adPlatformInWords[platform],
  },
  {
    id: 'placement',
    name: 'Placements',
    width: 130,
    cell: ({ placements, publisherPlatforms, evidence }) =>
      placements.state === 'measured' ? (
        <Fact
          fact={placements}
          evidence={evidence}
          format={(codes) => <span title={codes.join(', ')}>{codes.map(placementLabel).join(', ')}</span>}
        />
      ) : (
        <Fact
          fact={publisherPlatforms}
          evidence={evidence}
          format={(codes) => codes.map((code) => publisherInWords[code]).join(', ')}
        />
      ),
    csv: ({ placements, publisherPlatforms }) =>
      placements.state === 'measured'
        ? placements.value.map(placementLabel).join(', ')
        : publisherPlatforms.state === 'measured'
          ? publisherPlatforms.value.map((code) => publisherInWords[code]).join(', ')
          : null,
  },
  {
    id: 'format',
    name: 'Format',
    width: 80,
    cell: ({ format, evidence }) => (
      <Fact fact={format} evidence={evidence} format={(value) => adFormatInWords[value]} />
    ),
    csv: ({ format }) => (format.state === 'measured' ? adFormatInWords[format.value] : null),
  },
  {
    id: 'started',
    name: 'Started',
    width: 96,
    cell: ({ deliveryStartedOn, evidence }) => (
      <Fact fact={deliveryStartedOn} evidence={evidence} format={dayText} />
    ),
    csv: ({ deliveryStartedOn }) => (deliveryStartedOn.state === 'measured' ? deliveryStartedOn.value : null),
  },
  {
    id: 'days',
    name: 'Run time (days)',
    width: 116,
    align: 'end',
    cell: ({ daysRunning }) =>
      daysRunning.state === 'measured' ? (
        <Measured
          formula={daysRunning.formula}
          note={
            daysRunning.relation === 'exact'
              ? 'From the first to the last day of delivery, inclusive.'
              : 'Run time up to when it was last seen; it may have run longer.'
          }
        >
          {daysRunning.relation === 'exact' ? '' : 'at least '}
          {count(daysRunning.value)}
        </Measured>
      ) : (
        <NotMeasured reason={daysRunning.reason} />
      ),
    csv: ({ daysRunning }) => (daysRunning.state === 'measured' ? daysRunning.value : null),
  },
  {
    id: 'active',
    name: 'Status',
    width: 90,
    cell: ({ active, evidence }) => (
      <Fact
        fact={active}
        evidence={evidence}
        format={(runs) => <Badge tone={runs ? 'good' : 'plain'}>{activeInWords[runs ? 'yes' : 'no']}</Badge>}
      />
    ),
    csv: ({ active }) => (active.state === 'measured' ? activeInWords[active.value ? 'yes' : 'no'] : null),
  },
  {
    id: 'countries',
    name: 'Countries',
    width: 105,
    cell: ({ countries, evidence }) => (
      <Fact
        fact={countries}
        evidence={evidence}
        format={(codes) => (
          <span title={codes.map(countryName).join(', ')}>
            {codes.slice(0, 3).join(', ').toUpperCase()}
            {codes.length > 3 && ` + ${codes.length - 3}`}
          </span>
        )}
      />
    ),
    csv: ({ countries }) =>
      countries.state === 'measured' ? countries.value.map(countryName).join(', ') : null,
  },
  {
    id: 'transcript',
    name: 'Transcript',
    width: 110,
    cell: ({ transcriptState }) => transcriptInWords[transcriptState],
    csv: ({ transcriptState }) => transcriptInWords[transcriptState],
  },
]

const NoneFits = () => <Empty title="No ads match these filters">Remove a filter to see more.</Empty>

function NoneStored() {
  const mayImport = useHasScope('content:write')
  return (
    <Empty
      title="No ads linked to this app yet"
      action={mayImport && <LinkButton to="/admin">Import ads</LinkButton>}
    >
      This does not mean that the app runs no ads. Import its App Store ads above, or an advertiser’s ads from
      another ad library in Admin.
    </Empty>
  )
}

function CoveragePart({ coverage }: { coverage: Coverage }) {
  return (
    <Panel
      title="Coverage limits"
      note="No ad library shows every ad: an empty list does not mean that the app runs no ads."
    >
      <details>
        <summary className="accent small medium">By ad library</summary>
        <div className="tiles spread gap-5 rows-4 small" style={customProperties({ '--tile': '320px' })}>
          {coverage.map(({ platform, newestObservationAt, notes }) => (
            <section key={platform}>
              <h3>{adPlatformInWords[platform]}</h3>
              <p className="quiet">
                {newestObservationAt === null
                  ? 'No ads collected yet.'
                  : `Last updated ${timeAgo(newestObservationAt)}.`}
              </p>
              <ul className="dashes stack gap-1" style={{ paddingTop: 'var(--space-2)' }}>
                {notes.map(({ code, message, since }) => (
                  <li key={`${code} ${message}`}>
                    {message} {since && <span className="quiet">Since {momentText(since)}.</span>}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </details>
    </Panel>
  )
}

const Waiting = () => (
  <div className="stack">
    <Skeleton height={360} />
    <Skeleton height={200} />
  </div>
)
