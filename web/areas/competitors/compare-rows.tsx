import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { estimateText, rangeText } from '../../evidence/estimate.ts'
import { Fact, Measured, NotMeasured, RankValue } from '../../evidence/Fact.tsx'
import {
  bytes,
  count,
  countWithNoun,
  dayText,
  decimal,
  momentText,
  money,
  percentText,
  signedNumber,
  timeAgo,
  totalOf,
} from '../../evidence/format.ts'
import type { Estimate, FactOf } from '../../evidence/shapes.ts'
import { chartInWords, deviceInWords, estimateMethodInWords } from '../../evidence/words.ts'
import { LongText } from '../../ui/LongText.tsx'
import type { Compared } from './compare.ts'

type AppRecord = NonNullable<Compared['record']>
type CompetitorAso = NonNullable<Compared['aso']>

/** A row of the comparison, of one of the replies about a subject. */
export type Row = { name: string } & (
  | { of: 'record'; cell: (record: AppRecord) => ReactNode }
  | { of: 'aso'; cell: (aso: CompetitorAso) => ReactNode }
  | { of: 'running'; cell: (running: NonNullable<Compared['running']>) => ReactNode }
)

/** A row whose value is a fact of the record. */
const factRow = <Field extends keyof AppRecord>(
  name: string,
  field: Field,
  format: AppRecord[Field] extends FactOf<infer Value> ? (value: Value) => ReactNode : never,
): Row => ({
  name,
  of: 'record',
  cell: (record) => (
    <Fact
      fact={record[field] as FactOf<never>}
      evidence={record.evidence}
      format={format as (value: never) => ReactNode}
    />
  ),
})

const foreign = (text: string) => <bdi>{text}</bdi>

const recordRows: Row[] = [
  factRow('Developer', 'developer', foreign),
  factRow('Category', 'primaryCategory', ({ name }) => name),
  factRow('Price', 'price', money),
  factRow('Released', 'releasedAt', dayText),
  factRow('Updated', 'updatedAt', dayText),
  factRow('Version', 'version', foreign),
  factRow('Size', 'sizeBytes', bytes),
  factRow('Languages', 'languages', (tags) => count(tags.length)),
  {
    name: 'Data updated',
    of: 'record',
    cell: ({ lastObservedAt }) =>
      lastObservedAt ? (
        <time dateTime={lastObservedAt} title={momentText(lastObservedAt)}>
          {timeAgo(lastObservedAt)}
        </time>
      ) : (
        <NotMeasured reason="never-collected" />
      ),
  },
]

const growthRow = (days: number): Row => ({
  name: `New ratings, ${days} days`,
  of: 'aso',
  cell: ({ ratings }) => {
    const added = ratings.growth.find((one) => one.days === days)?.added
    if (!added || added.state === 'not-measured')
      return <NotMeasured reason={added?.reason ?? 'too-little-evidence'} />
    const all = ratings.ratingCount.state === 'measured' ? ratings.ratingCount.value : 0
    const before = all - added.value
    return (
      <Measured
        evidence={ratings.sources[added.toSource]}
        note={`From ${momentText(added.from)} to ${momentText(added.to)}.`}
      >
        {signedNumber(added.value)}
        {before > 0 && <span className="quiet"> ({percentText(added.value / before)})</span>}
        <span className="quiet tiny"> until {dayText(added.to)}</span>
      </Measured>
    )
  },
})

const ratingRows: Row[] = [
  factRow('Rating', 'rating', (stars) => `★ ${decimal(stars)}`),
  factRow('Ratings', 'ratingCount', count),
  ...[7, 30, 90].map(growthRow),
]

const estimateRow = (name: string, metric: 'downloads' | 'revenue'): Row => ({
  name,
  of: 'record',
  cell: ({ estimates }) => <EstimateOfDay estimate={estimates[metric]} day={estimates.date} />,
})

