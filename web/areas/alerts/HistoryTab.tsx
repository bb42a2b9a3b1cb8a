import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Link as AriaLink } from 'react-aria-components'
import { type FoundEvent, historyQuery } from '../../api/watches.ts'
import { momentText, timeAgo } from '../../evidence/format.ts'
import { channelInWords, watchInWords } from '../../evidence/watches.ts'
import { fieldInWords } from '../../evidence/words.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { Badge, Empty, Loaded, MorePages, Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './alerts.module.css'

/** What watches have found, newest first, with its evidence and what became of telling it. */
export function HistoryTab() {
  const { watch } = useSearch({ from: '/alerts/history' })
  const history = useInfiniteQuery(historyQuery(watch))
  return (
    <Panel
      title="History"
      note={watch ? 'Events of one watch' : 'Events of all watches, including removed ones'}
      actions={
        watch && (
          <LinkButton small to="/alerts/history" search={{}}>
            All watches
          </LinkButton>
        )
      }
      flush
    >
      <Loaded query={history} skeleton={<Skeleton height={420} />}>
        {({ pages }) => {
          const events = pages.flatMap(({ items }) => items)
          return events.length === 0 ? (
            <Empty title="No events yet" action={<LinkButton to="/alerts">Watches</LinkButton>}>
              A watch reports changes in data collected after it was added.
            </Empty>
          ) : (
            <>
              <ol className={`${styles.rows} ruled`} aria-label="Events, newest first">
                {events.map((event) => (
                  <EventRow key={event.eventId} event={event} />
                ))}
              </ol>
              <MorePages query={history} shown={events.length} />
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

function EventRow({ event }: { event: FoundEvent }) {
  const { title, page, watch, evidence, observedAt, recordedAt } = event
  const { what, where } = watchInWords(watch, event)
  return (
    <li className="stack gap-1">
      <span className={`${styles.subject} anywhere`}>
        <AriaLink href={page}>
          <bdi>{title}</bdi>
        </AriaLink>
      </span>
      <span className="row gap-3 rows-1">
        <span className="quiet small">
          As of <time dateTime={observedAt}>{momentText(observedAt)}</time>, detected {timeAgo(recordedAt)}
        </span>
        <Told event={event} />
      </span>
      <span className="quiet small anywhere">
        Watch: {what}, {where}
      </span>
      <details className={styles.evidence}>
        <summary className="small">Details</summary>
        <dl className="pairs small" style={customProperties({ '--names': '12rem' })}>
          {linesOf(evidence).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}

/** What became of it at each channel. */
function Told({ event: { muted, told } }: { event: FoundEvent }) {
  if (muted) return <Badge tone="warn">Muted, not sent</Badge>
  if (told.length === 0) return <Badge>Not sent: no channel</Badge>
  return (
    <ul className="line wrap gap-2" aria-label="Channels">
      {told.map(({ kind, state, settledAt, lastError }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: channels of an event keep their order
        <li key={place}>
          <Badge tone={state === 'delivered' ? 'good' : state === 'dead' ? 'bad' : 'plain'}>
            {channelInWords({ kind })}: {stateInWords[state]}
            {state === 'delivered' && settledAt && ` ${momentText(settledAt)}`}
          </Badge>
          {lastError && state !== 'delivered' && <span className="bad small"> {lastError}</span>}
        </li>
      ))}
    </ul>
  )
}

const stateInWords = { pending: 'waiting', delivered: 'sent', dead: 'not delivered' } as const

/** The values of evidence with their names, in the order of their names within it: `Now rank` for a value within `now`. */
function linesOf(evidence: object, path: readonly string[] = []): [name: string, value: string][] {
  return Object.entries(evidence).flatMap(([name, value]: [string, unknown]): [string, string][] => {
    const names = [...path, wordsOf(name)]
    if (value === null || value === undefined) return []
    if (typeof value === 'object') return linesOf(value, names)
    const isMoment = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    return [[sentenceCase(names.join(' ')), isMoment ? momentText(value) : String(value)]]
  })
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `readingId` as `reading id`; a place in a list counts from one. */
const wordsOf = (name: string) => (/^\d+$/.test(name) ? String(Number(name) + 1) : fieldInWords(name))
