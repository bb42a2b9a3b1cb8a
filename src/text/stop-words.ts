import stopLists from 'stopword'
import { fold } from './search-terms.ts'

/** Names of the lists, which are ISO 639-3 with two exceptions, by ISO 639-1. */
const listNames: ReadonlyMap<string, string> = new Map(
  `af afr, ar ara, bn ben, bg bul, ca cat, cs ces, da dan, de deu, el ell, es spa, et est, eu eus,
   fa fas, fi fin, fr fra, gu guj, he heb, hi hin, hr hrv, hu hun, hy hye, id ind, it ita, ja jpn,
   ko kor, ku kur, lt lit, lv lav, mr mar, ms msa, nl nld, no nob, pa panGu, pl pol, pt por, ro ron,
   ru rus, sk slk, sl slv, sv swe, th tha, tl tgl, tr tur, uk ukr, ur urd, vi vie, yo yor, zh zho`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

/**
 * The English list leaves them out, some since they turn the meaning of a sentence; nobody searches for them by
 * themselves.
 */
const moreEnglish =
  'no not nor few lot lots every ever always really whatever whenever wherever anything everything something nothing anyone everyone someone'.split(
    ' ',
  )

const known = new Map<string, ReadonlySet<string>>()

/**
 * Words that mean nothing by themselves, folded as search folds them: those of the language, and the English ones, which
 * stand in listings of every language.
 */
export function stopWordsOf(language: string | undefined): ReadonlySet<string> {
  const name = listNames.get(language ?? '') ?? 'eng'
  const before = known.get(name)
  if (before) return before
  const words = new Set([...(stopLists[name] ?? []), ...(stopLists.eng ?? []), ...moreEnglish].map(fold))
  known.set(name, words)
  return words
}

let everywhere: ReadonlySet<string> | undefined

/** Words that mean nothing by themselves in any language that has a list: some of them mean something in another one. */
export function stopWordsOfAll(): ReadonlySet<string> {
  everywhere ??= new Set([...listNames.keys()].flatMap((language) => [...stopWordsOf(language)]))
  return everywhere
}

/**
 * "App" and "application" in the languages of many listings, folded. Apple advises against them in keywords, as against
 * names of categories and words said twice.
 */
export const wordsForApp: ReadonlySet<string> = new Set(
  'app apps application aplicacion aplicativo applicazione applikation anwendung apli приложение アプリ 应用 應用 앱 어플 แอป'.split(
    ' ',
  ),
)
