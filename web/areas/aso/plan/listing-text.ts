import type { PlannedField } from '../../../api/listing-drafts.ts'

export const plannedFields = ['name', 'subtitle', 'keyword-field'] as const satisfies PlannedField[]

export const fieldInWords: Record<PlannedField, string> = {
  name: 'Name',
  subtitle: 'Subtitle',
  'keyword-field': 'Keyword field',
}

export interface TextLimit {
  most: number
  unit: 'characters' | 'bytes'
}

/** What App Store Connect takes (docs/listing-audit.md): for certain, and where it may be more, as is reported. */
export const limits: Record<PlannedField, { sure: TextLimit; reported?: TextLimit }> = {
  name: { sure: { most: 30, unit: 'characters' } },
  subtitle: { sure: { most: 30, unit: 'characters' } },
  'keyword-field': { sure: { most: 100, unit: 'bytes' }, reported: { most: 100, unit: 'characters' } },
}

/** Whether a text is longer than the service takes in a draft: twice the limit, in units of UTF-16. */
export const isTooLong = (field: PlannedField, text: string): boolean =>
  text.length > 2 * limits[field].sure.most

/** A text of one line: lines of a pasted list of keywords are entries of it. */
export const asOneLine = (field: PlannedField, text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\s*[\r\n]+\s*/g, field === 'keyword-field' ? ',' : ' ')
    .replaceAll(/\p{Cc}+/gu, ' ')

export interface TextLength {
  /** Unicode characters, as the audit counts them: an emoji of a family is several. */
  characters: number
  bytes: number
  /** What people see as one letter. */
  letters: number
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const encoder = new TextEncoder()

export function textLengthOf(text: string): TextLength {
  // Half of a pair is no character; it is counted as what it is sent as.
  const sent = text.toWellFormed()
  return {
    characters: [...sent].length,
    bytes: encoder.encode(sent).length,
    letters: [...letters.segment(sent)].length,
  }
}

/** How much of a limit a text uses, in its unit. */
export const usedLength = ({ unit }: TextLimit, text: string): number => textLengthOf(text)[unit]

/**
 * A text in two: what fits, and what does not, from the beginning of the first word that does not. Scripts without spaces are cut
 * between letters.
 */
export function splitAtLimit(limit: TextLimit, text: string): [fits: string, over: string] {
  if (usedLength(limit, text) <= limit.most) return [text, '']
  let end = 0
  for (const { segment, index } of letters.segment(text)) {
    if (usedLength(limit, text.slice(0, index + segment.length)) > limit.most) break
    end = index + segment.length
  }
  const wordStart = text.slice(0, end).search(/[^\s,]+$/u)
  const cutsWord = wordStart > 0 && /[^\s,]/u.test(text[end] ?? '')
  const at = cutsWord && !unspaced.test(text.slice(wordStart, end)) ? wordStart : end
  return [text.slice(0, at), text.slice(at)]
}

const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u
