import { type ParsedSearchText, type Token, tokens } from '../../text/search-terms.ts'
import { wordsForApp } from '../../text/stop-words.ts'

/** The inputs of a match's score. */
export interface SearchMatch {
  /** The folded name. */
  sortName: string
  ratingCount: number | null
  /** Whether all terms were found among names and developer; otherwise the description was needed. */
  inName: boolean
  /** Whether a misspelling was assumed. */
  corrected: boolean
}

/** Name and version of the order in which matches are shown. */
export const searchFormula = 'search/3'

/** Share of the score that is text; the rest is how established the app is. */
const textShare = 0.65
/** Ratings at which an app counts as fully established: a few apps in the world have more than ten million. */
const fullyEstablished = 7

/**
 * How well an app answers a text, 0 to 1: 0.65 of it how the name fits, 0.35 the logarithm of its ratings. What an app is
 * called exactly fits best, then a name that begins with the words, that ends with them, that holds them, then one in which
 * a word only begins so, then a description. Words written together or apart are the same.
 */
export function matchRelevance(asked: ParsedSearchText, match: SearchMatch): number {
  const established = Math.min(1, Math.log10(1 + (match.ratingCount ?? 0)) / fullyEstablished)
  const text = textFit(asked, match) * (match.corrected ? 0.8 : 1)
  return Math.round((textShare * text + (1 - textShare) * established) * 1e6) / 1e6
}

/** Separators after the brand in an app's name, as in "Paper by Fifty". */
export const brandSeparators = [' - ', ' • ', ':', '|', '–', '—', '(', ' by '] as const
const brandEnd = new RegExp(brandSeparators.map((end) => end.replace(/[|(]/, '\\$&')).join('|'), 'u')

const inDescription = 0.25
const someWords = 0.45
const exactBrand = 0.96
const beginsWith = 0.8
const endsWith = 0.84
const holds = 0.6
const wordBegins = 0.5
const byCoverage = 0.1

function textFit(asked: ParsedSearchText, match: SearchMatch): number {
  if (!match.inName) return inDescription
  const name = match.sortName.trim()
  if (name === asked.folded) return 1
  const held = tokens(name)
  const wanted = lettersOf(asked.tokens)
  if (wanted === '' || held.length === 0) return someWords
  const brand = tokens(name.split(brandEnd, 1)[0] ?? '').filter(({ text }) => !wordsForApp.has(text))
  if (lettersOf(held) === wanted) return 1
  if (lettersOf(brand) === wanted) return exactBrand
  const covered = byCoverage * Math.min(1, wanted.length / Math.max(1, lettersOf(brand).length))
  if (beginsSo(held, wanted)) return beginsWith + covered
  if (brand.length > 1 && lettersOf(brand.slice(1)) === wanted) return endsWith
  if (standsTogether(held, wanted) || allStand(asked.tokens, held)) return holds + covered
  if (held.some(({ text }) => text.startsWith(wanted)) || allBegin(asked.tokens, held))
    return wordBegins + (lettersOf(held).startsWith(wanted) ? covered : covered / 2)
  return someWords
}

const lettersOf = (some: readonly Token[]) => some.map(({ text }) => text).join('')

/** Whether the first words, joined, are the wanted letters; a run of unspaced script may continue. */
function beginsSo(held: readonly Token[], wanted: string): boolean {
  let letters = ''
  for (const { kind, text } of held) {
    if (kind === 'run' && (letters + text).startsWith(wanted)) return true
    letters += text
    if (letters.length >= wanted.length) return letters === wanted
  }
  return false
}

/** Whether adjacent words, joined, are the wanted letters. */
const standsTogether = (held: readonly Token[], wanted: string) =>
  held.some((_, start) => beginsSo(held.slice(start), wanted))

const allStand = (wanted: readonly Token[], held: readonly Token[]) =>
  wanted.every(({ kind, text }) =>
    held.some((own) => (kind === 'run' ? own.text.includes(text) : own.text === text)),
  )

const allBegin = (wanted: readonly Token[], held: readonly Token[]) =>
  wanted.every(({ text }) => held.some((own) => own.text.startsWith(text)))
