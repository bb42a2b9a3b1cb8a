import { count, dayText, decimal, share } from '../../evidence/format.ts'
import { Badge } from '../../ui/parts.tsx'
import styles from './Backtest.module.css'
import type { Backtest as Shape } from './emerging-search.ts'

const verdictInWords: Record<Shape['verdict'], string> = {
  'beats-new-entrants': '“Rising” held on these charts',
  'does-not-beat-new-entrants': '“Rising” did not hold on these charts',
  'not-validated': '“Rising” could not be tested on these charts',
}

const verdictTone = {
  'beats-new-entrants': 'good',
  'does-not-beat-new-entrants': 'warn',
  'not-validated': 'plain',
} as const

const consequence: Record<Shape['verdict'], string> = {
  'beats-new-entrants':
    'Apps that the rule would have named got better and stayed more often than new entrants.',
  'does-not-beat-new-entrants': 'So this run names no app rising; what is new in charts is named all the same.',
  'not-validated': 'Too few past cases to compare: take “rising” as a description, not as a forecast.',
}

/** What the rule for "rising" would have named on past days, and what became of it. */
export function Backtest({ backtest }: { backtest: Shape }) {
  const { verdict, horizonDays, from, until, detail, rising, newEntrants, others, lift } = backtest
  const rows = [
    { name: 'Rising', outcome: rising },
    { name: 'New entrants', outcome: newEntrants },
    { name: 'All others', outcome: others },
  ]
  return (
    <details className={styles.backtest}>
      <summary>
        <Badge tone={verdictTone[verdict]}>{verdictInWords[verdict]}</Badge> <span>{consequence[verdict]}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table */}
      <section className={styles.scroller} aria-label="Scores" tabIndex={0}>
        <table>
          <caption className="quiet">
            {from && until
              ? `What became of apps ${horizonDays} days later, judged from ${dayText(from)} to ${dayText(until)}`
              : `What became of apps ${horizonDays} days later: no day had enough snapshots before and after it`}
          </caption>
          <thead>
            <tr>
              <th scope="col">Apps</th>
              <th scope="col">Better rank</th>
              <th scope="col">Still charting</th>
              <th scope="col">Median change</th>
              <th scope="col">Different apps</th>
              <th scope="col">Cases</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, outcome }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{outcome.better === null ? 'none to judge' : share(outcome.better)}</td>
                <td>{outcome.charting === null ? 'none to judge' : share(outcome.charting)}</td>
                <td>{outcome.medianChange === null ? 'none to judge' : changeInWords(outcome.medianChange)}</td>
                <td>{count(outcome.apps)}</td>
                <td>{count(outcome.flags)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p>
        {lift === null
          ? 'The lift over new entrants is not known.'
          : `A better rank came ${decimal(lift)} times as often for rising apps as for new entrants.`}{' '}
        <span className="quiet" dir="auto">
          {detail}
        </span>
      </p>
    </details>
  )
}

function changeInWords(places: number): string {
  if (places === 0) return 'same place'
  return `${decimal(Math.abs(places))} places ${places < 0 ? 'better' : 'worse'}`
}
