import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The coverage of one file in one process: ranges of its text as V8 reports them, outer ones first. */
export interface MeasuredFile {
  file: string
  functions: Profiler.FunctionCoverage[]
}

/**
 * Measures from this call on which code of `src` and `research` this process runs, and writes it into a directory when the process exits.
 * Block coverage is cheap; counts, as NODE_V8_COVERAGE collects them, disable V8's optimiser.
 */
export function measureCoverage(directory: string): void {
  const measured = ['src', 'research'].map((folder) => new URL(`../../${folder}/`, import.meta.url).href)
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  process.once('exit', () =>
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error !== null) throw error
      const files: MeasuredFile[] = answer.result
        .filter(({ url }) => measured.some((folder) => url.startsWith(folder)) && !url.endsWith('.test.ts'))
        .map(({ url, functions }) => ({ file: fileURLToPath(url), functions }))
      writeFileSync(join(directory, `${randomUUID()}.json`), JSON.stringify(files))
    }),
  )
}
