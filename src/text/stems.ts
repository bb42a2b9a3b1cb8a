import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as snowballHindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import scripts from '../data/languages.json' with { type: 'json' }
import table from '../data/stems.json' with { type: 'json' }
import { normalForm, withoutIgnorable } from './normal-form.ts'
import { wordRun } from './scripts.ts'
import { fold, type Token, tokens } from './search-terms.ts'
import { stopWordsOf } from './stop-words.ts'

type Stemmer = (word: string) => string

/** Endings of a language, each with what stands in its place. They apply behind certain letters alone. */
const endingsOf = {
  pt: read(table.endings.pt),
  tr: read(table.endings.tr),
  hu: read(table.endings.hu),
  ar: read(table.endings.ar),
}

type Ending = readonly [ending: RegExp, instead: string]

function read(rows: readonly { after: string; ending: string; instead: string }[]): readonly Ending[] {
  return rows.map(({ after, ending, instead }) => [new RegExp(`(?<=${after})(?:${ending})$`, 'u'), instead])
}

const firstOf = (word: string, endings: readonly Ending[]): string => {
  const found = endings.find(([ending]) => ending.test(word))
  return found ? word.replace(...found) : word
}
const eachOf = (word: string, endings: readonly Ending[]): string =>
  endings.reduce((cut, [ending, instead]) => cut.replace(ending, instead), word)

/** Singulars of plurals that no rule finds: Hungarian stems, and broken plurals of Arabic in common topics of apps. */
const singulars = {
  hu: new Map(Object.entries(table.singulars.hu)),
  ar: new Map(Object.entries(table.singulars.ar).map(([many, one]) => [fold(many), fold(one)])),
}

/** English endings that can be removed without changing the topic of a word, longest first. */
const endings = ['ings', 'ers', 'ing', 'ies', 'ors', 'ed', 'er', 'es', 'or', 's', 'e', 'y']

/**
 * Removes plural endings for languages in which Snowball shortens a singular more than its plural ("oyun" to "oy", "oyunlar"
 * to "oyun"), in the manner of the light stemmers of Savoy (Portuguese, Hungarian: "Light stemming approaches for the
 * French, Portuguese, German and Hungarian languages", 2006) and Larkey (Arabic: "Light stemming for Arabic information
 * retrieval", 2007). The results are for comparing, and need not be words. Measured: docs/words.md.
 */
const plurals = { ar: arabic, hu: hungarian, pt: portuguese, tr: turkish } as const

/** Languages whose regular plurals one ending tells, in the folded word. */
const regular = Object.entries(table.regular).map(([language, rows]): [string, Stemmer] => {
  const ways = read(rows)
  return [language, (word) => firstOf(fold(word), ways)]
})

