import { useMemo } from 'react'
import { Fact, Measured, RankChangeValue } from '../../../evidence/Fact.tsx'
import { compactNumber, count, dayText, decimal } from '../../../evidence/format.ts'
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

const changeInWords = { entered: 'new', left: 'out', absent: 'not ranked', 'not-measured': 'no data' } as const

/** The newest result page in its order. */
export function ResultPage({
  results,
  country,
  evidence,
  before,
  marked,
  name,
}: {
  results: readonly SearchResult[]
  country: Country
  evidence: readonly Evidence[]
  /** Day of the page that this one is compared with. */
  before: string | undefined
  /** Store id of the app that the address is about. */
  marked: string | undefined
  /** Name of the CSV file. */
  name: string
}) {
  const columns = useMemo(() => columnsOf(country, evidence, before), [country, evidence, before])
  return (
    <DataTable
      label="Search results"
      rows={results}
      rowId={({ app }) => app.storeId}
      columns={columns}
      height={720}
      marked={marked}
      file={name}
      empty={null}
    />
  )
}

/** The day of the page that the results are compared with; undefined where there is none before. */
export const comparedDay = (results: readonly SearchResult[]): string | undefined =>
  results.flatMap(({ change }) => ('comparedOn' in change ? [change.comparedOn] : []))[0]

function columnsOf(
  country: Country,
  evidence: readonly Evidence[],
  before: string | undefined,
): readonly Column<SearchResult>[] {
  return [
    {
      id: 'position',
      name: 'Rank',
      width: 56,
      align: 'end',
      value: ({ position }) => position,
      cell: ({ position }) => <Measured evidence={evidence[0]}>{count(position)}</Measured>,
    },
    {
      id: 'app',
      name: 'App',
      width: 168,
      value: ({ app }) => app.name ?? app.storeId,
      cell: ({ app }) => <AppLink app={app} country={country} />,
    },
    {
      id: 'role',
      name: 'Role',
      width: 84,
      value: ({ role }) => role && roleInWords[role],
      cell: ({ role }) => role && <Badge tone={role === 'own' ? 'accent' : 'warn'}>{roleInWords[role]}</Badge>,
    },
    {
      id: 'change',
      name: before ? `Change since ${dayText(before)}` : 'Change',
      heading: before ? `Since ${dayText(before)}` : 'Change',
      width: 96,
      align: 'end',
      value: ({ change }) => (change.state === 'measured' ? change.places : null),
      csv: ({ change }) => (change.state === 'measured' ? change.places : changeInWords[change.state]),
      cell: ({ change }) => <RankChangeValue change={change} />,
    },
    {
      id: 'match',
      name: 'Keyword in name',
      heading: 'In name',
      width: 104,
      csv: ({ nameMatch }) => matchInWords[nameMatch],
      cell: ({ nameMatch }) => (
        <span className={nameMatch === 'none' ? 'quiet' : ''}>{matchInWords[nameMatch]}</span>
      ),
    },
    {
      id: 'rating',
      name: 'Rating',
      width: 72,
      align: 'end',
      descendingFirst: true,
      value: ({ rating }) => (rating.state === 'measured' ? rating.value : null),
      cell: ({ rating }) => <Fact fact={rating} evidence={evidence} format={decimal} absent="no ratings" />,
    },
    {
      id: 'ratings',
      name: 'Ratings (count)',
      heading: 'Ratings',
      width: 80,
      align: 'end',
      descendingFirst: true,
      value: ({ ratingCount }) => (ratingCount.state === 'measured' ? ratingCount.value : null),
      cell: ({ ratingCount }) => <Fact fact={ratingCount} evidence={evidence} format={compactNumber} />,
    },
  ]
}
