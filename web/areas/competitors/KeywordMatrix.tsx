import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Subject, subjectKey } from '../../evidence/compared.ts'
import { NotMeasured, RankChangeValue, RankValue, ScoreValue } from '../../evidence/Fact.tsx'
import { count, countryName, countWithNoun, spanText } from '../../evidence/format.ts'
import { reasonInShort } from '../../evidence/words.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Empty, Figure, Figures, Filters, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { parseTableSort, tableSortText } from '../../ui/table-column.ts'
import { type KeywordMatrix, keywordMatrix, type MatrixRow } from './compare.ts'
import { matrixFilters } from './compare-search.ts'

const filterInWords = { all: 'All keywords', some: 'Some apps rank', every: 'All apps rank' } as const

/** Keywords by apps: rank and change of each, from the same result pages, and visibilities over all of these keywords. */
export function Keywords({
  subjects,
  nameOf,
}: {
  subjects: readonly Subject[]
  /** Of a subject, for the heading of its column. */
  nameOf: (at: number) => string
}) {
  const query = useQuery(keywordMatrix(subjects))
  return (
    <Loaded
      query={query}
      skeleton={
        <div className="stack">
          <Skeleton height={84} />
          <Skeleton height={640} />
        </div>
      }
    >
      {(matrix) => (
        <>
          {matrix.total > 0 && <Visibilities matrix={matrix} nameOf={nameOf} />}
          <Matrix matrix={matrix} nameOf={nameOf} />
        </>
      )}
    </Loaded>
  )
}

/** Visibilities beside each other. Those of different storefronts are over different pages, and say so. */
function Visibilities({
  matrix: { subjects },
  nameOf,
}: {
  matrix: KeywordMatrix
  nameOf: (at: number) => string
}) {
  const sets = new Set(subjects.flatMap(({ visibility }) => visibility.termSet ?? []))
  return (
    <Panel
      title="Visibility"
      note={
        sets.size > 1
          ? 'Each storefront has its own keywords: compare scores within one storefront.'
          : 'Based on the keywords below, the same for all apps.'
      }
      flush
    >
      <Figures>
        {subjects.map((subject, at) => {
          const { share, measured, keywords, oldestPageAt, newestPageAt } = subject.visibility
          return (
            <Figure
              key={subjectKey(subject)}
              name={nameOf(at)}
              note={
                <>
                  {count(measured)} of {countWithNoun(keywords, 'keyword')} with data
                  {oldestPageAt && newestPageAt && `, ${spanText(oldestPageAt, newestPageAt)}`}
                  {sets.size > 1 && `, ${countryName(subject.country)} only`}
                </>
              }
            >
              {share.state === 'estimated' ? (
                <ScoreValue score={share} name="Visibility" />
              ) : (
                <NotMeasured reason={share.reason} />
              )}
            </Figure>
          )
        })}
      </Figures>
    </Panel>
  )
}

