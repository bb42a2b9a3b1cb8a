/** Sums and tables that all benchmarks share. */
import { appendFileSync } from 'node:fs'

/** A figure that counts. */
export interface Figure {
  name: string
  /** In '×', where there is a floor. */
  value: number
  unit: string
  /** With what it was compared in the same run: the value is so many times that. */
  floor?: string
  goal?: { atMost: number } | { atLeast: number }
  /** Absolute times, where the value is a multiple. */
  told?: string
}

/** Where `bench/run.ts` gathers the figures of all benchmarks. */
export const figuresFile = 'RIVALSCOPE_BENCH_FIGURES'

/** How many times the processor time of a floor something took, told in a line and to whoever runs several benchmarks. */
export function reportTimes(
  name: string,
  floor: string,
  atMost: number | undefined,
  { ours, bare, each, unit }: { ours: number; bare: number; each: number; unit: 's' | 'ms' },
): void {
  const value = ours / bare
  const of = (seconds: number) => `${((seconds / each) * (unit === 'ms' ? 1_000 : 1)).toPrecision(3)} ${unit}`
  const told = `${of(ours)}, the floor ${of(bare)}`
  const goal = atMost === undefined ? {} : { goal: { atMost } }
  report({ name: `${name}, processor time`, floor, value, unit: '×', told, ...goal })
  print(`${name}, processor time: ${value.toPrecision(3)} times ${floor} (${told})`)
}

/** Tells a figure to whoever runs several benchmarks. */
export function report(figure: Figure): void {
  const file = process.env[figuresFile]
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`)
}

/** Undefined where it has no goal. */
export const isMet = ({ value, goal }: Figure): boolean | undefined =>
  goal && ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast)

/** The value below which a share of the times lies. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Prints rows under a heading, first column to the left, numbers to the right. */
export function printTable(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [heading, ...rows.map((row) => row.map((cell) => written(cell)))]
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '))
  print(lines.join('\n'))
}

function written(cell: string | number): string {
  if (typeof cell === 'string') return cell
  if (Number.isInteger(cell)) return cell.toLocaleString('en')
  return cell.toFixed(cell < 10 ? 2 : 1)
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
