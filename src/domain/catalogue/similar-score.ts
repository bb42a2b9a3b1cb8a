import type { Reason, ReasonKind } from './similar-reasons.ts'

/** Name and version of the score: 1 less the product of what each reason leaves, 1 − weight · strength. */
export const similarityFormula = 'similarity/3'

/** What each reason says at most that two apps are alike. One developer makes many different apps. */
const weights: Record<ReasonKind, number> = {
  'shared-keywords': 0.75,
  'similar-text': 0.75,
  'apple-list': 0.5,
  'charting-together': 0.35,
  'same-developer': 0.03,
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
