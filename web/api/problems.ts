import { RivalscopeProblem, ServerUnreachable } from '../../src/client/client.ts'

/** A failure for a person: what happened, what can be done, and how the operator finds it in the log. */
export interface ProblemInWords {
  text: string
  advice: string | undefined
  requestId: string | undefined
  /** Whether trying the same once more may help. */
  again: boolean
}

/** Turns any failure into words. */
export function problemInWords(error: unknown): ProblemInWords {
  if (error instanceof RivalscopeProblem) {
    const { code, detail, requestId, errors, retryAfterSeconds } = error
    const fields = errors.map(({ pointer, message }) => `${pointer.split('/').at(-1)}: ${message}`)
    return {
      text: fields.length > 0 ? fields.join('. ') : detail,
      advice: adviceOn[code]?.(retryAfterSeconds),
      requestId,
      again: ['rate-limited', 'unavailable', 'upstream-failed', 'upstream-timeout', 'internal'].includes(code),
    }
  }
  if (error instanceof ServerUnreachable)
    return {
      text: 'Rivalscope cannot be reached.',
      advice:
        'The data shown was loaded before. Check that Rivalscope is running, then try again; nothing is done twice.',
      requestId: undefined,
      again: true,
    }
  return {
    text: error instanceof Error ? error.message : String(error),
    advice: 'Reload the page. If it happens again, report it with the steps that led to it.',
    requestId: undefined,
    again: true,
  }
}

/** Whether the service answered "not found". */
export const isNotFound = (error: unknown): boolean =>
  error instanceof RivalscopeProblem && error.status === 404

/** The charts that the service names in place of one that was never stored; undefined for other problems. */
export const storedChartsOf = (error: unknown): RivalscopeProblem['storedCharts'] | undefined =>
  error instanceof RivalscopeProblem && error.code === 'chart-not-found' ? error.storedCharts : undefined

/** Whether the service said that the app is not there yet, but on its way into the catalogue. */
export const isBeingAdded = (error: unknown): boolean =>
  error instanceof RivalscopeProblem && ['queued', 'running'].includes(error.intake?.state ?? '')

const adviceOn: Partial<Record<RivalscopeProblem['code'], (seconds: number | null) => string>> = {
  'rate-limited': (seconds) =>
    `Too many requests at once. Try again in ${seconds === 1 ? '1 second' : `${seconds ?? 60} seconds`}.`,
  'scope-missing': () => 'Sign in with a key that has this scope, or ask the operator for one.',
  'evidence-not-allowed': () => 'Ask the operator for a key that may add data.',
  'source-not-configured': () => 'The operator has to configure this source first (docs/collecting.md).',
  'upstream-failed': () => 'The source returned an error. Try again later.',
  'upstream-timeout': () => 'The source did not answer in time. Try again later.',
  unavailable: () => 'The database is not available at the moment. Try again soon.',
  internal: () => 'This is an error in Rivalscope. Report it with the request ID.',
  'already-running': () => 'It is already running; its progress is shown here.',
  'preview-expired': () => 'The preview is older than 15 minutes. Preview again, then import.',
}
