import { resolve } from 'node:path'
import type { Terminal } from './terminal.ts'

/** The path of an export: as given, otherwise named by kind and day in the current directory of the command. */
export function exportPath(directory: string, out: string | undefined, kind: string, ending: string): string {
  return resolve(directory, out ?? `rivalscope-${kind}-${new Date().toISOString().slice(0, 10)}.${ending}`)
}

/** Reports why an export failed. @returns the exit code */
export function reportBrokenExport(terminal: Terminal, signal: AbortSignal, error: unknown): 1 {
  const why = signal.aborted
    ? 'Interrupted'
    : `The export failed: ${error instanceof Error ? error.message : error}`
  terminal.note(`${why}. No half-written file was left.`)
  return 1
}