/** A modelled number of a day with its range and its day, which may differ from app to app. */
function EstimateOfDay({ estimate, day }: { estimate: Estimate; day: string | null }) {
  if (estimate.state === 'not-measured') return <NotMeasured reason={estimate.reason} />
  return (
    <Measured
      formula={estimate.version}
      note={`Estimate, not Apple data. ${estimateMethodInWords[estimate.method]}. 80% range: ${rangeText(estimate)}.`}
    >
      {estimateText(estimate.mid, estimate)} <span className="quiet">({rangeText(estimate)})</span>
      {day && <span className="quiet tiny"> {dayText(day)}</span>}
    </Measured>
  )
}

const shownCharts = 4

const chartRows: Row[] = [
  {
    name: 'Charts',
    of: 'record',
    cell: ({ chartPositions, storeId, country }) => {
      const [first] = chartPositions
      if (!first) return <NotMeasured reason="no-snapshot" />
      return (
        <ul className="stack gap-1">
          {chartPositions
            .slice(0, shownCharts)
            .map(({ chart, categoryId, categoryName, device, rank, evidence }) => (
              <li key={`${chart} ${categoryId} ${device}`}>
                <RankValue rank={rank} evidence={evidence} />{' '}
                <span className="quiet">
                  {chartInWords[chart]}, {categoryName}
                  {device === 'ipad' && `, ${deviceInWords.ipad}`}, {dayText(evidence.observedAt)}
                </span>
              </li>
            ))}
          {chartPositions.length > shownCharts && (
            <li>
              <Link to="/apps/$storeId/ranks" params={{ storeId }} search={{ country }}>
                {countWithNoun(chartPositions.length - shownCharts, 'more chart')}
              </Link>
            </li>
          )}
        </ul>
      )
    },
  },
]

const creativeRows: Row[] = [
  {
    name: 'Active ads',
    of: 'running',
    cell: ({ total }) =>
      total.value === 0 ? (
        <span className="quiet">none among collected ads, all countries</span>
      ) : (
        `${totalOf(total, 'ad')}, all countries`
      ),
  },
  {
    name: 'Ads collected',
    of: 'record',
    cell: ({ counts, storeId, country }) => (
      <Stored fact={counts.paidAds}>
        {(value) => (
          <Link to="/apps/$storeId/ads" params={{ storeId }} search={{ country }}>
            {count(value)}
          </Link>
        )}
      </Stored>
    ),
  },
  {
    name: 'Posts collected',
    of: 'record',
    cell: ({ counts, storeId, country }) => (
      <Stored fact={counts.posts}>
        {(value) => (
          <Link to="/apps/$storeId/organic" params={{ storeId }} search={{ country }}>
            {count(value)}
          </Link>
        )}
      </Stored>
    ),
  },
]

/** How many are stored, which says nothing of how many there are. */
function Stored({
  fact,
  children,
}: {
  fact: AppRecord['counts']['posts']
  children: (value: number) => ReactNode
}) {
  if (fact.state === 'not-measured') return <NotMeasured reason={fact.reason} />
  return children(fact.value)
}

const textRow = (name: string, field: 'subtitle' | 'description' | 'releaseNotes'): Row =>
  factRow(name, field, (text) => <LongText text={text} name={name.toLowerCase()} lines={6} />)

const listingRows: Row[] = [
  {
    name: 'Name',
    of: 'record',
    cell: ({ name }) => (name === null ? <NotMeasured reason="never-collected" /> : <bdi>{name}</bdi>),
  },
  textRow('Subtitle', 'subtitle'),
  textRow('Description', 'description'),
  textRow('What’s New', 'releaseNotes'),
]

/** The parts of the comparison, in their order. Keywords stand in a table of their own. */
export const groups: readonly { name: string; rows: readonly Row[] }[] = [
  { name: 'App details', rows: recordRows },
  { name: 'Ratings', rows: ratingRows },
  {
    name: 'Estimates',
    rows: [estimateRow('Downloads per day', 'downloads'), estimateRow('Revenue per day', 'revenue')],
  },
  { name: 'Charts', rows: chartRows },
  { name: 'Creatives', rows: creativeRows },
  { name: 'Listing', rows: listingRows },
]
