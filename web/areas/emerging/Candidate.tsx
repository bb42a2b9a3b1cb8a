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
import { asSentence, type EmergingApp } from './emerging-search.ts'

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
            <bdi>{app.developer ?? 'Unknown developer'}</bdi>
          </p>
        </div>
        <div className="stack bottom gap-0 large bold">
          <Measured
            evidence={evidence[0]}
            formula={formula}
            note={`Score ${decimal(score)} out of 100. It sums up past signals and is not a forecast. From ${countWithNoun(evidence.length, 'data point')}, the newest:`}
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
        <span>Signal</span>
        <span>Weight</span>
      </p>
      <ul className="small" aria-label="Signals, strongest first">
        {reasons.map(({ kind: reason, detail, weight }) => (
          <li key={reason} className="row nowrap stretch between gap-3">
            <span dir="auto">{asSentence(detail)}</span>
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
          {releasedOn ? `, released ${dayText(releasedOn)}` : ', release date unknown'}
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
      'Not in any earlier collected chart. In a backtest on real charts, two in three such apps were gone five days later.',
  },
  'moved-up': {
    name: 'Moved up',
    tone: 'accent',
    means:
      'Each of its latest three ranks beats the best of its first three. Not a forecast: in a backtest on real charts, such apps ranked better later less often than others.',
  },
  ratings: {
    name: 'Gaining ratings',
    tone: 'plain',
    means: 'Based on rating growth alone; no chart rank supports it.',
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
  'not-found-in-store': 'Not found in the App Store',
  'not-sold-in-storefront': 'Not available in this storefront',
  'not-an-ios-app': 'Not an iPhone or iPad app',
  'source-failed': 'App Store not reached, try again later',
}

/** Takes an app that only charts showed into the catalogue, and says how far that is. */
function TakeIn({ candidate: { app, country, intake } }: { candidate: EmergingApp }) {
  const takeIn = useWrite('request_ios_competitor', { changes: ['list_emerging_ios_competitors'] })
  if (app.catalogued) return null
  const failure = takeIn.data?.failure
  if (failure) return <Badge tone="bad">Not added: {failureInWords[failure]}</Badge>
  const status = intake?.status ?? takeIn.data?.status
  if (status) return <Badge tone="accent">Adding: {workStatusInWords[status].toLowerCase()}</Badge>
  return (
    <Button
      small
      aria-label={`Add app: ${app.name ?? `App ${app.storeId}`}`}
      isPending={takeIn.isPending}
      onPress={() => takeIn.mutate({ app: app.storeId, country })}
    >
      Add app
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
          label={`Track as a competitor of: ${name}`}
          trigger={
            <Button
              small
              aria-label={`Track as a competitor of… ${name}`}
              isPending={pending === 'rival'}
              isDisabled={pending === 'watched'}
            >
              Track as a competitor of…
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
          aria-label={`Track as a competitor: ${name}`}
          isPending={pending === 'rival'}
          isDisabled={pending === 'watched'}
          onPress={() => start('rival', choices[0]?.rivalOf)}
        >
          Track as a competitor
        </Button>
      )}
      <Button
        small
        look="bare"
        aria-label={`Add to watchlist: ${name}`}
        isPending={pending === 'watched'}
        isDisabled={pending === 'rival'}
        onPress={() => start('watched')}
      >
        Add to watchlist
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
        <p className="quiet">Ranks could not be loaded.</p>
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
          ? 'No charts collected for this storefront.'
          : `Not in any of ${countWithNoun(coverage.chartsObserved, 'collected chart')}.`}
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
