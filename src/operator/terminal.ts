/** Output of an operator's command. */
export interface Terminal {
  /** The result of the command, on standard output. */
  out(text: string): void
  /** Messages for the user, on standard error. */
  note(text: string): void
  /** Progress of long work. `total` is 0 when unknown. */
  progress(progress: Progress): void
}

export interface Progress {
  label: string
  done: number
  total: number
  /** In the plural; bytes are shown as MB. */
  unit: string
}
