import { Link } from '@tanstack/react-router'
import { memo, useMemo } from 'react'
import { OtherTools, otherToolsText } from '../../charts/OtherTools.tsx'
import { Sparkline } from '../../charts/Sparkline.tsx'
import { Absent, Measured, NotMeasured, RankChangeValue, RankValue, ScoreValue } from '../../evidence/Fact.tsx'
import { count, dayText, timeAgo } from '../../evidence/format.ts'
import { OtherSurfaces } from '../../evidence/Surface.tsx'
import type { AppLabel, Country, RankChange, Score100 } from '../../evidence/shapes.ts'
import { neverSuggestedText, reasonInShort } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Empty } from '../../ui/parts.tsx'
import type { TableSort } from '../../ui/table-column.ts'
import type { CompactRank, WorkstationKeyword } from './shapes.ts'
import { Tags } from './Tags.tsx'
import { type Tag, tagInWords } from './tags.ts'

export interface KeywordRow {
  keyword: WorkstationKeyword
  tags: readonly Tag[]
}

/** The keywords of a tracked app: up to 2,000 rows. */
export function KeywordTable({
  rows,
  country,
  apps,
  days,
  name,
  sort,
  onSort,
  onOpen,
  selected,
  onSelect,
}: {
  rows: readonly KeywordRow[]
  country: Country
  /** Labels of the apps that rank above, by store id. */
  apps: ReadonlyMap<string, AppLabel>
  /** Days that the courses cover. */
  days: number
  /** Name of the CSV file. */
  name: string
  sort: TableSort | undefined
  onSort: (sort: TableSort | undefined) => void
  onOpen: (row: KeywordRow) => void
  selected: ReadonlySet<string>
  onSelect?: ((ids: Set<string>) => void) | undefined
}) {
  const hasOthers = useMemo(() => rows.some(({ keyword }) => keyword.otherTools.length > 0), [rows])
  const isElsewhere = useMemo(() => rows.some(({ keyword }) => keyword.otherSurfaces.length > 0), [rows])
  const columns = useMemo(
    () => columnsOf(country, apps, days, hasOthers, isElsewhere),
    [country, apps, days, hasOthers, isElsewhere],
  )
  return (
    <DataTable
      label="Keyword table"
      rows={rows}
      rowId={idOf}
      columns={columns}
      sort={sort}
      onSort={onSort}
      onOpen={onOpen}
      {...(onSelect ? { selected, onSelect } : {})}
      pinned
      choosable="keywords"
      file={name}
      empty={<Empty title="No keywords match these filters" />}
    />
  )
}

const idOf = ({ keyword }: KeywordRow): string => keyword.keywordId

