import { pagesOfReadings } from '../domain/aso/pages/duplicate-pages.ts'
import { appMoments, appStatement } from '../domain/catalogue/known-moments.ts'
import { chartMoments, placeStatements, toldMoments, toldStatements } from '../domain/charts/known-moments.ts'
import { knownSales, salesStatement } from '../domain/estimates/own-sales.ts'
import { outcomeOf, type RecordOutcome } from '../domain/evidence/known-moments.ts'
import { postMoments, postStatement } from '../domain/organic/known-moments.ts'
import { adMoments, adStatement, adsAgree } from '../domain/paid-ads/known-moments.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import type { Database } from '../storage/database.ts'
import { type ProjectionName, projectionNames } from './names.ts'
import type { ParsedReading } from './projection.ts'

/** Outcomes of the accepted records of a reading; they add up to all of them. */
export type RecordCounts = Record<RecordOutcome, number>

/** The outcomes of the records of one reading in a projection, compared with the state of the store before. */
type Counter = (
  db: Database,
  read: readonly ParsedReading[],
) => Promise<(one: ParsedReading) => RecordOutcome[]>

/** One for every projection, or null where its records are counted by another; the type requires a decision. */
const counters: Record<ProjectionName, Counter | null> = {
  posts: async (db, read) => {
    const known = await postMoments(db, read.flatMap(postsIn))
    return (one) => postsIn(one).map((post) => outcomeOf(known, postStatement(post)))
  },
  ads: async (db, read) => {
    const known = await adMoments(db, read.flatMap(adsIn))
    return (one) => adsIn(one).map((ad) => outcomeOf(known, adStatement(ad), adsAgree))
  },
  charts: async (db, read) => {
    const known = await chartMoments(db, read.flatMap(chartsIn))
    const told = await toldMoments(db, read.flatMap(toldIn))
    return (one) => [
      ...chartsIn(one)
        .flatMap(placeStatements)
        .map((place) => outcomeOf(known, place))
        .map((outcome) => (outcome === 'merged' ? 'superseded' : outcome)),
      ...toldIn(one)
        .flatMap(toldStatements)
        .map((rank) => {
          const outcome = outcomeOf(told.known, rank)
          return outcome === 'repeated' || (outcome === 'stored' && !told.whole.has(rank.key))
            ? outcome
            : 'superseded'
        }),
    ]
  },
  catalogue: async (db, read) => {
    const known = await appMoments(db, read.flatMap(appsIn))
    return (one) => appsIn(one).map((app) => outcomeOf(known, appStatement(app)))
  },
  sales: async (db, read) => {
    const known = await knownSales(
      db,
      read.flatMap(({ parsed }) => parsed.sales ?? []),
    )
    return ({ parsed }) =>
      rowsOfDays(
        parsed,
        (parsed.sales ?? []).map((sale) => outcomeOf(known, salesStatement(sale))),
      )
  },
  // Which of several pages wins is only known afterwards: see `countPages`.
  keywords: null,
  // They derive from records of apps and from pages, which count as those.
  similar: null,
  suspicions: null,
}

/** The outcomes of the records of readings that are about to be stored, compared with the store. */
export async function countRecords(
  db: Database,
  read: readonly ParsedReading[],
): Promise<Map<string, RecordCounts>> {
  const counts: ((one: ParsedReading) => RecordOutcome[])[] = []
  for (const name of projectionNames) {
    const counter = counters[name]
    if (counter) counts.push(await counter(db, read))
  }
  return new Map(
    read.map((one) => [
      one.reading.readingId,
      countsOf(
        one.parsed,
        counts.flatMap((outcomesIn) => outcomesIn(one)),
      ),
    ]),
  )
}

/**
 * A day that is stated again is corrected. Where a report adds rows up, they count as repeated only if all of their days
 * do.
 */
function rowsOfDays(
  { sales = [], records, rejected }: ParsedPayload,
  days: readonly RecordOutcome[],
): RecordOutcome[] {
  const outcomes = days.map((outcome): RecordOutcome => (outcome === 'repeated' ? outcome : 'stored'))
  const rows = records - rejected.length
  if (rows === sales.length) return outcomes
  return outcomes.length > 0 && outcomes.every((outcome) => outcome === 'repeated')
    ? Array(rows).fill('repeated')
    : []
}

/** Outcomes of the places of result pages that were just stored. */
export async function countPages(
  db: Database,
  read: readonly ParsedReading[],
): Promise<Map<string, RecordCounts>> {
  const pages = read.filter(({ parsed }) => parsed.resultPage)
  if (pages.length === 0) return new Map()
  const held = await pagesOfReadings(
    db,
    pages.map(({ reading }) => reading.readingId),
  )
  const duplicates = new Map(held.map(({ readingId, isDuplicate }) => [readingId, isDuplicate]))
  return new Map(
    pages.map(({ reading: { readingId }, parsed }) => {
      const isDuplicate = duplicates.get(readingId)
      const outcome = isDuplicate === undefined ? 'repeated' : isDuplicate ? 'superseded' : 'stored'
      return [readingId, countsOf(parsed, Array(parsed.records - parsed.rejected.length).fill(outcome))]
    }),
  )
}

/** Records without an outcome of their own, such as rows that only add to a day, count as stored. */
function countsOf({ records, rejected }: ParsedPayload, outcomes: readonly RecordOutcome[]): RecordCounts {
  const counts = { stored: 0, repeated: 0, merged: 0, superseded: 0 }
  for (const outcome of outcomes) counts[outcome]++
  const { repeated, merged, superseded } = counts
  return { ...counts, stored: records - rejected.length - repeated - merged - superseded }
}

const postsIn = ({ reading, parsed }: ParsedReading) =>
  (parsed.posts ?? []).map((post) => ({ post, observedAt: post.observedAt ?? reading.observedAt }))

const adsIn = ({ reading, parsed }: ParsedReading) =>
  (parsed.ads ?? []).map((ad) => ({ ad, observedAt: ad.observedAt ?? reading.observedAt }))

const chartsIn = ({ reading, parsed }: ParsedReading) =>
  parsed.charts.map((chart) => ({ ...chart, capturedAt: chart.capturedAt ?? reading.observedAt }))

const toldIn = ({ parsed }: ParsedReading) => parsed.toldRanks ?? []

/** The apps of a result page are its places. */
const appsIn = ({ reading, parsed }: ParsedReading) =>
  parsed.resultPage ? [] : parsed.sightings.map((seen) => ({ ...seen, observedAt: reading.observedAt }))
