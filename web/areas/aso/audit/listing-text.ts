export const listingFields = ['name', 'subtitle', 'keywords'] as const
export type ListingField = (typeof listingFields)[number]
export type ListingTexts = Record<ListingField, string>

export interface TextLimit {
  most: number
  unit: 'characters' | 'bytes'
}

/** What App Store Connect takes (docs/listing-audit.md): for certain, and where it may be more, as is reported. */
export const limits: Record<ListingField, { sure: TextLimit; reported?: TextLimit }> = {
  name: { sure: { most: 30, unit: 'characters' } },
  subtitle: { sure: { most: 30, unit: 'characters' } },
  keywords: { sure: { most: 100, unit: 'bytes' }, reported: { most: 100, unit: 'characters' } },
}

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

/** The words of a text as search compares them: compatibility forms, case and accents are one. */
export function comparedWordsOf(text: string, language: string | null): string[] {
  return [...segmenter(language).segment(text.normalize('NFKC'))].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [folded(segment)] : [],
  )
}

/** Without case and accents. Marks that make another letter, as those of kana and Thai, stay. */
const folded = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(/(?<=[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}]\p{M}*)\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()

const segmenters = new Map<string | null, Intl.Segmenter>()

function segmenter(language: string | null): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  const made = new Intl.Segmenter(language ?? undefined, { granularity: 'word' })
  segmenters.set(language, made)
  return made
}

export interface TermCoverage {
  /** Its words stand together in one text, stand in the texts but apart, or are not all there. */
  state: 'together' | 'combined' | 'missing'
  missing: string[]
}

/** Whether the words of a keyword stand in the texts that search reads. */
export function termCoverageOf(
  term: string,
  texts: Partial<ListingTexts>,
  language: string | null,
): TermCoverage {
  const wanted = comparedWordsOf(term, language)
  const { keywords = '', ...shown } = texts
  // Entries of the keyword field are apart from each other, whatever stands beside them.
  const held = [...Object.values(shown), ...keywords.split(',')].map((text) => comparedWordsOf(text, language))
  const missing = wanted.filter((word) => !held.some((words) => words.includes(word)))
  if (missing.length > 0 || wanted.length === 0) return { state: 'missing', missing: [...new Set(missing)] }
  const together = held.some((words) =>
    words.some((_, at) => wanted.every((word, place) => words[at + place] === word)),
  )
  return { state: together ? 'together' : 'combined', missing: [] }
}
