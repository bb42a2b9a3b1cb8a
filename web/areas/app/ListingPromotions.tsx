import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../api/operations.ts'
import { Fact } from '../../evidence/Fact.tsx'
import { countWithNoun, dayText, momentText } from '../../evidence/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Empty, Panel } from '../../ui/parts.tsx'
import styles from './app.module.css'
import { useAppOfPage } from './app-of-page.ts'
import {
  type AppEvent,
  eventBars,
  eventStateInWords,
  type ProductPage,
  seenOnInWords,
} from './listing-promotions.ts'

/** In-app events, each with its stated time on one axis. Without any, what was looked at says why. */
export function EventsPanel({ events }: { events: readonly AppEvent[] }) {
  if (events.length === 0) return null
  return (
    <Panel
      title="In-app events"
      note="Start and end as Apple states them. One that the page no longer shows is over, or was taken down before its end."
    >
      <ol className="ruled stack gap-3">
        {eventBars(events).map(({ event, style }) => (
          <li key={event.eventId} className="stack gap-1">
            <div className="row baseline">
              <h3>
                <bdi>{event.name}</bdi>
              </h3>
              <Badge
                tone={event.state === 'running' ? 'good' : event.state === 'taken-down' ? 'warn' : 'plain'}
              >
                {eventStateInWords[event.state]}
              </Badge>
              <span className="quiet">
                <bdi>{event.kind}</bdi>
              </span>
            </div>
            <span className={styles.axis} aria-hidden="true">
              <span className={event.endsAt === null ? styles.openEnd : undefined} style={style} />
            </span>
            <p
              className="small"
              title={`Seen ${momentText(event.firstSeenAt)} to ${momentText(event.lastSeenAt)}`}
            >
              <time dateTime={event.startsAt}>{dayText(event.startsAt)}</time> to{' '}
              {event.endsAt ? <time dateTime={event.endsAt}>{dayText(event.endsAt)}</time> : 'no stated end'}
              {event.shortDescription && (
                <>
                  {' · '}
                  <bdi>{event.shortDescription}</bdi>
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** The ad or post that named a page last. */
function Newest({ kind, on, newest: [id = ''] }: ProductPage['seen'][number]) {
  const words = 'the newest'
  return kind === 'ad' ? (
    <Link to="/creatives/ads/$platform/$archiveId" params={{ platform: on, archiveId: id }}>
      {words}
    </Link>
  ) : (
    <Link to="/creatives/posts/$postId" params={{ postId: id }}>
      {words}
    </Link>
  )
}

const pageColumns: readonly Column<ProductPage>[] = [
  {
    id: 'page',
    name: 'Page',
    cell: ({ productPageId, url }) => (
      <a href={url} rel="noreferrer noopener" target="_blank">
        <bdi>{productPageId}</bdi>
      </a>
    ),
  },
  {
    id: 'seen',
    name: 'Named by',
    cell: ({ seen }) => (
      <ul className="stack gap-0">
        {seen.map((one) => (
          <li key={`${one.kind} ${one.on}`}>
            {seenOnInWords(one)}
            {', '}
            <Newest {...one} />
          </li>
        ))}
      </ul>
    ),
  },
  { id: 'first', name: 'First seen', cell: ({ firstSeenAt }) => dayText(firstSeenAt) },
  { id: 'last', name: 'Last seen', cell: ({ lastSeenAt }) => dayText(lastSeenAt) },
]

/** Custom product pages to which ads and posts lead. */
export function ProductPagesPanel({ pages }: { pages: readonly ProductPage[] }) {
  if (pages.length === 0) return null
  return (
    <Panel
      title="Custom product pages"
      note={`${countWithNoun(pages.length, 'page')} to which stored ads and posts lead. The app can have others.`}
      flush
    >
      <DataTable
        label="Custom product pages"
        rows={pages}
        rowId={({ productPageId }) => productPageId}
        columns={pageColumns}
        minWidth={560}
        empty={<Empty title="None seen" />}
      />
    </Panel>
  )
}

/** Apple's tags and its summary of the reviews, where a page carried them. */
export function AppleWords() {
  const { storeId, country } = useAppOfPage()
  const record = useQuery(read('get_competitor', { storeId, country })).data
  if (!record) return null
  const { tags, reviewSummary, evidence } = record
  if (tags.state === 'not-measured' && reviewSummary.state === 'not-measured') return null
  return (
    <Panel
      title="In Apple’s words"
      note="Tags are Apple’s, and it has a model summarise reviews: neither is the developer’s text."
    >
      <div className="stack">
        {tags.state !== 'not-measured' && (
          <p>
            <Fact
              fact={tags}
              evidence={evidence}
              absent="no tags"
              format={(names) => (
                <span className="row gap-1">
                  {names.map((name) => (
                    <Badge key={name}>
                      <bdi>{name}</bdi>
                    </Badge>
                  ))}
                </span>
              )}
            />
          </p>
        )}
        {reviewSummary.state !== 'not-measured' && (
          <p>
            <Fact fact={reviewSummary} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
          </p>
        )}
      </div>
    </Panel>
  )
}
