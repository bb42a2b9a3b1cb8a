import { namesShown } from '../dropped-fields.ts'

/** Why a record is rejected as an ad. */
export type AdRefusalReason =
  | 'no-id'
  | 'wrong-platform'
  | 'unknown-form'
  | 'impossible-date'
  | 'bad-value'
  | 'too-large'

/** A rejected record. */
export interface RefusedAd {
  reason: AdRefusalReason
  /** Which part, and what is wrong with it. */
  message: string
  /** The ad id, where the record has a readable one. */
  archiveId: string | null
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a record, shortened for a message. */
export const namesIn = (record: object): string => namesShown(Object.keys(record), 8)

/** @throws AdRefusal for a record that holds none of the fields an ad of its form consists of */
export function requireOneOf(record: Record<string, unknown>, names: readonly string[]): void {
  if (names.some((name) => name in record)) return
  throw new AdRefusal('unknown-form', `none of ${names.join(', ')}; it has ${namesIn(record)}.`)
}

/** Thrown and caught within parsers of records only. */
export class AdRefusal extends Error {
  readonly reason: AdRefusalReason

  constructor(reason: AdRefusalReason, message: string) {
    super(message)
    this.name = 'AdRefusal'
    this.reason = reason
  }
}
