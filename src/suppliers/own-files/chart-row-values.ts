import { instant } from '../../ingest/fields.ts'
import { objectsIn, type Sample } from '../../ingest/format.ts'
import { dated, formed, mappedValues, nameForm } from '../../ingest/mapping/mapped-values.ts'
import { shown, valueAt } from '../../ingest/mapping/mapping.ts'
import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import { type StatedTime, statedTime } from '../../ingest/times.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { type ChartKind, chartKinds } from '../../vocabulary/chart-kinds.ts'
import { type Device, devices } from '../../vocabulary/devices.ts'
import { didYouMeanCountry } from '../../vocabulary/did-you-mean-country.ts'
import { isKeywordColumn } from '../../vocabulary/list-columns.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { chartAddress, mostPlaces } from '../apple/chart-feeds.ts'
import { addressOf, categoryOf, nameOf, storeIdIn } from './app-rows.ts'

/** What a row of a chart file says: under which names collectors store our fields, and how their values are read. */

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

/** What the document around the rows says of all of them, by field; a mapping comes before it. */
export function valuesAround(document: unknown, context: ReadingContext): Map<string, unknown> {
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

/** What a row says by field, with what is said of all of them. @throws UnfitPayload for a value of another form than the mapping says */
export function valuesOf(
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

/** A chart at a time, and the depth that was asked for. */
export type NamedChart = ChartIdentity & { time: StatedTime; requested: number | null }

/** The chart and the time of a row, or why it is refused. */
export function chartOf(values: ReadonlyMap<string, unknown>, country: string | null): NamedChart | string {
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

/** Whether a row says that its list is a whole chart; undefined where it says nothing. */
export function wholeness(value: unknown): boolean | 'unreadable' | undefined {
  const text = shown(value ?? '')
    .trim()
    .toLowerCase()
  if (text === '') return undefined
  if (['true', 'yes', '1'].includes(text)) return true
  return ['false', 'no', '0'].includes(text) ? false : 'unreadable'
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
export const unreadableIn = (values: ReadonlyMap<string, unknown>): string[] =>
  Object.entries(besides).flatMap(([field, read]) => {
    const value = values.get(field)
    const isEmpty = value === undefined || value === null || value === ''
    return isEmpty || read(value) !== undefined ? [] : [field]
  })

/** An app without a rank, with the depth that was looked at, where stated. */
export interface Unranked {
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
export function placeOf(values: ReadonlyMap<string, unknown>): number | Unranked | string {
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
