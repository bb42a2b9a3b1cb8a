import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { readingsWithoutPayload } from '../domain/evidence/removed-months.ts'
import { chartLines } from '../exports/chart-lines.ts'
import { readingLines } from '../exports/reading-lines.ts'
import { writeWhole } from '../exports/run-export.ts'
import { type ExportedKind, exportedFormats } from '../projections/projections.ts'
import { brokenExport, exportPath } from './export-file.ts'
import type { OperatorContext } from './operator-context.ts'

interface ExportLinesOptions {
  out?: string
  json?: boolean
}

/** Exports all stored charts to a file for `import charts`. */
export const exportChartsCommand = (context: OperatorContext, options: ExportLinesOptions): Promise<0 | 1> =>
  exportLines(context, options, 'charts', 'places', (onPlaces) => chartLines(context.db, onPlaces))

/** Exports stored answers to a file for `import catalogue` or `import search-results`. */
export async function exportReadingsCommand(
  context: OperatorContext,
  kind: ExportedKind,
  options: ExportLinesOptions,
): Promise<0 | 1> {
  const { db, terminal } = context
  const gone = await readingsWithoutPayload(db, exportedFormats[kind])
  const code = await exportLines(context, options, kind, 'readings', (onReadings) =>
    readingLines(db, kind, onReadings),
  )
  const left = gone.reduce((sum, { readings }) => sum + readings, 0)
  if (code === 0 && left > 0)
    terminal.note(`${left} readings are not among them: retention removed what they held.`)
  return code
}

/** Writes lines to a file, compressed when its name ends with `.gz`. */
async function exportLines(
  { terminal, directory, signal }: OperatorContext,
  options: ExportLinesOptions,
  kind: string,
  counted: string,
  linesOf: (onLines: (count: number) => void) => AsyncGenerator<string>,
): Promise<0 | 1> {
  const path = exportPath(directory, options.out, kind, 'ndjson.gz')
  let done = 0
  const content = Readable.from(
    linesOf((count) => {
      done += count
      terminal.progress({ label: kind, done, total: 0, unit: 'records' })
    }),
  )
  try {
    await writeWhole(path.endsWith('.gz') ? content.compose(createGzip()) : content, path, signal)
    const summary = { kind, [counted]: done, files: [path] }
    terminal.out(options.json ? JSON.stringify(summary) : `${kind}: exported ${done} ${counted} to ${path}`)
    return 0
  } catch (error) {
    throw brokenExport(signal, error)
  }
}
