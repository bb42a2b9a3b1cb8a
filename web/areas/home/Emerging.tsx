import { Link } from '@tanstack/react-router'
import { useReplies } from '../../api/replies.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { count, countryName } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './home.module.css'
import type { Span } from './moves.ts'

const mostStorefronts = 3
const mostOfEach = 5

/** Apps found to be new in charts, moved up or gaining ratings, in the storefronts of the tracked apps. */
export function Emerging({ apps, span }: { apps: readonly TrackedAppSummary[]; span: Span }) {
  const countries = [...new Set(apps.map(({ country }) => country))].slice(0, mostStorefronts)
  const { replies, reading } = useReplies(
    'list_emerging_ios_competitors',
    countries.map((country) => ({ country, since: span.from.slice(0, 10), limit: mostOfEach })),
  )
  const found = replies.flatMap((reply) => reply?.items ?? []).sort((a, b) => b.score - a.score)
  return (
    <Panel
      title="Emerging"
      note={`Found in ${countries.map(countryName).join(', ')}`}
      actions={
        <LinkButton small to="/emerging">
          All
        </LinkButton>
      }
      flush
    >
      {found.length === 0 && reading.done < reading.total && (
        <div className="pad quiet">
          <Skeleton height={120} />
        </div>
      )}
      {found.length === 0 && reading.done === reading.total && (
        <p className="pad quiet">
          None was found in these days. A discovery run looks through stored charts and ratings:{' '}
          <Link to="/emerging">start one</Link>.
        </p>
      )}
      <ul className={`${styles.rows} ruled`}>
        {found.slice(0, mostOfEach).map(({ app, country, kind, score, formula, reasons, evidence }) => (
          <li key={`${app.storeId} ${country}`} className="small pad-2-4">
            <div className="row nowrap between">
              <AppLink app={app} country={country} />
              <Measured
                formula={formula}
                evidence={evidence[0]}
                note="Score: how much there is to see, 100 the most. No forecast."
              >
                {count(score)}
              </Measured>
            </div>
            <p className="quiet" style={{ textWrap: 'pretty' }}>
              {[kind && (kind === 'moved-up' ? 'Moved up' : 'New in charts'), reasons[0]?.detail]
                .filter(Boolean)
                .join(': ')}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
