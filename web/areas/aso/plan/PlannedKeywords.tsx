import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { PlanCoverage, PlannedKeyword, Standing } from '../../../api/listing-drafts.ts'
import type { ReplyOf } from '../../../api/operations.ts'
import { RankValue, ScoreValue } from '../../../evidence/Fact.tsx'
import { count } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Badge, Empty, Panel } from '../../../ui/parts.tsx'
import { fieldInWords } from './listing-text.ts'

type Tracked = ReplyOf<'get_aso_workstation'>['keywords'][number]

interface Row {
  keyword: PlannedKeyword
  tracked: Tracked | undefined
}

/** Which tracked keywords the plan covers, and what they were before. */
export function PlannedKeywords({
  appId,
  country,
  coverage: { keywords, counts, against },
  tracked,
}: {
  appId: string
  country: Country
  coverage: PlanCoverage
  /** Their ranks and opportunity. */
  tracked: readonly Tracked[]
}) {
  const rows = useMemo(() => {
    const byTerm = new Map(tracked.map((keyword) => [keyword.term, keyword]))
    return keywords.map((keyword): Row => ({ keyword, tracked: byTerm.get(keyword.term) }))
  }, [keywords, tracked])
  const other = against ? against.name : 'Current listing'
  const columns = useMemo(() => columnsOf(country, other), [country, other])
  return (
    <Panel
      title="Tracked keywords in this draft"
      note={
        counts.total > 0 && (
          <>
            {count(coveredOf(counts.after))} of {count(counts.total)} covered; {count(coveredOf(counts.before))}{' '}
            in <bdi>{against ? against.name : 'the current listing'}</bdi>. Lost and won first.
          </>
        )
      }
      flush
    >
      <DataTable
        label="Tracked keywords in this draft"
        rows={rows}
        rowId={({ keyword }) => keyword.term}
        columns={columns}
        file="planned-keywords"
        pinned
        minWidth={900}
        of={counts.total > rows.length ? count(counts.total) : undefined}
        empty={
          <Empty
            title="No keywords yet"
            action={
              <LinkButton to="/aso/$appId" params={{ appId }} search={{ country }}>
                Add keywords
              </LinkButton>
            }
          >
            Add keywords to see which of them the draft covers.
          </Empty>
        }
      />
    </Panel>
  )
}

/** How many keywords have all their words in one localization. */
export const coveredOf = (counts: Readonly<Record<Standing, number>>): number =>
  counts['one-field'] + counts['across-fields'] + counts.likely

const columnsOf = (country: Country, other: string): readonly Column<Row>[] => [
  {
    id: 'term',
    name: 'Keyword',
    width: 170,
    value: ({ keyword }) => keyword.term,
    cell: ({ keyword: { term } }) => (
      <Link to="/aso/keywords/$term" params={{ term }} search={{ country }}>
        <bdi>{term}</bdi>
      </Link>
    ),
  },
  {
    id: 'change',
    name: 'Change',
    width: 100,
    value: ({ keyword }) => keyword.change,
    cell: ({ keyword: { change } }) =>
      change === 'unchanged' ? (
        <span className="quiet">unchanged</span>
      ) : (
        <Badge tone={changeTones[change]}>{change}</Badge>
      ),
  },
  {
    id: 'before',
    name: other,
    width: 130,
    value: ({ keyword }) => standingInWords[keyword.before],
    cell: ({ keyword }) => <span className="quiet">{standingInWords[keyword.before]}</span>,
  },
  {
    id: 'after',
    name: 'This draft',
    width: 120,
    value: ({ keyword }) => standingInWords[keyword.standing],
    cell: ({ keyword }) => (
      <Badge tone={standingTones[keyword.standing]}>{standingInWords[keyword.standing]}</Badge>
    ),
  },
  {
    id: 'where',
    name: 'Found in',
    width: 190,
    value: ({ keyword }) => whereIn(keyword),
    cell: ({ keyword }) => (
      <span className="cut">{whereIn(keyword) || <span className="quiet">none</span>}</span>
    ),
  },
  {
    id: 'missing',
    name: 'Missing words',
    width: 170,
    value: ({ keyword }) => keyword.missing.join(' '),
    cell: ({ keyword: { missing } }) =>
      missing.length > 0 ? <bdi>{missing.join(', ')}</bdi> : <span className="quiet">none</span>,
  },
  {
    id: 'rank',
    name: 'Rank',
    width: 104,
    align: 'end',
    value: ({ tracked }) => (tracked?.rank.state === 'measured' ? tracked.rank.value : null),
    cell: ({ tracked }) =>
      tracked && <RankValue rank={tracked.rank} observedAt={tracked.observedAt} surface={tracked.surface} />,
  },
  {
    id: 'opportunity',
    name: 'Opportunity',
    width: 110,
    align: 'end',
    descendingFirst: true,
    value: ({ tracked }) => (tracked?.opportunity.state === 'estimated' ? tracked.opportunity.value : null),
    cell: ({ tracked }) => tracked && <ScoreValue score={tracked.opportunity} name="Opportunity" />,
  },
]

/** The localizations that hold it whole, with their fields. */
const whereIn = ({ in: held }: PlannedKeyword) =>
  held
    .filter(({ how }) => how !== 'some-words')
    .map(({ localization, fields }) => `${localization} ${fields.map((one) => fieldInWords[one]).join(' + ')}`)
    .join(', ')

const standingInWords: Record<Standing, string> = {
  'one-field': 'one field',
  'across-fields': 'across fields',
  likely: 'likely',
  split: 'split',
  uncovered: 'uncovered',
}
const standingTones = {
  'one-field': 'good',
  'across-fields': 'good',
  likely: 'accent',
  split: 'warn',
  uncovered: 'plain',
} as const
const changeTones = { lost: 'bad', won: 'good', weaker: 'warn', stronger: 'accent' } as const
