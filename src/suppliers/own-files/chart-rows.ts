import type { ChartReading, RankListEntry, RanksOfList } from '../../domain/charts/capture.ts'
import { instant } from '../../ingest/fields.ts'
import { unlessUnreadable } from '../../ingest/mapping/mapped-values.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import type { ReadingContext, Rejection } from '../../ingest/parsed-payload.ts'
import type { Row } from '../../ingest/rows.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { addressOf, nameOf, storeIdIn } from './app-rows.ts'
import {
  chartOf,
  type NamedChart,
  placeOf,
  type Unranked,
  unreadableIn,
  valuesAround,
  valuesOf,
  wholeness,
} from './chart-row-values.ts'

/** The result of parsing the rows of a chart file. */
interface ChartRows {
  charts: ChartReading[]
  listRanks: RanksOfList[]
  rejected: Rejection[]
  /** Unreadable fields of rows, with the number of rows. */
  unreadable: Record<string, number>
  notes: string[]
}

/**
 * Rows of a chart file gathered into lists: rows that share chart and time belong together. A list whose places have no gap
 * from 1 is a capture of its chart; any other has the ranks of some apps, and says nothing about the rest.
 * @param around the document the rows stand in, for what it says about all of them
 * @param broken how many more rows cannot be read at all
 */
export function readChartRows(
  rows: readonly Row[],
  context: ReadingContext,
  around: unknown,
  broken: number,
): ChartRows {
  const refused = new Map<number, string>()
  const lists = new Map<string, List>()
  const unreadable: Record<string, number> = {}
  const common = valuesAround(around, context)
  const read = rows.map(({ record }) => unlessUnreadable(() => valuesOf(record, context, common)))
  const hasRanks = read.some((values) => typeof values !== 'string' && values.has('rank'))
  let [unmeasured, unnamed] = [0, broken]
  for (const [row, values] of read.entries()) {
    const chart = typeof values === 'string' ? values : chartOf(values, context.country)
    if (typeof values === 'string' || typeof chart === 'string') {
      refused.set(row, String(chart))
      unnamed++
      continue
    }
    if (context.continues && !hasRanks) {
      refused.set(row, 'no rank, which the rows of a long file must tell')
      continue
    }
    const key = `${nameOfChart(chart)} ${chart.time.at.toISOString()}`
    const list = lists.get(key) ?? emptyList(chart)
    lists.set(key, list)
    const whole = wholeness(values.get('whole'))
    const place = hasRanks ? placeOf(values) : list.places.size + 1
    const problem =
      whole === 'unreadable'
        ? `whole: "${shown(values.get('whole'))}" is neither true nor false`
        : typeof place === 'string'
          ? place
          : typeof place === 'number'
            ? addPlace(list, place, values, row)
            : addUnranked(list, place, values)
    if (problem) {
      refused.set(row, problem)
      if (typeof place !== 'number') list.unplaced++
    } else {
      if (typeof place === 'object' && place.depth === null) unmeasured++
      for (const field of unreadableIn(values)) unreadable[field] = (unreadable[field] ?? 0) + 1
    }
    if (whole !== 'unreadable') list.whole ??= whole
  }
  const { taken, ...found } = listsOf([...lists.values()], unnamed, context.layout !== 'document')
  for (const { row, rank } of taken) refused.set(row, `rank ${rank} is taken`)
  const rejected = rows.flatMap(({ position, record }, row) => {
    const reason = refused.get(row)
    return reason === undefined ? [] : [{ position, reason, record }]
  })
  return { ...found, rejected, unreadable, notes: notesOn(unmeasured) }
}

function notesOn(unmeasured: number): string[] {
  if (unmeasured === 0) return []
  const rows = unmeasured === 1 ? '1 row says' : `${unmeasured.toLocaleString('en')} rows say`
  return [
    `${rows} that an app has no rank and not how many places were looked at: not measured (">200", or the field "requested", tells it)`,
  ]
}

/** The rows of one chart at one time. */
interface List {
  chart: NamedChart
  /** The properties of the list stated by its rows; undefined where they state none. */
  whole: boolean | undefined
  /** The places stated by rows; null where the app could not be read. */
  places: Map<number, string | null>
  /** Rows, by their index in the file, whose place is also stated for another app. */
  taken: { storeId: string; rank: number; row: number }[]
  /** Apps without a rank, with the depth that was looked at. */
  unranked: Map<string, number | null>
  /** Refused rows without a place. */
  unplaced: number
  sightings: ChartReading['sightings']
}

const emptyList = (chart: NamedChart): List => ({
  chart,
  whole: undefined,
  places: new Map(),
  taken: [],
  unranked: new Map(),
  unplaced: 0,
  sightings: [],
})

/**
 * @param unnamed refused rows that may belong to any list
 * @returns the lists, and the rows whose place another app of the chart has
 */
function listsOf(
  lists: readonly List[],
  unnamed: number,
  inParts: boolean,
): Pick<ChartRows, 'charts' | 'listRanks'> & Pick<List, 'taken'> {
  const histories = sparseReach(lists)
  const charts: ChartReading[] = []
  const listRanks: RanksOfList[] = []
  const taken: List['taken'] = []
  for (const list of lists) {
    const isWhole =
      list.whole ??
      (isExplained(list, unnamed) && list.places.size > (histories.get(nameOfChart(list.chart)) ?? 0))
    if (isWhole) {
      taken.push(...list.taken)
      if (holdsAny(list)) charts.push(captureOf(list, inParts))
    }
    const told = toldOf(list, !isWhole)
    if (told.ranks.length > 0 || told.sightings.length > 0) listRanks.push(told)
  }
  return { charts, listRanks, taken }
}

