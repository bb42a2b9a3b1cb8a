/**
 * The nearest whole number, halves up, as somebody with a pencil would have it: 62.5 is 63, also where the sum of its
 * fractions comes out at 62.4999999999 in binary.
 */
export function roundHalfUp(value: number): number {
  return Math.floor(value + 0.5 + 1e-9)
}
