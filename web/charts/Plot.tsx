import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import { dayText, shortDayText } from '../evidence/format.ts'
import styles from './charts.module.css'
import type { Line, LineChartProps, Mark } from './line-chart.ts'
import { cssColour, useTheme } from './theme.ts'

interface PlotProps extends LineChartProps {
  hidden: ReadonlySet<string>
  height: number
  onCanvas: (canvas: HTMLCanvasElement | null) => void
}

/** The drawing of a line chart on a canvas. Loaded with its library when the first chart is shown. */
export default function Plot(props: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(null)
  const latest = useRef(props)
  latest.current = props
  const [at, setAt] = useState<{ index: number; left: number } | undefined>()
  const theme = useTheme()
  const { days, lines, hidden, height, ranks, bars, logarithmic, marks } = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read from the styles of the page
  useEffect(() => {
    const element = host.current
    if (!element) return
    const made = new UPlot(
      optionsOf(
        { days, lines, ranks, bars, logarithmic, marks, height, width: element.clientWidth },
        latest,
        setAt,
      ),
      dataOf(days, lines),
      element,
    )
    plot.current = made
    latest.current.onCanvas(made.ctx.canvas)
    const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    return () => {
      sizes.disconnect()
      latest.current.onCanvas(null)
      made.destroy()
      plot.current = null
    }
  }, [days, lines, ranks, bars, logarithmic, marks, height, theme])

  useEffect(() => {
    const made = plot.current
    if (!made) return
    for (const [index, { id }] of lines.entries()) {
      const show = !hidden.has(id)
      for (const series of seriesIndexes(lines, index))
        if (made.series[series]?.show !== show) made.setSeries(series, { show })
    }
  }, [hidden, lines])

  return (
    <div className={styles.canvas} style={{ height }}>
      <div ref={host} role="img" aria-label={summaryOf(props)} />
      {at && <Readout {...props} at={at} />}
    </div>
  )
}

/** The values of the day under the pointer. */
function Readout({
  days,
  lines,
  hidden,
  format,
  provenance,
  marks,
  at,
}: PlotProps & { at: { index: number; left: number } }) {
  const day = days[at.index]
  if (!day) return null
  const shown = lines.filter(({ id }) => !hidden.has(id))
  return (
    <div
      className={styles.readout}
      style={at.left > 260 ? { right: `calc(100% - ${at.left - 12}px)` } : { left: at.left + 60 }}
    >
      <strong>{dayText(day)}</strong>
      <dl>
        {shown.slice(0, 12).map((line) => (
          <div key={line.id}>
            <dt>
              <bdi>{line.name}</bdi>
            </dt>
            <dd>{valueText(line, at.index, format)}</dd>
          </div>
        ))}
      </dl>
      {shown.length > 12 && <p className="quiet">and {shown.length - 12} more</p>}
      {marks
        ?.filter((mark) => mark.day === day)
        .map(({ text }) => (
          <p key={text}>{text}</p>
        ))}
      {provenance && <div className="quiet">{provenance(at.index)}</div>}
    </div>
  )
}

function valueText(line: Line, index: number, format: (value: number) => string): string {
  const value = line.values[index] ?? null
  if (value === null) return line.absent?.[index] ? '∅ not there' : 'not measured'
  const [low, high] = [line.low?.[index] ?? null, line.high?.[index] ?? null]
  return low === null || high === null ? format(value) : `${format(value)} (${format(low)} to ${format(high)})`
}

/** What the drawing shows, in a sentence for those who cannot see it. */
function summaryOf({ label, days, lines, format }: PlotProps): string {
  const told = lines.slice(0, 8).map((line) => {
    const last = line.values.findLastIndex((value) => value !== null)
    const value = line.values[last]
    return value === null || value === undefined
      ? `${line.name}: nothing measured`
      : `${line.name}: ${format(value)} on ${days[last]}`
  })
  return `${label}, ${days[0]} to ${days.at(-1)}. ${told.join('; ')}`
}

const seconds = (day: string): number => Date.parse(day) / 1_000

/** For each line its values and, where it has a band, its bounds after them. */
function dataOf(days: readonly string[], lines: readonly Line[]): UPlot.AlignedData {
  const series = lines.flatMap(({ values, low, high }) => (low && high ? [values, low, high] : [values]))
  return [days.map(seconds), ...series] as UPlot.AlignedData
}

