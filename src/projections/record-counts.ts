import { pagesOfReadings } from '../domain/aso/pages/duplicate-pages.ts'
import { appMoments, appStatement } from '../domain/catalogue/known-moments.ts'
import { chartMoments, placeStatements } from '../domain/charts/known-moments.ts'
import { knownSales, salesStatement } from '../domain/estimates/own-sales.ts'
import { outcomeOf, type RecordOutcome } from '../domain/evidence/known-moments.ts'
import { postMoments, postStatement } from '../domain/organic/known-moments.ts'
import { adMoments, adStatement, adsAgree } from '../domain/paid-ads/known-moments.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import type { Database } from '../storage/database.ts'
import type { ParsedReading } from './projection.ts'

/** What became of the records of a reading that were not refused; their sum is all of them. */
export type RecordCounts = Record<RecordOutcome, number>

/**
 * What becomes of the records of readings that are about to be stored, seen against what the store knows. Pages are left to
 * `countPages`, since which of several stands shows only afterwards.
 */
export async function countRecords(
  db: Database,
  read: readonly ParsedReading[],
): Promise<Map<string, RecordCounts>> {
  const posts = read.flatMap(postsIn)
  const ads = read.flatMap(adsIn)
  const charts = read.flatMap(chartsIn)
  const apps = read.filter(({ parsed }) => !parsed.resultPage).flatMap(appsIn)
  const knownPosts = await postMoments(db, posts)
  const knownAds = await adMoments(db, ads)
  const knownPlaces = await chartMoments(db, charts)
  const knownApps = await appMoments(db, apps)
  const known = await knownSales(
    db,
    read.flatMap(({ parsed }) => parsed.sales ?? []),
  )
  return new Map(
    read.map((one) => {
      const outcomes: RecordOutcome[] = [
        ...postsIn(one).map((post) => outcomeOf(knownPosts, postStatement(post))),
        ...adsIn(one).map((ad) => outcomeOf(knownAds, adStatement(ad), adsAgree)),
        ...chartsIn(one)
          .flatMap(placeStatements)
          .map((place) => outcomeOf(knownPlaces, place))
          .map((outcome) => (outcome === 'merged' ? 'superseded' : outcome)),
        ...(one.parsed.resultPage ? [] : appsIn(one)).map((app) => outcomeOf(knownApps, appStatement(app))),
      ]
      const days = (one.parsed.sales ?? []).map((sale) => outcomeOf(known, salesStatement(sale)))
      return [one.reading.readingId, countsOf(one.parsed, [...outcomes, ...rowsOfDays(one.parsed, days)])]
    }),
  )
}

/** A day told anew is corrected. Where a report adds its rows up, they repeat only if all of their days do. */
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

/** What became of the places of result pages that were just stored. */
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

/** Records without an outcome of their own, such as rows that only add to a day, are stored. */
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

const appsIn = ({ reading, parsed }: ParsedReading) =>
  parsed.sightings.map((seen) => ({ ...seen, observedAt: reading.observedAt }))
