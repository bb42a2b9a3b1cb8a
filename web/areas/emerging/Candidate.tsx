import { Link } from '@tanstack/react-router'
import { useAllowed } from '../../api/session.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { count, dayText, decimal, share } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { AppIcon, Badge } from '../../ui/parts.tsx'
import styles from './Candidate.module.css'
import type { EmergingApp } from './emerging-search.ts'
import { RankCourses } from './RankCourses.tsx'
import { TakeIn } from './TakeIn.tsx'
import { Track } from './Track.tsx'

export const kindInWords = {
  'new-in-charts': 'New in charts',
  rising: 'Rising',
  ratings: 'Gaining ratings',
} as const

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
    <li className={styles.candidate}>
      <header className={styles.head}>
        <AppIcon url={app.iconUrl} name={app.name} size={40} />
        <div className="grow">
          <h3 className={styles.name}>
            <Link to="/apps/$storeId" params={{ storeId: app.storeId }} search={{ country }}>
              <bdi>{app.name ?? `App ${app.storeId}`}</bdi>
            </Link>
          </h3>
          <p className={styles.developer}>
            <bdi>{app.developer ?? 'Developer not known'}</bdi>
          </p>
        </div>
        <div className={styles.score}>
          <Measured
            evidence={evidence[0]}
            version={formula}
            note={`Score ${decimal(score)} of 100, from ${count(evidence.length)} ${evidence.length === 1 ? 'observation' : 'observations'}; the newest of them:`}
          >
            {decimal(score)}
          </Measured>
          <span className="hidden">of 100</span>
          <code className={styles.formula}>{formula}</code>
        </div>
      </header>
      <div className="row">
        <Badge tone={kind === 'rising' ? 'good' : kind === null ? 'plain' : 'accent'}>
          {kindInWords[kind ?? 'ratings']}
        </Badge>
        {tracked && <span className="hidden">Tracked</span>}
      </div>
      <ul className={styles.reasons}>
        {reasons.map(({ kind: reason, detail, weight }) => (
          <li key={reason}>
            <span dir="auto">{detail}</span>
            <span className={styles.weight}>
              <span className="hidden">weight </span>
              {share(weight)}
            </span>
          </li>
        ))}
      </ul>
      <RankCourses storeId={app.storeId} country={country} />
      <footer className={styles.foot}>
        <p className={styles.dates}>
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
