/** The severity of a finding: an error breaks something or loses data now; a warning may do so later. */
export type Severity = 'ok' | 'warning' | 'error'

/** The result of one check. */
export interface Finding {
  /** The subject of the check, such as `disk`. */
  about: string
  gravity: Severity
  found: string
  /** The advice; null where nothing has to be done. */
  todo: string | null
}

export const ok = (about: string, found: string): Finding => ({ about, gravity: 'ok', found, todo: null })
export const warning = (about: string, found: string, todo: string): Finding => ({
  about,
  gravity: 'warning',
  found,
  todo,
})
export const error = (about: string, found: string, todo: string): Finding => ({
  about,
  gravity: 'error',
  found,
  todo,
})

/** The findings, or that there is nothing to report. */
export const findingsOrOk = (findings: readonly Finding[], about: string, found: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(about, found)]
