/** How bad a finding is: an error keeps something from working, or loses data; a warning will, or may. */
export type Gravity = 'ok' | 'warning' | 'error'

/** What an examination found of one thing. */
export interface Finding {
  /** What was examined, such as `disk`. */
  about: string
  gravity: Gravity
  found: string
  /** What to do about it; null where nothing is to be done. */
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
export const orFine = (findings: readonly Finding[], about: string, found: string): readonly Finding[] =>
  findings.length > 0 ? findings : [ok(about, found)]
