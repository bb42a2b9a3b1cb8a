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
import {
  groupBySet,
  type MediaChange,
  type MediaCoverage,
  matchesFilters,
  notComparedText,
  setName,
} from './media-sets.ts'
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
          label="Type"
          any="All types"
          values={mediaKinds}
          words={mediaKindInWords}
          value={kind}
          onChange={(value) => void navigate({ search: (search) => compactSearch({ ...search, kind: value }) })}
        />
        <FilterSelect
          label="Device"
          any="All devices"
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
                <Panel title="Icon history" note="Newest first">
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
      title="Current media"
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
      <Empty title="Media not collected yet" action={<RequestData kinds={['media']} />}>
        It is not known whether the listing has any.
      </Empty>
    )
  return (
    <Empty title="None found">
      {unseen.length > 0
        ? `Not collected: ${unseen.map(setName).join(', ')}. Coverage is listed below.`
        : 'What was checked, and when, is listed below.'}
    </Empty>
  )
}

function Changes({ changes, items }: { changes: readonly MediaChange[]; items: readonly MediaItem[] }) {
  const itemOf = new Map(items.map((item) => [item.url, item]))
  const known = (urls: readonly string[]) => urls.flatMap((url) => itemOf.get(url) ?? [])
  return (
    <Panel title="Changes" note="Newest first">
      {changes.length === 0 ? (
        <p className="quiet">No changes found.</p>
      ) : (
        <ol className={`${styles.mediaChanges} ruled stack gap-5`}>
          {changes.map((change) => (
            <li className="stack gap-2" key={`${change.at} ${setName(change)}`}>
              <div className="row">
                <h3>{setName(change)}</h3>
                <time dateTime={change.at} title={momentText(change.at)} className="quiet">
                  first seen {dayText(change.at)}
                </time>
                <Badge tone={change.comparison === 'changed' ? 'accent' : 'plain'}>
                  {change.comparison === 'changed' ? 'Changed' : 'Not compared'}
                </Badge>
                {change.reordered && <Badge>Order changed</Badge>}
              </div>
              {change.comparison === 'not-compared' && <p className="quiet">{notComparedText}</p>}
              {change.added.length > 0 && (
                <Side sign="+" name="Added" items={known(change.added)} number={change.added.length} />
              )}
              {change.removed.length > 0 && (
                <Side sign="−" name="Removed" items={known(change.removed)} number={change.removed.length} />
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
  measured: 'Collected',
  absent: 'None found',
  'not-measured': 'Not collected',
} as const satisfies Record<MediaCoverage['state'], string>

const coverageColumns: readonly Column<MediaCoverage>[] = [
  { id: 'media', name: 'Media', cell: setName },
  {
    id: 'state',
    name: 'Status',
    cell: ({ state }) => <Badge tone={state === 'measured' ? 'good' : 'plain'}>{stateInWords[state]}</Badge>,
  },
  {
    id: 'sources',
    name: 'Sources',
    cell: ({ sources }) => (sources.length > 0 ? sources.join(', ') : <span className="quiet">none</span>),
  },
  {
    id: 'last',
    name: 'Last checked',
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
      title="Coverage"
      note="Not collected does not mean that the listing has none."
      actions={gaps.length > 0 && isAskable && <RequestData kinds={['media']} />}
      flush
    >
      <DataTable
        label="Media coverage"
        rows={looked}
        rowId={setName}
        columns={coverageColumns}
        minWidth={560}
        empty={<Empty title="Nothing of this type collected yet" />}
      />
      {gaps.length > 0 && <p className="quiet small pad-2-4">{gapsInWords(gaps)}</p>}
    </Panel>
  )
}

/** What is not measured, in a line: `Not collected: Page header, Search media (not carried); …`. */
function gapsInWords(gaps: readonly MediaCoverage[]): string {
  const byReason = Map.groupBy(gaps, ({ reason }) => reason)
  const parts = [...byReason].map(
    ([reason, some]) => `${some.map(setName).join(', ')}${reason ? ` (${reasonInShort[reason]})` : ''}`,
  )
  return `Not collected: ${parts.join('; ')}.`
}

const Waiting = () => (
  <div className="stack">
    <Skeleton height={460} />
    <Skeleton height={240} />
    <Skeleton height={220} />
  </div>
)

function keptInWords(kept: number, all: number): string {
  if (kept === 0) return 'No copies kept.'
  return kept === all ? 'Copies of all kept.' : `Copies of ${count(kept)} of ${count(all)} kept.`
}
