import type { ChartReading, RankListEntry, RanksOfList } from '../../domain/charts/capture.ts'
import { instant } from '../../ingest/fields.ts'
import { objectsIn, type Sample } from '../../ingest/format.ts'
import { dated, formed, mappedValues, nameForm, unlessUnreadable } from '../../ingest/mapping/mapped-values.ts'
import { shown, valueAt } from '../../ingest/mapping/mapping.ts'
import type { ReadingContext, Rejection } from '../../ingest/parsed-payload.ts'
import type { Row } from '../../ingest/rows.ts'
import { type StatedTime, statedTime } from '../../ingest/times.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { type ChartKind, chartKinds } from '../../vocabulary/chart-kinds.ts'
import type { Device } from '../../vocabulary/devices.ts'
import { devices } from '../../vocabulary/devices.ts'
import { didYouMeanCountry } from '../../vocabulary/did-you-mean-country.ts'
import { isKeywordColumn } from '../../vocabulary/list-columns.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { chartAddress, mostPlaces } from '../apple/chart-feeds.ts'
import { addressOf, categoryOf, nameOf, storeIdIn } from './app-rows.ts'

/** Names under which collectors store our fields, tried where no mapping says otherwise. */
export const chartNames: Record<string, readonly string[]> = {
  storeId: [
    ...['storeId', 'store_id', 'trackId', 'appId', 'app_id', 'adamId', 'id', 'url', 'link', 'storeUrl'],
    ...['app', 'App ID', 'Apple Identifier'],
  ],
  rank: ['rank', 'position'],
  name: ['name', 'title', 'trackName'],
  developer: ['developer', 'artistName', 'artist'],
  iconUrl: ['icon', 'iconUrl', 'artworkUrl100'],
  releasedAt: ['releasedAt', 'released', 'releaseDate'],
  country: ['country', 'storefront', 'cc'],
  chart: ['chart', 'feedType', 'feed'],
  category: ['categoryId', 'category', 'genreId', 'genre'],
  device: ['device'],
  capturedAt: ['capturedAt', 'observedAt', 'date', 'updated'],
  requested: ['requested', 'limit'],
  whole: ['whole'],
}

/** Whether a table has a column with the rank, by these names or by a mapping. */
export const hasRankColumn = (names: readonly string[], { fields }: ReadingContext): boolean =>
  fields?.rank !== undefined || names.some((name) => chartNames.rank?.includes(name))

/** Fields that name the chart rather than an app in it; collectors keep other things under the same names in rows. */
const chartFields = ['country', 'chart', 'category', 'device', 'capturedAt', 'requested', 'whole'] as const

/** The paths at which collectors keep the list in their documents. */
const usualLists = ['items', 'entries', 'results', 'apps'] as const

/** The path of the rows in a collector's document, or undefined when the document is the list. */
export function usualList(document: unknown): string | undefined {
  return Array.isArray(document) ? undefined : usualLists.find((name) => Array.isArray(valueAt(document, name)))
}

/** Whether records hold places of charts: apps with a rank, for no keyword. */
export function isChartRows({ records, columns }: Sample): boolean {
  if (columns.some(isKeywordColumn)) return false
  return objectsIn(records).some((row) => isPlace(row) && !Object.keys(row).some(isKeywordColumn))
}

function isPlace(row: object): boolean {
  const has = (field: string) => (chartNames[field] ?? []).some((name) => Object.hasOwn(row, name))
  return (
    has('rank') &&
    namesWithId(row, chartNames.storeId ?? []).some((name) => storeIdIn(valueAt(row, name)) !== undefined)
  )
}

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
    const key = `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device} ${chart.time.at.toISOString()}`
    const list = lists.get(key) ?? {
      chart,
      whole: undefined,
      places: new Map(),
      taken: [],
      unranked: new Map(),
      unplaced: 0,
      sightings: [],
    }
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

type NamedChart = ChartIdentity & { time: StatedTime; requested: number | null }

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

function wholeness(value: unknown): boolean | 'unreadable' | undefined {
  const text = shown(value ?? '')
    .trim()
    .toLowerCase()
  if (text === '') return undefined
  if (['true', 'yes', '1'].includes(text)) return true
  return ['false', 'no', '0'].includes(text) ? false : 'unreadable'
}

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

function valuesAround(document: unknown, context: ReadingContext): Map<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(context.fallbacks ?? {}))
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
    const address = chartAddress(JSON.stringify(valueAt(document, 'source') ?? ''))
    if (!('reason' in address)) {
      const { country, kind, categoryId, device } = address.identity
      for (const [field, value] of Object.entries({
        country,
        chart: kind,
        category: categoryId,
        device,
        requested: address.requested,
      }))
        values.set(field, value)
    }
    for (const field of chartFields) {
      const value = firstOf(document, context.document?.[field], chartNames[field])
      if (value !== undefined) values.set(field, dated(field, value, context, yearOf(context)))
    }
  }
  for (const [field, value] of Object.entries(context.constants ?? {})) values.set(field, value)
  return values
}

const yearOf = ({ constants, fallbacks }: ReadingContext) => constants?.year ?? fallbacks?.year

function valuesOf(
  record: unknown,
  context: ReadingContext,
  common: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const fields = context.fields ?? {}
  const year = yearOf(context)
  const held: Record<string, string> = year === undefined ? {} : { year }
  const values = new Map([...common, ...mappedValues('charts', record, fields, context, held)])
  for (const [field, names] of Object.entries(chartNames)) {
    const mapped = field in fields || (common.has(field) && (chartFields as readonly string[]).includes(field))
    const value = mapped
      ? undefined
      : (firstOf(record, undefined, field === 'storeId' ? namesWithId(record, names) : names) ??
        (field === 'rank' && names.some((name) => valueAt(record, name) !== undefined) ? '' : undefined))
    if (value !== undefined) values.set(field, formed(field, value, context, year))
  }
  return values
}

