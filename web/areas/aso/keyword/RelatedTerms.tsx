import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ScoreValue } from '../../../evidence/Fact.tsx'
import { countWithNoun, timeAgo } from '../../../evidence/format.ts'
import type { Country, Score100 } from '../../../evidence/shapes.ts'
import { neverSuggestedText, reasonInWords } from '../../../evidence/words.ts'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Empty, Panel } from '../../../ui/parts.tsx'
import { Reasons } from '../Reasons.tsx'
import type { Exploration } from '../shapes.ts'

type Related = Exploration['related'][number]

/** Keywords near this one, each a way to its own page. */
export function RelatedTerms({
  related,
  basis,
  country,
  name,
}: {
  related: readonly Related[]
  basis: Exploration['relatedBasis']
  country: Country
  /** Name of the CSV file. */
  name: string
}) {
  const columns = useMemo(() => columnsOf(country), [country])
  return (
    <Panel
      title="Related keywords"
      note={
        basis.state === 'not-measured'
          ? undefined
          : `Compared with the search results of ${countWithNoun(basis.pages, 'other keyword')}`
      }
      flush
    >
      <DataTable
        label="Related keywords"
        rows={related}
        rowId={({ term }) => term}
        columns={columns}
        file={name}
        empty={
          <Empty title={basis.state === 'absent' ? 'No related keywords found' : 'No data yet'}>
            {basis.state === 'not-measured' && reasonInWords[basis.reason]}
          </Empty>
        }
      />
    </Panel>
  )
}

function columnsOf(country: Country): readonly Column<Related>[] {
  return [
    {
      id: 'term',
      name: 'Keyword',
      width: 190,
      value: ({ term }) => term,
      cell: ({ term }) => (
        <Link to="/aso/keywords/$term" params={{ term }} search={{ country }} preload={false}>
          <bdi>{term}</bdi>
        </Link>
      ),
    },
    scoreColumn('strength', 'Similarity', ({ strength }) => strength),
    {
      id: 'reasons',
      name: 'Reason',
      width: 340,
      csv: ({ reasons }) => reasons.map(({ text }) => text).join(' '),
      cell: ({ reasons }) => <Reasons reasons={reasons} />,
    },
    scoreColumn('difficulty', 'Difficulty', ({ difficulty }) => difficulty),
    scoreColumn('autocomplete', 'Autocomplete', ({ autocomplete }) => autocomplete, neverSuggestedText),
    {
      id: 'observed',
      name: 'Updated',
      width: 110,
      align: 'end',
      value: ({ observedAt }) => observedAt,
      cell: ({ observedAt }) => <span className="quiet">{observedAt ? timeAgo(observedAt) : 'never'}</span>,
    },
  ]
}

function scoreColumn(
  id: string,
  name: string,
  scoreOf: (related: Related) => Score100,
  none?: string,
): Column<Related> {
  return {
    id,
    name,
    width: 104,
    align: 'end',
    descendingFirst: true,
    value: (row) => {
      const score = scoreOf(row)
      return score.state === 'estimated' ? score.value : null
    },
    cell: (row) => <ScoreValue score={scoreOf(row)} name={name} none={none} />,
  }
}
