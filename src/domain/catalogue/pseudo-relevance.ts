import type { ListingTopics, WordUse } from './listing-topics.ts'
import type { AppTopics } from './text-similarity.ts'

/** An app that is known to resemble the subject, and how much. */
export interface ResemblingApp extends AppTopics {
  score: number
}

/** How much an app shares the topics of the apps that resemble the subject. */
export interface PseudoRelevance {
  storeId: string
  /** 0 to 1. */
  strength: number
  /** The shared words, heaviest first. */
  shared: string[]
}

/** Minimum apps, the subject included, that hold a common word. */
const fewestHolders = 2
const named = 3

/** The words that at least two of the subject and the resembling apps hold, as the listings write them. */
export function wordsInCommon(own: ListingTopics, companions: readonly AppTopics[]): Map<string, string> {
  const holders = new Map<string, { shown: string; count: number }>()
  for (const { said } of [own, ...companions.map(({ topics }) => topics)])
    for (const [stem, { shown }] of said) {
      const known = holders.get(stem)
      if (known) known.count++
      else holders.set(stem, { shown, count: 1 })
    }
  return new Map(
    [...holders].filter(([, { count }]) => count >= fewestHolders).map(([stem, { shown }]) => [stem, shown]),
  )
}

/**
 * Judges apps by the company of the app: what those that resemble it most have in common says what it is for where its own
 * words do not (pseudo relevance feedback, Rocchio 1971). A companion is judged by the others.
 */
export function pseudoRelevanceOf(
  own: ListingTopics,
  companions: readonly ResemblingApp[],
  weights: ReadonlyMap<string, number>,
  others: readonly AppTopics[],
): PseudoRelevance[] {
  const usual = [...weights.values()].reduce((sum, one) => sum + one, 0) / Math.max(1, weights.size)
  const all = profileOf(own, companions, weights)
  return others.flatMap(({ storeId, topics }) => {
    const without = companions.filter((companion) => companion.storeId !== storeId)
    const profile = without.length === companions.length ? all : profileOf(own, without, weights)
    const shared = [...profile]
      .filter(([stem]) => topics.said.has(stem))
      .map(([stem, { shown, share }]) => ({
        shown,
        weighs: share * (topics.said.get(stem)?.share ?? 0) * (weights.get(stem) ?? 0),
      }))
      .filter(({ weighs }) => weighs > 0)
      .sort((one, other) => other.weighs - one.weighs || (one.shown < other.shown ? -1 : 1))
    if (shared.length === 0) return []
    const product = shared.reduce((sum, { weighs }) => sum + weighs, 0)
    const norm =
      Math.hypot(...[...profile.values()].map(({ share }) => share)) *
      Math.hypot(...[...topics.said].map(([stem, { share }]) => share * (weights.get(stem) ?? usual)))
    const strength = norm === 0 ? 0 : Math.min(1, product / norm)
    return [{ storeId, strength, shared: shared.slice(0, named).map(({ shown }) => shown) }]
  })
}

/** The common topics of the resembling apps, each app weighted by its similarity. */
function profileOf(
  own: ListingTopics,
  companions: readonly ResemblingApp[],
  weights: ReadonlyMap<string, number>,
): Map<string, Pick<WordUse, 'shown' | 'share'>> {
  const common = wordsInCommon(own, companions)
  const profile = new Map<string, Pick<WordUse, 'shown' | 'share'>>()
  for (const [stem, shown] of common) {
    const share = companions.reduce(
      (sum, { topics, score }) => sum + score * (topics.said.get(stem)?.share ?? 0) * (weights.get(stem) ?? 0),
      0,
    )
    if (share > 0) profile.set(stem, { shown, share })
  }
  return profile
}
