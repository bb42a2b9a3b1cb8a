import { guarded } from '../domain/evidence/exported-reading.ts'
import { holdsValue } from '../vocabulary/facts.ts'
/** A column of a table: its name and its value for a row. */
export interface Column<Row> {
  name: string
  of: (row: Row) => string
}

/** A value in three states, or a score. */
interface Fact {
  state: string
  value?: unknown
  reason?: string
  /** Index into the evidence of the row. */
  evidence?: number
  formula?: string
}

/** An observation in the form of replies. */
interface Observation {
  source: string
  surface: string
  country: string | null
  observedAt: string
}

export function plain<Row>(name: string, value: (row: Row) => unknown): Column<Row>[] {
  return [{ name, of: (row) => cell(value(row)) }]
}

/**
 * Two columns for a fact: its value, empty unless measured or estimated; and its state, `measured`, `estimated`, `absent`, or the
 * reason why it is not measured, so that a missing value is never taken for zero. Both are empty where the row has no such fact.
 */
export function fact<Row>(name: string, value: (row: Row) => Fact | undefined): Column<Row>[] {
  return [
    { name, of: (row) => cell(measuredValue(value(row))) },
    { name: `${name}State`, of: (row) => stateOf(value(row)) },
  ]
}

/** A numeric fact, and the position of its observation in `source` and the columns beside it, counted from 1. */
export function numberFact<Row>(name: string, value: (row: Row) => Fact | undefined): Column<Row>[] {
  const evidence = (row: Row) => value(row)?.evidence
  const place = (row: Row) => {
    const index = evidence(row)
    return index === undefined ? undefined : index + 1
  }
  return [...fact(name, value), ...plain<Row>(`${name}Evidence`, place)]
}

/** A computed number, and its formula. */
export function score<Row>(name: string, value: (row: Row) => Fact | undefined): Column<Row>[] {
  return [...fact(name, value), ...plain<Row>(`${name}Formula`, (row) => value(row)?.formula)]
}

/**
 * The evidence of a row: the same position in each of these columns is one observation, newest first; sources without
 * storefronts have no country.
 */
export function evidence<Row>(of: (row: Row) => readonly Observation[]): Column<Row>[] {
  const each = (name: keyof Observation) => plain<Row>(name, (row) => of(row).map((one) => one[name] ?? ''))
  return [...each('source'), ...each('surface'), ...each('country'), ...each('observedAt')]
}

const measuredValue = (found: Fact | undefined) => (holdsValue(found?.state) ? found?.value : undefined)

function stateOf(found: Fact | undefined): string {
  if (!found) return ''
  return found.state === 'not-measured' ? `not-measured: ${found.reason}` : found.state
}

/** Text unchanged, lists joined by ` | `, everything else as JSON; empty for null. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return guarded(value.map((each) => String(each)).join(' | '))
  return typeof value === 'string' ? guarded(value) : JSON.stringify(value)
}
