import UPlot from 'uplot'
import { dayText } from '../evidence/format.ts'
import type { Line, Mark } from './line-chart.ts'
import { cssColour } from './theme.ts'

/** The content and the look of a plot. */
interface Drawing {
  days: readonly string[]
  lines: readonly Line[]
  ranks: boolean | undefined
  bars: boolean | undefined
  logarithmic: boolean | undefined
  marks: readonly Mark[] | undefined
  height: number
  width: number
}

/** The day under the pointer, and where that is in the drawing of so many pixels. */
export interface Cursor {
  index: number
  left: number
  width: number
}

interface Around {
  hidden: ReadonlySet<string>
  format: (value: number) => string
  onDay: (day: string) => void
  onCursor: (at: Cursor | undefined) => void
}

const seconds = (day: string): number => Date.parse(day) / 1_000

/** The plot data: for each line its values, followed by the bounds of its band, if any. */
export function plotDataOf(days: readonly string[], lines: readonly Line[]): UPlot.AlignedData {
  const series = lines.flatMap(({ values, low, high }) => (low && high ? [values, low, high] : [values]))
  return [days.map(seconds), ...series] as UPlot.AlignedData
}

/** The positions of a line's values and bounds in the plot data; empty for a line that does not exist. */
export function seriesIndexes(lines: readonly Line[], index: number): number[] {
  const line = lines[index]
  if (!line) return []
  const before = lines.slice(0, index).reduce((sum, { low, high }) => sum + (low && high ? 3 : 1), 1)
  return line.low && line.high ? [before, before + 1, before + 2] : [before]
}

/** Solid, dashed, dotted: eight lines each (LineKey.tsx). */
const dashes = [[], [6, 4], [2, 3]]

/** Of the marks of days outside the chart, below the drawing. */
const markStep = 4
const mostMarkRows = 8

export function plotOptionsOf(drawing: Drawing, around: Around): UPlot.Options {
  const { days, lines, ranks = false, bars = false, logarithmic = false, marks = [], height, width } = drawing
  const text = cssColour('--text-quiet')
  const grid = { stroke: cssColour('--grid'), width: 1 }
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const colours = Array.from({ length: 8 }, (_, index) => cssColour(`--series-${index + 1}`))
  const colourOf = (index: number) => colours[index % 8] ?? text
  const strip = stripHeight(lines)
  const series: UPlot.Series[] = [{}]
  const bands: UPlot.Band[] = []
  for (const [index, line] of lines.entries()) {
    const stroke = colourOf(index)
    const own = series.length
    const show = !around.hidden.has(line.id)
    series.push({
      label: line.name,
      show,
      stroke,
      width: 1.75,
      dash: dashes[Math.floor(index / 8) % 3] ?? [],
      spanGaps: false,
      points: { show: !bars, size: 5, fill: stroke, filter: shownPoints(line, days.length) },
      ...(bars && barPaths ? { paths: barPaths, fill: stroke, width: 0 } : {}),
    })
    if (!line.low || !line.high) continue
    const edge = { show, stroke: 'transparent', width: 0, points: { show: false } }
    series.push(edge, edge)
    bands.push({ series: [own + 2, own + 1], fill: `color-mix(in srgb, ${stroke} 18%, transparent)` })
  }
  return {
    width,
    height,
    series,
    bands,
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false }, focus: { prox: -1 } },
    focus: { alpha: 0.2 },
    // Half of the last day's name stands beyond the drawing.
    padding: [10, 24, 0, 0],
    scales: {
      x: { time: true, ...(bars ? { range: (_, low, high) => roomForBars(low, high, days.length) } : {}) },
      y: {
        dir: ranks ? -1 : 1,
        distr: logarithmic ? 3 : 1,
        range: (_, low, high) => rangeOf(low, high, ranks, logarithmic),
      },
    },
    axes: [
      {
        stroke: text,
        grid,
        ticks: { show: false },
        font,
        space: 70,
        size: 26 + strip,
        gap: 6 + strip,
        // Below their bars, at most ten.
        ...(bars ? { splits: () => spread(days.map(seconds), 10) } : {}),
        values: (_, ticks) => ticks.map((tick) => dayText(new Date(tick * 1_000).toISOString())),
      },
      {
        stroke: text,
        grid,
        ticks: { show: false },
        font,
        size: (_, labels) => Math.max(32, ...(labels ?? []).map((label) => label.length * 7.5 + 14)),
        ...(ranks
          ? {
              splits: (_, __, low, high, step) => rankTicks(low, high, step, logarithmic),
              // On a logarithmic scale the library names powers of ten alone.
              filter: (_, ticks) => ticks,
            }
          : {}),
        values: (_, ticks) => ticks.map((tick) => (tick === null ? '' : around.format(tick))),
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left }, bbox, width: drawn }) =>
          around.onCursor(
            idx === null || idx === undefined || left === undefined || left < 0
              ? undefined
              : { index: idx, left: left + bbox.left / UPlot.pxRatio, width: drawn },
          ),
      ],
      ready: [
        ({ over, cursor }) =>
          over.addEventListener('click', () => {
            const day = days[cursor.idx ?? -1]
            if (day) around.onDay(day)
          }),
      ],
      draw: [
        (self) => {
          drawOutside(self, lines, colourOf, text, font)
          drawMarks(self, marks, cssColour('--border-strong'))
        },
      ],
    },
    tzDate: (stamp) => UPlot.tzDate(new Date(stamp * 1_000), 'Etc/UTC'),
  }
}

