import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Fact, Measured } from '../../evidence/Fact.tsx'
import { dayText } from '../../evidence/format.ts'
import type { PaidAd } from '../../evidence/shapes.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { parseTableSort, tableSortText } from '../../ui/table-column.ts'
import styles from './timeline.module.css'
import { axisOf, placeOf, type Run, runOf, ticksOf } from './timeline.ts'
import { DaysRunning } from './values.tsx'

interface Row {
  ad: PaidAd
  run: Run
}

/** One ad a row, with its run as a bar over the days of all of them. The columns say the same in words. */
export function TimelineTable({ ads, name }: { ads: readonly PaidAd[]; name: string }) {
  const { sort } = useSearch({ from: '/creatives/timeline' })
  const navigate = useNavigate({ from: '/creatives/timeline' })
  const rows = useMemo(() => ads.map((ad): Row => ({ ad, run: runOf(ad) })), [ads])
  const axis = useMemo(() => axisOf(rows.map(({ run }) => run)), [rows])
  const columns: Column<Row>[] = [
    {
      id: 'ad',
      name: 'Ad',
      width: 210,
      value: ({ ad }) => textOf(ad),
      cell: ({ ad }) => (
        <Link
          to="/creatives/ads/$platform/$archiveId"
          params={{ platform: ad.platform, archiveId: ad.archiveId }}
        >
          <bdi>{textOf(ad)}</bdi>
        </Link>
      ),
    },
    {
      id: 'bar',
      name: 'Timeline',
      heading: axis && (
        <span className={styles.axis}>
          <span className="hidden">Timeline</span>
          {ticksOf(axis).map(({ day, at }) => (
            <span key={day} style={{ insetInlineStart: `${at * 100}%` }}>
              {dayText(day)}
            </span>
          ))}
        </span>
      ),
      cell: ({ run }) => {
        if (!axis) return null
        const { start, length } = placeOf(run, axis)
        return (
          <span className={styles.track} aria-hidden="true" title={runInWords(run)}>
            <span
              className={`${styles.bar} ${styles[run.end]} ${styles[run.start]}`}
              style={{ insetInlineStart: `${start * 100}%`, width: `${length * 100}%` }}
            />
            {run.end === 'open' && (
              <span
                className={styles.tail}
                style={{ insetInlineStart: `${(start + length) * 100}%`, insetInlineEnd: 0 }}
              />
            )}
          </span>
        )
      },
    },
    {
      id: 'start',
      name: 'Start',
      width: 120,
      align: 'end',
      value: ({ run }) => run.from,
      csv: ({ ad }) => (ad.deliveryStartedOn.state === 'measured' ? ad.deliveryStartedOn.value : null),
      cell: ({ ad }) => <Fact fact={ad.deliveryStartedOn} evidence={ad.evidence} format={dayText} />,
    },
    {
      id: 'end',
      name: 'End',
      width: 150,
      align: 'end',
      value: ({ run }) => (run.end === 'open' ? '9999' : run.to),
      csv: ({ ad }) => (ad.deliveryEndedOn.state === 'measured' ? ad.deliveryEndedOn.value : null),
      cell: ({ ad, run }) =>
        run.end === 'ended' ? (
          <Fact fact={ad.deliveryEndedOn} evidence={ad.evidence} format={dayText} />
        ) : (
          <Measured evidence={ad.evidence[0]} observedAt={ad.lastObservedAt} note={runInWords(run)}>
            {run.end === 'open' ? 'running' : `seen ${dayText(run.to)}`}
          </Measured>
        ),
    },
    {
      id: 'days',
      name: 'Run time',
      width: 110,
      align: 'end',
      descendingFirst: true,
      value: ({ ad }) => (ad.daysRunning.state === 'measured' ? ad.daysRunning.value : null),
      cell: ({ ad }) => <DaysRunning days={ad.daysRunning} />,
    },
  ]
  return (
    <>
      <DataTable
        label={`Ads of ${name} over time`}
        file={`timeline-${name}`}
        rows={rows}
        rowId={({ ad }) => `${ad.platform} ${ad.archiveId}`}
        columns={columns}
        sort={parseTableSort(sort)}
        onSort={(next) =>
          void navigate({
            search: ({ sort: _, ...before }) => (next ? { ...before, sort: tableSortText(next) } : before),
            replace: true,
            resetScroll: false,
          })
        }
        onOpen={({ ad: { platform, archiveId } }) =>
          void navigate({ to: '/creatives/ads/$platform/$archiveId', params: { platform, archiveId } })
        }
        minWidth={900}
        height="min(70vh, 900px)"
        empty={null}
      />
      <ul className={`${styles.key} pad-2-4 rule-above row stretch gap-5 rows-2 quiet small`} aria-label="Key">
        <li className="line gap-0">
          <span className={`${styles.bar} ${styles.ended}`} /> ended
        </li>
        <li className="line gap-0">
          <span className={`${styles.bar} ${styles.open}`} />
          <span className={styles.tail} /> active when last seen
        </li>
        <li className="line gap-0">
          <span className={`${styles.bar} ${styles['last-seen']}`} /> last seen, end unknown
        </li>
        <li className="line gap-0">
          <span className={`${styles.bar} ${styles.ended} ${styles['first-seen']}`} /> start unknown, drawn from
          first seen
        </li>
      </ul>
    </>
  )
}

function runInWords({ from, to, start, end }: Run): string {
  const since = start === 'stated' ? `From ${dayText(from)}` : `First seen on ${dayText(from)}, start unknown`
  const until = {
    ended: `to ${dayText(to)}`,
    open: `active when last seen on ${dayText(to)}`,
    'last-seen': `last seen on ${dayText(to)}, end unknown`,
  }[end]
  return `${since}, ${until}.`
}

function textOf({ creatives: [creative], archiveId }: PaidAd): string {
  if (creative?.title.state === 'measured') return creative.title.value
  if (creative?.body.state === 'measured') return creative.body.value.slice(0, 120)
  return `Ad ${archiveId}`
}
