/** Why a record is not taken as an ad. */
export type AdRefusalReason =
  | 'no-id'
  | 'wrong-platform'
  | 'unknown-form'
  | 'impossible-date'
  | 'bad-value'
  | 'too-large'

/** A record that was not taken. */
export interface RefusedAd {
  reason: AdRefusalReason
  /** Which part, and what is wrong with it. */
  message: string
  /** Where the record has one that can be read. */
  archiveId: string | null
}

/** Thrown inside readers of records; nobody else meets it. */
export class AdRefusal extends Error {
  readonly reason: AdRefusalReason

  constructor(reason: AdRefusalReason, message: string) {
    super(message)
    this.name = 'AdRefusal'
    this.reason = reason
  }
}
