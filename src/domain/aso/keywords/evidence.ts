import { isMeaninglessAlone } from '../../../text/meaningless-alone.ts'
import { unspacedScripts } from '../../../text/scripts.ts'
import { overRepresentation } from '../scores/specificity.ts'
import { type AppTextWords, maxDevelopersOfBrand, type WordFrequencies } from './brands.ts'
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
const specificShare = 0.01
const specificNamedShare = 0.03

/** Whether the app's name or subtitle holds a phrase. */
export const isInOwnName = ({ own }: Phrase) => own.name + own.subtitle > 0

/**
 * Whether a phrase is worth considering: several apps use it, or the app itself or a rival prominently; one use alone proves
 * nothing. Single words of descriptions alone are mostly verbs and praise, so few listings may hold them.
 */
export function isPhraseSupported(
  phrase: Phrase,
  { isRare }: WordFrequencies,
  { developers: all }: ComparedApps,
): boolean {
  const { words, developers, naming, own, inNames, inSubtitles } = phrase
  const looked = all.size
  const named = naming.size >= Math.max(fewestNaming, namingShare * looked)
  const isCalled = naming.size >= Math.max(fewestDescribing, callingShare * looked)
  const isEmpty = (word: string) => isMeaninglessAlone(word, isCalled)
  if (isEmpty(phrase.key) || words.every(isEmpty)) return false
  const isRepeated = own.description >= repeatedAlone && developers.size >= fewestDescribing
  const mostHolding = naming.size > 0 ? specificNamedShare : specificShare
  if (words.length === 1 && !named && !isRepeated && !isRare(words[0] ?? '', mostHolding)) return false
  // In scripts without spaces, a phrase that only one text uses may be cut at the wrong place.
  const times = own.name + own.subtitle + own.description
  const enough = isInOwnName(phrase) ? 2 : repeatedAlone
  if (developers.size === 1 && words.length > 1 && times < enough && unspaced.test(phrase.key)) return false
  if (isInOwnName(phrase) || named) return true
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
export function phraseStrength(
  { words, developers }: Phrase,
  { holding }: WordFrequencies,
  looked: ComparedApps,
): number {
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
export function hasEnoughEvidence(phrase: Phrase, strength: number): boolean {
  const { naming, own } = phrase
  return (
    isInOwnName(phrase) ||
    (naming.size >= (own.description > 0 ? 1 : fewestNaming) && strength >= overRepresented)
  )
}

/**
 * The factor for where a phrase is used: developers put into names what they want to be found by, and an app's own texts say
 * what it is for.
 */
export function phrasePlacementFactor({ naming, own }: Phrase): number {
  const named = naming.size > 0 ? 1.5 : 1
  const said = own.name + own.subtitle > 0 ? 1.5 : own.description > 0 ? 1 : 0.5
  return named * said
}

/** Whether a phrase is an app's name, or several words of one, that hardly anybody else uses. */
export const isProductName = ({ words, developers, inHead, isHead, isOwnHead }: Phrase) =>
  (isHead && developers.size < (isOwnHead ? 2 * maxDevelopersOfBrand : maxDevelopersOfBrand)) ||
  (inHead && words.length > 1 && developers.size === 1)

/**
 * Similarity is measured against the mean of this many closest apps: from `full` of that mean an app counts fully, up to
 * `none` not at all.
 */
const closest = 3
const full = 0.6
const none = 0.3
/** Minimum weight of a rival: a person chose it. */
const rival = 0.5

/** The apps that are compared. */
export interface ComparedApps {
  rivals: readonly AppTextWords[]
  /** Apps that are neither the app itself nor a rival. */
  others: readonly AppTextWords[]
  /** Includes the app itself, if its listing is stored. */
  all: readonly AppTextWords[]
  /** Weight of each developer's words, 0 to 1. */
  developers: ReadonlyMap<string, number>
  /** Number of developers other than the app's own and the rivals'. */
  otherDevelopers: number
}

/** The similar apps, with weights. @param weightOf specificity of a word */
export function comparedApps(
  own: AppTextWords | undefined,
  rivals: readonly AppTextWords[],
  found: readonly AppTextWords[],
  weightOf: (word: string) => number,
): ComparedApps {
  const likeness = likenessTo(own, rivals, found, weightOf)
  const others = found.filter((app) => (likeness.get(app) ?? 0) > 0)
  const all = [...(own ? [own] : []), ...rivals, ...others]
  const developers = new Map<string, number>()
  for (const app of all)
    developers.set(app.developer, Math.max(developers.get(app.developer) ?? 0, likeness.get(app) ?? 1))
  return {
    rivals,
    others,
    all,
    developers,
    otherDevelopers: new Set(others.map(({ developer }) => developer)).size,
  }
}

/**
 * The weight of each app's words, 0 to 1: the cosine similarity of its texts with the app's own, words weighted by rarity,
 * relative to that of the closest apps. It keeps apart navigators and worlds for a game, both with "Maps" in their names.
 * Without descriptions nothing can be compared, and all apps count fully.
 */
function likenessTo(
  own: AppTextWords | undefined,
  rivals: readonly AppTextWords[],
  found: readonly AppTextWords[],
  weightOf: (word: string) => number,
): Map<AppTextWords, number> {
  const others = [...rivals, ...found]
  const alike = new Map<AppTextWords, number>()
  if (own && own.description.length > 0) {
    const [words, length] = read(own, weightOf)
    for (const other of others) {
      if (other.description.length === 0) continue
      const [held, otherLength] = read(other, weightOf)
      let shared = 0
      for (const word of held) if (words.has(word)) shared += weightOf(word) ** 2
      alike.set(other, shared / (length * otherLength || 1))
    }
  }
  const best = [...alike.values()].sort((one, other) => other - one).slice(0, closest)
  const mean = best.reduce((sum, one) => sum + one, 0) / (best.length || 1)
  return new Map(
    others.map((other) => {
      const cosine = alike.get(other)
      const share = cosine === undefined || mean === 0 ? 1 : Math.min(1, (cosine / mean - none) / (full - none))
      return [other, Math.max(rivals.includes(other) ? rival : 0, share)]
    }),
  )
}

/** The distinct words of an app's texts, and their length as a vector. */
function read(
  { name, subtitle, description }: AppTextWords,
  weightOf: (word: string) => number,
): [ReadonlySet<string>, number] {
  const words = new Set([...name, ...subtitle, ...description].map(({ key }) => key))
  let squares = 0
  for (const word of words) squares += weightOf(word) ** 2
  return [words, Math.sqrt(squares)]
}
