import stringWidth from 'string-width'
import { plainLetters } from './harmless-text.ts'

/** Widths of harmless texts on a screen. What measures letters takes longer to load than most commands have to start. */

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Grapheme clusters, each with its width in columns; one of signs that stand before others can be of any width, and is parted. */
function* letters(text: string): Generator<{ letter: string; columns: number }> {
  if (plainLetters.test(text)) for (const letter of text) yield { letter, columns: 1 }
  else
    for (const { segment } of segmenter.segment(text)) {
      const columns = stringWidth(segment)
      if (columns <= 2) yield { letter: segment, columns }
      else for (const letter of segment) yield { letter, columns: stringWidth(letter) }
    }
}

/** Columns of a screen that a harmless text takes. */
export const displayWidth = (text: string): number =>
  plainLetters.test(text) ? text.length : stringWidth(text)

/** The text, or as much of it as fits with an ellipsis after it. */
export function truncateToWidth(text: string, width: number, ellipsis: string): string {
  if (text.length <= width / 2 || displayWidth(text) <= width) return text
  const room = width - displayWidth(ellipsis)
  let shown = ''
  let used = 0
  for (const { letter, columns } of letters(text)) {
    if (used + columns > room) break
    shown += letter
    used += columns
  }
  return shown.trimEnd() + ellipsis
}

/** Lines of at most `width` columns, broken between words, and inside of those that are wider than a line. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/ +/).filter(Boolean)) {
    const together = line ? `${line} ${word}` : word
    if (displayWidth(together) <= width) {
      line = together
      continue
    }
    if (line) lines.push(line)
    const parts = pieces(word, width)
    lines.push(...parts.slice(0, -1))
    line = parts.at(-1) ?? ''
  }
  if (line) lines.push(line)
  return lines
}

/** At least one column, so that something is always shown. */
function pieces(word: string, width: number): string[] {
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const { letter, columns } of letters(word)) {
    if (part && used + columns > width) {
      parts.push(part)
      part = ''
      used = 0
    }
    part += letter
    used += columns
  }
  return [...parts, part]
}
