/** Letters of three by five dots, one digit for each row, its bits the dots from left to right: no font is needed. */
const letters: Readonly<Record<string, string>> = {
  A: '25755',
  B: '65656',
  C: '34443',
  D: '65556',
  E: '74647',
  F: '74644',
  G: '34553',
  H: '55755',
  I: '72227',
  J: '11152',
  K: '55655',
  L: '44447',
  M: '57755',
  N: '65555',
  O: '25552',
  P: '65644',
  Q: '25563',
  R: '65655',
  S: '34216',
  T: '72222',
  U: '55557',
  V: '55552',
  W: '55775',
  X: '55255',
  Y: '55222',
  Z: '71247',
  0: '75557',
  1: '26227',
  2: '61247',
  3: '61216',
  4: '55711',
  5: '74616',
  6: '34652',
  7: '71222',
  8: '25252',
  9: '25316',
  '.': '00002',
  '!': '22202',
  '-': '00700',
}

/** Dots from the left edge of one letter to that of the next. */
const advance = 4

/** The width of a line in dots. */
export const lineWidth = (text: string) => Math.max(text.length * advance - 1, 0)

/** A line as an SVG path; unknown characters stay blank. */
export function linePath(text: string, x: number, y: number, dot: number): string {
  const parts: string[] = []
  for (const [at, letter] of [...text.toUpperCase()].entries()) {
    for (const [row, bits] of [...(letters[letter] ?? '')].entries()) {
      for (let column = 0; column < 3; column++) {
        if ((Number(bits) & (4 >> column)) === 0) continue
        parts.push(`M${x + (at * advance + column) * dot} ${y + row * dot}h${dot}v${dot}h-${dot}z`)
      }
    }
  }
  return parts.join('')
}
