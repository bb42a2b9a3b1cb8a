import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ReplyOf } from '../../../api/operations.ts'
import { RankValue, ScoreValue } from '../../../evidence/Fact.tsx'
import { count } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { LinkButton } from '../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Badge, Empty, Panel } from '../../../ui/parts.tsx'
import { type ListingTexts, type TermCoverage, termCoverageOf } from './listing-text.ts'

type Keyword = ReplyOf<'get_aso_workstation'>['keywords'][number]

interface Row {
  keyword: Keyword
  before: TermCoverage
  after: TermCoverage
}

/** Which tracked keywords the texts hold, as the listing is stored and as it is written here. */
export function KeywordCoverage({
  appId,
  country,
  keywords,
  stored,
  texts,
  language,
}: {
  appId: string
  country: Country
  keywords: readonly Keyword[]
  stored: ListingTexts
  texts: ListingTexts
  language: string | null
}) {
  const rows = useMemo(
    () =>
      keywords.map(
        (keyword): Row => ({
          keyword,
          before: termCoverageOf(keyword.term, stored, language),
          after: termCoverageOf(keyword.term, texts, language),
        }),
      ),
    [keywords, stored, texts, language],
  )
  const columns = useMemo(() => columnsOf(country), [country])
  const covered = (side: 'before' | 'after') => rows.filter((row) => row[side].state !== 'missing').length
  return (
    <Panel
      title="Tracked keywords in these texts"
      note={
        rows.length > 0 &&
        `${count(covered('after'))} of ${count(rows.length)} have all their words in the texts above; ${count(covered('before'))} in what is known of the stored listing`
      }
      flush
    >
      <DataTable
        label="Tracked keywords in these texts"
        rows={rows}
        rowId={({ keyword }) => keyword.keywordId}
        columns={columns}
        file="covered-keywords"
        minWidth={860}
        empty={
          <Empty
            title="No keywords yet"
            action={
              <LinkButton to="/aso/$appId" params={{ appId }} search={{ country }}>
                Add keywords
              </LinkButton>
            }
          >
            Keywords that the app is tracked for are compared with the texts.
          </Empty>
        }
      />
    </Panel>
  )
}

const columnsOf = (country: Country): readonly Column<Row>[] => [
  {
    id: 'term',
    name: 'Keyword',
    value: ({ keyword }) => keyword.term,
    cell: ({ keyword: { term } }) => (
      <Link to="/aso/keywords/$term" params={{ term }} search={{ country }}>
        <bdi>{term}</bdi>
      </Link>
    ),
  },
  {
    id: 'before',
    name: 'Stored, as known',
    width: 130,
    value: ({ before }) => stateInWords[before.state],
    cell: ({ before }) => <CoverageBadge coverage={before} />,
  },
  {
    id: 'after',
    name: 'These texts',
    width: 130,
    value: ({ after }) => stateInWords[after.state],
    cell: ({ after }) => <CoverageBadge coverage={after} />,
  },
  {
    id: 'missing',
    name: 'Missing words',
    width: 190,
    value: ({ after }) => after.missing.join(' '),
    cell: ({ after }) =>
      after.missing.length > 0 ? <bdi>{after.missing.join(', ')}</bdi> : <span className="quiet">none</span>,
  },
  {
    id: 'rank',
    name: 'Rank',
    width: 96,
    align: 'end',
    value: ({ keyword: { rank } }) => (rank.state === 'measured' ? rank.value : null),
    cell: ({ keyword: { rank, observedAt, surface } }) => (
      <RankValue rank={rank} observedAt={observedAt} surface={surface} />
    ),
  },
  {
    id: 'opportunity',
    name: 'Opportunity',
    width: 116,
    align: 'end',
    descendingFirst: true,
    value: ({ keyword: { opportunity } }) => (opportunity.state === 'estimated' ? opportunity.value : null),
    cell: ({ keyword: { opportunity } }) => <ScoreValue score={opportunity} name="Opportunity" />,
  },
]

const stateInWords: Record<TermCoverage['state'], string> = {
  together: 'in one text',
  combined: 'across texts',
  missing: 'words missing',
}

const tones = { together: 'good', combined: 'accent', missing: 'plain' } as const

const CoverageBadge = ({ coverage: { state } }: { coverage: TermCoverage }) => (
  <Badge tone={tones[state]}>{stateInWords[state]}</Badge>
)
