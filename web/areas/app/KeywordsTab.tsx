import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ReplyOf, read } from '../../api/operations.ts'
import { OtherTools, otherToolsText } from '../../charts/OtherTools.tsx'
import { Sparkline } from '../../charts/Sparkline.tsx'
import { Absent, Measured, NotMeasured, RankChangeValue, RankValue, ScoreValue } from '../../evidence/Fact.tsx'
import {
  count,
  countWithNoun,
  dayText,
  momentText,
  percentText,
  spanText,
  timeAgo,
} from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SearchField } from '../../ui/fields.tsx'
import {
  Badge,
  Empty,
  Figure,
  Figures,
  Filters,
  Loaded,
  Panel,
  Skeleton,
  SourceIssues,
} from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { parseTableSort, tableSortText } from '../../ui/table-column.ts'
import { useAppOfPage } from './app-of-page.ts'
import { keywordStandings } from './choices.ts'

type CompetitorAso = ReplyOf<'get_competitor_aso'>
type Keyword = CompetitorAso['keywords']['items'][number]

const standingInWords = { ranked: 'Ranked', absent: 'Not ranked', 'not-measured': 'Not collected yet' } as const
const standingOf = ({ rank }: Keyword) => (rank.state === 'measured' ? 'ranked' : rank.state)

/** The keywords that matter to the app, with its ranks where they were searched. */
export function KeywordsTab() {
  const { storeId, country } = useAppOfPage()
  const query = useQuery(read('get_competitor_aso', { storeId, country }))
  return (
    <Loaded
      query={query}
      skeleton={
        <div className="stack">
          <Skeleton height={78} />
          <Skeleton height={560} />
        </div>
      }
    >
      {(reply) => <Keywords reply={reply} country={country} storeId={storeId} />}
    </Loaded>
  )
}

function Keywords({ reply, country, storeId }: { reply: CompetitorAso; country: Country; storeId: string }) {
  const { q, standing, sort } = useSearch({ from: '/apps/$storeId/keywords' })
  const navigate = useNavigate({ from: '/apps/$storeId/keywords' })
  const change = (changed: {
    q?: string | undefined
    standing?: (typeof keywordStandings)[number] | undefined
    sort?: string | undefined
  }) => void navigate({ search: (before) => compactSearch({ ...before, ...changed }), replace: true })
  const { items } = reply.keywords
  const text = q?.toLocaleLowerCase() ?? ''
  const rows = items.filter(
    (keyword) =>
      (standing === undefined || standingOf(keyword) === standing) &&
      keyword.term.toLocaleLowerCase().includes(text),
  )
  const columns = useMemo(
    () => [
      ...columnsIn(country),
      ...(items.some(({ otherTools }) => otherTools.length > 0) ? [toldColumn] : []),
    ],
    [country, items],
  )
  return (
    <>
      <SourceIssues trouble={reply.trouble} />
      <VisibilityFigures reply={reply} />
      <Panel
        title="Keywords"
        note="Tracked keywords, keywords in the listing, and keywords whose collected search results include the app."
        flush
      >
        {items.length > 0 && (
          <div style={{ padding: 'var(--space-3) var(--space-4)' }}>
            <Filters>
              <SearchField
                label="Filter keywords"
                placeholder="Filter…"
                value={q ?? ''}
                onChange={(typed) => change({ q: typed || undefined })}
              />
              <Segments
                label="Rank"
                labelHidden
                segments={[
                  { id: 'all', name: 'All', note: count(items.length) },
                  ...keywordStandings.map((id) => ({
                    id,
                    name: standingInWords[id],
                    note: count(items.filter((keyword) => standingOf(keyword) === id).length),
                  })),
                ]}
                value={standing ?? 'all'}
                onChange={(id) => change({ standing: id === 'all' ? undefined : id })}
              />
            </Filters>
          </div>
        )}
        <DataTable
          label="Keywords"
          file={`keywords-${storeId}-${country}`}
          rows={rows}
          rowId={({ term }) => term}
          columns={columns}
          sort={parseTableSort(sort)}
          onSort={(next) => change({ sort: next && tableSortText(next) })}
          onOpen={({ term }) =>
            void navigate({ to: '/aso/keywords/$term', params: { term }, search: { country } })
          }
          empty={
            items.length > 0 ? (
              <Empty title="No keywords match this filter" />
            ) : (
              <Empty title="No keywords for this app in this storefront yet">
                Track the app and add keywords to collect its ranks.
              </Empty>
            )
          }
        />
      </Panel>
      {items.some((keyword) => standingOf(keyword) === 'not-measured') && (
        <p className="quiet">
          To collect missing ranks, track this app, add the keywords in <Link to="/aso">Keywords</Link> and
          refresh. One refresh covers the app and its competitors.
        </p>
      )}
    </>
  )
}

