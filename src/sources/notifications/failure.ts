/** Why a notification was not delivered, in a sentence without the address, which may be a secret. */
export class NotificationFailure extends Error {
  /** Whether the message itself was refused, so that a retry cannot succeed. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'TellingFailure'
    this.isFinal = isFinal
  }
}
