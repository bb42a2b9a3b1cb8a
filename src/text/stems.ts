import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { normalForm } from './normal-form.ts'
import { wordRun } from './scripts.ts'
import { fold, type Token, tokens } from './search-terms.ts'
import { stopWordsOf } from './stop-words.ts'

type Stemmer = (word: string) => string

/** Snowball's stemmers by ISO 639-1. */
const stemmers: ReadonlyMap<string, Stemmer> = new Map([
  ['ar', arabic],
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['es', spanish],
  ['fi', finnish],
  ['fr', french],
  ['hu', hungarian],
  ['id', indonesian],
  ['it', italian],
  ['nb', norwegian],
  ['nl', dutch],
  ['no', norwegian],
  ['pt', portuguese],
  ['ro', romanian],
  ['ru', russian],
  ['sv', swedish],
  ['tr', turkish],
  ['uk', ukrainian],
])

const languages = new Map<string, string>()

/** The main language of a storefront, as Unicode's likely subtags have it: `de` for Austria. */
function languageOfStorefront(country: string): string {
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
 * @param asked stems that are looked for in the text, and so mean something here
 */
export const stemsOf = (text: string, country: string, asked?: ReadonlySet<string>): Token[] =>
  stemsIn(text, languageOfStorefront(country), asked)

/** As `stemsOf`, of a text in a language that is known; without one only English endings are cut. */
export function stemsIn(text: string, language: string | undefined, asked?: ReadonlySet<string>): Token[] {
  const own = stemmers.get(language ?? '')
  const stop = stopWordsOf(language)
  const found: { token: Token; isStop: boolean }[] = []
  for (const [piece] of normalForm(text.slice(0, longestText), 'NFKC').toLowerCase().matchAll(wordRun))
    for (const token of tokens(piece)) {
      if (token.kind === 'run') found.push({ token, isStop: false })
      // A piece is one word, but for letters of two scripts and fractions, which are left as they are.
      else if (token.text !== fold(piece)) found.push({ token, isStop: stop.has(token.text) })
      else {
        const stem = fold(english(own ? own(piece) : piece)) || token.text
        found.push({
          token: { kind: 'word', text: stem },
          isStop: stop.has(token.text) && !asked?.has(stem),
        })
      }
    }
  const telling = found.filter(({ isStop }) => !isStop)
  return (telling.length > 0 ? telling : found).map(({ token }) => token)
}
