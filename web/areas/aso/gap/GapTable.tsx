import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { notify } from '../../../api/notices.ts'
import { call, invalidateReads, type Tool, useWrite } from '../../../api/operations.ts'
import { problemInWords } from '../../../api/problems.ts'
import { useHasScope } from '../../../api/session.ts'
import { Measured, NotMeasured, RankValue, ScoreValue } from '../../../evidence/Fact.tsx'
import { count, countWithNoun, timeAgo } from '../../../evidence/format.ts'
import type { Country, Rank, Score100 } from '../../../evidence/shapes.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Plus } from '../../../ui/icons.ts'
import { Badge, Empty } from '../../../ui/parts.tsx'
import { splitIntoBatches, termsPerCall } from '../pasted-terms.ts'
import { type GapKeyword, standingInWords } from './gap.ts'

/** The keywords in the order of the list; chosen ones are added to those of the tracked app. */
export function GapTable({
  appId,
  country,
  keywords,
  file,
}: {
  appId: string
  country: Country
  keywords: readonly GapKeyword[]
  file: string
}) {
  const mayWrite = useHasScope('content:write')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(() => columnsOf(country), [country])
  const chosen = keywords.filter(({ term, keywordId }) => selected.has(term) && keywordId === null)
  return (
    <>
      {mayWrite && selected.size > 0 && (
        <AddChosen
          appId={appId}
          terms={chosen.map(({ term }) => term)}
          selected={selected.size}
          onDone={(left) => setSelected(new Set(left))}
        />
      )}
      <DataTable
        label="Keyword gap"
        rows={keywords}
        rowId={({ term }) => term}
        columns={columns}
        file={file}
        minWidth={1060}
        {...(mayWrite ? { selected, onSelect: setSelected } : {})}
        empty={
          <Empty title="No keywords match these filters">
            Clear a filter, or refresh the keywords of the app.
          </Empty>
        }
      />
    </>
  )
}

const changed: readonly Tool[] = ['get_aso_keyword_gap', 'get_aso_workstation', 'list_aso_apps']

function AddChosen({
  appId,
  terms,
  selected,
  onDone,
}: {
  appId: string
  terms: readonly string[]
  selected: number
  /** Called with what is yet to be added: one call takes so many. */
  onDone: (left: readonly string[]) => void
}) {
  const add = useWrite('add_aso_keywords', { changes: changed })
  const [now = [], ...later] = splitIntoBatches(terms, termsPerCall)
  const queries = useQueryClient()
  const takeBack = async (keywordIds: readonly string[]) => {
    try {
      for (const keywordId of keywordIds) await call('remove_aso_keyword', { appId, keywordId })
    } catch (error) {
      notify({ kind: 'failed', ...problemInWords(error) })
    }
    await invalidateReads(queries, changed)
  }
  return (
    <div className="pad-2-4 rule-below selected row nowrap gap-3" role="status">
      <span>
        {count(selected)} selected
        {terms.length < selected && `, ${count(selected - terms.length)} already tracked`}
      </span>
      <Button
        small
        look="primary"
        icon={<Plus size={13} aria-hidden="true" />}
        isDisabled={terms.length === 0}
        isPending={add.isPending}
        onPress={() =>
          add.mutate(
            { appId, terms: now },
            {
              onSuccess: ({ added, refused }) => {
                onDone(later.flat())
                notify({
                  kind: 'done',
                  text: `${countWithNoun(added.length, 'keyword')} added${refused.length > 0 ? `, ${count(refused.length)} rejected: ${refused[0]?.message}` : ''}`,
                  undo: () => void takeBack(added.map(({ keyword }) => keyword.keywordId)),
                })
              },
            },
          )
        }
      >
        Add {countWithNoun(now.length, 'keyword')}
      </Button>
    </div>
  )
}

const sideInWords = { own: 'this app', rival: 'competitor' } as const

const columnsOf = (country: Country): readonly Column<GapKeyword>[] => [
  {
    id: 'term',
    name: 'Keyword',
    width: 140,
    csv: ({ term }) => term,
    cell: ({ term }) => (
      <Link to="/aso/keywords/$term" params={{ term }} search={{ country }}>
        <bdi>{term}</bdi>
      </Link>
    ),
  },
  {
    id: 'tracked',
    name: 'Tracked',
    width: 64,
    csv: ({ keywordId }) => (keywordId ? 'yes' : 'no'),
    cell: ({ keywordId }) => (keywordId ? <Badge>yes</Badge> : <span className="quiet">no</span>),
  },
  {
    id: 'standing',
    name: 'Who ranks',
    width: 112,
    csv: ({ standing }) => standingInWords[standing],
    cell: ({ standing }) => standingInWords[standing],
  },
  rankColumn('own', 'This app'),
  rankColumn('rival', 'Competitor'),
  {
    id: 'ahead',
    name: 'Ahead',
    width: 92,
    csv: ({ ahead }) => ahead && sideInWords[ahead],
    cell: ({ ahead }) =>
      ahead === null ? (
        <span className="quiet">neither</span>
      ) : (
        <Badge tone={ahead === 'own' ? 'accent' : 'warn'}>{sideInWords[ahead]}</Badge>
      ),
  },
  {
    id: 'distance',
    name: 'Rank difference',
    heading: 'Difference',
    width: 84,
    align: 'end',
    csv: ({ distance }) => distance,
    cell: ({ distance, ahead, standing }) =>
      distance !== null ? (
        <Measured
          note={`${ahead === 'own' ? 'This app' : 'The competitor'} ranks ${countWithNoun(distance, 'place')} higher in the same search results.`}
        >
          {count(distance)}
        </Measured>
      ) : standing === 'not-measured' ? (
        <NotMeasured reason="too-little-evidence" short />
      ) : (
        <span className="quiet">none</span>
      ),
  },
  scoreColumn('difficulty', 'Difficulty'),
  scoreColumn('opportunity', 'Opportunity'),
  scoreColumn('relevance', 'Relevance'),
  {
    id: 'observed',
    name: 'Updated',
    width: 90,
    csv: ({ observedAt }) => observedAt,
    cell: ({ observedAt }) =>
      observedAt ? (
        <time dateTime={observedAt}>{timeAgo(observedAt)}</time>
      ) : (
        <span className="quiet">never</span>
      ),
  },
]

const rankColumn = (side: 'own' | 'rival', name: string): Column<GapKeyword> => ({
  id: side,
  name: `Rank of ${side === 'own' ? 'this app' : 'the competitor'}`,
  heading: name,
  width: 112,
  align: 'end',
  csv: (keyword) => rankCell(keyword[side]),
  cell: (keyword) => (
    <RankValue rank={keyword[side]} observedAt={keyword.observedAt} surface={keyword.surface} />
  ),
})

const scoreColumn = (id: 'difficulty' | 'opportunity' | 'relevance', name: string): Column<GapKeyword> => ({
  id,
  name,
  width: { difficulty: 84, opportunity: 104, relevance: 92 }[id],
  align: 'end',
  csv: (keyword) => scoreCell(keyword[id]),
  cell: (keyword) => <ScoreValue score={keyword[id]} name={name} />,
})

const rankCell = (rank: Rank) =>
  rank.state === 'measured' ? rank.value : rank.state === 'absent' ? `not in top ${rank.depth}` : null
const scoreCell = (score: Score100) => (score.state === 'estimated' ? score.value : null)
