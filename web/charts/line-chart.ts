import type { ReactNode } from 'react'

/** One line of a chart. */
export interface Line {
  id: string
  name: string
  /** A value for each of the chart's days; null where nothing was measured, which is a gap. */
  values: readonly (number | null)[]
  /** Days on which it was looked for and not there, drawn apart at the foot; as long as `values`. */
  absent?: readonly boolean[]
  /** Bounds of an estimate, drawn as a band; as long as `values`. */
  low?: readonly (number | null)[]
  high?: readonly (number | null)[]
}

export interface LineChartProps {
  /** The title, for screen readers and file names. */
  label: string
  /** `YYYY-MM-DD`, one for each value, oldest first and without holes. */
  days: readonly string[]
  lines: readonly Line[]
  format: (value: number) => string
  /** Ranks: 1 on top. */
  ranks?: boolean
  /** Bars instead of lines: for sums of weeks or months. */
  bars?: boolean
  /** A logarithmic scale, for ranks that go deep. */
  logarithmic?: boolean
  /** Days on which something happened. */
  marks?: readonly Mark[]
  height?: number
  /** An additional column of the table and of files, a value for each day, such as the number of measured keywords. */
  beside?: { name: string; values: readonly (number | null)[]; format: (value: number) => string }
  /** Shown at the foot of the readout of a day: where its values come from. */
  provenance?: (dayIndex: number) => ReactNode
  /** Called with a day that was clicked. */
  onDay?: (day: string) => void
}

/** A day on which something happened. */
export interface Mark {
  day: string
  text: string
  /** Of another app than the one that the chart is about: dotted instead of dashed. */
  isOther?: boolean
}
