/** A cell of a table as it is written to a file: its value, not its looks. */
export type CsvValue = string | number | null

/**
 * Saves a table as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it: names of
 * apps and texts of ads are written by strangers.
 */
export function saveCsv(name: string, header: readonly string[], rows: readonly (readonly CsvValue[])[]): void {
  const lines = [header, ...rows].map((cells) => cells.map(csvCellText).join(','))
  saveFile(name, new Blob(['\uFEFF', lines.join('\r\n'), '\r\n'], { type: 'text/csv;charset=utf-8' }))
}

/** Also behind spaces, invisible characters and apostrophes, and in full width: as the exports of the service. */
const formula = /^'*[\s\p{Cf}]*[=+\-@\t\r\n＝＋－＠]/u

export function csvCellText(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Hands a file to the browser to be saved. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
