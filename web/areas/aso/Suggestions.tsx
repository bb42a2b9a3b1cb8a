import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { RankValue, ScoreValue } from '../../evidence/Fact.tsx'
import { count, countWithNoun, isolateDirection } from '../../evidence/format.ts'
import type { Score100 } from '../../evidence/shapes.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Plus } from '../../ui/icons.ts'
import { Empty, Panel } from '../../ui/parts.tsx'
import { keywordChanges } from './keyword-changes.ts'
import { Reasons } from './Reasons.tsx'
import type { Suggestion, Workstation } from './shapes.ts'

/** Keywords that the app does not have and might want, and names of rivals apart from them. */
export function Suggestions({ workstation }: { workstation: Workstation }) {
  const { tracked, suggestions, suggestedFrom, carriedByName, brandsOfRivals } = workstation
  const { appId, country } = tracked
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const canWrite = useHasScope('content:write')
  const add = useWrite('add_aso_keywords', {
    changes: keywordChanges,
    done: ({ added, refused }) =>
      refused[0]?.message ??
      (added.length === 1
        ? `“${isolateDirection(added[0]?.keyword.term ?? '')}” added`
        : `${count(added.length)} keywords added`),
  })
  const { mutate, isPending } = add
  const columns = useMemo(
    (): readonly Column<Suggestion>[] => [
      {
        id: 'term',
        name: 'Keyword',
        width: 180,
        value: ({ term }) => term,
        cell: ({ term }) => (
          <Link to="/aso/keywords/$term" params={{ term }} search={{ country }} preload={false}>
            <bdi>{term}</bdi>
          </Link>
        ),
      },
      {
        id: 'reasons',
        name: 'Reason',
        width: 300,
        csv: ({ reasons }) => reasons.map(({ text }) => text).join(' '),
        cell: ({ reasons }) => <Reasons reasons={reasons} />,
      },
      scoreColumn('relevance', 'Relevance', ({ relevance }) => relevance),
      scoreColumn('difficulty', 'Difficulty', ({ difficulty }) => difficulty),
      scoreColumn('opportunity', 'Opportunity', ({ opportunity }) => opportunity),
      {
        id: 'rank',
        name: 'Current rank',
        width: 110,
        align: 'end',
        value: ({ rank }) => (rank.state === 'measured' ? rank.value : null),
        cell: ({ rank, observedAt, surface }) => (
          <RankValue rank={rank} observedAt={observedAt} surface={surface} />
        ),
      },
      ...(canWrite
        ? [
            {
              id: 'add',
              name: 'Add',
              heading: <span className="hidden">Add</span>,
              width: 84,
              cell: ({ term }: Suggestion) => (
                <Button
                  small
                  icon={<Plus size={13} aria-hidden="true" />}
                  aria-label={`Add ${term}`}
                  isDisabled={isPending}
                  onPress={() => mutate({ appId, terms: [term] })}
                >
                  Add
                </Button>
              ),
            },
          ]
        : []),
    ],
    [country, canWrite, isPending, mutate, appId],
  )
  const chosen = suggestions.filter(({ term }) => selected.has(term)).map(({ term }) => term)
  return (
    <>
      <Panel
        title="Suggested keywords"
        note={
          suggestedFrom.state === 'measured'
            ? `From the listings of similar apps by ${countWithNoun(suggestedFrom.developers, 'developer')}, and from search results`
            : 'Only from competitors and App Store autocomplete: not enough similar apps collected to compare listings'
        }
        flush
        actions={
          chosen.length > 0 && (
            <Button
              isPending={isPending}
              onPress={() => mutate({ appId, terms: chosen }, { onSuccess: () => setSelected(new Set()) })}
            >
              Add {count(chosen.length)} selected
            </Button>
          )
        }
      >
        <DataTable
          label="Suggestions"
          rows={suggestions}
          rowId={termOf}
          columns={columns}
          {...(canWrite ? { selected, onSelect: setSelected } : {})}
          height={460}
          file={`suggested-keywords-${tracked.app.storeId}-${country}`}
          empty={
            <Empty title="No suggestions yet">
              Suggestions are terms that similar apps use far more often than others and that this app’s name
              lacks. Refresh the app or add competitors.
            </Empty>
          }
        />
      </Panel>
      <TermsApart
        title="Already in the app name"
        note="Similar apps use these terms too. Track them to see how the app ranks."
        terms={carriedByName}
        country={country}
        add={canWrite ? (term) => mutate({ appId, terms: [term] }) : undefined}
        isPending={isPending}
      />
      <TermsApart
        title="Competitor names"
        note="Apple does not allow names of other apps in the keyword field. Track them to see who ranks."
        terms={brandsOfRivals}
        country={country}
        add={canWrite ? (term) => mutate({ appId, terms: [term] }) : undefined}
        isPending={isPending}
      />
    </>
  )
}

/** Terms that are no suggestions, and can be tracked all the same. Nothing where there are none. */
function TermsApart({
  title,
  note,
  terms,
  country,
  add,
  isPending,
}: {
  title: string
  note: string
  terms: Workstation['brandsOfRivals']
  country: Workstation['tracked']['country']
  /** Undefined for whom may not write. */
  add: ((term: string) => void) | undefined
  isPending: boolean
}) {
  if (terms.length === 0) return null
  return (
    <Panel title={title} note={note} flush>
      <ul className="ruled">
        {terms.map(({ term, reasons }) => (
          <li key={term} className="row gap-3 rows-2 pad-2-4 small">
            <Link
              to="/aso/keywords/$term"
              params={{ term }}
              search={{ country }}
              preload={false}
              style={{ minWidth: 160 }}
            >
              <bdi>{term}</bdi>
            </Link>
            <span className="grow">
              <Reasons reasons={reasons} />
            </span>
            {add && (
              <Button
                small
                icon={<Plus size={13} aria-hidden="true" />}
                aria-label={`Add ${term}`}
                isDisabled={isPending}
                onPress={() => add(term)}
              >
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const termOf = ({ term }: Suggestion): string => term

function scoreColumn(
  id: string,
  name: string,
  scoreOf: (suggestion: Suggestion) => Score100,
): Column<Suggestion> {
  return {
    id,
    name,
    width: 96,
    align: 'end',
    descendingFirst: id !== 'difficulty',
    value: (row) => {
      const score = scoreOf(row)
      return score.state === 'estimated' ? score.value : null
    },
    cell: (row) => <ScoreValue score={scoreOf(row)} name={name} />,
  }
}
