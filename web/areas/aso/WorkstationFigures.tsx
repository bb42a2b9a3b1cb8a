import { LineChart } from '../../charts/LineChart.tsx'
import { Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { count, countWithNoun, dayText, decimal, percentText } from '../../evidence/format.ts'
import type { Visibility } from '../../evidence/shapes.ts'
import { Figure, Figures, Panel } from '../../ui/parts.tsx'
import { Distribution, Moves } from './Distribution.tsx'
import { keywordsPerApp } from './pasted-terms.ts'
import type { Workstation } from './shapes.ts'

/** Summary figures of an app's keywords: visibility, distribution and movement of ranks. */
export function WorkstationFigures({ workstation }: { workstation: Workstation }) {
  const { visibility, distribution, movement, visibilitySeries } = workstation
  return (
    <>
      <Figures>
        <Figure name="Visibility, of 100" note={`100 is first for every keyword; ${coverageText(visibility)}`}>
          <VisibilityShare visibility={visibility} />
        </Figure>
        <Figure
          name="Top 3, top 10, top 50"
          note={`${count(distribution.ranked)} ranked, ${count(distribution.absent)} absent, ${count(distribution.notMeasured)} not measured`}
        >
          <Distribution distribution={distribution} />
        </Figure>
        <Figure name="Keywords" note={`of ${count(keywordsPerApp)} an app can hold`}>
          {count(distribution.keywords)}
        </Figure>
        <Figure name="Moved over 1 day">
          <Moves movement={movement.over1Day} days={1} />
        </Figure>
        <Figure name="Moved over 7 days">
          <Moves movement={movement.over7Days} days={7} />
        </Figure>
        <Figure name="Moved over 30 days">
          <Moves movement={movement.over30Days} days={30} />
        </Figure>
      </Figures>
      <Panel
        title="Visibility over time"
        note={`${dayText(workstation.window.from)} to ${dayText(workstation.window.to)}, over the keywords tracked today, each with its newest page of the 30 days before`}
      >
        <LineChart
          label={`Visibility of ${workstation.tracked.app.name ?? workstation.tracked.app.storeId}`}
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
          provenance={(index) => {
            const point = visibilitySeries[index]
            return point?.coverage
              ? `${percentText(point.coverage)} of the keywords measured`
              : 'no keyword measured'
          }}
          beside={{
            name: 'Keywords measured',
            values: visibilitySeries.map(({ coverage }) => coverage),
            format: percentText,
          }}
        />
      </Panel>
    </>
  )
}

/** A visibility with the formula and the pages it rests on. */
export function VisibilityShare({ visibility }: { visibility: Visibility }) {
  const { share: score, measured, keywords, ranked, oldestPageAt, newestPageAt } = visibility
  if (score.state === 'not-measured') return <NotMeasured reason={score.reason} />
  const pages =
    oldestPageAt && newestPageAt ? ` Pages of ${dayText(oldestPageAt)} to ${dayText(newestPageAt)}.` : ''
  return (
    <Measured
      formula={score.formula}
      note={`Of 100, which first place for every keyword would give. ${count(measured)} of ${countWithNoun(keywords, 'keyword')} measured, ${count(ranked)} ranked.${pages}`}
    >
      {decimal(score.value)}
    </Measured>
  )
}

/** The share of keywords behind a visibility. */
export const coverageText = ({ coverage, measured, keywords }: Visibility): string =>
  coverage === null
    ? 'no keywords'
    : `${count(measured)} of ${count(keywords)} measured (${percentText(coverage)})`
