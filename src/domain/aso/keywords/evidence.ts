import { isEmptyAlone } from '../../../text/empty-alone.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { overRepresentation } from '../scores/over-representation.ts'
import type { Background } from './background.ts'
import { sharedName } from './brands.ts'
import type { LookedAt } from './likeness.ts'
import type { Phrase } from './phrases.ts'

/** Developers that must use a phrase that no name holds, at least, and the share of all looked at. */
const fewestDescribing = 3
const describingShare = 0.15
/** Developers that must name an app by a word for it to be no chance, at least, and the share of all looked at. */
const fewestNaming = 2
const namingShare = 0.05
/** And that call their apps by a word that is empty in others. */
const callingShare = 0.3
/** Developers among whom a word of the app that nobody else uses says nothing of such apps. */
const enoughDevelopers = 6
/** Times that the app's description says a word that nobody else says. */
const repeatedAlone = 3
/** Share of all listings up to which a single word tells something that no name holds, and that few names hold. */
const tellingWord = 0.01
const tellingNamed = 0.03

/** Whether the app's name or subtitle holds a phrase. */
export const isOwn = ({ own }: Phrase) => own.name + own.subtitle > 0

/**
 * One app says anything; what several say, or the app itself or a rival prominently, is worth a look. Single words of
 * descriptions alone are mostly verbs and praise: few listings must hold them.
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
  // Where words stand beside each other without spaces, what one text alone writes may be cut anywhere.
  const times = own.name + own.subtitle + own.description
  const enough = isOwn(phrase) ? 2 : repeatedAlone
  if (developers.size === 1 && words.length > 1 && times < enough && unspaced.test(phrase.key)) return false
  if (isOwn(phrase) || named) return true
  // An app should not be found by what only others describe.
  if (naming.size === 0 && own.description === 0) return false
  if (naming.size === 0 && developers.size < fewestDescribing && looked >= enoughDevelopers) return false
  if (developers.size === 1 && inNames.size + inSubtitles.size === 0 && looked >= enoughDevelopers) return false
  if (developers.size >= Math.max(fewestDescribing, describingShare * looked)) return true
  const alone = developers.size === 1 && (words.length === 1 || looked >= enoughDevelopers) ? repeatedAlone : 2
  return own.description >= alone || (inNames.size + inSubtitles.size > 0 && words.length < 3)
}

const unspaced = new RegExp(`[${unspacedScripts}]`, 'u')

/** How over-represented a phrase is among developers of such apps, each by how alike its apps are. */
export function strengthOf({ words, developers }: Phrase, { holding }: Background, looked: LookedAt): number {
  const counted = (some: Iterable<string>) => {
    let sum = 0
    for (const developer of some) sum += looked.developers.get(developer) ?? 0
    return sum
  }
  const among = { holding: counted(developers), of: counted(looked.developers.keys()) }
  return overRepresentation(among, holding(words))
}

/** How over-represented a phrase must be that a name of such apps holds. */
const overRepresented = 25

/**
 * Whether enough speaks for a phrase that a name of such apps holds, or names of several developers where the app does not say it. What
 * names hold is what people look for; what descriptions alone say is prose, however often. Judged apps tell where the bound is:
 * docs/models/suggestions.md. What the app's own name or subtitle holds needs no more evidence.
 */
export function isEnough(phrase: Phrase, strength: number): boolean {
  const { naming, own } = phrase
  return (
    isOwn(phrase) || (naming.size >= (own.description > 0 ? 1 : fewestNaming) && strength >= overRepresented)
  )
}

/** What developers put into names is what they want to be found by; what the app says itself, it is for. */
export function placeFactor({ naming, own }: Phrase): number {
  const named = naming.size > 0 ? 1.5 : 1
  const said = own.name + own.subtitle > 0 ? 1.5 : own.description > 0 ? 1 : 0.5
  return named * said
}

/** A phrase that is what an app is called, or several words of it, that hardly anybody else uses. */
export const namesOneProduct = ({ words, developers, inHead, isHead, isOwnHead }: Phrase) =>
  (isHead && developers.size < (isOwnHead ? 2 * sharedName : sharedName)) ||
  (inHead && words.length > 1 && developers.size === 1)
