import { resolve } from 'node:path'
import { Refusal } from './command.ts'

/** The path of an export: as given, otherwise named by kind and day in the current directory of the command. */
export function exportPath(directory: string, out: string | undefined, kind: string, ending: string): string {
  return resolve(directory, out ?? `rivalscope-${kind}-${new Date().toISOString().slice(0, 10)}.${ending}`)
}

/** Why an export failed, in words. */
export function brokenExport(signal: AbortSignal, error: unknown): Refusal {
  const why = signal.aborted
    ? 'Interrupted'
    : `The export failed: ${error instanceof Error ? error.message : error}`
  return new Refusal(`${why}. No half-written file was left.`)
}
