import { useMemo } from 'react'
import type { ReplyOf } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { daysBetween, daysUntil } from '../../evidence/days.ts'
import { Fact, Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { count, counted, dayText, decimal, difference, momentText } from '../../evidence/format.ts'
import type { Evidence } from '../../evidence/shapes.ts'
import { Figure, Figures, Panel } from '../../ui/parts.tsx'

type Ratings = ReplyOf<'get_competitor_aso'>['ratings']

/** The ratings in the storefront and how they grew. */
export function ListingRatings({ ratings, evidence }: { ratings: Ratings; evidence: readonly Evidence[] }) {
  const { rating, ratingCount, ratingCurrentVersion, growth, history, sources } = ratings
  const drawn = useMemo(() => drawnOf(history), [history])
  return (
    <>
      <Figures>
        <Figure name="Rating">
          <Fact fact={rating} evidence={evidence} format={decimal} />
        </Figure>
        <Figure name="Ratings">
          <Fact fact={ratingCount} evidence={evidence} format={count} />
        </Figure>
        <Figure name="Rating of this version">
          <Fact fact={ratingCurrentVersion} evidence={evidence} format={decimal} />
        </Figure>
        {growth.map(({ days, added }) => (
          <Figure key={days} name={`Gained in ${counted(days, 'day')}`}>
            {added.state === 'measured' ? (
              <Measured
                evidence={sources[added.toSource]}
                observedAt={added.to}
                note={`The count of ${dayText(added.to)} less that of ${dayText(added.from)}.`}
              >
                {difference(added.value)}
              </Measured>
            ) : (
              <NotMeasured reason={added.reason} />
            )}
          </Figure>
        ))}
      </Figures>
      <Panel
        title="Ratings over time"
        note={history[0] && `Ratings gained since ${dayText(history[0].observedAt)}, as observed.`}
      >
        {history.length < 2 ? (
          <p className="quiet">It takes observations on two days to draw a line.</p>
        ) : (
          <LineChart
            label="Ratings gained"
            days={drawn.days}
            lines={drawn.lines}
            format={difference}
            height={180}
            provenance={(index) => {
              const point = drawn.points[index]
              if (!point) return <p>Nobody looked on this day.</p>
              return (
                <p>
                  {counted(point.ratingCount, 'rating')},{' '}
                  {point.rating === null ? 'no average told' : `${decimal(point.rating)} stars`},{' '}
                  {sources[point.source]?.surface}, {momentText(point.observedAt)}
                </p>
              )
            }}
          />
        )}
      </Panel>
    </>
  )
}

/** How many more than at the first look: beside the whole count nobody would see them grow. */
function drawnOf(history: Ratings['history']) {
  const pointOf = new Map(history.map((point) => [point.observedAt.slice(0, 10), point]))
  const [first, last] = [history[0]?.observedAt.slice(0, 10), history.at(-1)?.observedAt.slice(0, 10)]
  const days = first && last ? daysUntil(last, daysBetween(first, last) + 1) : []
  const points = days.map((day) => pointOf.get(day))
  const start = history[0]?.ratingCount ?? 0
  return {
    days,
    points,
    lines: [
      {
        id: 'gained',
        name: 'Ratings gained',
        values: points.map((point) => (point ? point.ratingCount - start : null)),
      },
    ],
  }
}