/** A row can have both an id of the collector and an address with Apple's id. */
function namesWithId(record: unknown, names: readonly string[]): readonly string[] {
  const holding = names.filter((name) => storeIdIn(valueAt(record, name)) !== undefined)
  return holding.length > 0 ? holding : names
}

function firstOf(record: unknown, path: string | undefined, names: readonly string[] | undefined): unknown {
  for (const name of path ? [path] : (names ?? [])) {
    const value = valueAt(record, name)
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

function chartOf(values: ReadonlyMap<string, unknown>, country: string | null): NamedChart | string {
  const storefront = shown(values.get('country') ?? country ?? '')
    .trim()
    .toLowerCase()
  if (!storefront) return 'no country: name it with --country or in a mapping'
  if (!isStorefront(storefront))
    return `"${storefront}" is not an App Store country${didYouMeanCountry(storefront)}`
  const chart = chartNamed(values.get('chart'))
  if (!chart)
    return values.get('chart') === undefined
      ? 'no chart: name it with --chart or in a mapping'
      : `"${shown(values.get('chart'))}" is not a chart of ours`
  if (values.get('category') === undefined)
    return 'no category: name it with --category (36 is all categories) or in a mapping'
  const categoryId = categoryOf(values.get('category'))
  if (!categoryId) return `unknown genre "${shown(values.get('category'))}"`
  const named = shown(values.get('device') ?? chart[1])
  const device = devices.find((one) => one === named)
  if (!device) return `unknown device "${named}"`
  const stated = values.get('capturedAt')
  if (stated === undefined) return 'no capture time: give --observed-at, a date in the file name, or a mapping'
  const time = statedTime(shown(stated))
  if (!time) return `impossible capture time "${shown(stated)}"${nameForm('capturedAt', stated)}`
  return {
    country: storefront,
    kind: chart[0],
    categoryId,
    device,
    time,
    requested: depthIn(shown(values.get('requested'))) ?? null,
  }
}

/** Names of charts without what is not a letter, such as `free` of `top-free`. */
const shortNames = new Map(
  chartKinds.map((kind) => [kind.replace(/^top-/, '').replaceAll('-', ''), kind] as const),
)
const chartName = new RegExp(
  `^(?:top)?(${[...shortNames.keys()].join('|')})(ipad)?(?:apps|applications|iphoneapps)?$`,
)

/** `top-free`, `Top Free`, `topfreeapplications` and `topfreeipadapplications` name charts. */
function chartNamed(value: unknown): [ChartKind, Device] | undefined {
  const name = shown(value ?? '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const [, short = '', ipad] = chartName.exec(name) ?? []
  const kind = shortNames.get(short)
  return kind && [kind, ipad ? 'ipad' : 'iphone']
}

/** Parsers of the optional fields of a place; undefined for unreadable values. */
const besides: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: nameOf,
  developer: nameOf,
  iconUrl: addressOf,
  releasedAt: (value) => instant(shown(value)),
  requested: (value) => depthIn(shown(value)),
}

/** The unreadable fields of a place. */
const unreadableIn = (values: ReadonlyMap<string, unknown>): string[] =>
  Object.entries(besides).flatMap(([field, read]) => {
    const value = values.get(field)
    const isEmpty = value === undefined || value === null || value === ''
    return isEmpty || read(value) !== undefined ? [] : [field]
  })

/** An app without a rank, with the depth that was looked at, where stated. */
interface Unranked {
  depth: number | null
}

/** Values for "no rank" that do not say how deep was looked: an empty cell can be a day without data. */
const noValue = /^(?:n\.?\/?a\.?|nil|null|none)?$/i
const noRank = /^(?:[-\u2010-\u2015\u2212]+|n\.?\/?r\.?|un-?ranked|(?:not|no) rank(?:ed|ing)?)$/i
/** `>200`, `200+`, `not in top 200`, `outside the first 200`. */
const beyond =
  /^(?:> ?(\d+)|(\d+) ?\+|(?:not (?:in|within|among)|outside|below|beyond)(?: of)?(?: the)?(?: (?:top|first))? ?(\d+))$/i
/** `>=201` and `\u2265201`: the first place beyond the depth. */
const from = /^(?:>=|\u2265) ?(\d+)$/

/** The place stated by a row, that it has no rank, or why the row is refused. */
function placeOf(values: ReadonlyMap<string, unknown>): number | Unranked | string {
  const stated = values.get('rank')
  const text = shown(stated ?? '').trim()
  if (noValue.test(text)) return { depth: null }
  if (noRank.test(text)) return { depth: depthIn(shown(values.get('requested'))) ?? null }
  const match = beyond.exec(text)
  const first = from.exec(text)?.[1]
  const told = match ? (match[1] ?? match[2] ?? match[3]) : first && String(Number(first) - 1)
  const depth = told === undefined ? undefined : depthIn(told)
  if (depth !== undefined) return { depth }
  const rank = Number(text)
  return Number.isInteger(rank) && rank >= 1 && rank <= mostPlaces ? rank : `impossible rank "${shown(stated)}"`
}

function depthIn(text: string): number | undefined {
  const depth = Number(text)
  return Number.isInteger(depth) && depth >= 1 && depth <= mostPlaces ? depth : undefined
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
