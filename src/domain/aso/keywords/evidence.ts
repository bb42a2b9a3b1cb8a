import { isEmptyAlone } from '../../../text/empty-alone.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { overRepresentation } from '../scores/telling.ts'
import type { Background } from './background.ts'
import { sharedName } from './brands.ts'
import type { LookedAt } from './likeness.ts'
import type { Phrase } from './phrases.ts'

/** Minimum developers that use a phrase that is in no name, and their minimum share of all considered. */
const fewestDescribing = 3
const describingShare = 0.15
/**
 * Minimum developers with a word in an app name for it to be more than chance, and their minimum share of all considered.
 */
const fewestNaming = 2
const namingShare = 0.05
/** Minimum share of developers with the word in an app name, for words that mean nothing in other markets. */
const callingShare = 0.3
/** With at least this many developers, a word that only the app itself uses is not typical of such apps. */
const enoughDevelopers = 6
/** Minimum occurrences in the app's description of a word that no other app uses. */
const repeatedAlone = 3
/** Maximum share of all listings that hold a single word for it to be specific: where no name holds it, and where few do. */
const tellingWord = 0.01
const tellingNamed = 0.03

/** Whether the app's name or subtitle holds a phrase. */
export const isOwn = ({ own }: Phrase) => own.name + own.subtitle > 0

/**
 * Whether a phrase is worth considering: several apps use it, or the app itself or a rival prominently; one use alone proves
 * nothing. Single words of descriptions alone are mostly verbs and praise, so few listings may hold them.
 */
export function hasSupport(phrase: Phrase, { isRare }: Background, { developers: all }: LookedAt): boolean {
  const { words, developers, naming, own, inNames, inSubtitles } = phrase
  const looked = all.size
  const named = naming.size >= Math.max(fewestNaming, namingShare * looked)
  const isCalled = naming.size >= Math.max(fewestDescribing, callingShare * looked)
  const isEmpty = (word: string) => isEmptyAlone(word, isCalled)
  if (isEmpty(phrase.key) || words.every(isEmpty)) return false
  const isRepeated = own.description >= repeatedAlone && developers.size >= fewestDescribing
  const telling = naming.size > 0 ? tellingNamed : tellingWord
  if (words.length === 1 && !named && !isRepeated && !isRare(words[0] ?? '', telling)) return false
  // In scripts without spaces, a phrase that only one text uses may be cut at the wrong place.
  const times = own.name + own.subtitle + own.description
  const enough = isOwn(phrase) ? 2 : repeatedAlone
  if (developers.size === 1 && words.length > 1 && times < enough && unspaced.test(phrase.key)) return false
  if (isOwn(phrase) || named) return true
  // An app should not be found by words that only descriptions of others use.
  if (naming.size === 0 && own.description === 0) return false
  if (naming.size === 0 && developers.size < fewestDescribing && looked >= enoughDevelopers) return false
  if (developers.size === 1 && inNames.size + inSubtitles.size === 0 && looked >= enoughDevelopers) return false
  if (developers.size >= Math.max(fewestDescribing, describingShare * looked)) return true
  const alone = developers.size === 1 && (words.length === 1 || looked >= enoughDevelopers) ? repeatedAlone : 2
  return own.description >= alone || (inNames.size + inSubtitles.size > 0 && words.length < 3)
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

/** How over-represented a phrase is among developers of similar apps, each weighted by the similarity of its apps. */
export function strengthOf({ words, developers }: Phrase, { holding }: Background, looked: LookedAt): number {
  const counted = (some: Iterable<string>) => {
    let sum = 0
    for (const developer of some) sum += looked.developers.get(developer) ?? 0
    return sum
  }
  const among = { holding: counted(developers), of: counted(looked.developers.keys()) }
  return overRepresentation(among, holding(words))
}

/** Minimum over-representation of a phrase that is in the name of a similar app. */
const overRepresented = 25

/**
 * Whether there is enough evidence for a phrase: names of similar apps hold it, those of several developers where the app
 * does not use it. Names hold what people search for; what only descriptions hold is prose, however often. The threshold was
 * fitted on judged apps: docs/models/suggestions.md. A phrase of the app's own name or subtitle needs no more evidence.
 */
export function isEnough(phrase: Phrase, strength: number): boolean {
  const { naming, own } = phrase
  return (
    isOwn(phrase) || (naming.size >= (own.description > 0 ? 1 : fewestNaming) && strength >= overRepresented)
  )
}

/**
 * The factor for where a phrase is used: developers put into names what they want to be found by, and an app's own texts say
 * what it is for.
 */
export function placeFactor({ naming, own }: Phrase): number {
  const named = naming.size > 0 ? 1.5 : 1
  const said = own.name + own.subtitle > 0 ? 1.5 : own.description > 0 ? 1 : 0.5
  return named * said
}

/** Whether a phrase is an app's name, or several words of one, that hardly anybody else uses. */
export const namesOneProduct = ({ words, developers, inHead, isHead, isOwnHead }: Phrase) =>
  (isHead && developers.size < (isOwnHead ? 2 * sharedName : sharedName)) ||
  (inHead && words.length > 1 && developers.size === 1)