const holdsAny = ({ places }: List) => [...places.values()].some((storeId) => storeId !== null)
const depthOf = ({ places }: List) => Math.max(0, ...places.keys())
const isGapless = (list: List) => list.places.size === depthOf(list)
const isSparse = (list: List) => list.places.size * 2 <= depthOf(list)

/** Whether the rows cover every place down to the last, except for refused rows. */
const isExplained = (list: List, unnamed: number) =>
  isGapless(list) || (!isSparse(list) && depthOf(list) - list.places.size <= list.unplaced + unnamed)

const nameOfChart = ({ country, kind, categoryId, device }: ChartIdentity) =>
  `${country} ${kind} ${categoryId} ${device}`

/**
 * For charts of which these lists track only some apps, the largest number of places in a list. Such a rank history is
 * recognised by lists that have at most half of the places down to their last. On a day on which its apps are at the top, a
 * list has no gap and is still no whole chart.
 */
function sparseReach(lists: readonly List[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const list of lists) {
    if (list.whole !== undefined || !isSparse(list)) continue
    const name = nameOfChart(list.chart)
    most.set(name, Math.max(most.get(name) ?? 0, list.places.size))
  }
  return most
}

/**
 * Two apps cannot share a place of a chart: the second row is refused if the list is a chart. In a list of some apps the
 * ranks can be from different hours of a day.
 * @returns why the row is refused
 */
function addPlace(
  list: List,
  rank: number,
  values: ReadonlyMap<string, unknown>,
  row: number,
): string | undefined {
  const storeId = storeIdIn(values.get('storeId'))
  const isTwice = storeId !== undefined && placedApps(list).includes(storeId)
  if (list.places.get(rank)) {
    if (!storeId || isTwice) return `rank ${rank} is taken`
    list.taken.push({ storeId, rank, row })
  } else {
    list.places.set(rank, isTwice ? null : (storeId ?? null))
    if (!storeId) return 'no app id'
    if (isTwice) return `app ${storeId} stands in the chart twice`
  }
  see(list, storeId, values)
  return undefined
}

const placedApps = ({ places, taken }: List) => [...places.values(), ...taken.map(({ storeId }) => storeId)]

/** @returns why the row is refused */
function addUnranked(
  list: List,
  { depth }: Unranked,
  values: ReadonlyMap<string, unknown>,
): string | undefined {
  const storeId = storeIdIn(values.get('storeId'))
  if (!storeId) return 'no app id'
  list.unranked.set(storeId, Math.max(depth ?? 0, list.unranked.get(storeId) ?? 0) || null)
  see(list, storeId, values)
  return undefined
}

/** The app's fields in a row. */
function see(list: List, storeId: string, values: ReadonlyMap<string, unknown>): void {
  const name = nameOf(values.get('name'))
  if (!name) return
  const icon = addressOf(values.get('iconUrl'))
  const developer = nameOf(values.get('developer'))
  const releasedAt = instant(shown(values.get('releasedAt') ?? ''))
  // A later date is the planned release of a pre-order.
  const isReleased = releasedAt !== undefined && Date.parse(releasedAt) <= list.chart.time.at.getTime()
  const hints = { ...(icon ? { iconUrl: icon } : {}), ...(isReleased ? { releasedAt } : {}) }
  list.sightings.push({
    storeId,
    listing: { name, ...(developer ? { developer } : {}) },
    ...(icon || isReleased ? { hints } : {}),
  })
}

function instantOf({ time, requested: _, ...identity }: NamedChart) {
  return { ...identity, capturedAt: time.at, ...(time.day ? { statedDay: time.day } : {}) }
}

function captureOf(list: List, inParts: boolean): ChartReading {
  const { chart, places, sightings } = list
  const depth = depthOf(list)
  const storeIds = Array.from({ length: depth }, (_, index) => places.get(index + 1) ?? null)
  const shownHere = new Set(storeIds)
  return {
    ...instantOf(chart),
    requested: chart.requested,
    inParts,
    storeIds,
    sightings: sightings.filter(({ storeId }) => shownHere.has(storeId)),
  }
}

/** @param ranked whether the places are single ranks; otherwise they are a capture, and only apps without a rank remain */
function toldOf(list: List, ranked: boolean): RanksOfList {
  const { chart, places, taken, unranked, sightings } = list
  const placed = [...places].flatMap(([rank, storeId]) => (storeId === null ? [] : [{ rank, storeId }]))
  const ranks = new Map<string, RankListEntry>()
  for (const [storeId, depth] of unranked)
    if (depth !== null) ranks.set(storeId, { storeId, rank: null, depth })
  for (const { storeId } of placed) ranks.delete(storeId)
  if (ranked)
    for (const { storeId, rank } of [...placed, ...taken]) ranks.set(storeId, { storeId, rank, depth: null })
  const inChart = new Set(ranked ? [] : [...placed, ...taken].map(({ storeId }) => storeId))
  return {
    ...instantOf(chart),
    mayJoin: list.whole === undefined && !isGapless(list),
    ranks: [...ranks.values()],
    sightings: sightings.filter(({ storeId }) => !inChart.has(storeId)),
  }
}
