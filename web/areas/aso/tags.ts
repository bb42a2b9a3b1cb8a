import { isOfBrand } from '../../evidence/formula.ts'
import type { WorkstationKeyword } from './shapes.ts'

/**
 * What is known of a keyword, in a word: nobody sets these, they follow from the listing, the rivals and the pages. The order
 * is that of the chips.
 */
export const tags = ['name', 'subtitle', 'rival', 'brand', 'suggested', 'mover'] as const
export type Tag = (typeof tags)[number]

export const tagInWords: Record<Tag, { name: string; means: string }> = {
  name: { name: 'In name', means: 'The app name contains all words of the keyword.' },
  subtitle: { name: 'In subtitle', means: 'The app subtitle contains all words of the keyword.' },
  rival: {
    name: 'Competitor name',
    means: 'The name of a tracked competitor contains all words of the keyword.',
  },
  brand: {
    name: 'Brand',
    means: 'The name of one of the ranked apps: most people who search for it look for that app.',
  },
  suggested: { name: 'Suggested', means: 'The App Store suggests it in autocomplete.' },
  mover: { name: 'Mover', means: 'Newly ranked, dropped out, or moved 5 ranks or more in 7 days.' },
}

/** Places over 7 days from which a keyword counts as a mover. */
const moverPlaces = 5

/** The texts that keywords are looked for in, made ready once for all of them. */
export interface ListingTexts {
  name: Text
  subtitle: Text
  rivalNames: readonly Text[]
}

interface Text {
  whole: string
  words: ReadonlySet<string>
}

export function textsOfListing(
  name: string | null,
  subtitle: string | null,
  rivalNames: readonly (string | null)[],
): ListingTexts {
  return { name: textOf(name), subtitle: textOf(subtitle), rivalNames: rivalNames.map(textOf) }
}

export function keywordTagsOf(
  { term, opportunity, autocomplete, over7Days }: WorkstationKeyword,
  texts: ListingTexts,
): readonly Tag[] {
  const words = wordsOf(term)
  const found: Record<Tag, boolean> = {
    name: holds(texts.name, words),
    subtitle: holds(texts.subtitle, words),
    rival: texts.rivalNames.some((text) => holds(text, words)),
    brand: opportunity.state === 'estimated' && isOfBrand(opportunity.formula),
    suggested: autocomplete.state === 'estimated' && autocomplete.value > 0,
    mover:
      over7Days.state === 'entered' ||
      over7Days.state === 'left' ||
      (over7Days.state === 'measured' && Math.abs(over7Days.places) >= moverPlaces),
  }
  return tags.filter((tag) => found[tag])
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

function textOf(text: string | null): Text {
  return { whole: folded(text ?? ''), words: new Set(wordsOf(text ?? '')) }
}

/** Scripts that put no spaces between words are looked for anywhere in the text. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+$/u

const holds = ({ whole, words }: Text, wanted: readonly string[]): boolean =>
  wanted.length > 0 && wanted.every((word) => words.has(word) || (unspaced.test(word) && whole.includes(word)))
