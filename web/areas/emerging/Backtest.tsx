import { count, dayText, decimal, share } from '../../evidence/format.ts'
import { Badge } from '../../ui/parts.tsx'
import styles from './emerging.module.css'
import type { Backtest as Shape } from './emerging-search.ts'

const verdictInWords: Record<Shape['verdict'], string> = {
  foretells: 'Moves up went on, on these charts',
  'does-not-foretell': 'A move up is no forecast',
  'not-validated': 'Too few moves up to look back at',
}

const consequence: Record<Shape['verdict'], string> = {
  foretells: 'Apps that had moved up went on to better ranks more often than those that had not.',
  'does-not-foretell': 'Apps that had moved up went on to better ranks no more often than those that had not.',
  'not-validated': 'Too few past cases to compare: take what is said of an app as what happened.',
}

const groups = [
  ['movedUp', 'Had moved up'],
  ['others', 'Other apps of the chart'],
  ['sameRanks', 'Apps at the same ranks'],
  ['belowMedian', 'Apps below their own median'],
] as const

/** What became of apps that had moved up on past days, against three groups of the same charts. */
export function Backtest({ backtest: { verdict, from, until, detail, after } }: { backtest: Shape }) {
  return (
    <details className={`${styles.backtest} small`}>
      <summary>
        <Badge tone="plain">{verdictInWords[verdict]}</Badge> <span>{consequence[verdict]}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the table */}
      <section className="scrolls" aria-label="Scores" tabIndex={0}>
        <table>
          <caption className="quiet">
            {from && until
              ? `What became of apps, judged from ${dayText(from)} to ${dayText(until)}`
              : 'What became of apps: no day had enough snapshots before and after it'}
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
          {after.map(({ days, ...outcomes }) => (
            <tbody key={days}>
              {groups.map(([group, name]) => {
                const { better, charting, medianChange, apps, flags } = outcomes[group]
                return (
                  <tr key={group}>
                    <th scope="row">{`${name}, ${days} days later`}</th>
                    <td>{better === null ? 'none to judge' : share(better)}</td>
                    <td>{charting === null ? 'none to judge' : share(charting)}</td>
                    <td>{medianChange === null ? 'none to judge' : changeInWords(medianChange)}</td>
                    <td>{count(apps)}</td>
                    <td>{count(flags)}</td>
                  </tr>
                )
              })}
            </tbody>
          ))}
        </table>
      </section>
      <p className="quiet" dir="auto">
        {detail}
      </p>
    </details>
  )
}

function changeInWords(places: number): string {
  if (places === 0) return 'same place'
  return `${decimal(Math.abs(places))} places ${places < 0 ? 'better' : 'worse'}`
}
