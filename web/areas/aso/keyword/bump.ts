import { daysBetween } from '../../../evidence/days.ts'
import type { Rank } from '../../../evidence/shapes.ts'

/** Where an app stood on the pages of a keyword. */
export interface RankHistory {
  storeId: string
  name: string
  /** One for each day with a page, oldest first. */
  days: readonly { date: string; rank: Rank }[]
  /** Changes of its listing; none when left out. */
  changes?: readonly { day: string; text: string }[]
}

/** A place in a column; 'absent' where the app was not on the page, undefined where nobody knows. */
export type Place = number | 'absent' | undefined

export interface BumpColumns {
  /** Days with a page, oldest first: the columns. */
  days: string[]
  lines: {
    storeId: string
    name: string
    places: Place[]
    /** Changes of its listing, each in the column of the first page on or after its day; those since the last page are left out. */
    changes: { column: number; day: string; text: string }[]
  }[]
  /** For each column whether days without a page lie between it and the one before. */
  afterGap: boolean[]
}

/** The columns of a bump chart, from what is stored of each app. */
export function bumpColumnsOf(histories: readonly RankHistory[]): BumpColumns {
  const days = [...new Set(histories.flatMap(({ days }) => days.map(({ date }) => date)))].sort()
  return {
    days,
    lines: histories.map(({ storeId, name, days: known, changes = [] }) => {
      const places = new Map(known.map(({ date, rank }) => [date, placeOf(rank)]))
      return {
        storeId,
        name,
        places: days.map((day) => places.get(day)),
        changes: changes.flatMap(({ day, text }) => {
          const column = days.findIndex((one) => one >= day)
          // What was seen before the first page stands beside none.
          return column < 0 || day < (days[0] ?? day) ? [] : [{ column, day, text }]
        }),
      }
    }),
    afterGap: days.map((day, index) => {
      const before = days[index - 1]
      return before !== undefined && daysBetween(before, day) > 1
    }),
  }
}

const placeOf = (rank: Rank): Place =>
  rank.state === 'measured' ? rank.value : rank.state === 'absent' ? 'absent' : undefined

/** A piece of a line, from one column to the next. */
export interface LinePiece {
  column: number
  from: number
  to: number
  /** No page is stored of the days between. */
  dashed: boolean
}

/** The pieces of a line: only where both ends are known. */
export function linePiecesOf(places: readonly Place[], afterGap: readonly boolean[]): LinePiece[] {
  return places.flatMap((to, index) => {
    const from = places[index - 1]
    return typeof from === 'number' && typeof to === 'number'
      ? [{ column: index - 1, from, to, dashed: afterGap[index] ?? false }]
      : []
  })
}