function seriesIndexes(lines: readonly Line[], index: number): number[] {
  const before = lines.slice(0, index).reduce((sum, { low }) => sum + (low ? 3 : 1), 1)
  return lines[index]?.low ? [before, before + 1, before + 2] : [before]
}

function optionsOf(
  {
    days,
    lines,
    ranks = false,
    bars = false,
    logarithmic = false,
    marks = [],
    height,
    width,
  }: {
    days: readonly string[]
    lines: readonly Line[]
    ranks: boolean | undefined
    bars: boolean | undefined
    logarithmic: boolean | undefined
    marks: readonly Mark[] | undefined
    height: number
    width: number
  },
  latest: { current: PlotProps },
  setAt: (at: { index: number; left: number } | undefined) => void,
): UPlot.Options {
  const text = cssColour('--text-quiet')
  const grid = { stroke: cssColour('--grid'), width: 1 }
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const series: UPlot.Series[] = [{}]
  const bands: UPlot.Band[] = []
  for (const [index, line] of lines.entries()) {
    const stroke = cssColour(`--series-${(index % 8) + 1}`)
    const own = series.length
    series.push({
      label: line.name,
      stroke,
      width: 1.75,
      ...(index >= 8 ? { dash: [6, 4] } : {}),
      spanGaps: false,
      points: { show: !bars, size: 4, fill: stroke, filter: shownPoints(line, days.length) },
      ...(bars && barPaths ? { paths: barPaths, fill: stroke, width: 0 } : {}),
    })
    if (!line.low || !line.high) continue
    const edge = { stroke: 'transparent', width: 0, points: { show: false } }
    series.push(edge, edge)
    bands.push({ series: [own + 2, own + 1], fill: cssColour('--band') })
  }
  return {
    width,
    height,
    series,
    bands,
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false } },
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
        size: 32,
        space: 70,
        // Below their bars, at most ten.
        ...(bars ? { splits: () => spread(days.map(seconds), 10) } : {}),
        values: (_, ticks) => ticks.map((tick) => shortDayText(new Date(tick * 1_000).toISOString())),
      },
      {
        stroke: text,
        grid,
        ticks: { show: false },
        font,
        size: 56,
        values: (_, ticks) =>
          ticks.map((tick) => (tick === null || (ranks && tick < 1) ? '' : latest.current.format(tick))),
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left } }) =>
          setAt(
            idx === null || idx === undefined || left === undefined || left < 0
              ? undefined
              : { index: idx, left },
          ),
      ],
      ready: [
        ({ over, cursor }) =>
          over.addEventListener('click', () => {
            const day = days[cursor.idx ?? -1]
            if (day) latest.current.onDay?.(day)
          }),
      ],
      draw: [(self) => drawApart(self, days, lines, marks)],
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
  if (low === null || high === null) return ranks ? [1, 10] : [0, 1]
  if (ranks) return [logarithmic ? 0.9 : Math.min(1, low) - 0.5, high * 1.06 + 1]
  const room = (high - Math.min(0, low)) * 0.06 || 1
  return [logarithmic ? low * 0.9 : Math.min(0, low), high + room]
}

/** Days outside the chart as marks at the foot, in the colour of their line; happenings as upright lines. */
function drawApart(self: UPlot, days: readonly string[], lines: readonly Line[], marks: readonly Mark[]): void {
  const { ctx, bbox } = self
  const ratio = UPlot.pxRatio
  ctx.save()
  for (const [index, line] of lines.entries()) {
    if (!line.absent || self.series[seriesIndexes(lines, index)[0] ?? 0]?.show === false) continue
    ctx.fillStyle = cssColour(`--series-${(index % 8) + 1}`)
    const y = bbox.top + bbox.height - (3 + (index % 4) * 4) * ratio
    for (const [at, day] of days.entries())
      if (line.absent[at])
        ctx.fillRect(self.valToPos(seconds(day), 'x', true) - ratio, y, 2.5 * ratio, 2.5 * ratio)
  }
  ctx.strokeStyle = cssColour('--border-strong')
  ctx.setLineDash([3 * ratio, 3 * ratio])
  for (const { day } of marks) {
    const x = self.valToPos(seconds(day), 'x', true)
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}
