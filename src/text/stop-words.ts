import stopLists from 'stopword'
import common from '../data/common-words.json' with { type: 'json' }
import table from '../data/stop-words.json' with { type: 'json' }
import { normalForm } from './normal-form.ts'
import { fold } from './search-terms.ts'
import { wordsOfList } from './word-list.ts'

/** The stop words of a language. */
interface Row {
  /** The name of a list of the package. */
  list?: string
  /** The encoding by which the package should have decoded the list, where it took another. */
  encoding?: string
  /** A list of our own in place of the package's. */
  words?: readonly string[]
  /** Words of the list that are topics of apps, and short forms that are other words without their marks. */
  topics?: string
  /** Words missing in the list, some because they change the meaning of a sentence; nobody searches for them alone. */
  missing?: readonly string[]
  /** Whether a stop word without its marks is another word: "cho" is for, "chó" a dog. */
  marksTellWordsApart?: boolean
  /** Words that most texts of a language contain and hardly any of another one. */
  commonest?: string
}

const { en } = table.languages
const rows: ReadonlyMap<string, Row> = new Map(Object.entries<Row>(table.languages))

/** Languages whose stop words are used. Each list was checked against the topics of apps in its language: docs/words.md. */
export const languagesWithStopWords: readonly string[] = [...rows.keys()]

const known = new Map<string, ReadonlySet<string>>()

/** Scripts that write most words in several ways, all of which fold to one: Arabic and those of India. */
const variedSpelling = /[\u0600-\u06ff\u0900-\u0d7f]/

class StopWords extends Set<string> {
  override has(word: string): boolean {
    return super.has(word) || (variedSpelling.test(word) && super.has(fold(word)))
  }
}

/**
 * Stop words in lower case, as written and as folded for search: those of the language, and the English ones, which occur in
 * listings of every language. Look a word up as it is written: Danish "nogle" (some) is a stop word, "nøgle" (key) is not.
 */
export function stopWordsOf(language = 'en'): ReadonlySet<string> {
  const before = known.get(language)
  if (before) return before
  const row: Row = rows.get(language) ?? en
  const written = row.words
    ? wordsOfList(row.words)
    : (stopLists[row.list ?? ''] ?? []).map((word) => decoded(word, row.encoding))
  const plain = (word: string) => normalForm(word, 'NFKC').toLowerCase()
  const forms = (words: readonly string[]) => words.flatMap((word) => [plain(word), fold(word)])
  const words = new StopWords([
    ...(row.marksTellWordsApart ? written.map(plain) : forms(written)),
    ...forms([...(stopLists[en.list] ?? []), ...wordsOfList(en.missing)]),
  ])
  for (const word of forms(row.topics?.split(' ') ?? [])) words.delete(word)
  known.set(language, words)
  return words
}

function decoded(word: string, encoding: string | undefined): string {
  const bytes = Buffer.from(word, 'latin1')
  return encoding && bytes.toString('latin1') === word ? new TextDecoder(encoding).decode(bytes) : word
}

let everywhere: ReadonlySet<string> | undefined

/** Stop words of all languages that have a list: some of them are significant in another language. */
export function stopWordsOfAll(): ReadonlySet<string> {
  everywhere ??= new Set(languagesWithStopWords.flatMap((language) => [...stopWordsOf(language)]))
  return everywhere
}

/** French imperatives, in a form that hardly any noun has: "suivez", "découvrez". */
const frenchCall = /\p{Script=Latin}{3}ez$/u

/** Function words that the package's short list lacks, in both written forms of Norwegian, and "the app". */
const moreNorwegian: ReadonlySet<string> = new Set(
  wordsOfList(table.norwegian).flatMap((word) => [word, fold(word)]),
)

/** The same as `stopWordsOf`, with imperative forms where a language has them. */
export function stopWordsAndImperativesOf(language: string | undefined): Pick<ReadonlySet<string>, 'has'> {
  const words = stopWordsOf(language)
  if (language === 'fr') return { has: (word) => words.has(word) || frenchCall.test(word) }
  if (language === 'no' || language === 'nb' || language === 'nn')
    return { has: (word) => words.has(word) || moreNorwegian.has(word) }
  return words
}

/** Words of which nearly every text of a language contains one, folded; empty for a language without any. */
export const commonestWordsOf = (language: string | undefined): readonly string[] =>
  rows
    .get(language ?? '')
    ?.commonest?.split(' ')
    .map(fold) ?? []

/**
 * Praise, imperatives and times that are frequent in listings of every kind: nobody searches for an app by them alone. They
 * have a meaning, so texts may contain them.
 */
export const wordsOfPraise: ReadonlySet<string> = new Set(wordsOfList(common.praise).map(fold))

/**
 * "App" and "application" in the languages of many listings, folded. Apple advises against them in keywords, as against
 * names of categories and repeated words.
 */
export const wordsForApp: ReadonlySet<string> = new Set(wordsOfList(common.app))
