/** A range of UTF-16 units of a text; the end is exclusive. */
export interface Range {
  id: string
  from: number
  to: number
}

/** A part of a text, with the ids of the quotes that cover it. */
export interface Span {
  from: number
  text: string
  ids: string[]
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

interface Plain {
  text: string
  /** For each unit of the plain text, where it begins and ends in the text as written. */
  from: number[]
  to: number[]
}

/** White space and Unicode forms apart, as quotes were checked when they were read (docs/transcripts-and-analysis.md). */
function plainOf(text: string): Plain {
  const plain: Plain = { text: '', from: [], to: [] }
  for (const { segment, index } of graphemes.segment(text)) {
    const isSpace = /^\s+$/u.test(segment)
    if (isSpace && plain.text.endsWith(' ')) continue
    const form = isSpace ? ' ' : segment.normalize('NFKC')
    plain.text += form
    for (let unit = 0; unit < form.length; unit++) {
      plain.from.push(index)
      plain.to.push(index + segment.length)
    }
  }
  return plain
}

/** Where a quote stands in a text; undefined where it does not. */
export function findQuote(text: string, quote: string): { from: number; to: number } | undefined {
  const words = plainOf(quote.trim()).text
  if (words === '') return undefined
  const plain = plainOf(text)
  const at = plain.text.indexOf(words)
  const from = at === -1 ? undefined : plain.from[at]
  const to = plain.to[at + words.length - 1]
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** Where the quotes stand that are in the text. */
export const rangesOf = (text: string, quotes: readonly { id: string; text: string }[]): Range[] =>
  quotes.flatMap(({ id, text: quote }) => {
    const found = findQuote(text, quote)
    return found ? [{ id, ...found }] : []
  })

/** The part of ranges that lies in a stretch of the text, counted from its beginning. */
export const within = (ranges: readonly Range[], from: number, to: number): Range[] =>
  ranges
    .filter((range) => range.from < to && range.to > from)
    .map(({ id, from: start, to: end }) => ({
      id,
      from: Math.max(0, start - from),
      to: Math.min(to, end) - from,
    }))

/** A text cut where a range begins or ends; together the spans are the text. */
export function spansOf(text: string, ranges: readonly Range[]): Span[] {
  const cuts = new Set([0, text.length])
  for (const { from, to } of ranges) cuts.add(from).add(to)
  const sorted = [...cuts].sort((a, b) => a - b)
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1] ?? text.length
    return {
      from,
      text: text.slice(from, to),
      ids: ranges.filter((range) => range.from <= from && range.to >= to).map(({ id }) => id),
    }
  })
}
