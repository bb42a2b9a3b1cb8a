import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { readPages } from '../../api/operations.ts'
import { fileName } from '../../charts/LineChart.tsx'
import { count, timeAgo } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { comparedRivalsOf } from '../../evidence/tracked.ts'
import { customProperties } from '../../ui/css.ts'
import { Select } from '../../ui/fields.tsx'
import { Filters, Loaded, MorePages, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { AsoPage } from './AsoHeader.tsx'
import styles from './aso.module.css'
import { GapPicture } from './gap/GapPicture.tsx'
import { GapTable } from './gap/GapTable.tsx'
import {
  defaultSort,
  type GapCounts,
  type GapSearch,
  type GapStanding,
  gapArguments,
  gapSorts,
  type KeywordGap,
  sortInWords,
  standingInWords,
} from './gap/gap.ts'

const from = '/aso/$appId/gap/$rivalStoreId'

/** Where a tracked app and a rival stand on the same result pages: as a picture and as a table. */
export function GapPage() {
  const params = useParams({ from })
  const search = useSearch({ from })
  const query = useInfiniteQuery(readPages('get_aso_keyword_gap', gapArguments(params, search)))
  return (
    <AsoPage appId={params.appId} rivalStoreId={params.rivalStoreId}>
      {(tracked, apps) => (
        <>
          <Filters label="Competitor and filters">
            <RivalChoice
              rivals={comparedRivalsOf(tracked, apps)}
              rivalStoreId={params.rivalStoreId}
              rivalName={query.data?.pages[0]?.rival.name}
            />
            <GapFilters />
          </Filters>
          <Loaded query={query} skeleton={<GapSkeleton />}>
            {({ pages }) => {
              const [newest] = pages
              if (!newest) return null
              const keywords = pages.flatMap(({ items }) => items)
              const { own, rival, country, counts, trouble } = newest
              const [ownName, rivalName] = [own.name ?? own.storeId, rival.name ?? rival.storeId]
              return (
                <>
                  <SourceIssues trouble={trouble} />
                  <Counts counts={counts} />
                  <Panel
                    title={`${ownName} vs. ${rivalName}`}
                    note={<PictureNote gap={newest} shown={keywords.length} more={query.hasNextPage} />}
                    flush
                  >
                    <GapPicture keywords={keywords} own={ownName} rival={rivalName} country={country} />
                  </Panel>
                  <Panel title="Keywords" flush>
                    <GapTable
                      appId={params.appId}
                      country={country}
                      keywords={keywords}
                      file={fileName(`${ownName} ${rivalName} gap`)}
                    />
                    <MorePages query={query} shown={keywords.length} />
                  </Panel>
                </>
              )
            }}
          </Loaded>
        </>
      )}
    </AsoPage>
  )
}

/** The evidence behind the picture, and the keywords it leaves out. */
function PictureNote({ gap, shown, more }: { gap: KeywordGap; shown: number; more: boolean }) {
  const { pages, counts } = gap
  return (
    <>
      Latest search results of each keyword
      {pages.oldestAt && `, the oldest from ${timeAgo(pages.oldestAt)}`}. Keywords where either app ranks or
      that are tracked for this app, out of {count(pages.looked)} with search results.
      {more && ` The chart shows the first ${count(shown)}.`}
      {counts.neither + counts.notMeasured > 0 &&
        ` Only in the table: ${count(counts.neither)} where neither ranks, ${count(counts.notMeasured)} without data.`}
    </>
  )
}

type Ahead = NonNullable<GapSearch['ahead']>

/** The keywords of a tile: each has one. */
interface Part {
  name: string
  number: number
  standing?: GapStanding
  ahead?: Ahead
}

/** The number of keywords by standing, which add up to all; each number is a link to them. */
function Counts({ counts }: { counts: GapCounts }) {
  const { rivalOnly, bothRivalAhead, bothOwnAhead, ownOnly, neither, notMeasured } = counts
  const parts: readonly Part[] = [
    { name: standingInWords['rival-only'], number: rivalOnly, standing: 'rival-only' },
    { name: 'Competitor ahead', number: bothRivalAhead, standing: 'both', ahead: 'rival' },
    { name: 'This app ahead', number: bothOwnAhead, standing: 'both', ahead: 'own' },
    { name: standingInWords['own-only'], number: ownOnly, standing: 'own-only' },
    { name: standingInWords.neither, number: neither, standing: 'neither' },
    { name: standingInWords['not-measured'], number: notMeasured, standing: 'not-measured' },
  ]
  const all = parts.reduce((sum, { number }) => sum + number, 0)
  return (
    <nav
      className={`${styles.counts} picks tiles spread gap-2`}
      style={customProperties({ '--tile': '128px' })}
      aria-label="Who ranks"
    >
      <CountLink name="All" number={all} />
      {parts.map((part) => (
        <CountLink key={part.name} {...part} />
      ))}
    </nav>
  )
}

function CountLink({ name, number, standing, ahead }: Part) {
  const search = useSearch({ from })
  const isChosen = search.standing === standing && search.ahead === ahead
  return (
    <Link
      from={from}
      search={(old) => compactSearch({ ...old, standing, ahead })}
      activeOptions={{ exact: true }}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span className="quiet small">{name}</span>
      <strong className="large">{count(number)}</strong>
    </Link>
  )
}

const difficulties = [20, 40, 60, 80]
const aheadOptions: readonly { id: Ahead | 'any'; name: string }[] = [
  { id: 'any', name: 'Any' },
  { id: 'rival', name: 'Competitor' },
  { id: 'own', name: 'This app' },
]

function GapFilters() {
  const { ahead, maxDifficulty, sort } = useSearch({ from })
  const navigate = useNavigate({ from })
  const choose = (change: { [Name in keyof GapSearch]?: GapSearch[Name] | undefined }) =>
    void navigate({ search: (old) => compactSearch({ ...old, ...change }) })
  const steps = [...new Set([...difficulties, ...(maxDifficulty === undefined ? [] : [maxDifficulty])])]
  return (
    <>
      <Select
        label="Ahead"
        options={aheadOptions}
        value={ahead ?? 'any'}
        onChange={(value) => choose({ ahead: value === 'any' ? undefined : value })}
      />
      <Select
        label="Difficulty"
        options={[
          { id: 'any', name: 'Any' },
          ...steps.sort((a, b) => a - b).map((step) => ({ id: String(step), name: `Up to ${step}` })),
        ]}
        value={maxDifficulty === undefined ? 'any' : String(maxDifficulty)}
        onChange={(value) => choose({ maxDifficulty: value === 'any' ? undefined : Number(value) })}
      />
      <Select
        label="Sort by"
        options={gapSorts.map((id) => ({ id, name: sortInWords[id] }))}
        value={sort ?? defaultSort}
        onChange={(value) => choose({ sort: value === defaultSort ? undefined : value })}
      />
    </>
  )
}

/** Another rival of the same app, with the filters as they are. The one that is shown may be any app. */
function RivalChoice({
  rivals,
  rivalStoreId,
  rivalName,
}: {
  rivals: readonly TrackedAppSummary[]
  rivalStoreId: string
  rivalName: string | null | undefined
}) {
  const navigate = useNavigate({ from })
  const options = rivals.map(({ app }) => ({ id: app.storeId, name: app.name ?? app.storeId }))
  if (!options.some(({ id }) => id === rivalStoreId))
    options.unshift({ id: rivalStoreId, name: rivalName ?? rivalStoreId })
  return (
    <Select
      label="Competitor"
      options={options}
      value={rivalStoreId}
      onChange={(id) =>
        void navigate({ params: (old) => ({ ...old, rivalStoreId: id }), search: (old) => old })
      }
    />
  )
}

const GapSkeleton = () => (
  <div className="stack">
    <Skeleton height={64} />
    <Skeleton height={56} />
    <Skeleton height={560} />
    <Skeleton height={480} />
  </div>
)