/** Stemmers by ISO 639-1: Snowball's, and for some languages one that only removes plural endings. */
const stemmers: ReadonlyMap<string, Stemmer> = new Map([
  ...Object.entries(plurals),
  ...regular,
  ['hi', hindi],
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

/** Scripts of India that belong to one language each: its words are known by them in every storefront. */
const indianScripts = /[\u0980-\u0d7f]/
const languagesOfScripts = ['bn', 'gu', 'kn', 'ml', 'or', 'pa', 'ta', 'te'] as const
const ownScripts = languagesOfScripts.map((language) => {
  const [script = ''] = scripts.scripts[language]
  return { language, letters: new RegExp(`\\p{Script=${script}}`, 'u') }
})

const languageOfWord = (word: string, language: string | undefined) =>
  indianScripts.test(word)
    ? (ownScripts.find(({ letters }) => letters.test(word))?.language ?? language)
    : language

const languages = new Map<string, string>()

/** The main language of a storefront, by Unicode's likely subtags: `de` for Austria. */
export function languageOfStorefront(country: string): string {
  const known = languages.get(country)
  if (known !== undefined) return known
  const { language } = new Intl.Locale('und', { region: country.toUpperCase() }).maximize()
  languages.set(country, language)
  return language
}

/** Most characters that are read: names and terms are shorter. */
const longestText = 1_000

/**
 * The stems of a short text, so that singular and plural are equal, without stop words unless there are no other words.
 * English stems come after those of the storefront's own language, since names are English in every storefront. Scripts
 * without spaces and Hangul stay runs of letters.
 */
export const stemsOf = (text: string, country: string): Token[] =>
  stemsInLanguage(text, languageOfStorefront(country))

/** The same as `stemsOf`, for a text in a known language; without one only English endings are removed. */
export const stemsInLanguage = (text: string, language: string | undefined): Token[] =>
  significantWords(stemmedWords(text, language))

/** A word with its stem. */
export interface StemmedWord {
  token: Token
  /** Whether it is a stop word. */
  isStop: boolean
}

/** All words of a short text in a storefront, in their order. */
export const stemmedWordsOf = (text: string, country: string): StemmedWord[] =>
  stemmedWords(text, languageOfStorefront(country))

/**
 * The words that are not stop words; all of them where there are no others.
 * @param asked stems of the search, which are significant here
 */
export function significantWords(words: readonly StemmedWord[], asked?: ReadonlySet<string>): Token[] {
  const found = words.filter(({ token, isStop }) => !isStop || asked?.has(token.text))
  return (found.length > 0 ? found : words).map(({ token }) => token)
}

function stemmedWords(text: string, language: string | undefined): StemmedWord[] {
  const found: StemmedWord[] = []
  const read = withoutIgnorable(normalForm(text.slice(0, longestText), 'NFKC').toLowerCase())
  for (const [piece] of read.matchAll(wordRun)) {
    const spoken = languageOfWord(piece, language)
    const [own, stop] = [stemmers.get(spoken ?? ''), stopWordsOf(spoken)]
    for (const token of tokens(piece)) {
      if (token.kind === 'run') found.push({ token, isStop: false })
      // A piece is one word, except for letters of two scripts and fractions, which stay unchanged.
      else if (token.text !== fold(piece)) found.push({ token, isStop: stop.has(token.text) })
      else {
        const stem = english(fold(own ? own(piece) : piece)) || token.text
        found.push({ token: { kind: 'word', text: stem }, isStop: stop.has(piece) })
      }
    }
  }
  return found
}

/** Portuguese plural endings. Those of -ão need their accent: without it, it is also that of English plurals, such as "heroes". */
function portuguese(word: string): string {
  return firstOf(word, endingsOf.pt)
}

/** Turkish plural endings, then the possessive that joins two nouns ("kelime oyunu"), then consonants that soften before a suffix. */
function turkish(word: string): string {
  return eachOf(word, endingsOf.tr)
}

/** Two letters or more of a stem; a shorter one only loses its last vowel sign. */
function hindi(word: string): string {
  const written = fold(word)
  const stem = snowballHindi(written)
  return stem.match(/\p{L}/gu)?.[1] === undefined
    ? written.replace(/(?<=\p{L}.*\p{L})[\u093e-\u094c]$/u, '')
    : stem
}

/** Some singulars of Hungarian end like a plural: both are shortened until no ending is left. */
function hungarian(word: string): string {
  const singular = singulars.hu.get(word)
  if (singular) return singular
  const cut = eachOf(word, endingsOf.hu)
  return cut === word ? cut : hungarian(cut)
}

/** Arabic endings of possession, number and gender, after the article, which can follow a one-letter word. */
function arabic(word: string): string {
  const bare = fold(word).replace(/^(?:[وبكف]?ال(?=.{3})|لل(?=..))/u, '')
  return eachOf(singulars.ar.get(fold(word)) ?? singulars.ar.get(bare) ?? bare, endingsOf.ar)
}

/** Fewest letters of a stem. */
const shortestStem = 3

/**
 * Removes the commonest English endings of a folded word, so that "scan", "scans" and "scanner" are equal: not a linguistic
 * stem, and only for comparing. Words of other scripts and very short words stay as they are.
 */
export function lightStem(word: string): string {
  if (word.length <= shortestStem || !/^[a-z]+$/.test(word)) return word
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= shortestStem)
  if (!ending) return word
  const stem = word.slice(0, -ending.length)
  return /([^aeiouls])\1$/.test(stem) && stem.length > shortestStem ? stem.slice(0, -1) : stem
}
