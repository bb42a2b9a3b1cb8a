/** Why a message did not arrive, in a sentence without the address, which may be a secret. */
export class TellingFailure extends Error {
  /** Whether the message itself was refused, so that sending it again is no use. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'TellingFailure'
    this.isFinal = isFinal
  }
}
