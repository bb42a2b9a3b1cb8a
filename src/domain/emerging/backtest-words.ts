import type { EmergingBacktest, Outcome } from './backtest.ts'

const percent = ({ better }: Outcome) => `${Math.round(100 * (better ?? 0))}%`

/** The result of a back-test, in one plain sentence. */
export function backtestInWords({ verdict, after }: EmergingBacktest): string {
  if (verdict === 'not-validated') {
    const seen = after.map(({ days, movedUp }) => `${movedUp.apps} that moved up, looked at ${days} days later`)
    return `too little evidence on these charts to say what became of apps that moved up: apps were ${seen.join(', and ')}; 20 of them, and of each group they are held against, are needed`
  }
  const outcomes = after.map(
    ({ days, movedUp, others, sameRanks, belowMedian }) =>
      `${days} days later ${percent(movedUp)} of apps that had moved up stood better, against ${percent(others)} of the other apps, ${percent(sameRanks)} of those at the same ranks and ${percent(belowMedian)} of those below their own median`,
  )
  const so =
    verdict === 'foretells'
      ? 'on these charts apps that had moved up went on to better ranks more often than others'
      : 'to have moved up foretells no better ranks on these charts'
  return `${so}: ${outcomes.join('; ')}`
}
