import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count, countWithNoun, dayText, momentText } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { Button } from '../../../ui/Button.tsx'
import { customProperties } from '../../../ui/css.ts'
import { Badge, Empty, Panel } from '../../../ui/parts.tsx'
import type { Exploration } from '../shapes.ts'

type Comparison = Exploration['changes'][number]

const shownAtFirst = 3

/** Apps that entered, left and moved between pages, newest first. */
export function PageChanges({ changes, country }: { changes: readonly Comparison[]; country: Country }) {
  const [all, setAll] = useState(false)
  const shown = all ? changes : changes.slice(0, shownAtFirst)
  return (
    <Panel title="Changes in search results" note="Each snapshot compared with the one before" flush>
      {changes.length === 0 ? (
        <Empty title="Nothing to compare yet">Needs two snapshots.</Empty>
      ) : (
        <ol className="ruled">
          {shown.map((comparison) => (
            <li key={comparison.observedAt} className="pad">
              <Comparing comparison={comparison} country={country} />
            </li>
          ))}
        </ol>
      )}
      {!all && changes.length > shownAtFirst && (
        <div className="row middle pad">
          <Button onPress={() => setAll(true)}>Show all {countWithNoun(changes.length, 'comparison')}</Button>
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
          compared with {dayText(comparedWith)}, top {count(depth)}, {surface}
        </span>
        <Badge tone="good">{count(entered)} new</Badge>
        <Badge tone="bad">{count(left)} dropped out</Badge>
      </div>
      <div
        className="tiles spread small"
        style={{ ...customProperties({ '--tile': '240px' }), marginBlockStart: 'var(--space-2)' }}
      >
        <Apps
          title="New"
          of={entered}
          country={country}
          apps={entrants}
          text={({ position }) => `now ${count(position)}`}
        />
        <Apps
          title="Dropped out"
          of={left}
          country={country}
          apps={leavers}
          text={({ position }) => `was ${count(position)}`}
        />
        <Apps
          title="Moved 5 ranks or more"
          of={movers.length}
          country={country}
          apps={movers}
          text={({ from, to }) => `${to < from ? '▲' : '▼'} ${count(from)} → ${count(to)}`}
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
  /** The total; the list may have fewer. */
  of: number
  apps: readonly App[]
  text: (app: App) => string
  country: Country
}) {
  if (apps.length === 0) return null
  return (
    <div>
      <h4>{title}</h4>
      <ul>
        {apps.map((app) => (
          <li key={app.storeId} className="row nowrap" style={{ minHeight: 24 }}>
            <span className="quiet fixed" style={{ minWidth: 72 }}>
              {text(app)}
            </span>
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
