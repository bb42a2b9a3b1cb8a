import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What one process has run of one file: ranges of its text as V8 reports them, outer ones before those within them. */
export interface MeasuredFile {
  file: string
  functions: Profiler.FunctionCoverage[]
}

/**
 * Measures from this call on which code of `src` this process runs, and writes it into a directory when the process ends.
 * Whether a block ran is cheap to measure; how often, as NODE_V8_COVERAGE has it, takes V8's optimiser away.
 */
export function measureCoverage(directory: string): void {
  const src = new URL('../../src/', import.meta.url).href
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  process.once('exit', () =>
    session.post('Profiler.takePreciseCoverage', (error, answer) => {
      if (error !== null) throw error
      const files: MeasuredFile[] = answer.result
        .filter(({ url }) => url.startsWith(src) && !url.endsWith('.test.ts'))
        .map(({ url, functions }) => ({ file: fileURLToPath(url), functions }))
      writeFileSync(join(directory, `${process.pid}.json`), JSON.stringify(files))
    }),
  )
}
