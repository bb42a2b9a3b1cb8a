import { LRUCache } from 'lru-cache'
import table from '../data/languages.json' with { type: 'json' }
import { hashtagsIn, languagesOfHashtags } from './hashtags.ts'

/** Letters from which the language of a text is detected without further evidence. */
const longText = 40
const lettersRead = 1_500

/** The detected language of a text. */
export interface DetectedLanguage {
  /** ISO 639-1; undefined when it is too short or unclear. */
  language: string | undefined
  /** Possible languages of an unclear text, the likeliest first, for callers with further evidence. */
  possible: string[]
}

/** Loads the model from disk, some tenths of a second of processor time, once per process, at the latest with the first text. */
export const readLanguageModel = () => import('eld/small')

/** A cache of detected languages by the part of the text that is used: listings are often compared with the same neighbours. */
const latest = new LRUCache<string, DetectedLanguage>({ max: 2_000 })

/** The language a text is written in, ISO 639-1; undefined when it is too short or unclear. */
export async function languageOf(text: string): Promise<string | undefined> {
  // A letter has at most two code units.
  const read = text.slice(0, 2 * lettersRead)
  const known = latest.get(read)
  if (known) return known.language
  const detected = await detectIn(read, [])
  latest.set(read, detected)
  return detected.language
}

/** The language of a listing, detected mostly from its description. */
export const languageOfListing = ({ name, subtitle, description }: ListingTexts): Promise<string | undefined> =>
  languageOf([description ?? '', name ?? '', subtitle ?? ''].join('\n'))

interface ListingTexts {
  name?: string | null | undefined
  subtitle?: string | null | undefined
  description?: string | null | undefined
}

/** Most code units that are examined: more take longer and change nothing. */
const looked = 400

/** Phrases that TikTok writes in front of a caption, in the language of the app and not of the caption. */
const writtenByNetwork =
  /(?:reply to|replying to|antwoorden aan|antwort auf|ответить пользователю|odpowiedz użytk\.|responder a|répondre à|rispondi a|الرد على|#(?:duett?|stitch|costurar|dueto|pegar) (?:with|met|mit|com|con|avec|w\/))\s+(?=@)/giu

/** Detects the language of the texts of a post or an ad. Ignores addresses and handles; hashtags only change likelihoods. */
export function languageOfTexts(texts: readonly (string | null | undefined)[]): Promise<DetectedLanguage> {
  const start = texts
    .filter((text) => text)
    .join('\n')
    .slice(0, looked)
    .toWellFormed()
  const words = start.replace(writtenByNetwork, ' ').replace(/https?:\/\/\S+|[@#＃][\p{L}\p{N}\p{M}_.]+/gu, ' ')
  return detectIn(words, hashtagsIn(start))
}

async function detectIn(text: string, hashtags: readonly string[]): Promise<DetectedLanguage> {
  const start = [...text].slice(0, lettersRead).join('')
  const letters = start.match(/\p{L}/gu)?.length ?? 0
  const owned = languageOfScript(start)
  if (owned !== undefined && letters < longText) return { language: owned, possible: [] }
  if (letters === 0) return { language: undefined, possible: [] }
  const { eld } = await readLanguageModel()
  const found = eld.detect(start)
  const tagged = languagesOfHashtags(hashtags)
  if (letters >= longText && found.isReliable() && found.language !== '')
    return detected(found.language, tagged)
  if (owned !== undefined) return { language: owned, possible: [] }
  return ofShortText(start, found.getScores(), tagged)
}

/** The model lacks Indonesian and detects it as Malay, so hashtags have to decide between the two. */
function detected(language: string, tagged: ReadonlyMap<string, number>): DetectedLanguage {
  if (language !== 'ms') return { language, possible: [] }
  return tagged.has('id') ? { language: 'id', possible: [] } : { language: undefined, possible: ['id', 'ms'] }
}

/** Languages that resemble others in short texts and have few posts. */
const rare: ReadonlySet<string> = new Set(
  'tl yo eu ca sq hr sl et lv lt is be bg sr mk ku ms no da sk ro hu fi cs az am'.split(' '),
)

/** Fitted on the half of benchmarks/post-languages.json that is marked for it. */
const fitted = {
  /** Score of the best, and its lead over the second, from which a short text is decided. */
  fewestScore: 0.65,
  leastLead: 0.06,
  /** Distance from the best within which a language is still possible. */
  possibleWithin: 0.1,
  /** Bonus for a language that has hashtags in the text. */
  hashtags: 0.08,
  /** Penalty for rare languages that resemble frequent ones. */
  rare: 0.1,
  /** Penalty for letters that a language does not use. */
  foreign: 0.2,
}

/** At least two words: a single one can be a name, or belong to many languages. */
const severalWords = /\p{L}{2}\P{L}+(?:\p{L}\P{L}+)*\p{L}{2}/u

function ofShortText(
  text: string,
  scores: Readonly<Record<string, number>>,
  tagged: ReadonlyMap<string, number>,
): DetectedLanguage {
  const weighed = Object.entries(scores)
    .map(([language, score]) => {
      const against =
        (rare.has(language) ? fitted.rare : 0) + (hasForeignLetters(text, language) ? fitted.foreign : 0)
      return { language, score: score - against + (tagged.has(language) ? fitted.hashtags : 0) }
    })
    .sort((one, other) => other.score - one.score || (one.language < other.language ? -1 : 1))
  const [best, second] = weighed
  if (!best || best.score < fitted.fewestScore) return { language: undefined, possible: [] }
  const lead = best.score - (second?.score ?? 0)
  if (lead >= fitted.leastLead && (severalWords.test(text) || tagged.has(best.language)))
    return detected(best.language, tagged)
  const possible = weighed.filter(({ score }) => score >= best.score - fitted.possibleWithin)
  return { language: undefined, possible: possible.map(({ language }) => language) }
}

/** Scripts of a single language, or nearly so, by ISO 639-1. */
const ownScripts = Object.entries(table.scripts).map(([language, scripts]) => ({
  language,
  script: new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'gu'),
}))

/** Characters that only Chinese uses: function words, and simplified forms that Japanese does not have. */
const chineseOnly = /[的了我你们們这這那吗嗎吧呢么麼很没沒啥谁誰哪为爲们说說还还對对个個给給让讓无费费后里么]/gu

/** Fewest letters of a script for a decision, and their smallest share of all letters: one ツ in a face is not Japanese. */
const fewestLetters = 2
const smallestPart = 0.3

/** The language indicated by the script of a text, however short; undefined where several languages share the script. */
function languageOfScript(text: string): string | undefined {
  const letters = countOf(text, /\p{L}/gu)
  const isDecisive = (found: number) => found >= fewestLetters && found >= letters * smallestPart
  const han = countOf(text, /\p{Script=Han}/gu)
  for (const { language, script } of ownScripts) {
    const found = countOf(text, script)
    if (isDecisive(language === 'ja' && found > 0 ? found + han : found)) return language
  }
  return isDecisive(han) && countOf(text, chineseOnly) > 0 ? 'zh' : undefined
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Letters with the languages that use them: another language is unlikely in a text with them, while their absence says nothing. */
const characteristicLetters = table.letters.map(({ letters, languages, exactCase }) => ({
  letter: new RegExp(`[${letters}]`, exactCase ? 'u' : 'iu'),
  languages: languages.split(' '),
}))

/** Whether a text has letters that a language does not use. */
const hasForeignLetters = (text: string, language: string): boolean =>
  characteristicLetters.some(({ letter, languages }) => letter.test(text) && !languages.includes(language))
