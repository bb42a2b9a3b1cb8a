/**
 * Why there is no copy.
 * - `removed`: the source no longer has it
 * - `refused`: permanently unavailable, or not allowed
 * - `trouble`: a transient failure
 */
export type MediaFailureKind = 'removed' | 'refused' | 'trouble'

/** The message is for people: a whole sentence, without the address, which may be signed. */
export class MediaFailure extends Error {
  readonly kind: MediaFailureKind

  constructor(kind: MediaFailureKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'MediaFailure'
    this.kind = kind
  }
}
