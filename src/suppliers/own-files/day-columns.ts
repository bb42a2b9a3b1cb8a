import { formed, unlessUnreadable } from '../../ingest/mapping/mapped-values.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import type { Row } from '../../ingest/rows.ts'
import { statedTime } from '../../ingest/times.ts'

export const yearOf = ({ constants, fallbacks }: ReadingContext) => constants?.year ?? fallbacks?.year

/**
 * The columns of a table that are named after a day, each with its day, in their order.
 * @param field our field of the day, for which a mapping may name the form
 */
export const dayColumns = (
  names: readonly string[],
  context: ReadingContext,
  field: 'day' | 'capturedAt',
): [column: string, day: string][] =>
  names.flatMap((name) => {
    const read = unlessUnreadable(() => ({ text: formed(field, name.trim(), context, yearOf(context)) }))
    const day = typeof read === 'string' ? undefined : statedTime(shown(read.text))?.day
    return day === undefined ? [] : [[name, day] as [string, string]]
  })

/** The rows of a table with a column for each day as a row for each day, with its rank; other rows as they are. */
export function rowsByDay(
  rows: readonly Row[],
  context: ReadingContext,
  hasRank: (names: string[]) => boolean,
): Row[] {
  const names = Object.keys(Object(rows[0]?.record))
  const days = hasRank(names) ? [] : dayColumns(names, context, 'capturedAt')
  if (days.length === 0) return [...rows]
  const columns = new Set(days.map(([column]) => column))
  return rows.flatMap(({ position, record }) => {
    const cells = Object.entries(record as Record<string, unknown>)
    const common = Object.fromEntries(cells.filter(([name]) => !columns.has(name)))
    return days.map(([column, day]) => ({
      position: `${position}, ${column}`,
      record: { ...common, capturedAt: day, rank: (record as Record<string, unknown>)[column] },
    }))
  })
}
