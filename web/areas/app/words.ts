import { compactNumber, count } from '../../evidence/format.ts'

/** Small counts whole, large ones short: `812`, `12.3K`. */
export const compactCount = (value: number): string => (value < 10_000 ? count(value) : compactNumber(value))

/** What a chart says of a day without a value. */
export const notCollectedText = 'Not collected on this day.'

/** An address that may be linked to; undefined for anything but the web. */
export function webAddress(text: string): string | undefined {
  const address = URL.parse(text)
  return address && ['http:', 'https:'].includes(address.protocol) ? address.href : undefined
}
