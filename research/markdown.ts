import type { BacktestDetail } from './backtest.ts'
import { type BacktestRecord, figureText, withUnit } from './record.ts'

/** A table of all records, in their order. @param nameOf the text for a model, such as a link to its card */
export function recordsTable(
  records: readonly BacktestRecord[],
  nameOf: (record: BacktestRecord) => string,
): string {
  return markdownTable(
    ['model', 'formula', 'measure', 'figure', 'baseline', 'goal', 'cases', 'date'],
    records.map((record) => [
      nameOf(record),
      `\`${record.formula}\``,
      record.outcome.state === 'definition' ? '–' : `${record.measure} (${record.better} is better)`,
      figureCell(record),
      baselineCell(record),
      record.goal === null ? '–' : withUnit(record.goal, record.unit),
      record.outcome.state === 'measured' ? String(record.outcome.cases) : '–',
      record.date,
    ]),
  )
}

/** The figure with its interval and what it shows, or why there is none. */
export function figureCell(record: BacktestRecord): string {
  const { outcome, unit } = record
  if (outcome.state === 'definition') return `a definition: ${outcome.why}`
  if (outcome.state === 'not-validated') return `not validated: ${outcome.why}`
  const { figure, interval } = outcome
  const within = interval
    ? ` (${figureText(interval.low)} to ${figureText(interval.high)}, ${figureText(100 * interval.level)} %)`
    : ''
  const verdict = verdictOf(record)
  return `${withUnit(figure, unit)}${within}${verdict ? `, ${verdict}` : ''}`
}

/** The figure of the baseline with what it is. */
export function baselineCell({ outcome, unit, baseline }: BacktestRecord): string {
  if (outcome.state === 'definition') return '–'
  return outcome.state === 'measured' ? `${withUnit(outcome.baselineFigure, unit)}: ${baseline}` : baseline
}

/**
 * Whether a figure is better than that of its baseline, in words; undefined where there is none. Where the baseline's lies within
 * the interval of the figure, the cases cannot tell.
 */
function verdictOf({ outcome, better }: BacktestRecord): string | undefined {
  if (outcome.state !== 'measured') return undefined
  const { figure, baselineFigure, interval = { low: figure, high: figure } } = outcome
  if (interval.low <= baselineFigure && baselineFigure <= interval.high)
    return 'not shown to differ from the baseline'
  return figure > baselineFigure === (better === 'higher')
    ? 'better than the baseline'
    : 'worse than the baseline'
}

export function markdownTable(
  columns: readonly string[],
  lines: readonly (readonly (string | number | null)[])[],
): string {
  const line = (cells: readonly (string | number | null)[]) => `| ${cells.map(cellText).join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...lines.map(line)].join('\n')
}

function cellText(cell: string | number | null): string {
  if (cell === null) return '–'
  if (typeof cell === 'number') return figureText(cell)
  return cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

/** Parts of the report that are drawn. */
export const isSeries = (detail: BacktestDetail): detail is BacktestDetail & { kind: 'series' } =>
  detail.kind === 'series'
