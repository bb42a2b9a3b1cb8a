import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { problemInWords } from '../../api/problems.ts'
import type { Reading } from '../../api/replies.ts'
import { addDays } from '../../evidence/days.ts'
import { count, countWithNoun, dayText, spanText } from '../../evidence/format.ts'
import { Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import styles from './home.module.css'
import type { LastLook, SinceDays } from './moves.ts'

const shownAtFirst = 8

/** A section of moves. Its rows appear, biggest first, once all apps are loaded; later sections wait for it. */
export function Section<Row>({
  title,
  reading,
  rows,
  row,
  all,
  none,
  note,
}: {
  title: string
  reading: Reading
  rows: readonly Row[]
  row: (row: Row) => ReactNode
  /** Shows every row instead of the biggest. */
  all: boolean
  /** Said when everything was read and nothing moved. */
  none: string
  note?: ReactNode
}) {
  const reads = reading.done < reading.total
  const shown = all ? rows : rows.slice(0, shownAtFirst)
  return (
    <div data-reading={reads ? '' : undefined}>
      <Panel
        title={title}
        flush
        note={
          <>
            {reads ? `Loading ${count(reading.done)} of ${count(reading.total)}…` : note}
            {reading.error !== null && ` Incomplete: ${problemInWords(reading.error).text}`}
          </>
        }
      >
        {reads && (
          <div className="pad quiet">
            <Skeleton height={360} />
          </div>
        )}
        {rows.length === 0 && !reads && <p className="pad quiet">{none}</p>}
        {!reads && rows.length > 0 && <ul className={`${styles.rows} ruled`}>{shown.map(row)}</ul>}
        {!reads && rows.length > shownAtFirst && (
          <p className="small pad-2-4 rule-above" data-screen-only>
            <Link from="/" search={(old) => compactSearch({ ...old, all: all ? undefined : (true as const) })}>
              {all ? 'Show fewer' : `Show all ${count(rows.length)}`}
            </Link>
          </p>
        )}
      </Panel>
    </div>
  )
}

/**
 * The span that a section is about: so many days up to the last update of each app. Later changes are not known.
 * @param noun what is updated by itself
 */
export function spanNote(
  { apps, behind }: { apps: readonly Pick<LastLook<unknown>, 'until'>[]; behind: number },
  days: SinceDays,
  noun = 'app',
): string {
  const untils = apps.map(({ until }) => until).toSorted()
  const [first, last] = [untils[0], untils.at(-1)]
  if (first === undefined || last === undefined) return ''
  const updates = dayText(first) === dayText(last) ? '' : `, last updates ${spanText(first, last)}`
  const left =
    behind === 0 ? '' : `; ${countWithNoun(behind, noun)} left out, last updated over a month earlier`
  return `${spanText(addDays(first, -days), last)}${updates}${left}`
}

/** A row of a section: the app, the change, its old and new value, and the time. */
export const MoveRow = ({
  icon,
  what,
  numbers,
  when,
}: {
  icon: ReactNode
  what: ReactNode
  numbers: ReactNode
  when: ReactNode
}) => (
  <li className={`${styles.row} hovers`}>
    {icon}
    <div className={`${styles.what} shrinks`}>{what}</div>
    <div className={`${styles.numbers} row nowrap to-end gap-3 end`}>{numbers}</div>
    <div className="quiet small end">{when}</div>
  </li>
)