function columnsOf(
  country: Country,
  apps: ReadonlyMap<string, AppLabel>,
  days: number,
  hasOthers: boolean,
  isElsewhere: boolean,
): readonly Column<KeywordRow>[] {
  return [
    {
      id: 'term',
      name: 'Keyword',
      width: 160,
      value: ({ keyword }) => keyword.term,
      cell: ({ keyword }) => (
        <Link to="/aso/keywords/$term" params={{ term: keyword.term }} search={{ country }} preload={false}>
          <bdi>{keyword.term}</bdi>
        </Link>
      ),
    },
    {
      id: 'rank',
      name: 'Rank',
      width: 94,
      align: 'end',
      value: ({ keyword: { rank } }) => (rank.state === 'measured' ? rank.value : null),
      csv: ({ keyword: { rank } }) =>
        rank.state === 'measured'
          ? rank.value
          : rank.state === 'absent'
            ? `not in top ${rank.depth}`
            : `no data (${reasonInShort[rank.reason]})`,
      cell: ({ keyword: { rank, observedAt, surface } }) => (
        <RankValue rank={rank} observedAt={observedAt} surface={surface} />
      ),
    },
    changeColumn('over1Day', '1 day', '1 d'),
    changeColumn('over7Days', '7 days', '7 d'),
    changeColumn('over30Days', '30 days', '30 d'),
    {
      id: 'best',
      name: 'Best rank',
      heading: 'Best',
      width: 64,
      hiddenAtFirst: true,
      align: 'end',
      value: ({ keyword: { best } }) => (best.state === 'measured' ? best.value : null),
      cell: ({ keyword: { best } }) => <Best best={best} />,
    },
    {
      id: 'course',
      name: `Rank over ${days} days`,
      heading: 'Rank over time',
      width: 112,
      hiddenAtFirst: hasOthers,
      csv: ({ keyword: { series } }) => series.map((rank) => rank ?? '').join(' '),
      cell: ({ keyword: { term, series } }) => <Course term={term} series={series} days={days} />,
    },
    ...(isElsewhere ? [otherSurfaces] : []),
    ...(hasOthers ? [otherTools] : []),
    scoreColumn('difficulty', 'Difficulty'),
    scoreColumn('opportunity', 'Opportunity', true),
    scoreColumn('autocomplete', 'Autocomplete', true),
    { ...scoreColumn('relevance', 'Relevance', true), hiddenAtFirst: true },
    {
      id: 'tags',
      name: 'Tags',
      width: 150,
      csv: ({ tags }) => tags.map((tag) => tagInWords[tag].name).join(', '),
      cell: ({ tags, keyword }) => <Tags has={tags} own={keyword.tags} note={keyword.note} />,
    },
    {
      id: 'own-tags',
      name: 'Custom tags',
      width: 120,
      fileOnly: true,
      value: ({ keyword }) => keyword.tags.join(', '),
      cell: ({ keyword }) => keyword.tags.join(', '),
    },
    {
      id: 'note',
      name: 'Note',
      width: 200,
      hiddenAtFirst: true,
      value: ({ keyword }) => keyword.note,
      cell: ({ keyword: { note } }) =>
        note && (
          <Measured note={note}>
            <bdi>{note}</bdi>
          </Measured>
        ),
    },
    {
      id: 'above',
      name: 'Apps ranked above',
      heading: 'Ranked above',
      width: 108,
      hiddenAtFirst: hasOthers,
      csv: ({ keyword: { above } }) =>
        above.map(({ storeId, position }) => `${position} ${nameOf(apps, storeId)}`).join('; '),
      cell: ({ keyword: { above } }) => <Above above={above} apps={apps} />,
    },
    {
      id: 'observed',
      name: 'Updated',
      width: 120,
      hiddenAtFirst: true,
      align: 'end',
      value: ({ keyword }) => keyword.observedAt,
      cell: ({ keyword: { observedAt, surface } }) =>
        observedAt ? (
          <Measured observedAt={observedAt} note={surface}>
            {timeAgo(observedAt)}
          </Measured>
        ) : (
          <span className="quiet">never</span>
        ),
    },
  ]
}

/** Only where another surface has a page. */
const otherSurfaces: Column<KeywordRow> = {
  id: 'elsewhere',
  name: 'Ranks in other sources',
  heading: 'Other sources',
  width: 160,
  hiddenAtFirst: true,
  csv: ({ keyword }) => keyword.otherSurfaces.map(({ text }) => text).join('; '),
  cell: ({ keyword }) => <OtherSurfaces here={keyword.rank} ranks={keyword.otherSurfaces} />,
}

/** Only where a file told anything: ranks of other tools, apart from our own. */
const otherTools: Column<KeywordRow> = {
  id: 'told',
  name: 'Ranks from other tools',
  heading: 'Other tools',
  width: 240,
  csv: ({ keyword }) => otherToolsText(keyword.otherTools),
  cell: ({ keyword: { term, otherTools: told } }) => <OtherTools term={term} told={told} />,
}

function changeColumn(
  id: 'over1Day' | 'over7Days' | 'over30Days',
  days: string,
  heading: string,
): Column<KeywordRow> {
  return {
    id,
    name: `Change over ${days}`,
    heading,
    width: 58,
    align: 'end',
    descendingFirst: true,
    hiddenAtFirst: id !== 'over7Days',
    value: ({ keyword }) => placesOf(keyword[id]),
    csv: ({ keyword }) => changeText(keyword[id]),
    cell: ({ keyword }) => <Change change={keyword[id]} />,
  }
}