function Matrix({ matrix, nameOf }: { matrix: KeywordMatrix; nameOf: (at: number) => string }) {
  const { q, show, sort } = useSearch({ from: '/apps/compare' })
  const navigate = useNavigate({ from: '/apps/compare' })
  const change = (changed: {
    q?: string | undefined
    show?: (typeof matrixFilters)[number] | undefined
    sort?: string | undefined
  }) =>
    void navigate({
      search: (before) => compactSearch({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    })
  const columns = useMemo(() => columnsOf(matrix, nameOf), [matrix, nameOf])
  const typed = q?.toLocaleLowerCase() ?? ''
  const rows = matrix.items.filter(
    (row) => (show === undefined || standingOf(row) === show) && row.term.toLocaleLowerCase().includes(typed),
  )
  const left = matrix.total - matrix.items.length
  return (
    <Panel
      title="Keywords"
      note={`Keywords tracked for one of these apps, or with one in the collected search results. Ranks from the ${matrix.surface}, with the change over 30 days.${left > 0 ? ` Shown: ${count(matrix.items.length)} of ${count(matrix.total)}, those for which most of these apps rank.` : ''}`}
      flush
    >
      {matrix.items.length > 0 && (
        <div style={{ padding: 'var(--space-3) var(--space-4)' }}>
          <Filters label="Keyword filters">
            <SearchField
              label="Filter keywords"
              placeholder="Filter…"
              value={q ?? ''}
              onChange={(text) => change({ q: text || undefined })}
            />
            <Segments
              label="Ranked apps"
              labelHidden
              segments={(['all', ...matrixFilters] as const).map((id) => ({
                id,
                name: filterInWords[id],
                note: count(
                  id === 'all'
                    ? matrix.items.length
                    : matrix.items.filter((row) => standingOf(row) === id).length,
                ),
              }))}
              value={show ?? 'all'}
              onChange={(id) => change({ show: id === 'all' ? undefined : id })}
            />
          </Filters>
        </div>
      )}
      <DataTable
        label="Keywords by apps"
        file="keywords-by-apps"
        rows={rows}
        rowId={({ term }) => term}
        columns={columns}
        sort={parseTableSort(sort)}
        onSort={(next) => change({ sort: next && tableSortText(next) })}
        pinned
        empty={
          matrix.items.length > 0 ? (
            <Empty title="No keywords match this filter" />
          ) : (
            <Empty title="No search results with these apps yet">
              Track one of them, add keywords and refresh them. One search covers all apps.
            </Empty>
          )
        }
      />
    </Panel>
  )
}

const isRanked = ({ rank }: MatrixRow['cells'][number]) => rank.state === 'measured'

/** Undefined where no app ranks. */
const standingOf = ({ cells }: MatrixRow): (typeof matrixFilters)[number] | undefined =>
  cells.every(isRanked) ? 'every' : cells.some(isRanked) ? 'some' : undefined

/** A name without what most apps say behind it: `Ledger Bobbin` of `Ledger Bobbin: Budget Planner, US`, with its storefront. */
function shortName(name: string): string {
  const [short = name] = name.split(/\s*[:–—|]\s|\s-\s/)
  const storefront = /, [A-Z]{2}$/.exec(name)?.[0] ?? ''
  return `${[...short.replace(/, [A-Z]{2}$/, '')].slice(0, 18).join('')}${storefront}`
}

const rankText = (rank: MatrixRow['cells'][number]['rank']): string | number =>
  rank.state === 'measured'
    ? rank.value
    : rank.state === 'absent'
      ? `not in top ${rank.depth}`
      : `no data (${reasonInShort[rank.reason]})`

function changeText(change: MatrixRow['cells'][number]['over30Days']): string | number {
  if (change.state === 'measured') return change.places
  if (change.state === 'left') return `out (was ${change.from})`
  if (change.state === 'not-measured') return `no data (${reasonInShort[change.reason]})`
  return change.state === 'entered' ? 'new' : 'not ranked'
}

function columnsOf({ subjects }: KeywordMatrix, nameOf: (at: number) => string): Column<MatrixRow>[] {
  const [{ country } = { country: undefined }] = subjects
  return [
    {
      id: 'term',
      name: 'Keyword',
      width: 170,
      value: ({ term }) => term,
      cell: ({ term }) => (
        <Link
          to="/aso/keywords/$term"
          params={{ term }}
          search={country ? { country } : {}}
          className="cut fits"
        >
          <bdi>{term}</bdi>
        </Link>
      ),
    },
    ...subjects.flatMap((subject, at): Column<MatrixRow>[] => [
      {
        id: `app${at + 1}`,
        name: nameOf(at),
        heading: <bdi title={nameOf(at)}>{shortName(nameOf(at))}</bdi>,
        align: 'end',
        width: 150,
        value: ({ cells }) => {
          const rank = cells[at]?.rank
          return rank?.state === 'measured' ? rank.value : null
        },
        csv: ({ cells }) => {
          const rank = cells[at]?.rank
          return rank ? rankText(rank) : null
        },
        cell: ({ cells, pages }) => {
          const cell = cells[at]
          if (!cell) return null
          return (
            <span className="line to-end">
              <RankValue rank={cell.rank} evidence={pages[subject.country]} />
              {cell.rank.state !== 'not-measured' && <RankChangeValue change={cell.over30Days} />}
            </span>
          )
        },
      },
      {
        id: `change${at + 1}`,
        name: `${nameOf(at)}, 30-day change`,
        fileOnly: true,
        cell: () => null,
        csv: ({ cells }) => {
          const moved = cells[at]?.over30Days
          return moved ? changeText(moved) : null
        },
      },
    ]),
  ]
}
