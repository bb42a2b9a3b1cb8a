/** A part of a total: `holding` of `of` apps hold a phrase. */
export interface Share {
  holding: number
  of: number
}

/** The prior share of all apps, before anything was counted: half of one in fifty. */
const prior: Share = { holding: 0.5, of: 50 }

/**
 * How much more often a phrase is used by some apps than by all others, as the log-likelihood ratio of two binomial shares:
 * 0 where it is as frequent or less, about 7 where chance explains it once in a hundred times. Unlike a ratio of
 * frequencies, it does not overrate rare phrases. Source: Dunning 1993, Accurate Methods for the Statistics of Surprise and
 * Coincidence; with a prior on the share of the others, as Monroe, Colaresi and Quinn 2008 (Fightin' Words) advise.
 */
export function overRepresentation(among: Share, all: Share): number {
  const others = {
    holding: Math.max(0, all.holding - among.holding) + prior.holding,
    of: Math.max(0, all.of - among.of) + prior.of,
  }
  const [here, there] = [among.holding / among.of, others.holding / others.of]
  if (among.of === 0 || here <= there) return 0
  const both = (among.holding + others.holding) / (among.of + others.of)
  return (
    2 *
    (likelihood(among, here) + likelihood(others, there) - likelihood(among, both) - likelihood(others, both))
  )
}

const likelihood = ({ holding, of }: Share, share: number): number =>
  term(holding, share) + term(of - holding, 1 - share)

const term = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share))
