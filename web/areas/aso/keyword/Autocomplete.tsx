import { Link } from '@tanstack/react-router'
import { Absent, Measured, RankValue } from '../../../evidence/Fact.tsx'
import { timeAgo } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { Panel } from '../../../ui/parts.tsx'
import styles from '../aso.module.css'
import type { Exploration } from '../shapes.ts'

/** What the App Store suggests while the keyword is typed, letter by letter. */
export function Autocomplete({
  autocomplete: { prefixes, continuations, evidence },
  country,
}: {
  autocomplete: Exploration['autocomplete']
  country: Country
}) {
  return (
    <Panel
      title="Autocomplete"
      note={
        <p>
          Position among the App Store’s suggestions as the keyword is typed.{' '}
          <a href="/docs/search-volume">Why there is no search volume</a>
        </p>
      }
    >
      {prefixes.length === 0 ? (
        <p className="quiet">Not collected yet.</p>
      ) : (
        <table className={`${styles.small} full small`}>
          <thead>
            <tr>
              <th scope="col">Typed</th>
              <th scope="col" className="end">
                Position
              </th>
              <th scope="col" className="end">
                Updated
              </th>
            </tr>
          </thead>
          <tbody>
            {prefixes.map(({ typed, rank, observedAt, evidence: index }) => (
              <tr key={typed}>
                <td>
                  <bdi className="foreign">{typed}</bdi>
                </td>
                <td className="end">
                  <RankValue rank={rank} evidence={evidence[index]} />
                </td>
                <td className="end quiet">{timeAgo(observedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h3 style={{ marginBlock: 'var(--space-3) var(--space-2)' }}>Suggestions for the full keyword</h3>
      {continuations.state === 'not-measured' && <p className="quiet">Not collected yet.</p>}
      {continuations.state === 'absent' && (
        <Absent evidence={evidence[continuations.evidence]}>no suggestions</Absent>
      )}
      {continuations.state === 'measured' && (
        <Measured evidence={evidence[continuations.evidence]}>
          <span className="row stretch">
            {continuations.value.map((term) => (
              <Link
                key={term}
                to="/aso/keywords/$term"
                params={{ term }}
                search={{ country }}
                preload={false}
                className={`${styles.term} small anywhere`}
              >
                <bdi>{term}</bdi>
              </Link>
            ))}
          </span>
        </Measured>
      )}
    </Panel>
  )
}
