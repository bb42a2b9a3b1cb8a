import type { LookedAt } from './likeness.ts'
import type { Phrase } from './phrases.ts'
import type { RivalRank, SuggestedTerm } from './suggestion-queries.ts'

export interface SuggestionReason {
  kind: 'own-listing' | 'similar-apps' | 'rival-name' | 'rival-ranks' | 'autocomplete'
  text: string
  /** The app with the text or rank; null when several or none. */
  storeId: string | null
}

/** A reason with its strength relative to the term's other reasons. */
export type ScoredReason = SuggestionReason & { strength: number }

/**
 * The reasons for a phrase from the texts that hold it, one for each text.
 * @param strength how over-represented the phrase is
 */
export function phraseReasons(
  phrase: Phrase,
  strength: number,
  rivals: number,
  { developers, otherDevelopers }: LookedAt,
): ScoredReason[] {
  const { own, inNames, inSubtitles } = phrase
  const carrying = inNames.union(inSubtitles)
  const [only] = carrying
  const reasons: ScoredReason[] = []
  if (own.name + own.subtitle > 0 || own.description > 1)
    reasons.push({ kind: 'own-listing', text: ownText(own), storeId: null, strength })
  if (carrying.size > 0)
    reasons.push({
      kind: 'rival-name',
      text: namedText(carrying.size, rivals, whereOf(inNames, inSubtitles)),
      storeId: carrying.size === 1 ? (only ?? null) : null,
      strength: (strength * (1 + carrying.size)) / (1 + rivals),
    })
  if (phrase.others.size > 0)
    reasons.push({
      kind: 'similar-apps',
      text: `${phrase.others.size} of ${otherDevelopers} developers of other apps like it use it.`,
      storeId: null,
      strength: (strength * phrase.developers.size) / developers.size,
    })
  return reasons
}

function ownText({ name, subtitle, description }: Phrase['own']): string {
  const often = description === 1 ? 'once' : `${description} times`
  const places = [
    ...(name > 0 ? ['in the name'] : []),
    ...(subtitle > 0 ? ['in the subtitle'] : []),
    ...(description > 0 ? [`${often} in the description`] : []),
  ]
  return `The listing holds it ${places.join(' and ')}.`
}

const whereOf = (inNames: ReadonlySet<string>, inSubtitles: ReadonlySet<string>) =>
  inNames.size === 0 ? 'subtitle' : inSubtitles.size === 0 ? 'name' : 'name or subtitle'

function namedText(carrying: number, rivals: number, where: string): string {
  if (rivals === 1) return `Your rival carries it in its ${where}.`
  return `${carrying} of your ${rivals} rivals ${carrying === 1 ? 'carries it in its' : 'carry it in their'} ${where}.`
}

/** @param strength how over-represented rivals are on the page */
export function rankReason(
  { rivals: ranked, rank, storeId }: RivalRank,
  rivals: number,
  names: ReadonlyMap<string, string>,
  strength: number,
): ScoredReason {
  const best = names.get(storeId) ?? `The app ${storeId}`
  return {
    kind: 'rival-ranks',
    text:
      ranked === 1
        ? `${best} is number ${rank} for it.`
        : `${ranked} of your ${rivals} rivals rank for it, ${best} best as number ${rank}.`,
    storeId: ranked === 1 ? storeId : null,
    strength,
  }
}

/** The strength of the first place among Apple's suggestions, on the scale of over-representation; the tenth has a tenth. */
const firstPlace = 10

export function suggestedReason({ typed, place }: SuggestedTerm): ScoredReason {
  return {
    kind: 'autocomplete',
    text: `Apple suggests it as number ${place} for "${typed}".`,
    storeId: null,
    strength: Math.max(0, firstPlace * (1 - (place - 1) / 10)),
  }
}
