import type { Canvas, Span, Tone } from '../blocks.ts'
import { asciiIfNeeded } from '../marks.ts'
import { wrapText } from '../screen-text.ts'
import { newestPerColumn } from './sparkline.ts'

/** One day of a series: a value, a range with its middle, absent, or not measured. */
export type PlotPoint = number | { low: number; mid: number; high: number } | 'absent' | null

export interface Series {
  /** The letter of the series in the drawing and in the table below; none for a single series. */
  letter?: string
  points: readonly PlotPoint[]
}

export interface Plot {
  /** The first and the last day; every series has a point for each day between them. */
  from: string
  to: string
  series: readonly Series[]
  scale: Scale
  /** Days at which the formula or method changes: values before and after are not comparable. */
  steps?: Steps
}

export interface Steps {
  /** Indices of the first days after each change. */
  days: readonly number[]
  /** The explanation under the drawing. */
  says: string
}

/** The values of the top and bottom rows. For ranks the top is the smaller number. */
export interface Scale {
  top: number
  bottom: number
  rows: number
  logarithmic: boolean
  label: (value: number) => string
  /** What the marks under the drawing mean. */
  absent: string
}

const mostRows = 11
const fewestRows = 4
const widest = 120
const tones: readonly (Tone | undefined)[] = ['good', 'warning', undefined, 'bad', 'strong', 'quiet']

/** An axis of ranks with 1 on top; logarithmic for long ranges, since the first places matter most. */
export function rankScale(series: readonly Series[]): Scale {
  const ranks = values(series)
  const best = Math.min(...ranks)
  const worst = Math.max(...ranks)
  const top = best <= 5 ? 1 : Math.floor(best * 0.9)
  return {
    top,
    bottom: Math.max(worst, top + fewestRows - 1),
    rows: Math.min(mostRows, Math.max(fewestRows, worst - top + 1)),
    logarithmic: worst > 3 * mostRows && worst / top > 5,
    label: (rank) => `#${Math.round(rank)}`,
    absent: 'looked for, not among the places seen',
  }
}

/** An axis from zero to the highest value. */
export function amountScale(series: readonly Series[], label: (value: number) => string): Scale {
  return {
    top: Math.max(...values(series), 1),
    bottom: 0,
    rows: mostRows,
    logarithmic: false,
    label,
    absent: 'absent',
  }
}

function values(series: readonly Series[]): number[] {
  return series
    .flatMap(({ points }) => points)
    .flatMap((point) => (typeof point === 'number' ? [point] : isRange(point) ? [point.low, point.high] : []))
}

const isRange = (point: PlotPoint | undefined): point is { low: number; mid: number; high: number } =>
  typeof point === 'object' && point !== null

/** Draws series over days: lines break at days that were not measured, and absent days are marked below. */
export function drawPlot({ from, to, series, scale, steps }: Plot, canvas: Canvas): Span[][] {
  const labels = rowLabels(scale)
  const labelWidth = Math.max(...labels.map((label) => label.length))
  const room = Math.max(10, Math.min(canvas.width, widest) - labelWidth - 4)
  const days = Math.max(...series.map(({ points }) => points.length), 1)
  const step = Math.max(1, Math.min(6, Math.floor(room / days)))
  const columns = series.map(({ points }) => newestPerColumn(points, room))
  const width = Math.max(...columns.map((points) => points.length), 1) * step

  const grid = Array.from({ length: scale.rows }, () =>
    Array.from({ length: width }, (): Span => ({ text: ' ' })),
  )
  series.forEach(({ letter }, index) => {
    drawSeries(grid, columns[index] ?? [], {
      letter,
      step,
      scale,
      tone: tones[index % tones.length],
      unicode: canvas.unicode,
    })
  })

  const axis = asciiIfNeeded('│', canvas.unicode)
  const drawn = grid.map((row, index): Span[] => [
    { text: `${(labels[index] ?? '').padStart(labelWidth)} ${axis}`, tone: 'quiet' },
    ...row,
  ])
  const margin = ' '.repeat(labelWidth + 2)
  return [
    ...drawn,
    ...absentRows(series, columns, { step, labelWidth, unicode: canvas.unicode }),
    [
      {
        text: `${' '.repeat(labelWidth + 1)}${canvas.unicode ? '└' : '+'}${asciiIfNeeded('─', canvas.unicode).repeat(width)}`,
        tone: 'quiet',
      },
    ],
    ...stepRow(steps, {
      margin,
      columnDays: Math.max(1, Math.ceil(days / room)),
      step,
      unicode: canvas.unicode,
    }),
    [{ text: margin + dateLine(from, to, Math.max(width, from.length)), tone: 'quiet' }],
    ...wrapText(
      captions({ series, scale, steps }, days, room, canvas.unicode).join('; '),
      canvas.width - margin.length,
    ).map((text): Span[] => [{ text: margin + text, tone: 'quiet' }]),
  ]
}

interface Pen {
  letter: string | undefined
  step: number
  scale: Scale
  tone: Tone | undefined
  unicode: boolean
}

