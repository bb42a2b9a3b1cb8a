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
  'no not nor few lot lots every ever always really whatever whenever wherever anything everything something nothing anyone everyone someone ve ll re don doesn didn isn aren wasn won couldn wouldn shouldn hasn haven'.split(
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

/** French calls upon its readers in forms that hardly any noun has: "suivez", "découvrez". */
const frenchCall = /\p{Script=Latin}{3}ez$/u

/** As `stopWordsOf`, and forms that a language has for calls upon its readers. */
export function emptyWordsOf(language: string | undefined): Pick<ReadonlySet<string>, 'has'> {
  const words = stopWordsOf(language)
  return language === 'fr' ? { has: (word) => words.has(word) || frenchCall.test(word) } : words
}

/** Words that most texts of a language hold and hardly any of another one, folded as search folds them. */
const commonestWords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  `en the and|de und der|fr les vous|es los para|it che gli|pt voce nao|nl het een|sv och att|da og af|no og av|fi ja on|
   pl sie oraz|cs se pro|tr ve icin|ru для или|uk для або|el και για|he של את|ar من على|hi के में|th และ ได้|vi cac cho|id yang dan|
   ja ます する|zh 我们 可以 我們|ko 습니다 있는`
    .split('|')
    .map((line) => line.trim().split(' '))
    .map(([language = '', ...words]) => [language, words]),
)

/** Words of which nearly every text of a language holds one; none for a language nobody chose them for. */
export const commonestWordsOf = (language: string | undefined): readonly string[] =>
  commonestWords[language ?? ''] ?? []

/**
 * Praise, calls and times that listings of every kind are full of: nobody looks for an app by them alone. They are words
 * with a meaning, so that a text may well hold them.
 */
export const wordsOfPraise: ReadonlySet<string> = new Set(
  `free best top new great easy easily simple simply fast quick quickly powerful amazing awesome beautiful perfect ultimate official
   popular favorite favourite fun cool better latest exclusive premium pro plus lite hd feature features featured include includes
   including available based designed enjoy discover download install update updates version today day days week time
   times help helps people users user way world million millions thousands list right start next now once together when off out pre minute minutes hour hours
   gratuit gratuite gratuitement meilleur meilleure meilleurs nouveau nouvelle nouveaux nouvelles facile simple rapide suivez
   decouvrez retrouvez recevez regardez profitez accedez partagez trouvez consultez reagissez choisissez chaque jour jours
   tous toute toutes tout grace depuis fonction fonctions fonctionnalites contenus nombreux plus ecran rubrique favoris
   kostenlos kostenlose kostenlosen gratis beste besten neu neue neuen einfach einfache schnell schnelle schneller viele
   mehr finde finden suche suchen entdecke entdecken speichere bewerte passende passenden tolle super jetzt taglich funktion funktionen
   gratis mejor mejores nuevo nueva nuevos facil rapido descubre disfruta encuentra comparte todos todas cada dia funciones
   gratuito migliore migliori nuovo nuova nuovi scopri trova ogni giorno tutti tutte funzioni
   melhor melhores novo nova novos descubra encontre aproveite todos todas
   無料 人気 簡単 かんたん おすすめ オススメ 最新 最大 最高 便利 機能 利用 対応 可能 楽しく 楽しい 楽しめる 作って 作っ こんな こんな方 ぴったり 毎日 豊富
   充実 紹介 情報 登録 設定 画面 詳細 必要 今すぐ 快適
   免费 免費 海量 最新 最热 最新最热 全新 必备 神器 功能 支持 用户 产品 产品简介 联系我们 随时 随地 随时随地 一键 轻松 体验 精彩 更多 热门 官方 下载
   拥有 尽情 完美 全网 平台 软件 我们 提供 专业 第一 经典 全民`
    .split(/\s+/)
    .map(fold),
)

/**
 * "App" and "application" in the languages of many listings, folded. Apple advises against them in keywords, as against
 * names of categories and words said twice.
 */
export const wordsForApp: ReadonlySet<string> = new Set(
  'app apps application aplicacion aplicativo applicazione applikation anwendung apli приложение アプリ 应用 應用 앱 어플 แอป'.split(
    ' ',
  ),
)
