import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count, counted, dayText, momentText } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, Empty, Panel } from '../../../ui/parts.tsx'
import type { Exploration } from '../shapes.ts'
import styles from './keyword.module.css'

type Comparison = Exploration['changes'][number]

const shownAtFirst = 3

/** Who came, went and moved from page to page, newest first. */
export function PageChanges({ changes, country }: { changes: readonly Comparison[]; country: Country }) {
  const [all, setAll] = useState(false)
  const shown = all ? changes : changes.slice(0, shownAtFirst)
  return (
    <Panel title="Entrants, leavers and movers" note="Each page against the one before it" flush>
      {changes.length === 0 ? (
        <Empty title="Nothing to compare yet">It takes two pages.</Empty>
      ) : (
        <ol className={styles.changes}>
          {shown.map((comparison) => (
            <li key={comparison.observedAt}>
              <Comparing comparison={comparison} country={country} />
            </li>
          ))}
        </ol>
      )}
      {!all && changes.length > shownAtFirst && (
        <div className="row" style={{ justifyContent: 'center', padding: 'var(--space-3)' }}>
          <Button onPress={() => setAll(true)}>Show all {counted(changes.length, 'comparison')}</Button>
        </div>
      )}
    </Panel>
  )
}

function Comparing({ comparison, country }: { comparison: Comparison; country: Country }) {
  const { observedAt, comparedWith, surface, depth, entered, left, entrants, leavers, movers } = comparison
  return (
    <>
      <div className="row">
        <h3>
          <time dateTime={observedAt} title={momentText(observedAt)}>
            {dayText(observedAt)}
          </time>
        </h3>
        <span className="quiet">
          against {dayText(comparedWith)}, first {counted(depth, 'place')}, {surface}
        </span>
        <Badge tone="good">{count(entered)} came</Badge>
        <Badge tone="bad">{count(left)} went</Badge>
      </div>
      <div className={styles.moves}>
        <Apps
          title="Came"
          of={entered}
          country={country}
          apps={entrants}
          text={({ position }) => `to ${count(position)}`}
        />
        <Apps
          title="Went"
          of={left}
          country={country}
          apps={leavers}
          text={({ position }) => `from ${count(position)}`}
        />
        <Apps
          title="Moved five places or more"
          of={movers.length}
          country={country}
          apps={movers}
          text={({ from, to }) => `${to < from ? '▲' : '▼'} ${count(from)} to ${count(to)}`}
        />
      </div>
    </>
  )
}

function Apps<App extends { storeId: string; name: string | null }>({
  title,
  of,
  apps,
  text,
  country,
}: {
  title: string
  /** How many there were; the list may hold fewer. */
  of: number
  apps: readonly App[]
  text: (app: App) => string
  country: Country
}) {
  if (apps.length === 0) return null
  return (
    <div>
      <h4 className={styles.movesTitle}>{title}</h4>
      <ul>
        {apps.map((app) => (
          <li key={app.storeId}>
            <span>{text(app)}</span>
            <Link to="/apps/$storeId" params={{ storeId: app.storeId }} search={{ country }}>
              <bdi>{app.name ?? `App ${app.storeId}`}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {of > apps.length && <p className="quiet">and {count(of - apps.length)} more</p>}
    </div>
  )
}
