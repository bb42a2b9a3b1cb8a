import { useMemo } from 'react'
import { Fact, RankChangeValue } from '../../../evidence/Fact.tsx'
import { compact, count, decimal } from '../../../evidence/format.ts'
import type { Country, Evidence } from '../../../evidence/shapes.ts'
import { roleInWords } from '../../../evidence/words.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Badge } from '../../../ui/parts.tsx'
import type { SearchResult } from '../shapes.ts'

const matchInWords: Record<SearchResult['nameMatch'], string> = {
  exact: 'Exact',
  phrase: 'Phrase',
  'all-words': 'All words',
  'some-words': 'Some words',
  none: 'None',
}

/** The newest result page in its order. */
export function ResultPage({
  results,
  country,
  evidence,
  name,
}: {
  results: readonly SearchResult[]
  country: Country
  evidence: readonly Evidence[]
  /** Name of the CSV file. */
  name: string
}) {
  const columns = useMemo(() => columnsOf(country, evidence), [country, evidence])
  return (
    <DataTable
      label="Results in order"
      rows={results}
      rowId={({ app }) => app.storeId}
      columns={columns}
      height={720}
      file={name}
      empty={null}
    />
  )
}

function columnsOf(country: Country, evidence: readonly Evidence[]): readonly Column<SearchResult>[] {
  return [
    {
      id: 'position',
      name: 'Place',
      width: 64,
      align: 'end',
      value: ({ position }) => position,
      cell: ({ position }) => count(position),
    },
    {
      id: 'app',
      name: 'App',
      width: 230,
      value: ({ app }) => app.name ?? app.storeId,
      cell: ({ app }) => <AppLink app={app} country={country} />,
    },
    {
      id: 'role',
      name: 'Role',
      width: 88,
      value: ({ role }) => role && roleInWords[role],
      cell: ({ role }) => role && <Badge tone={role === 'own' ? 'accent' : 'warn'}>{roleInWords[role]}</Badge>,
    },
    {
      id: 'change',
      name: 'Change',
      width: 84,
      align: 'end',
      value: ({ change }) => (change.state === 'measured' ? change.places : null),
      csv: ({ change }) => (change.state === 'measured' ? change.places : change.state),
      cell: ({ change }) => <RankChangeValue change={change} />,
    },
    {
      id: 'match',
      name: 'Name holds it',
      width: 110,
      csv: ({ nameMatch }) => matchInWords[nameMatch],
      cell: ({ nameMatch }) => (
        <span className={nameMatch === 'none' ? 'quiet' : ''}>{matchInWords[nameMatch]}</span>
      ),
    },
    {
      id: 'rating',
      name: 'Rating',
      width: 84,
      align: 'end',
      descendingFirst: true,
      value: ({ rating }) => (rating.state === 'measured' ? rating.value : null),
      cell: ({ rating }) => <Fact fact={rating} evidence={evidence} format={decimal} absent="no ratings" />,
    },
    {
      id: 'ratings',
      name: 'Ratings',
      width: 90,
      align: 'end',
      descendingFirst: true,
      value: ({ ratingCount }) => (ratingCount.state === 'measured' ? ratingCount.value : null),
      cell: ({ ratingCount }) => <Fact fact={ratingCount} evidence={evidence} format={compact} />,
    },
  ]
}
