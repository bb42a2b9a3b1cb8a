/** A formula's explanation for people. */
export interface FormulaInWords {
  /** Its name and version: `difficulty, version 3`. */
  name: string
  /** The marks in brackets after the formula, each as a sentence; empty without marks. */
  notes: string[]
}

/** `difficulty/3 (common scale)` taken apart; a text of another form is the name. */
export function formulaInWords(formula: string): FormulaInWords {
  const { name, version, marks } =
    /^(?<name>[a-z-]+)\/(?<version>\d+)(?: \((?<marks>.+)\))?$/.exec(formula)?.groups ?? {}
  if (name === undefined) return { name: formula, notes: [] }
  return { name: `${name.replaceAll('-', ' ')}, version ${version}`, notes: notesOf(marks?.split(', ') ?? []) }
}

function notesOf(marks: readonly string[]): string[] {
  const known = marks.flatMap((mark) => noteOf(mark) ?? [])
  const other = marks.filter((mark) => noteOf(mark) === undefined).join(', ')
  return other === '' ? known : [...known, `${other.charAt(0).toLocaleUpperCase()}${other.slice(1)}.`]
}

/** A mark that says too little by itself, as a sentence. */
function noteOf(mark: string): string | undefined {
  if (mark === 'common scale')
    return 'Too few apps of this storefront are collected to scale ratings by it, so a common scale is used. Not comparable with other storefronts.'
  if (mark === 'without relevance')
    return 'Relevance to an app is not included. Not comparable with the value for an app.'
  if (mark === brandMark) return 'A brand name: most people who search for it look for that app.'
  const [, places] = /^(\d+) places?$/.exec(mark) ?? []
  if (places) return `Based on the first ${places} results instead of 10.`
  const [, calibration] = /^cal-(\d+)$/.exec(mark) ?? []
  return calibration && `Calibrated on your sales (calibration ${calibration}).`
}

const brandMark = 'brand term'

/** Whether the formula says that its keyword is the name of one app. */
export const isOfBrand = (formula: string): boolean => formula.includes(brandMark)
