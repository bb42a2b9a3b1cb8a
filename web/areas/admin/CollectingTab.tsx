import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/operations.ts'
import { useHasScope, useOperates } from '../../api/session.ts'
import { useCountry } from '../../evidence/country.ts'
import { countryName, momentText, timeAgo } from '../../evidence/format.ts'
import { chartInWords, overallCategoryName } from '../../evidence/words.ts'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './admin.module.css'
import { CollectNow } from './CollectNow.tsx'
import { type AskedByHand, type Collecting, collecting } from './operating.ts'
import { ScheduleEditor } from './ScheduleEditor.tsx'
import { scheduledParts } from './schedule-words.ts'

/** What is collected by itself, and for operators: changing that, and collecting now. */
export function CollectingTab() {
  const query = useQuery(collecting)
  const [mayWrite, operates] = [useHasScope('content:write'), useOperates()]
  const mayChange = mayWrite && operates
  const categoryName = useCategoryName()
  return (
    <Loaded query={query} skeleton={<Skeleton height={320} />}>
      {(shown) => (
        <>
          <ScheduleShown shown={shown} mayChange={mayChange} categoryName={categoryName} />
          {mayChange ? (
            <Panel
              title="Collect now"
              note="Asks the source once, at its pace. A worker does it; pages show what comes."
            >
              <CollectNow />
            </Panel>
          ) : (
            <Panel title="Collect now">
              <p className="quiet">
                For admins of accounts that operate this installation. The operator names them in the
                configuration. Keywords, estimates and ads of your own apps are refreshed on their pages.
              </p>
            </Panel>
          )}
          {mayChange && <ByHand asked={shown.byHand} categoryName={categoryName} />}
        </>
      )}
    </Loaded>
  )
}

/** Names of Apple's categories by their ids. */
function useCategoryName(): (id: number) => string {
  const { data } = useQuery(read('list_competitor_categories', { country: useCountry() }))
  const names = new Map(data?.items.map(({ categoryId, name }) => [categoryId, name]))
  return (id) => (id === 36 ? overallCategoryName : (names.get(String(id)) ?? `Category ${id}`))
}

function ScheduleShown({
  shown,
  mayChange,
  categoryName,
}: {
  shown: Collecting
  mayChange: boolean
  categoryName: (id: number) => string
}) {
  const { schedule, changedAt, changedBy } = shown
  const parts = scheduledParts(schedule, categoryName)
  return (
    <Panel
      title="Schedule"
      note={
        changedAt ? (
          <>
            Changed here {timeAgo(changedAt)}
            {changedBy && (
              <>
                {' '}
                with the key <bdi>{changedBy}</bdi>
              </>
            )}
            ; it holds instead of the configuration file’s.
          </>
        ) : (
          'As the configuration file says.'
        )
      }
      actions={mayChange && <ScheduleEditor shown={shown} />}
      flush
    >
      {parts.length === 0 ? (
        <Empty title="Nothing is collected by itself">
          Charts, keywords and listings are collected when somebody asks for them.
        </Empty>
      ) : (
        <ul className={`${styles.rows} ruled`} aria-label="Schedule">
          {parts.map(({ name, of, every }) => (
            <li key={`${name} ${of} ${every}`} className="row between gap-4 rows-1">
              <span>
                <strong>{name}</strong> <span className="quiet">{of}</span>
              </span>
              <span>{every}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const tones = { waiting: 'plain', running: 'accent', done: 'good', nothing: 'warn', failed: 'bad' } as const

function stateOf({ state, outcome }: AskedByHand): keyof typeof tones {
  if (state !== 'done' || outcome === null || outcome === 'stored') return state
  return outcome === 'failed' ? 'failed' : 'nothing'
}

function ByHand({
  asked,
  categoryName,
}: {
  asked: readonly AskedByHand[]
  categoryName: (id: number) => string
}) {
  return (
    <Panel title="Collected by hand" note="The newest of the last day." flush>
      {asked.length === 0 ? (
        <Empty title="Nothing was asked for by hand" />
      ) : (
        <ul className={`${styles.rows} ruled`} aria-label="Collected by hand">
          {asked.map((one) => {
            return (
              <li key={JSON.stringify([one.asked, one.askedAt])} className="row between gap-4 rows-1">
                <span>
                  <bdi>{subjectOf(one.asked, categoryName)}</bdi>{' '}
                  <span className="quiet">{countryName(one.asked.country)}</span>
                  {one.reason && (
                    <p className="quiet small">
                      <bdi>{one.reason}</bdi>
                    </p>
                  )}
                </span>
                <span className="line wrap gap-3">
                  <Badge tone={tones[stateOf(one)]}>{one.outcome ?? one.state}</Badge>
                  <time dateTime={one.askedAt} title={momentText(one.askedAt)} className="quiet">
                    {timeAgo(one.askedAt)}
                  </time>
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

function subjectOf(asked: AskedByHand['asked'], categoryName: (id: number) => string): string {
  const { what, kind, categoryId, term, storeId, storeIds = [] } = asked
  if (kind) return `${chartInWords[kind]}, ${categoryName(categoryId ?? 36)}`
  if (term !== undefined) return `${termWords[what] ?? 'Search'} “${term}”`
  return storeId ? `Page of app ${storeId}` : `Records of ${storeIds.join(', ')}`
}

const termWords: Record<string, string> = {
  search: 'Search results of',
  searchPage: 'Web search page of',
  hints: 'Suggestions for',
}
