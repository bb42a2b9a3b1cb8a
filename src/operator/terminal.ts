/** Where an operator's command speaks. */
export interface Terminal {
  /** What the command answers; goes to standard output. */
  out(text: string): void
  /** What a person should know beside it; goes to standard error. */
  note(text: string): void
  /** How far long work is. `total` is 0 when unknown. */
  progress(progress: Progress): void
}

export interface Progress {
  label: string
  done: number
  total: number
  /** In the plural; bytes are told as MB. */
  unit: string
}
