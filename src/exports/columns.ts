/** A column of a table: its name and what a row holds there. */
export interface Column<Row> {
  name: string
  of: (row: Row) => string
}

/** A value in three states, or a score. */
interface Fact {
  state: string
  value?: unknown
  reason?: string
}

export function plain<Row>(name: string, value: (row: Row) => unknown): Column<Row>[] {
  return [{ name, of: (row) => cell(value(row)) }]
}

/**
 * Two columns of a fact: its value, empty unless measured; and `measured`, `absent`, or why it is not measured, so that
 * what is missing is never taken for zero. Both are empty where the row has no such fact.
 */
export function fact<Row>(name: string, value: (row: Row) => Fact | undefined): Column<Row>[] {
  return [
    { name, of: (row) => cell(measuredValue(value(row))) },
    { name: `${name}State`, of: (row) => stateOf(value(row)) },
  ]
}

const measuredValue = (found: Fact | undefined) => (found?.state === 'measured' ? found.value : undefined)

function stateOf(found: Fact | undefined): string {
  if (!found) return ''
  return found.state === 'not-measured' ? `not-measured: ${found.reason}` : found.state
}

/** Text as it is, lists joined by ` | `, everything else as JSON writes it; nothing for null. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return guarded(value.map((each) => String(each)).join(' | '))
  return typeof value === 'string' ? guarded(value) : JSON.stringify(value)
}

/**
 * Texts come from strangers, and spreadsheets take one that begins so for a formula.
 * Source: OWASP, "CSV Injection".
 */
function guarded(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}
