/** Scripts of a single language, or nearly so, by ISO 639-1. */
const ownScripts: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['si', /\p{Script=Sinhala}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['hy', /\p{Script=Armenian}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['kn', /\p{Script=Kannada}/gu],
  ['ml', /\p{Script=Malayalam}/gu],
  ['gu', /\p{Script=Gujarati}/gu],
  ['pa', /\p{Script=Gurmukhi}/gu],
  ['or', /\p{Script=Oriya}/gu],
  ['lo', /\p{Script=Lao}/gu],
  ['km', /\p{Script=Khmer}/gu],
  ['my', /\p{Script=Myanmar}/gu],
  ['bo', /\p{Script=Tibetan}/gu],
  ['dv', /\p{Script=Thaana}/gu],
]

/** Characters that only Chinese uses: function words, and simplified forms that Japanese does not have. */
const chineseOnly = /[的了我你们們这這那吗嗎吧呢么麼很没沒啥谁誰哪为爲们说說还还對对个個给給让讓无费费后里么]/gu

/** Fewest letters of a script for a decision, and their smallest share of all letters: one ツ in a face is not Japanese. */
const fewestLetters = 2
const smallestPart = 0.3

/** The language indicated by the script of a text, however short; undefined where several languages share the script. */
export function languageOfScript(text: string): string | undefined {
  const letters = countOf(text, /\p{L}/gu)
  const isTelling = (found: number) => found >= fewestLetters && found >= letters * smallestPart
  const han = countOf(text, /\p{Script=Han}/gu)
  for (const [language, script] of ownScripts) {
    const found = countOf(text, script)
    if (isTelling(language === 'ja' && found > 0 ? found + han : found)) return language
  }
  return isTelling(han) && countOf(text, chineseOnly) > 0 ? 'zh' : undefined
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Letters with the languages that use them: another language is unlikely in a text with them, while their absence says nothing. */
const telling: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[ыэъ]/iu, ['ru', 'be', 'bg']],
  [/[ыэё]/iu, ['ru', 'be']],
  [/[іїєґ]/iu, ['uk', 'be']],
  [/[їєґ]/iu, ['uk']],
  [/ў/iu, ['be']],
  [/[ђјљњћџ]/iu, ['sr', 'mk']],
  [/[щ]/iu, ['ru', 'uk', 'bg']],
  [/[ةىأإئ]/u, ['ar']],
  [/[پچژگ]/u, ['fa', 'ur', 'ku']],
  [/[ٹڈڑںے]/u, ['ur']],
  [/[ñ¿¡]/iu, ['es', 'ca', 'eu', 'tl']],
  [/[ãõ]/iu, ['pt', 'vi', 'et']],
  [/ß/u, ['de']],
  [/[şğı]/u, ['tr', 'az', 'ku', 'ro']],
  [/[ąęłż]/iu, ['pl', 'lt']],
  [/[ơưđ]/iu, ['vi', 'hr', 'sr']],
]

/** Whether a text has letters that a language does not use. */
export const hasForeignLetters = (text: string, language: string): boolean =>
  telling.some(([letters, languages]) => letters.test(text) && !languages.includes(language))
