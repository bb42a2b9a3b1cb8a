import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { normalForm } from './normal-form.ts'
import { plurals } from './plurals.ts'
import { wordRun } from './scripts.ts'
import { fold, type Token, tokens } from './search-terms.ts'
import { stopWordsOf } from './stop-words.ts'

type Stemmer = (word: string) => string

/** By ISO 639-1: Snowball's stemmers, and of some languages what cuts number alone. */
const stemmers: ReadonlyMap<string, Stemmer> = new Map([
  ...Object.entries(plurals),
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['es', spanish],
  ['fi', finnish],
  ['fr', french],
  ['id', indonesian],
  ['it', italian],
  ['nb', norwegian],
  ['nl', dutch],
  ['no', norwegian],
  ['ro', romanian],
  ['ru', russian],
  ['sv', swedish],
  ['uk', ukrainian],
])

const languages = new Map<string, string>()

/** The main language of a storefront, as Unicode's likely subtags have it: `de` for Austria. */
export function languageOfStorefront(country: string): string {
  const known = languages.get(country)
  if (known !== undefined) return known
  const { language } = new Intl.Locale('und', { region: country.toUpperCase() }).maximize()
  languages.set(country, language)
  return language
}

/** Characters that are read: names and terms are shorter. */
const longestText = 1_000

/**
 * The words of a short text by their stems, so that singular and plural are one, without those that mean nothing by
 * themselves unless there are no others. Names are English in every storefront: its stems come after those of the
 * storefront's own language. Scripts without spaces and Hangul stay runs of letters.
 */
export const stemsOf = (text: string, country: string): Token[] => stemsIn(text, languageOfStorefront(country))

/** As `stemsOf`, of a text in a language that is known; without one only English endings are cut. */
export const stemsIn = (text: string, language: string | undefined): Token[] =>
  telling(stemmedWords(text, language))

/** A word by its stem. */
export interface StemmedWord {
  token: Token
  /** Whether it means nothing by itself. */
  isStop: boolean
}

/** All words of a short text in a storefront, in their order. */
export const stemmedWordsOf = (text: string, country: string): StemmedWord[] =>
  stemmedWords(text, languageOfStorefront(country))

/**
 * The words that mean something; all of them where none does.
 * @param asked stems that are looked for, and so mean something here
 */
export function telling(words: readonly StemmedWord[], asked?: ReadonlySet<string>): Token[] {
  const found = words.filter(({ token, isStop }) => !isStop || asked?.has(token.text))
  return (found.length > 0 ? found : words).map(({ token }) => token)
}

function stemmedWords(text: string, language: string | undefined): StemmedWord[] {
  const own = stemmers.get(language ?? '')
  const stop = stopWordsOf(language)
  const found: StemmedWord[] = []
  for (const [piece] of normalForm(text.slice(0, longestText), 'NFKC').toLowerCase().matchAll(wordRun))
    for (const token of tokens(piece)) {
      if (token.kind === 'run') found.push({ token, isStop: false })
      // A piece is one word, but for letters of two scripts and fractions, which are left as they are.
      else if (token.text !== fold(piece)) found.push({ token, isStop: stop.has(token.text) })
      else {
        const stem = english(fold(own ? own(piece) : piece)) || token.text
        found.push({ token: { kind: 'word', text: stem }, isStop: stop.has(piece) })
      }
    }
  return found
}