function drawSeries(grid: Span[][], points: readonly PlotPoint[], pen: Pen): void {
  const put = (row: number, column: number, text: string, tone = pen.tone) => {
    const line = grid[row]
    if (line && column < line.length) line[column] = { text, ...(tone ? { tone } : {}) }
  }
  const strokes = pen.unicode ? unicodeStrokes : asciiStrokes
  let before: number | undefined
  points.forEach((point, index) => {
    const left = index * pen.step
    if (isRange(point)) {
      const [high, mid, low] = [point.high, point.mid, point.low].map((value) => rowOf(value, pen.scale))
      for (let row = high ?? 0; row <= (low ?? 0); row++)
        for (let column = left; column < left + pen.step; column++)
          put(row, column, row === mid ? strokes.middle : strokes.range, row === mid ? pen.tone : 'quiet')
      return
    }
    if (typeof point !== 'number') {
      before = undefined
      return
    }
    const row = rowOf(point, pen.scale)
    const alone = before === undefined && typeof points[index + 1] !== 'number'
    if (before !== undefined && before !== row) {
      const down = row > before
      put(before, left, down ? strokes.fromLeftDown : strokes.fromLeftUp)
      put(row, left, down ? strokes.fromUpRight : strokes.fromDownRight)
      for (let between = Math.min(before, row) + 1; between < Math.max(before, row); between++)
        put(between, left, strokes.vertical)
    } else put(row, left, alone ? strokes.point : strokes.horizontal)
    for (let column = left + 1; column < left + pen.step && !alone; column++)
      put(row, column, strokes.horizontal)
    before = row
  })
  if (pen.letter) placeLetters(points, pen, put)
}

/** Without colours, letters identify lines that cross: at their ends and at intervals. */
function placeLetters(
  points: readonly PlotPoint[],
  { letter, step, scale }: Pen,
  put: (row: number, column: number, text: string) => void,
): void {
  const last = points.findLastIndex((point) => typeof point === 'number')
  points.forEach((point, index) => {
    const due = index === last || Math.floor((index * step) / 15) !== Math.floor(((index - 1) * step) / 15)
    if (typeof point === 'number' && letter && due) put(rowOf(point, scale), index * step, letter)
  })
}

const unicodeStrokes = {
  horizontal: '─',
  vertical: '│',
  fromLeftDown: '╮',
  fromLeftUp: '╯',
  fromUpRight: '╰',
  fromDownRight: '╭',
  point: '●',
  middle: '━',
  range: '░',
}

const asciiStrokes: typeof unicodeStrokes = {
  horizontal: '-',
  vertical: '|',
  fromLeftDown: '.',
  fromLeftUp: "'",
  fromUpRight: "'",
  fromDownRight: '.',
  point: '*',
  middle: '=',
  range: ':',
}

/** The row of a value, 0 on top. */
function rowOf(value: number, { top, bottom, rows, logarithmic }: Scale): number {
  const place = (at: number) => (logarithmic ? Math.log(at) : at)
  const share = (place(value) - place(top)) / (place(bottom) - place(top))
  return Math.max(0, Math.min(rows - 1, Math.round(share * (rows - 1))))
}

/** Labels of the rows: all of them where they are few, otherwise the ends and the middle. */
function rowLabels({ top, bottom, rows, logarithmic, label }: Scale): string[] {
  const texts = Array.from({ length: rows }, (_, row) => {
    const share = row / (rows - 1)
    return label(logarithmic ? top * (bottom / top) ** share : top + (bottom - top) * share)
  })
  const labelled = [0, Math.round((rows - 1) / 2), rows - 1]
  return texts.map((text, row) => (rows <= 6 || labelled.includes(row) ? text : ''))
}

function absentRows(
  series: readonly Series[],
  columns: readonly (readonly PlotPoint[])[],
  { step, labelWidth, unicode }: { step: number; labelWidth: number; unicode: boolean },
): Span[][] {
  const mark = unicode ? '▾' : 'v'
  return series.flatMap(({ letter }, index) => {
    const points = columns[index] ?? []
    if (!points.includes('absent')) return []
    const marks = points.map((point) => (point === 'absent' ? mark : ' ').padEnd(step)).join('')
    return [[{ text: `${(letter ?? '').padStart(labelWidth)}  ${marks}`, tone: 'quiet' as const }]]
  })
}

const stepMark = (unicode: boolean) => (unicode ? '▴' : '^')

function stepRow(
  steps: Steps | undefined,
  { margin, columnDays, step, unicode }: { margin: string; columnDays: number; step: number; unicode: boolean },
): Span[][] {
  if (!steps || steps.days.length === 0) return []
  const places = new Set(steps.days.map((day) => Math.floor(day / columnDays) * step))
  const marks = Array.from({ length: Math.max(...places) + 1 }, (_, column) =>
    places.has(column) ? stepMark(unicode) : ' ',
  )
  return [[{ text: margin + marks.join(''), tone: 'strong' }]]
}

/** Labels of the first and last day, and of the middle one where there is room. */
function dateLine(from: string, to: string, width: number): string {
  if (width < 2 * from.length + 2) return `${from} to ${to}`
  const middle = new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString().slice(0, 10)
  const between = width - 2 * from.length
  if (between < middle.length + 8) return from + to.padStart(width - from.length)
  const before = Math.floor((between - middle.length) / 2)
  return `${from}${' '.repeat(before)}${middle}${to.padStart(width - from.length - before - middle.length)}`
}

function captions(
  { series, scale, steps }: Pick<Plot, 'series' | 'scale'> & { steps: Steps | undefined },
  days: number,
  room: number,
  unicode: boolean,
): string[] {
  const points = series.flatMap((one) => one.points)
  return [
    ...(points.includes('absent') ? [`${unicode ? '▾' : 'v'} ${scale.absent}`] : []),
    ...(steps && steps.days.length > 0 ? [`${stepMark(unicode)} ${steps.says}`] : []),
    ...(points.includes(null) ? ['gap: not measured'] : []),
    ...(days > room ? [`each column is ${Math.ceil(days / room)} days`] : []),
  ]
}
