import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'

/**
 * Makes untrusted text safe for a terminal: names of apps, captions and ads may contain anything. Nothing in them may move
 * the cursor, change colours or reverse the direction of a line, and the computed width of a line must be right.
 */

/** Line breaks and tabs become one space; other controls, escapes and marks that turn or hide text are left out. */
export function withoutControls(text: string): string {
  return plainLetters.test(text)
    ? text
    : stripVTControlCharacters(text.toWellFormed())
        .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/gu, ' ')
        .replaceAll(hidden, '')
}

const plainLetters = /^[\x20-\x7e]*$/

/** Controls, private and unassigned characters, and formatting ones but for the joiners that scripts and emoji need. */
const hidden =
  /[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

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
