import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { chartLines } from '../exports/chart-lines.ts'
import { keptLines } from '../exports/kept-lines.ts'
import { writeWhole } from '../exports/run-export.ts'
import type { KeptKind } from '../projections/projections.ts'
import type { Bench } from './command.ts'
import { exportPath, tellBrokenExport } from './export-file.ts'

export interface ExportLinesOptions {
  out?: string
  json?: boolean
}

export interface ExportKeptOptions extends ExportLinesOptions {
  kind: KeptKind
}

/** All stored charts to a file that `import charts` reads again. */
export const exportChartsCommand = (bench: Bench, options: ExportLinesOptions): Promise<0 | 1> =>
  exportLines(bench, options, 'charts', 'places', (onPlaces) => chartLines(bench.db, onPlaces))

/** Kept answers to a file that `import catalogue` or `import search-results` reads again. */
export const exportKeptCommand = (bench: Bench, { kind, ...options }: ExportKeptOptions): Promise<0 | 1> =>
  exportLines(bench, options, kind, 'readings', (onReadings) => keptLines(bench.db, kind, onReadings))

/** Lines to a file, zipped when its name ends with `.gz`. */
async function exportLines(
  { terminal, directory, signal }: Bench,
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
    return tellBrokenExport(terminal, signal, error)
  }
}
