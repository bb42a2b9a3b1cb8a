import { useQuery } from '@tanstack/react-query'
import { useHasScope, useOperates } from '../../api/session.ts'
import { countryName, momentText, timeAgo } from '../../evidence/format.ts'
import { chartInWords } from '../../evidence/words.ts'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './admin.module.css'
import { CollectNow } from './CollectNow.tsx'
import { type AskedByHand, type Collecting, collecting, useCategoryName } from './operating.ts'
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
              note="Runs once, at the rate limit of the source. Pages update as data arrives."
            >
              <CollectNow />
            </Panel>
          ) : (
            <Panel title="Collect now">
              <p className="quiet">
                Only for admins of accounts that operate this installation, as set in its configuration. Refresh
                keywords, estimates and ads of your apps on their own pages.
              </p>
            </Panel>
          )}
          {mayChange && <ByHand asked={shown.byHand} categoryName={categoryName} />}
        </>
      )}
    </Loaded>
  )
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
            Changed on this page {timeAgo(changedAt)}
            {changedBy && (
              <>
                {' '}
                with the key <bdi>{changedBy}</bdi>
              </>
            )}
            . It replaces the schedule of the configuration file.
          </>
        ) : (
          'From the configuration file.'
        )
      }
      actions={mayChange && <ScheduleEditor shown={shown} />}
      flush
    >
      {parts.length === 0 ? (
        <Empty title="No scheduled collection">
          Charts, keywords and listings are collected only on refresh.
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

const stateInWords = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  nothing: 'No data',
  failed: 'Failed',
} as const
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
    <Panel title="Collected on demand" note="Last 24 hours, newest first" flush>
      {asked.length === 0 ? (
        <Empty title="Nothing collected on demand" />
      ) : (
        <ul className={`${styles.rows} ruled`} aria-label="Collected on demand">
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
                  <Badge tone={tones[stateOf(one)]}>{stateInWords[stateOf(one)]}</Badge>
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
  return storeId ? `App page ${storeId}` : `App details ${storeIds.join(', ')}`
}

const termWords: Record<string, string> = {
  search: 'Search results for',
  searchPage: 'App Store web search for',
  hints: 'Suggestions for',
}