/** A change in a narrow cell: absent then and now needs no more than its sign. */
function Change({ change }: { change: RankChange }) {
  if (change.state !== 'absent') return <RankChangeValue change={change} />
  return (
    <Absent>
      <span className="hidden">not ranked</span>
    </Absent>
  )
}

/** Places that a keyword coming in or going out counts for in the order: more than any move. */
const wholePage = 1_000

function placesOf(change: RankChange): number | null {
  if (change.state === 'measured') return change.places
  if (change.state === 'entered') return wholePage
  return change.state === 'left' ? -wholePage : null
}

function changeText(change: RankChange): string | number {
  switch (change.state) {
    case 'measured':
      return change.places
    case 'entered':
      return 'new'
    case 'left':
      return `out (was ${change.from})`
    case 'absent':
      return 'not ranked'
    case 'not-measured':
      return `no data (${reasonInShort[change.reason]})`
  }
}

function scoreColumn(
  id: 'difficulty' | 'opportunity' | 'autocomplete' | 'relevance',
  name: string,
  descendingFirst = false,
): Column<KeywordRow> {
  const numberOf = (score: Score100) => (score.state === 'estimated' ? score.value : null)
  return {
    id,
    name,
    width: { difficulty: 84, opportunity: 104, autocomplete: 98, relevance: 90 }[id],
    align: 'end',
    descendingFirst,
    value: ({ keyword }) => numberOf(keyword[id]),
    csv: ({ keyword }) => numberOf(keyword[id]) ?? 'no data',
    cell: ({ keyword }) => (
      <ScoreValue
        score={keyword[id]}
        name={name}
        none={id === 'autocomplete' ? neverSuggestedText : undefined}
      />
    ),
  }
}

function Best({ best }: { best: WorkstationKeyword['best'] }) {
  if (best.state === 'not-measured') return <NotMeasured reason={best.reason} short />
  if (best.state === 'absent')
    return (
      <Absent depth={best.depth}>
        <span className="hidden">never ranked</span>
      </Absent>
    )
  return <Measured note={`First reached on ${dayText(best.on)}.`}>{count(best.value)}</Measured>
}

const pointOf = (rank: CompactRank): number | 'absent' | undefined =>
  rank === null ? undefined : typeof rank === 'number' ? rank : 'absent'

const Course = memo(
  ({ term, series, days }: { term: string; series: readonly CompactRank[]; days: number }) => (
    <Sparkline inverted width={84} values={series.map(pointOf)} label={`Rank for ${term} over ${days} days`} />
  ),
)

const nameOf = (apps: ReadonlyMap<string, AppLabel>, storeId: string): string =>
  apps.get(storeId)?.name ?? `App ${storeId}`

/** The others are told on hover and focus. */
const iconsShown = 3

function Above({ above, apps }: { above: WorkstationKeyword['above']; apps: ReadonlyMap<string, AppLabel> }) {
  if (above.length === 0) return <span className="quiet">none known</span>
  return (
    <Measured
      note={
        <>
          <strong>Ranked above</strong>
          <ul>
            {above.map(({ storeId, position }) => (
              <li key={storeId}>
                {count(position)} <bdi>{nameOf(apps, storeId)}</bdi>
              </li>
            ))}
          </ul>
        </>
      }
    >
      <span className="line stretch" style={{ gap: 3, verticalAlign: 'middle' }}>
        {above.slice(0, iconsShown).map(({ storeId }) => (
          <AppIcon key={storeId} url={apps.get(storeId)?.iconUrl} name={nameOf(apps, storeId)} size={20} />
        ))}
        <span className="hidden">
          {above.map(({ storeId, position }) => `${position} ${nameOf(apps, storeId)}`).join(', ')}
        </span>
        {above.length > iconsShown && <span className="quiet">+{above.length - iconsShown}</span>}
      </span>
    </Measured>
  )
}
