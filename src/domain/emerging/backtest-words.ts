import type { EmergingBacktest, Outcome } from './backtest.ts'

const percent = (share: number | null) => `${Math.round(100 * (share ?? 0))}%`
const share = ({ better, charting }: Outcome) =>
  `${percent(better)} better and ${percent(charting)} still charting`

/** What a back-test found, in one plain sentence with its lift. */
export function backtestInWords(found: EmergingBacktest): string {
  const { horizonDays, verdict, lift, rising, newEntrants, others } = found
  if (verdict === 'not-validated')
    return `not validated on these charts: with ${horizonDays} days after them there are rising apps: ${rising.apps}, new entrants: ${newEntrants.apps}; 20 of each are needed`
  const after = `${horizonDays} days later ${share(rising)}, against ${share(newEntrants)} of new entrants (lift ${lift?.toFixed(1) ?? 'unknown'}) and ${share(others)} of all others`
  return verdict === 'beats-new-entrants'
    ? `rising apps on these charts: ${after}`
    : `no app is named rising, since on these charts rising apps did not beat new entrants: ${after}`
}
