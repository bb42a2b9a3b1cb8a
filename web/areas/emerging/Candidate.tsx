import { Link } from '@tanstack/react-router'
import { useAllowed } from '../../api/session.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { counted, dayText, decimal, share } from '../../evidence/format.ts'
import { useProvenance } from '../../evidence/provenance.tsx'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Badge } from '../../ui/parts.tsx'
import type { EmergingApp } from './emerging-search.ts'
import { RankCourses } from './RankCourses.tsx'
import { TakeIn } from './TakeIn.tsx'
import { Track } from './Track.tsx'

/** One candidate: why it is one, its ranks, and what can be done with it. */
export function Candidate({
  candidate,
  tracked,
}: {
  candidate: EmergingApp
  tracked: TrackedAppSummary | undefined
}) {
  const { app, country, kind, score, formula, reasons, evidence, releasedOn, firstSeenAt } = candidate
  const mayWrite = useAllowed('content:write')
  return (
    <li className="pad-4 stack box shrinks">
      <header className="row nowrap gap-3 shrinks">
        <AppIcon url={app.iconUrl} name={app.name} size={40} />
        <div className="grow">
          <h3 className="cut">
            <Link className="ink" to="/apps/$storeId" params={{ storeId: app.storeId }} search={{ country }}>
              <bdi>{app.name ?? `App ${app.storeId}`}</bdi>
            </Link>
          </h3>
          <p className="cut quiet small">
            <bdi>{app.developer ?? 'Developer not known'}</bdi>
          </p>
        </div>
        <div className="stack bottom gap-0 large bold">
          <Measured
            evidence={evidence[0]}
            formula={formula}
            note={`Score ${decimal(score)} of 100, how much there is to see and no forecast, from ${counted(evidence.length, 'observation')}; the newest of them:`}
          >
            {decimal(score)}
          </Measured>
          <span className="quiet tiny regular">of 100</span>
        </div>
      </header>
      <div className="row">
        <Kind kind={kind ?? 'ratings'} />
      </div>
      <p
        className="row nowrap between quiet tiny"
        style={{ marginBottom: 'calc(-1 * var(--space-2))' }}
        aria-hidden="true"
      >
        <span>Why</span>
        <span>Weight</span>
      </p>
      <ul className="small" aria-label="Reasons, strongest first">
        {reasons.map(({ kind: reason, detail, weight }) => (
          <li key={reason} className="row nowrap stretch between gap-3">
            <span dir="auto">{detail}</span>
            <span className="quiet">
              <span className="hidden">weight</span> {share(weight)}
            </span>
          </li>
        ))}
      </ul>
      <RankCourses storeId={app.storeId} country={country} />
      <footer className="row between" style={{ marginTop: 'auto' }}>
        <p className="quiet small">
          First seen {dayText(firstSeenAt)}
          {releasedOn ? `, released ${dayText(releasedOn)}` : ', release day not known'}
        </p>
        {mayWrite && (
          <div className="row" data-screen-only>
            <Track app={app} country={country} tracked={tracked} />
            <TakeIn candidate={candidate} />
          </div>
        )}
      </footer>
    </li>
  )
}

/** What charts show, named as what it is: nothing of it foretells where the app goes. */
const kinds = {
  'new-in-charts': {
    name: 'New in charts',
    tone: 'accent',
    means:
      'No earlier stored snapshot of the chart shows it. On real charts two in three of such apps were gone five days later.',
  },
  'moved-up': {
    name: 'Moved up',
    tone: 'accent',
    means:
      'Each of its newest three ranks is better than the best of its oldest three. That is what happened, and no forecast: on real charts such apps stood better later less often than others.',
  },
  ratings: {
    name: 'Gaining ratings',
    tone: 'plain',
    means: 'Its ratings alone show it. Charts cannot tell whether it lasts.',
  },
} as const

function Kind({ kind }: { kind: keyof typeof kinds }) {
  const { name, tone, means } = kinds[kind]
  const provenance = useProvenance(() => <p>{means}</p>)
  return (
    <span {...provenance}>
      <Badge tone={tone}>{name}</Badge>
    </span>
  )
}
