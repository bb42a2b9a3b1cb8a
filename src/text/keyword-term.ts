import { normalForm } from './normal-form.ts'

/** Most characters of a term. */
export const longestTerm = 200

/** Most code units of a term before normalisation, with separate marks; a longer text is no term. */
const longestWritten = 10_000

/** Storefronts whose language has its own rules for lower case. */
const lowerCaseLanguages: Readonly<Record<string, string>> = { tr: 'tr', az: 'az', lt: 'lt' }

/**
 * Invisible characters, such as those that change the direction of text, choose the colour of an emoji or fill a Korean
 * syllable; the joiners of Persian and Indian scripts stay.
 */
const invisible = /(?![\u200c\u200d])[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu
/** Joiners that have nothing to join. Behind a virama, the last one is part of its letter: the old form of "ൻ". */
const looseJoiners = /^[\s\u200c\u200d]+|(?<![\s\u200c\u200d])[\s\u200c\u200d]+$/g
const virama = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]/
const withoutLoose = (text: string) =>
  text.replace(looseJoiners, (found, at: number) =>
    found.startsWith('\u200d') && virama.test(text[at - 1] ?? '') ? '\u200d' : '',
  )

/** Printable ASCII is the same in every normal form. */
const plain = /^[ -~]*$/

/**
 * The normalised form of a term, under which a storefront's pages, suggestions and keywords are stored: compatibility forms
 * and runs of spaces become one form (NFKC), letters lower case by the main language of the storefront.
 */
export function normaliseTerm(text: string, country: string): string {
  const language = lowerCaseLanguages[country]
  if (!language && text.length <= longestWritten && plain.test(text))
    return text.replace(/ {2,}/g, ' ').trim().toLowerCase()
  // Invisible characters are removed first: they would separate what the normal form combines.
  const seen = text.toWellFormed().replace(/\s+/g, ' ').replace(invisible, '')
  if (seen.length > longestWritten) return seen.slice(0, longestWritten)
  const lower = normalForm(seen, 'NFKC').toLocaleLowerCase(language ?? 'en')
  return withoutLoose(normalForm(lower, 'NFKC')).replace(/\s+/g, ' ')
}

/** Digits drawn as keys are emoji. */
const keycaps = /[0-9]\u20e3/g

export type TermRefusal = 'empty' | 'no-letters' | 'too-long'

/** Why a normalised term cannot be searched for; undefined for one that can. */
export function termRefusalOf(term: string): TermRefusal | undefined {
  if (term === '') return 'empty'
  if ([...term].length > longestTerm) return 'too-long'
  return /[\p{L}\p{N}]/u.test(term.replace(keycaps, '')) ? undefined : 'no-letters'
}
