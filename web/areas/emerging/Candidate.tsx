import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { notify } from '../../api/notices.ts'
import { type ReplyOf, useWrite } from '../../api/operations.ts'
import { readTogether } from '../../api/read-together.ts'
import { useHasScope } from '../../api/session.ts'
import { Sparkline } from '../../charts/Sparkline.tsx'
import { addDays } from '../../evidence/days.ts'
import { Measured, RankValue } from '../../evidence/Fact.tsx'
import { countWithNoun, dayText, decimal, isolateDirection, percentText } from '../../evidence/format.ts'
import { useProvenance } from '../../evidence/provenance.tsx'
import { rivalChoicesOf, roleOf, trackedAs } from '../../evidence/roles.ts'
import type { AddAppFailure, AppLabel, Country, TrackedAppSummary } from '../../evidence/shapes.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { chartInWords, workStatusInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { CompareLink } from '../../ui/CompareLink.tsx'
import { useEverInView } from '../../ui/ever-in-view.ts'
import { Menu } from '../../ui/overlays.tsx'
import { Badge, Skeleton } from '../../ui/parts.tsx'
import type { EmergingApp } from './emerging-search.ts'

/** One candidate: why it is one, its ranks, and what can be done with it. */
export function Candidate({
  candidate,
  tracked,
}: {
  candidate: EmergingApp
  tracked: TrackedAppSummary | undefined
}) {
  const { app, country, kind, score, formula, reasons, evidence, releasedOn, firstSeenAt } = candidate
  const mayWrite = useHasScope('content:write')
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
            note={`Score ${decimal(score)} of 100, how much there is to see and no forecast, from ${countWithNoun(evidence.length, 'observation')}; the newest of them:`}
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
              <span className="hidden">weight</span> {percentText(weight)}
            </span>
          </li>
        ))}
      </ul>
      <RankCourses storeId={app.storeId} country={country} until={evidence[0]?.observedAt.slice(0, 10)} />
      <footer className="row between" style={{ marginTop: 'auto' }}>
        <p className="quiet small">
          First seen {dayText(firstSeenAt)}
          {releasedOn ? `, released ${dayText(releasedOn)}` : ', release day not known'}
        </p>
        {mayWrite && (
          <div className="row" data-screen-only>
            <CompareLink storeId={app.storeId} country={country} name={app.name ?? app.storeId} />
            <Track app={app} country={country} tracked={tracked} />
            <TakeIn candidate={candidate} />
          </div>
        )}
      </footer>
    </li>
  )
}

/** The observed chart signals of an app. They describe the past and do not forecast. */
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

/** In few words, for a badge. */
const failureInWords: Record<AddAppFailure, string> = {
  'not-found-in-store': 'Apple does not know it',
  'not-sold-in-storefront': 'Not sold in this storefront',
  'not-an-ios-app': 'Not an iOS app',
  'source-failed': 'Apple did not answer',
}

/** Takes an app that only charts showed into the catalogue, and says how far that is. */
function TakeIn({ candidate: { app, country, intake } }: { candidate: EmergingApp }) {
  const takeIn = useWrite('request_ios_competitor', { changes: ['list_emerging_ios_competitors'] })
  if (app.catalogued) return null
  const failure = takeIn.data?.failure
  if (failure) return <Badge tone="bad">Not taken in: {failureInWords[failure]}</Badge>
  const status = intake?.status ?? takeIn.data?.status
  if (status) return <Badge tone="accent">Taking in: {workStatusInWords[status].toLowerCase()}</Badge>
  return (
    <Button
      small
      aria-label={`Take in: ${app.name ?? `App ${app.storeId}`}`}
      isPending={takeIn.isPending}
      onPress={() => takeIn.mutate({ app: app.storeId, country })}
    >
      Take in
    </Button>
  )
}

const changes = ['list_aso_apps'] as const

