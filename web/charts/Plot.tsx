import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import { dayText, spanText } from '../evidence/format.ts'
import 'uplot/dist/uPlot.min.css'
import styles from './charts.module.css'
import { LineKey } from './LineKey.tsx'
import type { Line, LineChartProps, Mark } from './line-chart.ts'
import { type Cursor, plotDataOf, plotOptionsOf, seriesIndexes } from './plot-options.ts'
import { useTheme } from './theme.ts'

interface PlotProps extends LineChartProps {
  hidden: ReadonlySet<string>
  /** The line that the others step back behind. */
  focused?: string | undefined
  height: number
  onCanvas: (canvas: HTMLCanvasElement | null) => void
}

/** The drawing of a line chart on a canvas. Loaded with its library when the first chart is shown. */
export default function Plot(props: PlotProps) {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(null)
  const latest = useRef(props)
  latest.current = props
  const [at, setAt] = useState<Cursor>()
  const theme = useTheme()
  const { hidden, focused, height, ranks, bars, logarithmic } = props
  const days = useLastEqual(props.days, sameValues)
  const lines = useLastEqual(props.lines, sameLines)
  const marks = useLastEqual(props.marks, sameMarks)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme is read from the styles of the page
  useEffect(() => {
    const element = host.current
    if (!element) return
    const made = new UPlot(
      plotOptionsOf(
        { days, lines, ranks, bars, logarithmic, marks, height, width: element.clientWidth },
        {
          hidden: latest.current.hidden,
          format: (value) => latest.current.format(value),
          onDay: (day) => latest.current.onDay?.(day),
          onCursor: setAt,
        },
      ),
      plotDataOf(days, lines),
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

  useEffect(() => {
    const index = lines.findIndex(({ id }) => id === focused)
    plot.current?.setSeries(seriesIndexes(lines, index)[0] ?? null, { focus: index >= 0 })
  }, [focused, lines])

  return (
    <div className={`${styles.canvas} anchor`} style={{ height }}>
      <div ref={host} role="img" aria-label={summaryOf(props)} />
      {at && <Readout {...props} at={at} />}
    </div>
  )
}

/** The values of the day under the pointer. */
function Readout({ days, lines, hidden, format, provenance, marks, at }: PlotProps & { at: Cursor }) {
  const day = days[at.index]
  if (!day) return null
  const shown = lines.filter(({ id }) => !hidden.has(id))
  return (
    <div
      className={`${styles.readout} raised small`}
      style={at.left > at.width / 2 ? { right: at.width - at.left + 14 } : { left: at.left + 14 }}
    >
      <strong>{dayText(day)}</strong>
      <dl>
        {shown.slice(0, 12).map((line) => (
          <div key={line.id} className="row nowrap stretch between gap-3">
            <dt className="row nowrap shrinks clipped nobreak">
              <LineKey index={lines.indexOf(line)} />
              <bdi className="cut">{line.name}</bdi>
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
  if (value === null) return line.absent?.[index] ? '∅ not ranked' : 'no data'
  const [low, high] = [line.low?.[index] ?? null, line.high?.[index] ?? null]
  return low === null || high === null ? format(value) : `${format(value)} (${format(low)}–${format(high)})`
}

/** The text alternative of the chart. */
function summaryOf({ label, days, lines, format }: PlotProps): string {
  const told = lines.slice(0, 8).map((line) => {
    const last = line.values.findLastIndex((value) => value !== null)
    const value = line.values[last]
    return value === null || value === undefined
      ? `${line.name}: no data`
      : `${line.name}: ${format(value)} on ${dayText(days[last] ?? '')}`
  })
  return `${label}, ${spanText(days[0] ?? '', days.at(-1) ?? '')}. ${told.join('; ')}`
}

/** The newest value, but the one before as long as both are equal: what is drawn of it need not be drawn anew. */
function useLastEqual<Value>(value: Value, isEqual: (a: Value, b: Value) => boolean): Value {
  const last = useRef(value)
  if (!isEqual(last.current, value)) last.current = value
  return last.current
}

function sameValues(a: readonly unknown[] | undefined, b: readonly unknown[] | undefined): boolean {
  if (a === b) return true
  return a !== undefined && a.length === b?.length && a.every((value, index) => value === b[index])
}

const sameLines = (a: readonly Line[], b: readonly Line[]): boolean =>
  a === b ||
  (a.length === b.length &&
    a.every((line, index) => {
      const other = b[index]
      return (
        other !== undefined &&
        line.id === other.id &&
        line.name === other.name &&
        sameValues(line.values, other.values) &&
        sameValues(line.absent, other.absent) &&
        sameValues(line.low, other.low) &&
        sameValues(line.high, other.high)
      )
    }))

const sameMarks = (a: readonly Mark[] | undefined, b: readonly Mark[] | undefined): boolean =>
  sameValues(
    a?.flatMap(({ day, text }) => [day, text]),
    b?.flatMap(({ day, text }) => [day, text]),
  )