/** Over many days only values that stand alone get a point: there is no line that would show them. */
function shownPoints({ values }: Line, days: number): number[] | null {
  if (days <= 45) return null
  const isGap = (index: number) => (values[index] ?? null) === null
  return [...values.keys()].filter((index) => !isGap(index) && isGap(index - 1) && isGap(index + 1))
}

/** Evenly chosen from a list, no more than `most`. */
function spread(values: readonly number[], most: number): number[] {
  const step = Math.ceil(values.length / most)
  return values.filter((_, index) => index % step === 0)
}

const barPaths = UPlot.paths.bars?.({ size: [0.7, 64] })

/** Half a bar more at both ends, so that the first and the last are drawn whole. */
function roomForBars(low: number, high: number, bars: number): [number, number] {
  const room = bars > 1 ? (high - low) / (bars - 1) / 2 : 302_400
  return [low - room, high + room]
}

function rangeOf(
  low: number | null,
  high: number | null,
  ranks: boolean,
  logarithmic: boolean,
): [number, number] {
  if (low === null || high === null) return ranks ? [0.5, 10.5] : logarithmic ? [1, 10] : [0, 1]
  if (ranks) return logarithmic ? [0.9, high * 1.1] : [0.5 - high * 0.02, high * 1.04 + 1]
  // A logarithm of zero is nowhere: four decades are shown then.
  if (logarithmic) return [(low > 0 ? low : high / 10_000 || 0.1) * 0.9, (high || 1) * 1.1]
  const room = (high - Math.min(0, low)) * 0.06 || 1
  return [Math.min(0, low), high + room]
}

/** Place 1 always has its line, whatever the step of the others. */
function rankTicks(low: number, high: number, step: number, logarithmic: boolean): number[] {
  const inRange = (tick: number) => tick >= Math.max(1, low) && tick <= high
  if (logarithmic) return [1, 2, 5, 10, 20, 50, 100, 200, 500].filter(inRange)
  const whole = Math.max(1, Math.round(step))
  const ticks = Array.from({ length: Math.floor(high / whole) }, (_, index) => (index + 1) * whole)
  return [...new Set([1, ...ticks.filter((tick) => tick - 1 >= whole * 0.6 || tick === 1)])].filter(inRange)
}

const rowsOutside = (lines: readonly Line[]): number =>
  Math.min(mostMarkRows, lines.filter(({ absent }) => absent?.includes(true)).length)

const stripHeight = (lines: readonly Line[]): number => {
  const rows = rowsOutside(lines)
  return rows === 0 ? 0 : Math.max(14, rows * markStep + 6)
}

/** Days outside the chart: marks in a strip of their own below the drawing, in the colour of their line. */
function drawOutside(
  self: UPlot,
  lines: readonly Line[],
  colourOf: (index: number) => string,
  text: string,
  font: string,
): void {
  const rows = rowsOutside(lines)
  if (rows === 0) return
  const { ctx, bbox } = self
  const ratio = UPlot.pxRatio
  const foot = bbox.top + bbox.height
  const times = self.data[0]
  const width = Math.max(2 * ratio, Math.min(6 * ratio, (bbox.width / times.length) * 0.8))
  ctx.save()
  let row = 0
  for (const [index, line] of lines.entries()) {
    if (!line.absent?.includes(true)) continue
    const y = foot + (4 + (row % rows) * markStep) * ratio
    row++
    if (self.series[seriesIndexes(lines, index)[0] ?? 0]?.show === false) continue
    ctx.fillStyle = colourOf(index)
    for (const [at, time] of times.entries()) {
      const x = line.absent[at] ? self.valToPos(time, 'x', true) : -1
      if (x >= bbox.left && x <= bbox.left + bbox.width) ctx.fillRect(x - width / 2, y, width, 2.5 * ratio)
    }
  }
  ctx.fillStyle = text
  ctx.font = font.replace('12px', `${11 * ratio}px`)
  ctx.textAlign = 'right'
  ctx.textBaseline = 'middle'
  ctx.fillText('out', bbox.left - 6 * ratio, foot + (4 + ((rows - 1) * markStep) / 2 + 1) * ratio)
  ctx.restore()
}

/** Happenings as upright lines: dashed, and dotted where they are of other apps. */
function drawMarks(self: UPlot, marks: readonly Mark[], stroke: string): void {
  const { ctx, bbox } = self
  const ratio = UPlot.pxRatio
  ctx.save()
  ctx.strokeStyle = stroke
  for (const { day, isOther = false } of marks) {
    const x = self.valToPos(seconds(day), 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.setLineDash(isOther ? [2 * ratio, 4 * ratio] : [6 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}
