import type { Reason, ReasonKind } from './similar-reasons.ts'

/** Name and version of the score: 1 less the product of what each reason leaves, 1 − weight · strength. */
export const similarityFormula = 'similarity/4'

/** What each reason says at most that two apps are alike. */
const weights: Record<ReasonKind, number> = {
  'shared-keywords': 0.75,
  'similar-text': 0.75,
  'apple-list': 0.5,
  'charting-together': 0.35,
}

const says = ({ kind, strength }: Reason) => weights[kind] * strength

/** How much reasons say together, 0 to 1. */
export const scoreOf = (reasons: readonly Reason[]): number =>
  1 - reasons.reduce((product, reason) => product * (1 - says(reason)), 1)

/** Reasons that say most first, their strengths rounded. */
export const byStrength = (reasons: readonly Reason[]): Reason[] =>
  reasons
    .toSorted((one, other) => says(other) - says(one) || (one.kind < other.kind ? -1 : 1))
    .map((reason) => ({ ...reason, strength: Math.round(reason.strength * 1e4) / 1e4 }))

/** Of what scores less, one in five is a rival. */
const leastScore = 0.1
/** Texts and charts of a small store resemble each other a little, whatever apps do: what they bring has to be near the best. */
const leastOfBest = 0.6
/** From here on nearly all are rivals, however strong the best is. */
const surely = 0.4
const resembling: ReadonlySet<ReasonKind> = new Set(['similar-text', 'charting-together'])

/** Those of some apps that are worth showing; fewer than were looked for where fewer are. @param items strongest first */
export function worthShowing<Item extends { score: number; reasons: readonly Reason[] }>(
  items: readonly Item[],
): Item[] {
  const best = items[0]?.score ?? 0
  const least = Math.min(surely, leastOfBest * best)
  return items.filter(
    ({ score, reasons }) =>
      score >= leastScore && (score >= least || reasons.some(({ kind }) => !resembling.has(kind))),
  )
}
