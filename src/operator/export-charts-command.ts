import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { chartLines } from '../exports/chart-lines.ts'
import { writeWhole } from '../exports/run-export.ts'
import type { Bench } from './commands.ts'

export interface ExportChartsOptions {
  out?: string
  json?: boolean
}

/** All stored charts to a file that `import charts` reads again; zipped when its name ends with `.gz`. */
export async function exportChartsCommand(bench: Bench, options: ExportChartsOptions): Promise<0 | 1> {
  const { db, terminal, directory, signal } = bench
  const named = options.out ?? `rivalscope-charts-${new Date().toISOString().slice(0, 10)}.ndjson.gz`
  const path = resolve(directory, named)
  let places = 0
  const lines = chartLines(db, (count) => {
    places += count
    terminal.progress({ label: 'charts', done: places, total: 0, unit: 'records' })
  })
  const content = Readable.from(lines)
  try {
    await writeWhole(path.endsWith('.gz') ? content.compose(createGzip()) : content, path, signal)
    const summary = { kind: 'charts', places, files: [path] }
    terminal.out(options.json ? JSON.stringify(summary) : `charts: exported ${places} places to ${path}`)
    return 0
  } catch (error) {
    const why = signal.aborted
      ? 'Interrupted'
      : `The export failed: ${error instanceof Error ? error.message : error}`
    terminal.note(`${why}. No half-written file was left.`)
    return 1
  }
}
