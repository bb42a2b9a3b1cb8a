import { resolve } from 'node:path'
import type { Terminal } from './terminal.ts'

/** Where an export is written: as told, else under its kind and day in the directory where it was asked for. */
export function exportPath(directory: string, out: string | undefined, kind: string, ending: string): string {
  return resolve(directory, out ?? `rivalscope-${kind}-${new Date().toISOString().slice(0, 10)}.${ending}`)
}

/** Says why an export did not come about. Answers how its command ends. */
export function reportBrokenExport(terminal: Terminal, signal: AbortSignal, error: unknown): 1 {
  const why = signal.aborted
    ? 'Interrupted'
    : `The export failed: ${error instanceof Error ? error.message : error}`
  terminal.note(`${why}. No half-written file was left.`)
  return 1
}
