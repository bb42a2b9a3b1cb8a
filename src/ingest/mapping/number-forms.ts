/** How numbers are written in one file: what parts thousands and the decimals. */
interface NumberForm {
  /** The text as JavaScript writes it; undefined for one of another form. */
  read(text: string): string | undefined
}

/** Blanks that part thousands: those of Unicode that do not break, and narrow ones. */
const blank = /[\u00a0\u2007\u2009\u202f]/g
/** Apostrophes of Switzerland. */
const apostrophe = /[\u2019\u02bc]/g
const minus = /^\u2212/

/**
 * The form that an example has: `1.234,5`, `1 234,56`, `1'234`, `1,23,456.7`, `1234,5`.
 * @returns undefined where it is no such example
 */
export function numberForm(example: string): NumberForm | undefined {
  const [, first = '', mark = '', rest = '', decimal = ''] =
    /^(\d{1,3})(?:([.,' ])((?:\d{2,3}\2)*\d{3}))?(?:([.,])\d+)?$/.exec(plain(example)) ?? []
  const isOne = first !== '' && (mark === '' || mark !== decimal)
  if (!isOne) return /^\d+[.,]\d+$/.test(example) ? formOf('', 3, example.includes(',') ? ',' : '.') : undefined
  const group = rest.split(mark || ' ').length > 1 ? (rest.split(mark)[0]?.length ?? 3) : 3
  return mark === '' && decimal === '' ? undefined : formOf(mark, group, decimal)
}

const plain = (text: string) =>
  text.trim().replaceAll(blank, ' ').replaceAll(apostrophe, "'").replace(minus, '-')

function formOf(mark: string, group: number, decimal: string): NumberForm {
  const grouped = mark === '' ? '' : `|\\d{1,3}(?:[${mark}]\\d{${group}})*[${mark}]\\d{3}`
  const pattern = new RegExp(`^[+-]?(?:\\d+${grouped})(?:${decimal === '' ? '(?!)' : `[${decimal}]`}\\d+)?$`)
  return {
    read(text) {
      const written = plain(text)
      if (!pattern.test(written)) return undefined
      const joined = mark === '' ? written : written.replaceAll(mark, '')
      return decimal === '' ? joined : joined.replace(decimal, '.')
    },
  }
}
