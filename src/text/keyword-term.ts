import { normalForm } from './normal-form.ts'

/** Letters a term may have. */
export const longestTerm = 200

/** Code units in which a term of so many letters can be written, with marks apart; a longer text is none. */
const longestWritten = 10_000

/** Storefronts whose language turns letters into lower case in its own way. */
const lowerCaseLanguages: Readonly<Record<string, string>> = { tr: 'tr', az: 'az', lt: 'lt' }

/**
 * Marks nobody sees, such as those that turn the direction of text, choose the colour of an emoji or fill a Korean
 * syllable; the joiners of Persian and Indian scripts stay.
 */
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
/** Joiners that have nothing to join. */
const looseJoiners = /^[\s\u200c\u200d]+|(?<![\s\u200c\u200d])[\s\u200c\u200d]+$/g

/** Printed letters of ASCII are in every normal form. */
const plain = /^[ -~]*$/

/**
 * The one form of a term under which a storefront's pages, suggestions and keywords are kept: compatibility forms and
 * runs of spaces become one form (NFKC), letters lower case by the main language of the storefront.
 */
export function normaliseTerm(text: string, country: string): string {
  const language = lowerCaseLanguages[country]
  if (!language && text.length <= longestWritten && plain.test(text))
    return text.replace(/ {2,}/g, ' ').trim().toLowerCase()
  // What is not seen goes first: it would keep apart what the normal form brings together.
  const seen = text.toWellFormed().replace(/\s+/g, ' ').replace(invisible, '')
  if (seen.length > longestWritten) return seen.slice(0, longestWritten)
  const lower = normalForm(seen, 'NFKC').toLocaleLowerCase(language ?? 'en')
  return normalForm(lower, 'NFKC').replace(looseJoiners, '').replace(/\s+/g, ' ')
}

/** Digits drawn as keys are emoji. */
const keycaps = /[0-9]\u20e3/g

export type TermRefusal = 'empty' | 'no-letters' | 'too-long'

/** Why a normalised term cannot be searched for; undefined for one that can. */
export function refusalOf(term: string): TermRefusal | undefined {
  if (term === '') return 'empty'
  if ([...term].length > longestTerm) return 'too-long'
  return /[\p{L}\p{N}]/u.test(term.replace(keycaps, '')) ? undefined : 'no-letters'
}
