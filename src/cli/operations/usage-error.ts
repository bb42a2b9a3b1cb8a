/** One thing that is wrong with how a command was called. */
export interface Misuse {
  /** As the person writes it: `--min-rating`, `<store-id>`. */
  place: string
  message: string
}

/** The command was called wrongly; nothing was asked of the server, or the server refused it for that. */
export class UsageError extends Error {
  readonly misuses: readonly Misuse[]

  constructor(misuses: readonly Misuse[]) {
    super(misuses.map(({ place, message }) => `${place}: ${message}`).join('\n'))
    this.misuses = misuses
  }
}
