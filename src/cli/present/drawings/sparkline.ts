/** A value, absent, or not measured. */
export type Point = number | 'absent' | null

const levels = '▁▂▃▄▅▆▇█'

/**
 * A sparkline of ranks, one character per value, higher is better, on a logarithmic scale, since 3 and 9 differ more than
 * 103 and 109. A dot is absent, a blank not measured. With more than `width` days, several share a character, which shows
 * the last of them.
 */
export function rankSparkline(points: readonly Point[], width: number): string {
  const ranks = points.filter((point) => typeof point === 'number')
  const worst = Math.log(Math.max(10, ...ranks))
  return newestPerColumn(points, width)
    .map((point) => {
      if (point === null) return ' '
      if (point === 'absent') return '·'
      return levels[Math.round((1 - Math.log(point) / worst) * (levels.length - 1))] ?? ' '
    })
    .join('')
}

/** A sparkline of values, one character each, from the lowest to the highest. */
export function sparkline(points: readonly (number | null)[], width: number): string {
  const values = points.filter((point) => point !== null)
  const low = Math.min(...values)
  const span = Math.max(...values) - low
  return newestPerColumn(points, width)
    .map((point) => {
      if (point === null) return ' '
      return levels[span === 0 ? 3 : Math.round(((point - low) / span) * (levels.length - 1))] ?? ' '
    })
    .join('')
}

/** The newest measured or absent point of the days that share a column. */
export function newestPerColumn<P>(points: readonly (P | null)[], width: number): (P | null)[] {
  const together = Math.max(1, Math.ceil(points.length / width))
  const columns: (P | null)[] = []
  for (let from = 0; from < points.length; from += together) {
    const share = points.slice(from, from + together)
    columns.push(share.findLast((point) => point !== null) ?? null)
  }
  return columns
}

/** A share as a bar. */
export function drawBar(value: number, whole: number, width: number): string {
  const filled = Math.max(0, Math.min(width, Math.round((value / whole) * width)))
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
