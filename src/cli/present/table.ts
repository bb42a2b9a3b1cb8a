import type { Cell, Span, TableBlock } from './blocks.ts'
import { cut, harmless, widthOf } from './screen-text.ts'

const gap = 2
/** No text is cut to less than this: a column that would have to be is left out and named. */
const narrowestText = 10

export interface FittedTable {
  /** Header and rows. */
  lines: Span[][]
  /** Titles of the columns for which the screen is too narrow. */
  leftOut: string[]
}

/**
 * Lays a table out in so many columns. Numbers are never cut; texts share what is left, and where even their beginnings do
 * not fit, whole columns are left out.
 * @param shown how a cell is written, without anything that moves a cursor
 */
export function fitTable(
  table: TableBlock,
  width: number,
  ellipsis: string,
  shown: (cell: Cell) => string,
): FittedTable {
  const texts = table.rows.map((row) => table.columns.map((_, index) => shown(row[index] ?? { text: '' })))
  const natural = table.columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...texts.map((row) => widthOf(row[index] ?? ''))),
  )
  const rigid = table.columns.map((_, index) =>
    table.rows.some((row) => row[index]?.number || isIdentifier(row[index]?.text ?? '')),
  )
  const least = natural.map((columns, index) => (rigid[index] ? columns : Math.min(columns, narrowestText)))
  const kept = columnsThatFit(table, least, width)
  const widths = shareOut(
    kept.map((index) => natural[index] ?? 0),
    kept.map((index) => least[index] ?? 0),
    width,
  )
  const right = kept.map((index) => isRight(table.rows, index))

  const line = (cells: Span[]): Span[] =>
    cells.flatMap((cell, place) => {
      const columns = widths[place] ?? 0
      const text = cut(cell.text, columns, ellipsis)
      const padding = ' '.repeat(Math.max(0, columns - widthOf(text)))
      const before = place > 0 ? ' '.repeat(gap) : ''
      return right[place]
        ? [{ text: before + padding }, { ...cell, text }]
        : [{ text: before }, { ...cell, text }, { text: padding }]
    })
  return {
    lines: [
      line(kept.map((index) => ({ text: table.columns[index]?.title ?? '', tone: 'quiet' as const }))),
      ...table.rows.map((row, at) =>
        line(kept.map((index) => ({ ...row[index], text: texts[at]?.[index] ?? '' }))),
      ),
    ],
    leftOut: table.columns.filter((_, index) => !kept.includes(index)).map(({ title }) => title),
  }
}

/** Half an id is of no use in the next command. */
const isIdentifier = (text: string) =>
  /^[0-9]{6,}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^(tiktok|instagram|youtube|reddit|x)_[\w-]+$/.test(
    text,
  )

function isRight(rows: Cell[][], index: number): boolean {
  const filled = rows.filter((row) => row[index]?.text)
  return filled.length > 0 && filled.every((row) => row[index]?.number)
}

/** Places of the columns that have room at their least, in order; at least one. */
function columnsThatFit({ columns }: TableBlock, least: number[], width: number): number[] {
  const rank = (index: number) => columns[index]?.stays ?? 100 + index
  const kept = columns.map((_, index) => index)
  const total = () => kept.reduce((sum, index) => sum + (least[index] ?? 0) + gap, -gap)
  while (kept.length > 1 && total() > width) {
    const last = kept.reduce((worst, index) => (rank(index) > rank(worst) ? index : worst))
    kept.splice(kept.indexOf(last), 1)
  }
  return kept
}

/** What is missing is taken from the widest that can give, so that short texts stay whole. */
function shareOut(natural: number[], least: number[], width: number): number[] {
  const widths = [...natural]
  const room = width - gap * (widths.length - 1)
  let over = widths.reduce((sum, columns) => sum + columns, 0) - room
  while (over > 0 && Number.isFinite(over)) {
    const giving = widths.findIndex(
      (columns, index) =>
        columns > (least[index] ?? 0) &&
        widths.every((other, at) => other <= columns || other <= (least[at] ?? 0)),
    )
    if (giving === -1) break
    widths[giving] = (widths[giving] ?? 0) - 1
    over--
  }
  // Only a lone column that cannot be cut is still too wide: then it is cut after all.
  return over > 0 && widths.length === 1 ? [room] : widths
}

/** Cells of a table hold one line, whatever was in the text. */
export const oneLine = (text: string) => harmless(text).replaceAll(/ +/g, ' ').trim()
