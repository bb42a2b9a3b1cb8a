import { postIdForm } from '../../vocabulary/ids.ts'
import type { Cell, Column, Span, TableBlock } from './blocks.ts'
import { withoutControls } from './harmless-text.ts'
import { displayWidth, truncateToWidth, wrapText } from './screen-text.ts'

const gap = 2
/**
 * Texts are not cut below this width, and names of rows not below a larger one: other columns are dropped first, and listed.
 */
const narrowestText = 10
const narrowestName = 16
/** Names are cut below this width only when other texts are at their minimum. */
const wideName = 30

/** Which columns of a table are shown, and how wide; kept for the pages that follow. */
export interface TablePlan {
  /** Indexes of the columns shown, in order. */
  kept: number[]
  widths: number[]
  right: boolean[]
  /** Titles of the columns for which the screen is too narrow. */
  leftOut: string[]
}

/** Writes a table: each cell on one line, without control characters. */
export interface TablePen {
  width: number
  ellipsis: string
  drawings: boolean
  write: (cell: Cell) => string
}

/**
 * Fits a table into the width of the screen. Numbers and ids are never cut; texts share the remaining width, and where even
 * their minimum does not fit, whole columns are dropped.
 */
export function planTable({ columns, rows }: TableBlock, { width, drawings, write }: TablePen): TablePlan {
  const natural = columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(write(row[index] ?? nothing)))),
  )
  const rigid = columns.map(
    ({ drawing }, index) =>
      drawing ||
      rows.some(
        // A mark is short, and may occur in a column of texts.
        ({ [index]: cell }) => (cell?.number && !cell.mark) || cell?.whole || isIdentifier(cell?.text ?? ''),
      ),
  )
  const least = natural.map((own, index) => {
    if (rigid[index]) return own
    return Math.min(own, (columns[index]?.stays ?? 99) <= 2 ? narrowestName : narrowestText)
  })
  const shown = columns.map((_, index) => index).filter((index) => drawings || !columns[index]?.drawing)
  const comfortable = natural.map((own, index) =>
    rigid[index] || (columns[index]?.stays ?? 99) > 2 ? (least[index] ?? 0) : Math.min(own, wideName),
  )
  const kept = thoseThatFit(shown, columns, least, width)
  const of = (numbers: number[]) => kept.map((index) => numbers[index] ?? 0)
  return {
    kept,
    widths: shareOut(of(natural), of(comfortable), of(least), width),
    right: kept.map((index) => isRight(rows, index)),
    leftOut: shown.filter((index) => !kept.includes(index)).flatMap((index) => columns[index]?.title || []),
  }
}

/** The titles of the columns, as a line. */
export function titleLine({ columns }: TableBlock, plan: TablePlan, pen: TablePen): Span[] {
  const titles = plan.kept.map((index): Span => ({ text: columns[index]?.title ?? '', tone: 'quiet' }))
  return tableLine(titles, plan, pen)
}

export function rowLines({ columns, rows }: TableBlock, plan: TablePlan, pen: TablePen): Span[][] {
  return rows.flatMap((row) => {
    const cells = plan.kept.map((index, place): Span[] => {
      const { tone, ...cell } = row[index] ?? nothing
      const text = pen.write(cell)
      const lines = columns[index]?.wraps ? sentences(text, plan.widths[place] ?? 0, pen) : [text]
      return lines.map((line) => ({ text: line, ...(tone ? { tone } : {}) }))
    })
    const height = Math.max(1, ...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, at) =>
      tableLine(
        cells.map((lines) => lines[at] ?? nothing),
        plan,
        pen,
      ),
    )
  })
}

const nothing: Cell = { text: '' }

/** Maximum lines of a cell; more would hide the rows around it. */
const mostLines = 3

function sentences(text: string, columns: number, { width, ellipsis }: TablePen): string[] {
  if (!Number.isFinite(width)) return [text]
  const lines = wrapText(text, columns)
  if (lines.length <= mostLines) return lines
  return [
    ...lines.slice(0, mostLines - 1),
    truncateToWidth(lines.slice(mostLines - 1).join(' '), columns, ellipsis),
  ]
}

function tableLine(cells: Span[], { widths, right }: TablePlan, { width, ellipsis }: TablePen): Span[] {
  return cells.flatMap((cell, place): Span[] => {
    const columns = widths[place] ?? 0
    const text = Number.isFinite(width) ? truncateToWidth(cell.text, columns, ellipsis) : cell.text
    const padding = ' '.repeat(Math.max(0, columns - displayWidth(text)))
    const before = place > 0 ? ' '.repeat(gap) : ''
    return right[place]
      ? [{ text: before + padding }, { ...cell, text }]
      : [{ text: before }, { ...cell, text }, { text: padding }]
  })
}

/** Ids are not cut: half an id is useless in the next command. */
const isIdentifier = (text: string) =>
  /^[0-9]{6,}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) || postIdForm.test(text)

function isRight(rows: Cell[][], index: number): boolean {
  const filled = rows.filter((row) => row[index]?.text)
  return filled.length > 0 && filled.every((row) => row[index]?.number)
}

/** The columns that fit at their minimum width, in order; at least one. */
function thoseThatFit(shown: number[], columns: Column[], least: number[], width: number): number[] {
  const rank = (index: number) => columns[index]?.stays ?? 100 + index
  const kept = [...shown]
  const total = () => kept.reduce((sum, index) => sum + (least[index] ?? 0) + gap, -gap)
  while (kept.length > 1 && total() > width) {
    const last = kept.reduce((worst, index) => (rank(index) > rank(worst) ? index : worst))
    kept.splice(kept.indexOf(last), 1)
  }
  return kept
}

/**
 * Width that is missing is taken from the widest texts: first down to their comfortable width, then down to their minimum.
 */
function shareOut(natural: number[], comfortable: number[], least: number[], width: number): number[] {
  const room = width - gap * (natural.length - 1)
  const widths = shrink(shrink(natural, comfortable, room), least, room)
  // Only a single column that is not to be cut can still be too wide; it is cut nevertheless.
  return widths.length === 1 ? widths.map((columns) => Math.min(columns, room)) : widths
}

function shrink(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural]
  let over = widths.reduce((sum, columns) => sum + columns, 0) - room
  while (over > 0) {
    const most = Math.max(...widths.filter((columns, index) => columns > (least[index] ?? 0)))
    const giving = widths.findIndex((columns, index) => columns === most && columns > (least[index] ?? 0))
    if (giving === -1) break
    widths[giving] = most - 1
    over--
  }
  return widths
}

/** Cells of a table hold one line, whatever was in the text. */
export const oneLine = (text: string) => withoutControls(text).replaceAll(/ +/g, ' ').trim()