function VisibilityFigures({ reply: { visibility, keywords } }: { reply: CompetitorAso }) {
  const { share: value, measured, coverage, oldestPageAt, newestPageAt } = visibility
  return (
    <Figures>
      <Figure
        name="Visibility"
        note={
          coverage === null
            ? 'no keywords'
            : `${count(measured)} of ${countWithNoun(visibility.keywords, 'keyword')} collected (${percentText(coverage)})`
        }
      >
        {value.state === 'estimated' ? (
          <ScoreValue score={value} name="Visibility" />
        ) : (
          <NotMeasured reason={value.reason} />
        )}
      </Figure>
      <Figure name="Keywords ranked" note={`of ${count(keywords.total)}`}>
        {count(keywords.ranked)}
      </Figure>
      <Figure
        name="Search results updated"
        note={oldestPageAt && oldestPageAt !== newestPageAt ? `oldest ${timeAgo(oldestPageAt)}` : undefined}
      >
        {newestPageAt ? (
          <Measured note={`Latest search results: ${momentText(newestPageAt)}.`}>
            {timeAgo(newestPageAt)}
          </Measured>
        ) : (
          <NotMeasured reason="never-collected" />
        )}
      </Figure>
    </Figures>
  )
}

/** Only where a file told anything: ranks of other tools, apart from our own. */
const toldColumn: Column<Keyword> = {
  id: 'told',
  name: 'Other tools',
  width: 270,
  csv: ({ otherTools }) => otherToolsText(otherTools),
  cell: ({ term, otherTools }) => <OtherTools term={term} told={otherTools} />,
}

const columnsIn = (country: Country): Column<Keyword>[] => [
  {
    id: 'term',
    name: 'Keyword',
    value: ({ term }) => term,
    cell: ({ term, tracked }) => (
      <span className="row">
        <Link to="/aso/keywords/$term" params={{ term }} search={{ country }}>
          <bdi>{term}</bdi>
        </Link>
        {tracked && <Badge tone="accent">tracked</Badge>}
      </span>
    ),
  },
  {
    id: 'rank',
    name: 'Rank',
    align: 'end',
    width: 116,
    value: ({ rank }) => (rank.state === 'measured' ? rank.value : null),
    csv: ({ rank }) =>
      rank.state === 'measured' ? rank.value : rank.state === 'absent' ? `not in top ${rank.depth}` : null,
    cell: ({ rank, page }) => <RankValue rank={rank} evidence={page ?? undefined} />,
  },
  {
    id: 'change',
    name: 'Rank change, 30 days',
    heading: '30 days',
    align: 'end',
    width: 88,
    descendingFirst: true,
    value: ({ over30Days }) => (over30Days.state === 'measured' ? over30Days.places : null),
    csv: ({ over30Days }) =>
      over30Days.state === 'measured'
        ? over30Days.places
        : over30Days.state === 'not-measured'
          ? null
          : { absent: 'not ranked', entered: 'new', left: 'out' }[over30Days.state],
    cell: ({ over30Days }) => <RankChangeValue change={over30Days} />,
  },
  {
    id: 'best',
    name: 'Best rank',
    align: 'end',
    width: 108,
    value: ({ best }) => (best.state === 'measured' ? best.value : null),
    cell: ({ best }) => <BestValue best={best} />,
  },
  {
    id: 'difficulty',
    name: 'Difficulty',
    align: 'end',
    width: 112,
    value: ({ difficulty }) => (difficulty.state === 'estimated' ? difficulty.value : null),
    cell: ({ difficulty }) => <ScoreValue score={difficulty} name="Difficulty" />,
  },
  {
    id: 'listedIn',
    name: 'Found in',
    width: 190,
    csv: ({ listedIn }) => listedIn.join(' '),
    cell: ({ listedIn }) =>
      listedIn.length > 0 ? (
        <span className="row">
          {listedIn.map((field) => (
            <Badge key={field}>{field}</Badge>
          ))}
        </span>
      ) : (
        <Absent>not in listing</Absent>
      ),
  },
  {
    id: 'course',
    name: 'Rank over time',
    width: 124,
    cell: ({ term, history }) =>
      history.length > 1 ? (
        <Sparkline
          inverted
          label={`Ranks for ${term}, ${spanText(history[0]?.date ?? '', history.at(-1)?.date ?? '')}`}
          values={history.map(({ rank }) =>
            rank.state === 'measured' ? rank.value : rank.state === 'absent' ? 'absent' : undefined,
          )}
        />
      ) : (
        <NotMeasured reason={history.length === 0 ? 'never-collected' : 'too-little-evidence'} short />
      ),
  },
]

function BestValue({ best }: { best: Keyword['best'] }) {
  if (best.state === 'not-measured') return <NotMeasured reason={best.reason} />
  if (best.state === 'absent') return <Absent depth={best.depth}>never</Absent>
  return <Measured note={`Best on ${dayText(best.on)}.`}>{count(best.value)}</Measured>
}
