/**
 * The nearest whole number, halves up as in decimal arithmetic: 62.5 is 63, also where binary fractions add up to
 * 62.4999999999.
 */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + 1e-9)
}
