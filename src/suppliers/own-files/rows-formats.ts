import type { SalesDay } from '../../domain/estimates/own-sales.ts'
import type { PayloadFormat } from '../../ingest/format.ts'
import {
  aroundOf,
  formed,
  mappedValues,
  nameForm,
  nameNumberForm,
  unlessUnreadable,
} from '../../ingest/mapping/mapped-values.ts'
import { shown, valueAt } from '../../ingest/mapping/mapping.ts'
import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import { type Row, rowsOf } from '../../ingest/rows.ts'
import { addUpDays, dayKey, type SalesRow, salesPayload, toCents } from '../../ingest/sales-days.ts'
import { statedTime } from '../../ingest/times.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { didYouMeanCountry } from '../../vocabulary/did-you-mean-country.ts'
import { isKeywordColumn } from '../../vocabulary/list-columns.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { numberOf, otherReportOf } from '../apple/sales-report.ts'
import { storeIdIn } from './app-rows.ts'
import { chartRankAnswer } from './chart-rank-answer.ts'
import { chartNames, hasRankColumn, isChartRows, usualList } from './chart-row-values.ts'
import { readChartRows } from './chart-rows.ts'
import { dayColumns, rowsByDay } from './day-columns.ts'

/** Names under which tables of own figures hold our fields, tried where no mapping says otherwise. */
const defaultNames: Record<string, readonly string[]> = {
  storeId: [
    ...['storeId', 'store_id', 'app', 'appId', 'app_id', 'appleId', 'apple_id', 'Apple Identifier', 'id'],
    ...['App ID', 'App Apple ID'],
  ],
  day: ['day', 'date', 'Date'],
  country: ['country', 'Country', 'Country Code', 'storefront', 'territory'],
  downloads: ['downloads', 'Downloads', 'first_time_downloads', 'installs', 'units'],
  revenue: ['revenue', 'Revenue', 'sales', 'Sales'],
  currency: ['currency', 'Currency'],
}

/**
 * A table, NDJSON or JSON list of own figures by day. A day may have several rows, by device, source or version: they are
 * summed where a column distinguishes them; otherwise the day is refused.
 */
