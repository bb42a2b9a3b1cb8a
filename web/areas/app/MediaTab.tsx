import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { count, dayText, momentText, timeAgo } from '../../evidence/format.ts'
import { reasonInShort } from '../../evidence/words.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { whyNotKept } from '../../ui/KeptBadge.tsx'
import { Badge, Empty, Filters, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import styles from './app.module.css'
import { useAppOfPage } from './app-of-page.ts'
import { type MediaItem, mediaDeviceInWords, mediaDevices, mediaKindInWords, mediaKinds } from './choices.ts'
import { Lightbox } from './Lightbox.tsx'
import { AppleWords, EventsPanel, ProductPagesPanel } from './ListingPromotions.tsx'
import { MediaStrip } from './MediaStrip.tsx'
import { groupBySet, type MediaChange, type MediaCoverage, matchesFilters, setName } from './media-sets.ts'
import { RequestData } from './RequestData.tsx'
import { mediaQueryOf } from './tab-reads.ts'

/** Media, events and custom product pages of the listing: those of now, and how they changed. */
export function MediaTab() {
  const { storeId, country } = useAppOfPage()
  const { kind, device, shown } = useSearch({ from: '/apps/$storeId/media' })
  const navigate = useNavigate({ from: '/apps/$storeId/media' })
  const query = useQuery(mediaQueryOf(storeId, country))
  const show = useCallback(
    (url: string | undefined) =>
      void navigate({
        search: (search) => compactSearch({ ...search, shown: url }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
  return (
    <>
      <Filters>
        <FilterSelect
          label="Kind"
          any="Every kind"
          values={mediaKinds}
          words={mediaKindInWords}
          value={kind}
          onChange={(value) => void navigate({ search: (search) => compactSearch({ ...search, kind: value }) })}
        />
        <FilterSelect
          label="Device"
          any="Every device"
          values={mediaDevices}
          words={mediaDeviceInWords}
          value={device}
          onChange={(value) =>
            void navigate({ search: (search) => compactSearch({ ...search, device: value }) })
          }
        />
      </Filters>
      <Loaded query={query} skeleton={<Waiting />}>
        {(reply) => {
          const items = reply.items.filter((item) => matchesFilters(item, { kind, device }))
          const icons = items.filter((item) => item.kind === 'icon')
          const changes = reply.changes.filter((change) => matchesFilters(change, { kind, device }))
          const coverage = reply.coverage.filter((part) => matchesFilters(part, { kind, device }))
          return (
            <>
              <Current items={items.filter(({ current }) => current)} coverage={coverage} />
              {kind === undefined && <EventsPanel events={reply.events} />}
              {items.length > 0 && <Changes changes={changes} items={reply.items} />}
              {icons.length > 1 && (
                <Panel title="Icons over time" note="Every icon that was seen, the newest first.">
                  <MediaStrip items={icons} small />
                </Panel>
              )}
              {kind === undefined && <ProductPagesPanel pages={reply.productPages} />}
              {kind === undefined && <AppleWords />}
              <Coverage coverage={coverage} isAskable={items.length > 0} />
              {shown && <Lightbox items={items} shown={shown} onShow={show} />}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function Current({ items, coverage }: { items: readonly MediaItem[]; coverage: readonly MediaCoverage[] }) {
  const unkept = items.find(({ kept }) => kept.status === 'not-kept')?.kept
  const keptCount = items.filter(({ kept }) => kept.status === 'stored').length
  return (
    <Panel
      title="On the listing now"
      note={
        items.length > 0 &&
        `${keptInWords(keptCount, items.length)}${
          unkept && unkept.status !== 'stored' ? ` ${whyNotKept(unkept)}` : ''
        }`
      }
    >
      {items.length === 0 ? (
        <NothingThere coverage={coverage} />
      ) : (
        <div className="stack gap-5">
          {groupBySet(items).map(({ name, items: members }) => (
            <section key={name} aria-label={name}>
              <h3>
                {name} {members.length > 1 && <span className="quiet">{count(members.length)}</span>}
              </h3>
              <MediaStrip items={members} />
            </section>
          ))}
        </div>
      )}
    </Panel>
  )
}

/** Distinguishes "not measured" from "absent". */
function NothingThere({ coverage }: { coverage: readonly MediaCoverage[] }) {
  const unseen = coverage.filter(({ state }) => state === 'not-measured')
  if (unseen.length === coverage.length)
    return (
      <Empty title="Nobody has looked for these media yet" action={<RequestData kinds={['media']} />}>
        Whether the listing has any is not measured.
      </Empty>
    )
  return (
    <Empty title="Looked for, and none there">
      {unseen.length > 0
        ? `Not measured: ${unseen.map(setName).join(', ')}. Below stands what was looked at.`
        : 'Below stands what was looked at, and when.'}
    </Empty>
  )
}

function Changes({ changes, items }: { changes: readonly MediaChange[]; items: readonly MediaItem[] }) {
  const itemOf = new Map(items.map((item) => [item.url, item]))
  const known = (urls: readonly string[]) => urls.flatMap((url) => itemOf.get(url) ?? [])
  return (
    <Panel title="Changes" note="Differences between two observations of a set, the newest first.">
      {changes.length === 0 ? (
        <p className="quiet">No change was seen.</p>
      ) : (
        <ol className={`${styles.mediaChanges} ruled stack gap-5`}>
          {changes.map((change) => (
            <li className="stack gap-2" key={`${change.at} ${setName(change)}`}>
              <div className="row">
                <h3>{setName(change)}</h3>
                <time dateTime={change.at} title={momentText(change.at)} className="quiet">
                  first seen so on {dayText(change.at)}
                </time>
                <Badge tone={change.comparison === 'changed' ? 'accent' : 'plain'}>
                  {change.comparison === 'changed' ? 'Changed' : 'Not compared'}
                </Badge>
                {change.reordered && <Badge>Order changed</Badge>}
              </div>
              {change.comparison === 'not-compared' && (
                <p className="quiet">
                  The addresses differ, so the pictures may. Nobody has compared the pictures themselves.
                </p>
              )}
              {change.added.length > 0 && (
                <Side sign="+" name="New" items={known(change.added)} number={change.added.length} />
              )}
              {change.removed.length > 0 && (
                <Side sign="−" name="Gone" items={known(change.removed)} number={change.removed.length} />
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Side({
  sign,
  name,
  items,
  number,
}: {
  sign: string
  name: string
  items: readonly MediaItem[]
  number: number
}) {
  return (
    <div>
      <p className="small medium">
        <span aria-hidden="true">{sign} </span>
        {count(number)} {name.toLowerCase()}
      </p>
      <MediaStrip items={items} small />
    </div>
  )
}

const stateInWords = {
  measured: 'Measured',
  absent: 'Looked for, none there',
  'not-measured': 'Not measured',
} as const satisfies Record<MediaCoverage['state'], string>

const coverageColumns: readonly Column<MediaCoverage>[] = [
  { id: 'media', name: 'Media', cell: setName },
  {
    id: 'state',
    name: 'State',
    cell: ({ state }) => <Badge tone={state === 'measured' ? 'good' : 'plain'}>{stateInWords[state]}</Badge>,
  },
  {
    id: 'sources',
    name: 'Sources',
    cell: ({ sources }) => (sources.length > 0 ? sources.join(', ') : <span className="quiet">none</span>),
  },
  {
    id: 'last',
    name: 'Looked at last',
    cell: ({ lastLookedAt: at }) =>
      at ? (
        <time dateTime={at} title={momentText(at)}>
          {timeAgo(at)}
        </time>
      ) : (
        <span className="quiet">never</span>
      ),
  },
]

function Coverage({
  coverage,
  isAskable,
}: {
  coverage: readonly MediaCoverage[]
  /** Unless it is already offered above. */
  isAskable: boolean
}) {
  const gaps = coverage.filter(({ state }) => state === 'not-measured')
  const looked = coverage.filter(({ state }) => state !== 'not-measured')
  return (
    <Panel
      title="What was looked at"
      note="None of a kind that nobody looked at is not the same as none there."
      actions={gaps.length > 0 && isAskable && <RequestData kinds={['media']} />}
      flush
    >
      <DataTable
        label="Media that were looked at"
        rows={looked}
        rowId={setName}
        columns={coverageColumns}
        minWidth={560}
        empty={<Empty title="Nothing of this kind was looked at" />}
      />
      {gaps.length > 0 && <p className="quiet small pad-2-4">{gapsInWords(gaps)}</p>}
    </Panel>
  )
}

/** What is not measured, in a line: `Not measured: Page header, Search media (not carried); …`. */
function gapsInWords(gaps: readonly MediaCoverage[]): string {
  const byReason = Map.groupBy(gaps, ({ reason }) => reason)
  const parts = [...byReason].map(
    ([reason, some]) => `${some.map(setName).join(', ')}${reason ? ` (${reasonInShort[reason]})` : ''}`,
  )
  return `Not measured: ${parts.join('; ')}.`
}

const Waiting = () => (
  <div className="stack">
    <Skeleton height={460} />
    <Skeleton height={240} />
    <Skeleton height={220} />
  </div>
)

function keptInWords(kept: number, all: number): string {
  if (kept === 0) return 'No copies are kept here.'
  return kept === all
    ? 'Copies of all are kept here.'
    : `Copies of ${count(kept)} of ${count(all)} are kept here.`
}
