import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ReplyOf } from '../../api/operations.ts'
import { LineChart } from '../../charts/LineChart.tsx'
import { daysBetween, daysUntil } from '../../evidence/days.ts'
import { Fact, Measured, NotMeasured } from '../../evidence/Fact.tsx'
import {
  count,
  countWithNoun,
  dayText,
  decimal,
  momentText,
  signedNumber,
  spanText,
} from '../../evidence/format.ts'
import type { Evidence } from '../../evidence/shapes.ts'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { Empty, Figure, Figures, Filters, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import styles from './app.module.css'
import { useAppOfPage } from './app-of-page.ts'
import { listingFieldInWords } from './choices.ts'
import { ListingAudit } from './ListingAudit.tsx'
import { ChangeCard } from './ListingChange.tsx'
import { RanksOverChanges, useOverallRanks } from './ListingRanks.tsx'
import { OwnSourceIssues } from './OwnSourceIssues.tsx'
import { RequestData } from './RequestData.tsx'
import { listingQueryOf } from './tab-reads.ts'
import { notCollectedText } from './words.ts'

/** How the listing changed with the ranks beneath it, what its texts use of their limits, and its ratings. */
export function ListingTab() {
  const { storeId, country } = useAppOfPage()
  const { field, until } = useSearch({ from: '/apps/$storeId/listing' })
  const navigate = useNavigate({ from: '/apps/$storeId/listing' })
  const aso = useQuery(listingQueryOf(storeId, country))
  const timeline = aso.data?.timeline
  const ranks = useOverallRanks(timeline, until)
  return (
    <Loaded query={aso} skeleton={<Waiting />}>
      {({ timeline: all, absences, listingObserved, trouble, audit, evidence, ratings }) => {
        const changed = all.flatMap((change) => change.fields.map((of) => of.field))
        const words = wordsOf(field ? [...changed, field] : changed)
        const changes = field ? all.filter((change) => change.fields.some((of) => of.field === field)) : all
        return (
          <>
            <OwnSourceIssues trouble={trouble} />
            {all.length > 0 && (
              <RanksOverChanges
                ranks={ranks}
                changes={changes}
                onUntil={(day) =>
                  void navigate({ search: (search) => compactSearch({ ...search, until: day }) })
                }
              />
            )}
            {all.length > 1 && (
              <Filters>
                <FilterSelect
                  label="Field"
                  any="All fields"
                  values={Object.keys(words)}
                  words={words}
                  value={field}
                  onChange={(value) =>
                    void navigate({ search: (search) => compactSearch({ ...search, field: value }) })
                  }
                />
              </Filters>
            )}
            <Panel
              title="Listing history"
              note={lookedText(listingObserved)}
              actions={all.length > 0 && <RequestData kinds={['record']} />}
            >
              {changes.length > 0 ? (
                <>
                  <p
                    className="small pad-2-3 sunken"
                    style={{ maxWidth: '100ch', borderInlineStart: '3px solid var(--border-strong)' }}
                  >
                    Seasonality, competitors, ads and other changes also move ranks: a rank change after a
                    listing change does not prove that it was the cause.
                  </p>
                  <ol className={`${styles.changes} ruled`}>
                    {changes.map((change, index) => (
                      <ChangeCard key={change.firstSeenAt} change={change} ranks={ranks} opens={index === 0} />
                    ))}
                  </ol>
                </>
              ) : all.length > 0 ? (
                <Empty title="No changes to this field">Choose all fields to see other changes.</Empty>
              ) : (
                <Empty
                  title={listingObserved.days === 0 ? 'Listing not collected yet' : 'No listing changes found'}
                  action={<RequestData kinds={['record']} />}
                >
                  {listingObserved.days < 2
                    ? 'Changes show once the listing has been collected on two days.'
                    : 'A change that was reverted between two collections is not visible.'}
                </Empty>
              )}
            </Panel>
            <Absences absences={absences} />
            <ListingAudit audit={audit} evidence={evidence} />
            <ListingRatings ratings={ratings} evidence={evidence} />
          </>
        )
      }}
    </Loaded>
  )
}

/** Times in which the storefront did not list the app; nothing where there is none. */
function Absences({ absences }: { absences: ReplyOf<'get_competitor_aso'>['absences'] }) {
  if (absences.length === 0) return null
  return (
    <Panel title="Not listed" note="Days on which the App Store did not list the app in this storefront">
      <ul className="stack gap-1">
        {absences.map(({ lastSeenAt, firstMissedAt, lastMissedAt, misses, backAt, confirmedAt, evidence }) => (
          <li key={firstMissedAt}>
            <Measured evidence={evidence[0]}>{spanText(firstMissedAt, lastMissedAt)}</Measured>: not listed in{' '}
            {countWithNoun(misses, 'check')}
            {confirmedAt === null && ', not confirmed'}
            {lastSeenAt && `; last seen before on ${dayText(lastSeenAt)}`}
            {backAt ? `; back on ${dayText(backAt)}` : '; not seen since'}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Fields in words, in alphabetical order. */
const wordsOf = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    fields
      .map((field) => [field, listingFieldInWords(field)] as const)
      .sort(([, one], [, other]) => one.localeCompare(other)),
  )

function lookedText({
  days,
  firstAt,
  lastAt,
}: {
  days: number
  firstAt: string | null
  lastAt: string | null
}) {
  if (firstAt === null || lastAt === null) return 'Not collected in this storefront yet'
  return `Collected on at least ${countWithNoun(days, 'day')}, ${spanText(firstAt, lastAt)}`
}

const Waiting = () => (
  <div className="stack">
    <Skeleton height={340} />
    <Skeleton height={520} />
    <Skeleton height={400} />
  </div>
)

type Ratings = ReplyOf<'get_competitor_aso'>['ratings']

/** The ratings in the storefront and how they grew. */
function ListingRatings({ ratings, evidence }: { ratings: Ratings; evidence: readonly Evidence[] }) {
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
        <Figure name="Rating, current version">
          <Fact fact={ratingCurrentVersion} evidence={evidence} format={decimal} />
        </Figure>
        {growth.map(({ days, added }) => (
          <Figure key={days} name={`New ratings, ${countWithNoun(days, 'day')}`}>
            {added.state === 'measured' ? (
              <Measured
                evidence={sources[added.toSource]}
                observedAt={added.to}
                note={`From ${dayText(added.from)} to ${dayText(added.to)}.`}
              >
                {signedNumber(added.value)}
              </Measured>
            ) : (
              <NotMeasured reason={added.reason} />
            )}
          </Figure>
        ))}
      </Figures>
      <Panel
        title="Ratings over time"
        note={history[0] && `New ratings since ${dayText(history[0].observedAt)}`}
      >
        {history.length < 2 ? (
          <p className="quiet">The chart shows once ratings have been collected on two days.</p>
        ) : (
          <LineChart
            label="New ratings"
            days={drawn.days}
            lines={drawn.lines}
            format={signedNumber}
            height={180}
            provenance={(index) => {
              const point = drawn.points[index]
              if (!point) return <p>{notCollectedText}</p>
              return (
                <p>
                  {countWithNoun(point.ratingCount, 'rating')},{' '}
                  {point.rating === null ? 'no average' : `${decimal(point.rating)} stars`},{' '}
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

/** Ratings gained since the first observation; the growth would be invisible in a plot of the total. */
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
        name: 'New ratings',
        values: points.map((point) => (point ? point.ratingCount - start : null)),
      },
    ],
  }
}
