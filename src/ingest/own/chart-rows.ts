import type { ChartReading } from '../../domain/charts/chart-reading.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import type { ChartKind } from '../../vocabulary/chart-kinds.ts'
import type { Device } from '../../vocabulary/devices.ts'
import { devices } from '../../vocabulary/devices.ts'
import { nearCountry } from '../../vocabulary/near-country.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { chartAddress, mostPlaces } from '../apple/chart-feeds.ts'
import { instant } from '../apple/fields.ts'
import { dated, mappedValues, nameForm, unlessUnreadable } from '../mapping/mapped-values.ts'
import { shown, valueAt } from '../mapping/mapping.ts'
import type { ReadingContext, Rejection } from '../parsed-payload.ts'
import type { Row } from '../rows.ts'
import { type StatedTime, statedTime } from '../times.ts'
import { addressOf, categoryOf, nameOf, storeIdIn } from './app-rows.ts'

/** Names under which collectors store our fields, tried where no mapping says otherwise. */
const usualNames: Record<string, readonly string[]> = {
  storeId: ['storeId', 'store_id', 'trackId', 'appId', 'app_id', 'adamId', 'id', 'url', 'link', 'storeUrl'],
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
}

/** Fields that name the chart rather than an app in it; collectors keep other things under the same names in rows. */
const chartFields = ['country', 'chart', 'category', 'device', 'capturedAt', 'requested'] as const

/** Where collectors keep the list in a document of their own. */
const usualLists = ['items', 'entries', 'results', 'apps'] as const

/** The path of the rows in a collector's document, or undefined when the document is the list. */
export function usualList(document: unknown): string | undefined {
  return Array.isArray(document) ? undefined : usualLists.find((name) => Array.isArray(valueAt(document, name)))
}

/**
 * Rows of a chart file gathered into captures: rows that share chart and time belong together.
 * @param around the document the rows stand in, for what it says about all of them
 */
export function readChartRows(
  rows: readonly Row[],
  context: ReadingContext,
  around: unknown,
): { charts: ChartReading[]; rejected: Rejection[] } {
  const rejected: Rejection[] = []
  const captures = new Map<string, Capture>()
  const common = valuesAround(around, context)
  for (const { position, record } of rows) {
    const values = unlessUnreadable(() => valuesOf(record, context, common))
    if (typeof values === 'string') {
      rejected.push({ position, reason: values, record })
      continue
    }
    const chart = chartOf(values, context.country)
    const unplaced = context.continues && values.get('rank') === undefined
    if (typeof chart === 'string' || unplaced) {
      const reason = typeof chart === 'string' ? chart : 'no rank, which the rows of a long file must tell'
      rejected.push({ position, reason, record })
      continue
    }
    const key = `${chart.country} ${chart.kind} ${chart.categoryId} ${chart.device} ${chart.time.at.toISOString()}`
    const capture = captures.get(key) ?? { chart, places: new Map(), sightings: [] }
    captures.set(key, capture)
    const problem = addPlace(capture, values)
    if (problem) rejected.push({ position, reason: problem, record })
  }
  const inParts = context.layout !== 'document'
  return { charts: [...captures.values()].map((capture) => toReading(capture, inParts)), rejected }
}

type NamedChart = ChartIdentity & { time: StatedTime; requested: number | null }

interface Capture {
  chart: NamedChart
  places: Map<number, string | null>
  sightings: ChartReading['sightings']
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
      const value = firstOf(document, context.document?.[field], usualNames[field])
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
  for (const [field, names] of Object.entries(usualNames)) {
    const mapped = field in fields || (common.has(field) && (chartFields as readonly string[]).includes(field))
    const value = mapped
      ? undefined
      : firstOf(record, undefined, field === 'storeId' ? namesWithId(record, names) : names)
    if (value !== undefined) values.set(field, dated(field, value, context, year))
  }
  return values
}

/** A row can carry both an id of the collector's own and an address with Apple's. */
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
  if (!isStorefront(storefront)) return `"${storefront}" is not an App Store country${nearCountry(storefront)}`
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
  const requested = Number(shown(values.get('requested')))
  return {
    country: storefront,
    kind: chart[0],
    categoryId,
    device,
    time,
    requested: Number.isInteger(requested) && requested > 0 && requested <= mostPlaces ? requested : null,
  }
}

const chartNames: Record<string, [ChartKind, Device]> = {
  free: ['top-free', 'iphone'],
  paid: ['top-paid', 'iphone'],
  grossing: ['top-grossing', 'iphone'],
}

/** `top-free`, `Top Free`, `topfreeapplications` and `topfreeipadapplications` name charts. */
function chartNamed(value: unknown): [ChartKind, Device] | undefined {
  const name = shown(value ?? '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const match = /^(?:top)?(free|paid|grossing)(ipad)?(?:apps|applications|iphoneapps)?$/.exec(name)
  const chart = match?.[1] ? chartNames[match[1]] : undefined
  return chart && match?.[2] ? [chart[0], 'ipad'] : chart
}

function addPlace(capture: Capture, values: ReadonlyMap<string, unknown>): string | undefined {
  const stated = values.get('rank')
  const rank = stated === undefined ? capture.places.size + 1 : Number(shown(stated))
  if (!Number.isInteger(rank) || rank < 1 || rank > mostPlaces) return `impossible rank "${shown(stated)}"`
  if (capture.places.get(rank)) return `rank ${rank} is taken`
  const storeId = storeIdIn(values.get('storeId'))
  capture.places.set(rank, storeId ?? null)
  if (!storeId) return 'no app id'
  if ([...capture.places.values()].filter((id) => id === storeId).length > 1) {
    capture.places.set(rank, null)
    return `app ${storeId} stands in the chart twice`
  }
  const name = nameOf(values.get('name'))
  if (!name) return undefined
  const icon = addressOf(values.get('iconUrl'))
  const developer = nameOf(values.get('developer'))
  const releasedAt = instant(shown(values.get('releasedAt') ?? ''))
  // A later date is what a pre-order is planned for.
  const isReleased = releasedAt !== undefined && Date.parse(releasedAt) <= capture.chart.time.at.getTime()
  const hints = { ...(icon ? { iconUrl: icon } : {}), ...(isReleased ? { releasedAt } : {}) }
  capture.sightings.push({
    storeId,
    listing: { name, ...(developer ? { developer } : {}) },
    ...(icon || isReleased ? { hints } : {}),
  })
  return undefined
}

function toReading({ chart, places, sightings }: Capture, inParts: boolean): ChartReading {
  const { time, ...identity } = chart
  const depth = Math.max(0, ...places.keys())
  return {
    ...identity,
    capturedAt: time.at,
    inParts,
    ...(time.day ? { statedDay: time.day } : {}),
    storeIds: Array.from({ length: depth }, (_, index) => places.get(index + 1) ?? null),
    sightings,
  }
}