/** Tracks an app as a rival, or only watches it, with one click; the notice takes it back. */
function Track({
  app,
  country,
  tracked,
}: {
  app: AppLabel
  country: Country
  tracked: TrackedAppSummary | undefined
}) {
  const name = app.name ?? `App ${app.storeId}`
  const { data: apps = [] } = useQuery(trackedApps)
  const track = useWrite('track_aso_app', { changes })
  const remove = useWrite('remove_aso_app', { changes })
  if (tracked)
    return (
      <Badge named tone="accent">
        {roleOf(tracked, apps)}
      </Badge>
    )
  const choices = rivalChoicesOf(apps, country, app.storeId)
  const start = (role: 'rival' | 'watched', rivalOf: string | null = null) =>
    track.mutate(
      { app: app.storeId, country, role, ...(rivalOf && { rivalOf }) },
      {
        onSuccess: (done) =>
          notify({
            kind: 'done',
            text: `${isolateDirection(name)} is ${trackedAs(done, apps)}.`,
            undo: () => remove.mutate({ appId: done.appId }),
          }),
      },
    )
  const pending = track.isPending ? track.variables.role : undefined
  return (
    <>
      {choices.length > 1 ? (
        <Menu
          label={`Track as rival of: ${name}`}
          trigger={
            <Button
              small
              aria-label={`Track as rival of… ${name}`}
              isPending={pending === 'rival'}
              isDisabled={pending === 'watched'}
            >
              Track as rival of…
            </Button>
          }
          entries={choices.map(({ rivalOf, name: own }) => ({
            id: String(rivalOf),
            name: own,
            onAction: () => start('rival', rivalOf),
          }))}
        />
      ) : (
        <Button
          small
          aria-label={`Track as rival: ${name}`}
          isPending={pending === 'rival'}
          isDisabled={pending === 'watched'}
          onPress={() => start('rival', choices[0]?.rivalOf)}
        >
          Track as rival
        </Button>
      )}
      <Button
        small
        look="bare"
        aria-label={`Only watch: ${name}`}
        isPending={pending === 'watched'}
        isDisabled={pending === 'rival'}
        onPress={() => start('watched')}
      >
        Only watch
      </Button>
    </>
  )
}

/** Charts shown of an app; their room is kept while they are read. */
const shownCharts = 3
/** Days drawn, so that the courses of all candidates can be compared. */
const days = 30

/** The ranks of an app in the charts where it stands best, small beside each other. Read once they are looked at. */
function RankCourses({
  storeId,
  country,
  until,
}: {
  storeId: string
  country: Country
  /** A day that charts reach at least. */
  until: string | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useEverInView(place)
  const history = useQuery({
    ...readTogether('get_apple_chart_history', {
      storeId,
      country,
      ...(until && { from: addDays(until, -days) }),
    }),
    enabled: isSeen,
  })
  return (
    <div ref={place} className="small" style={{ minHeight: 101 }}>
      {history.data ? (
        <Courses history={history.data} />
      ) : history.error ? (
        <p className="quiet">Its ranks could not be read.</p>
      ) : (
        <Skeleton height={shownCharts * 28 + 17} />
      )}
    </div>
  )
}

function Courses({ history: { charts, coverage } }: { history: ReplyOf<'get_apple_chart_history'> }) {
  if (charts.length === 0)
    return (
      <p className="quiet">
        {coverage.chartsObserved === 0
          ? 'No chart of this storefront was captured.'
          : `In none of ${countWithNoun(coverage.chartsObserved, 'captured chart')}.`}
      </p>
    )
  const title =
    charts.length > shownCharts
      ? `Ranks over ${days} days, best ${shownCharts} of ${countWithNoun(charts.length, 'chart')}`
      : `Ranks over ${days} days`
  return (
    <>
      <p className="row nowrap between quiet tiny" style={{ height: 17 }} aria-hidden="true">
        <span>{title}</span>
        <span>Now</span>
      </p>
      <ul aria-label={title}>
        {charts
          .slice(0, shownCharts)
          .map(({ chart, categoryId, categoryName, device, series, current, evidence }) => {
            const name = `${chartInWords[chart]}, ${categoryName}${device === 'ipad' ? ', iPad' : ''}`
            const shown = series.slice(-days)
            return (
              <li key={`${chart} ${categoryId} ${device}`} className="row nowrap gap-3" style={{ height: 28 }}>
                <span className="cut quiet fills">{name}</span>
                <Sparkline
                  values={shown.map(({ rank }) =>
                    rank.state === 'measured' ? rank.value : rank.state === 'absent' ? 'absent' : undefined,
                  )}
                  label={`Ranks in ${name} over ${days} days`}
                  inverted
                />
                <span className="end fixed" style={{ width: '5rem' }}>
                  <RankValue rank={current} evidence={evidence} />
                </span>
              </li>
            )
          })}
      </ul>
    </>
  )
}