export const salesRowsFormat: PayloadFormat = {
  isMappable: true,
  names: defaultNames,
  recognise({ columns, records }) {
    const fields = columns.length > 0 ? columns : Object.keys(records.find(isObject) ?? {})
    const has = (field: string) => defaultNames[field]?.some((name) => fields.includes(name))
    return has('storeId') && has('day') && (has('downloads') || has('revenue'))
      ? { kind: 'sales', of: 'downloads or revenue of your own apps by day' }
      : undefined
  },
  parse(payload, context, from) {
    const { rows, rejected } = rowsOf(payload, context, from)
    if (!context.fields) refuseOtherReports(rows)
    const unreadable = rejected.length
    const constants = { ...context.fallbacks, ...aroundOf(payload, context), ...context.constants }
    const read: SalesRow[] = []
    const daysRefused = new Set<string>()
    const refuse = (index: number, reason: string) => {
      const row = rows[index]
      if (row) rejected.push({ ...row, reason })
    }
    for (const [index, { record }] of rows.entries()) {
      const day = unlessUnreadable(() => readDay(valuesOf(record, context, constants), context.country))
      if (typeof day === 'string') refuse(index, day)
      else if ('reason' in day) {
        refuse(index, day.reason)
        daysRefused.add(day.day)
      } else read.push({ index, sale: day })
    }
    const named = new Set([...Object.values(defaultNames).flat(), ...Object.values(context.fields ?? {})])
    const { sales, refused } = addUpDays(read, daysRefused, (ofDay) =>
      whyNotAdded(ofDay, (index) => partsNamed(rows[index]?.record, named)),
    )
    for (const { index, reason } of refused) refuse(index, reason)
    return salesPayload(sales, rejected, rows.length + unreadable)
  },
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** @throws UnfitPayload where the table is an App Store Connect report with other figures */
function refuseOtherReports(rows: readonly Row[]): void {
  const [first] = rows
  const report = otherReportOf(Object.keys(first?.record ?? {}))
  if (report)
    throw new UnfitPayload(
      `${report} of App Store Connect, which tells no whole days; import the daily Summary Sales report of Sales and Trends (S_D_*.txt.gz)`,
    )
}

/** Words for totals, which would be counted twice beside the parts. */
const wholeWords = new Set([
  'all',
  'total',
  'totals',
  'any',
  'overall',
  'all devices',
  'all sources',
  'all versions',
])
/** Columns with numeric names. */
const numberedColumn = /version|build|platform|os$/i

/** The values of a row, by column, that identify its part of the day; numeric columns are other figures. */
function partsNamed(record: unknown, named: ReadonlySet<string>): [column: string, value: string][] {
  return Object.entries((record ?? {}) as Record<string, unknown>)
    .filter(([column]) => !named.has(column))
    .map(([column, value]): [string, string] => [column, shown(value ?? '').trim()])
    .filter(([column, value]) => numberedColumn.test(column) || numberOf(value) === undefined)
}

function whyNotAdded(
  ofDay: readonly SalesRow[],
  partsOf: (index: number) => [column: string, value: string][],
): string | undefined {
  const told = (figure: 'downloads' | 'revenue') => ofDay.filter(({ sale }) => sale[figure] !== null).length
  for (const figure of ['downloads', 'revenue'] as const)
    if (told(figure) > 0 && told(figure) < ofDay.length) return `only some rows of its day tell ${figure}`
  const parts = ofDay.map(({ index }) => partsOf(index))
  if (new Set(parts.map((one) => JSON.stringify(one))).size < parts.length)
    return 'its day stands in several rows, and no column tells them apart'
  const whole = parts.flat().find(([, value]) => wholeWords.has(value.toLowerCase()) || value === '')
  return whole && `its day is told by "${whole[0]}" and as a whole: leave one of them out`
}

function valuesOf(
  record: unknown,
  context: ReadingContext,
  constants: Record<string, string>,
): Map<string, unknown> {
  const values = mappedValues('sales', record, context.fields ?? {}, context, constants)
  for (const [field, names] of Object.entries(defaultNames)) {
    if (values.has(field)) continue
    const found = names.map((name) => valueAt(record, name)).find((value) => value !== undefined)
    if (found !== undefined) values.set(field, formed(field, found, context, constants.year))
  }
  return values
}

/** @returns the reason where the row is refused, with the key of its day where it has one */
function readDay(
  values: ReadonlyMap<string, unknown>,
  fallback: string | null,
): SalesDay | string | { reason: string; day: string } {
  const textOf = (field: string) => shown(values.get(field) ?? '').trim()
  const storeId = storeIdIn(values.get('storeId'))
  if (!storeId) return textOf('storeId') ? `no app id in "${textOf('storeId')}"` : 'no app id'
  const day = statedTime(textOf('day'))?.day
  if (!day)
    return textOf('day') ? `impossible date "${textOf('day')}"${nameForm('day', textOf('day'))}` : 'no date'
  const country = (textOf('country') || (fallback ?? '')).toLowerCase()
  if (!country) return 'no country: name it with --country or in a mapping'
  if (!isStorefront(country)) return `"${country}" is not an App Store country${didYouMeanCountry(country)}`
  const refused = (reason: string) => ({ reason, day: dayKey({ storeId, country, day }) })
  const downloads = textOf('downloads') === '' ? null : numberOf(textOf('downloads'))
  if (downloads === undefined || (downloads !== null && !(Number.isSafeInteger(downloads) && downloads >= 0)))
    return refused(
      `impossible downloads "${textOf('downloads')}"${nameNumberForm('downloads', textOf('downloads'))}`,
    )
  const revenue = textOf('revenue') === '' ? null : numberOf(textOf('revenue'))
  if (revenue === undefined || Math.abs(revenue ?? 0) > Number.MAX_SAFE_INTEGER)
    return refused(`impossible revenue "${textOf('revenue')}"${nameNumberForm('revenue', textOf('revenue'))}`)
  if (downloads === null && revenue === null) return refused('neither downloads nor revenue')
  const currency = textOf('currency').toUpperCase()
  if (revenue !== null && !/^[A-Z]{3}$/.test(currency))
    return refused(currency ? `impossible currency "${currency}"` : 'revenue without a currency')
  if (revenue === null) return { storeId, country, day, downloads, revenue, currency: null }
  return { storeId, country, day, downloads, revenue: toCents(revenue), currency }
}

/** Charts that a collector saved in a form of its own, one place a row; and ranks of single apps in charts, as other tools tell them. */
export const chartRowsFormat: PayloadFormat = {
  isMappable: true,
  names: chartNames,
  recognise(sample) {
    const { columns, document } = sample
    if (isChartRows(sample)) return { kind: 'charts', of: 'charts, a place a row' }
    const has = (field: string) => chartNames[field]?.some((name) => columns.includes(name))
    const isByDay =
      has('storeId') &&
      has('chart') &&
      !columns.some(isKeywordColumn) &&
      dayColumns(columns, { layout: 'csv', country: null }, 'capturedAt').length > 0
    return isByDay || chartRankAnswer(document)
      ? { kind: 'charts', of: 'ranks of single apps in charts by day' }
      : undefined
  },
  parse(payload, context, from) {
    const document = context.layout === 'document' ? payload.document() : undefined
    const list = context.list ?? usualList(document)
    const answered = chartRankAnswer(document)
    const { rows: read, rejected } = answered
      ? { rows: answered, rejected: [] }
      : rowsOf(payload, { ...context, ...(list ? { list } : {}) }, from)
    const rows =
      context.layout === 'csv' ? rowsByDay(read, context, (names) => hasRankColumn(names, context)) : read
    const { rejected: refused, ...found } = readChartRows(
      rows,
      context,
      answered ? undefined : document,
      rejected.length,
    )
    return {
      source: 'chart-file',
      sightings: [],
      ...found,
      rejected: [...rejected, ...refused],
      records: rows.length + rejected.length,
    }
  },
}
