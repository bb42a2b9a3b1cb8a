import letters from '../data/letters.json' with { type: 'json' }

/** Scripts in which a nasal is also written as anusvara, by the first code point of their block. They are laid out alike. */
const blocks = [0x900, 0x980, 0xa00, 0xa80, 0xb00, 0xc00, 0xc80, 0xd00]
/** Consonants from the start of a block: nasals with those that they stand before, as classes of a pattern. */
const classes = [
  { nasals: [0x19, 0x1e, 0x23, 0x28], stops: [0x15, 0x18, 0x1a, 0x1d, 0x1f, 0x22, 0x24, 0x27, 0x2a, 0x2d] },
  { nasals: [0x2e], stops: [0x2a, 0x2d] },
]
const virama = 0x4d
const anusvara = 0x02

/** A nasal before a stop is written either way: "हिन्दी" and "हिंदी", "ऐन्ड" and "ऐंड". */
const nasals = new RegExp(
  blocks
    .flatMap((block) => {
      const letter = (offset: number) => String.fromCodePoint(block + offset)
      return classes.map((each) => {
        const stops = each.stops
          .map((offset, index) => `${index % 2 === 0 ? '' : '-'}${letter(offset)}`)
          .join('')
        return `[${each.nasals.map(letter).join('')}]${letter(virama)}(?=[${stops}])`
      })
    })
    .join('|'),
  'g',
)
const sequences = letters.sequences.map(({ written, instead }) => [new RegExp(written, 'g'), instead] as const)
const indian = /[\u0900-\u0d7f]/

/** Folds what Indian scripts write in two ways, in a decomposed text without joiners. */
export function foldIndian(text: string): string {
  if (!indian.test(text)) return text
  return sequences
    .reduce((folded, [written, instead]) => folded.replace(written, instead), text)
    .replace(nasals, (found) => String.fromCodePoint((found.charCodeAt(0) & 0xff80) + anusvara))
}
