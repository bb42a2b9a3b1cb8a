import type { Database } from '../../../storage/database.ts'
import { languageOf } from '../../../text/language.ts'
import { listingWords } from '../../../text/listing-words.ts'
import type { Listing } from '../../catalogue/listing.ts'
import { textReasons } from '../../catalogue/similar-texts.ts'
import { wordCounts } from '../../catalogue/word-weights.ts'
import { countedWords } from '../scores/telling.ts'
import { type AppTexts, namesHolding, textsOfApps } from './suggestion-queries.ts'

/** An app's own listing with its texts. */
export type OwnTexts = AppTexts & Partial<Listing>

/** Characters of a description that are read: it begins with what the app is for and ends with subscription terms. */
export const descriptionRead = 1_500

/** Limits: words of an app used to look for others, names read that hold one of them, and apps taken. */
const wordsAsked = 12
const namesRead = 400
const appsTaken = 40
/** An app is similar when its name scores at least this share of the best name's score. */
const likeEnough = 0.35

/** Weight of a word of the app by the text that holds it. */
const worth = { name: 3, subtitle: 3, rival: 2, description: 1 } as const
/** Occurrences of a word in a description that count, at most. */
const mostTimes = 4

/**
 * Similar apps of the storefront, with their texts: apps whose names hold the most specific words of the app's own texts and
 * of its rivals' names, and apps with similar texts.
 */
export async function appsLike(
  db: Database,
  app: OwnTexts,
  rivals: readonly AppTexts[],
  country: string,
  stopWords: Pick<ReadonlySet<string>, 'has'>,
): Promise<AppTexts[]> {
  const weights = new Map<string, number>()
  const add = (text: string | null | undefined, weight: number, most: number) => {
    const times = new Map<string, number>()
    for (const { key, text: written } of listingWords(text ?? '', country))
      if (!stopWords.has(written))
        for (const word of countedWords(key)) times.set(word, (times.get(word) ?? 0) + 1)
    for (const [word, count] of times)
      weights.set(word, (weights.get(word) ?? 0) + weight * Math.min(most, count))
  }
  add(app.name, worth.name, 1)
  add(app.subtitle, worth.subtitle, 1)
  add(app.description, worth.description, mostTimes)
  for (const rival of rivals) add(`${rival.name}\n${rival.subtitle ?? ''}`, worth.rival, 1)
  const { listings, holding } = await wordCounts(db, weights.keys())
  const telling = [...weights]
    .flatMap(([word, weight]): [string, number][] => {
      const held = holding.get(word)
      return held === undefined ? [] : [[word, weight * Math.log(listings / held)]]
    })
    .sort(([, one], [, other]) => other - one)
    .slice(0, wordsAsked)
  const weightOf = new Map(telling)
  const known = new Set([app.storeId, ...rivals.map(({ storeId }) => storeId)])
  const named = telling.length === 0 ? [] : await namesHolding(db, country, [...weightOf.keys()], namesRead)
  const scored = named
    .filter(({ storeId }) => !known.has(storeId))
    .map(({ storeId, name }) => {
      const held = new Set(countedWords(name))
      return { storeId, score: [...held].reduce((sum, word) => sum + (weightOf.get(word) ?? 0), 0) }
    })
    .sort((one, other) => other.score - one.score || (one.storeId < other.storeId ? -1 : 1))
  const enough = (scored[0]?.score ?? 0) * likeEnough
  const taken = scored.filter(({ score }) => score > 0 && score >= enough).slice(0, appsTaken)
  const described = await appsThatSpeakAlike(db, app, country)
  const ids = new Set([...taken.map(({ storeId }) => storeId), ...described.filter((id) => !known.has(id))])
  const found = await textsOfApps(db, [...ids], country, descriptionRead)
  const [language, ...languages] = await Promise.all([app, ...found].map(clearLanguage))
  return found.filter((_, index) => !language || !languages[index] || languages[index] === language)
}

/** The apps whose texts are most similar to those of an app, whatever their names; none where it has no description. */
async function appsThatSpeakAlike(db: Database, app: OwnTexts, country: string): Promise<string[]> {
  if (!app.description) return []
  const { reasons, editions } = await textReasons(
    db,
    { storeId: app.storeId, country },
    app,
    [],
    new Map(),
    new Set(),
  )
  return [...reasons]
    .filter(([id]) => !editions.has(id))
    .sort(([a, one], [b, other]) => other.strength - one.strength || (a < b ? -1 : 1))
    .slice(0, appsTaken)
    .map(([id]) => id)
}

/** Minimum characters of a description for a certain language detection: a short one of names passes for any language. */
const clearText = 150

const clearLanguage = async ({ description }: AppTexts) =>
  description && description.length >= clearText ? languageOf(description) : undefined
