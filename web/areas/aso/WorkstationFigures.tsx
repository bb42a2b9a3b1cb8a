import { type ReactNode, useState } from 'react'
import { LineChart } from '../../charts/LineChart.tsx'
import { type Marked, MarkedApps, mostMarked } from '../../charts/MarkedApps.tsx'
import { Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { count, countWithNoun, decimal, percentText, spanText } from '../../evidence/format.ts'
import type { Visibility } from '../../evidence/shapes.ts'
import { Panel } from '../../ui/parts.tsx'
import { Distribution, Moves } from './Distribution.tsx'
import { useListingMarks } from './listing-marks.ts'
import type { Workstation } from './shapes.ts'

/** Summary figures of an app's keywords, small above their table: visibility, distribution and movement of ranks. */
export function WorkstationFigures({ workstation }: { workstation: Workstation }) {
  const { visibility, distribution, movement } = workstation
  return (
    <dl className="named row gap-5 rows-1 box pad-2-4 small">
      <Small
        name="Visibility"
        note={`of 100, ${count(visibility.measured)} of ${count(visibility.keywords)} with data`}
      >
        <VisibilityShare visibility={visibility} />
      </Small>
      <Small
        name="Top 3, top 10, top 50"
        note={`${count(distribution.absent)} not ranked, ${count(distribution.notMeasured)} no data`}
      >
        <Distribution distribution={distribution} />
      </Small>
      <Small name="Rank changes, 1 day">
        <Moves movement={movement.over1Day} days={1} />
      </Small>
      <Small name="7 days">
        <Moves movement={movement.over7Days} days={7} />
      </Small>
      <Small name="30 days">
        <Moves movement={movement.over30Days} days={30} />
      </Small>
    </dl>
  )
}

const Small = ({ name, note, children }: { name: string; note?: string; children: ReactNode }) => (
  <div>
    <dt className="quiet">{name}</dt>
    <dd>{children}</dd>
    {note && <dd className="quiet">{note}</dd>}
  </div>
)

/** The visibility of an app day by day, with the days on which its listing and those of rivals were seen to change. */
export function VisibilityOverTime({ workstation }: { workstation: Workstation }) {
  const { tracked, visibilitySeries, window, rivals, apps } = workstation
  const { from, to } = window
  const [shown, setShown] = useState<readonly Marked[]>(['own'])
  const labels = new Map(apps.map((app) => [app.storeId, app]))
  const marks = useListingMarks(
    [
      ...(shown.includes('own') ? [{ app: tracked.app }] : []),
      ...(shown.includes('rivals')
        ? rivals.slice(0, mostMarked).flatMap(({ storeId }) => {
            const app = labels.get(storeId)
            return app ? [{ app, isOther: true }] : []
          })
        : []),
    ],
    { country: tracked.country, from, to },
  )
  return (
    <Panel
      title="Visibility over time"
      note={`${spanText(from, to)}, for the keywords tracked today, each with its latest rank of the 30 days before`}
      actions={<MarkedApps hasRivals={rivals.length > 0} marked={shown} onChange={setShown} />}
    >
      <LineChart
        label={`Visibility of ${tracked.app.name ?? tracked.app.storeId}`}
        days={visibilitySeries.map(({ date }) => date)}
        lines={[
          {
            id: 'visibility',
            name: 'Visibility',
            values: visibilitySeries.map(({ share: percentText }) =>
              percentText.state === 'estimated' ? percentText.value : null,
            ),
          },
        ]}
        format={decimal}
        height={180}
        marks={marks}
        provenance={(index) => {
          const point = visibilitySeries[index]
          return point?.coverage
            ? `${percentText(point.coverage)} of keywords with data`
            : 'no keywords with data'
        }}
        beside={{
          name: 'Keywords with data',
          values: visibilitySeries.map(({ coverage }) => coverage),
          format: percentText,
        }}
      />
    </Panel>
  )
}

/** A visibility with the formula and the pages it rests on. */
export function VisibilityShare({ visibility }: { visibility: Visibility }) {
  const { share: score, measured, keywords, ranked, oldestPageAt, newestPageAt } = visibility
  if (score.state === 'not-measured') return <NotMeasured reason={score.reason} />
  const pages =
    oldestPageAt && newestPageAt ? ` Search results of ${spanText(oldestPageAt, newestPageAt)}.` : ''
  return (
    <Measured
      formula={score.formula}
      note={`100 means rank 1 for every keyword. ${count(measured)} of ${countWithNoun(keywords, 'keyword')} with data, ${count(ranked)} ranked.${pages}`}
    >
      {decimal(score.value)}
    </Measured>
  )
}

/** The share of keywords behind a visibility. */
export const coverageText = ({ coverage, measured, keywords }: Visibility): string =>
  coverage === null
    ? 'no keywords'
    : `${count(measured)} of ${count(keywords)} with data (${percentText(coverage)})`
