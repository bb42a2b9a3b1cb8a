import type { SalesDay } from '../../domain/estimates/own-sales.ts'
import { nearCountry } from '../../vocabulary/near-country.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { numberOf, readSalesReport, toCents } from '../apple/sales-report.ts'
import type { Harvest, ReadingContext, Rejection } from '../harvest.ts'
import { dated, mappedValues, nameForm, unlessUnreadable } from '../mapping/mapped-values.ts'
import { shown, valueAt } from '../mapping/mapping.ts'
import { type Row, rowsOf } from '../rows.ts'
import { statedTime } from '../times.ts'
import { storeIdIn } from './app-rows.ts'

/** Names under which tables of own figures hold our fields, tried where no mapping says otherwise. */
const usualNames: Record<string, readonly string[]> = {
  storeId: ['storeId', 'store_id', 'app', 'appId', 'app_id', 'appleId', 'apple_id', 'Apple Identifier', 'id'],
  day: ['day', 'date', 'Date'],
  country: ['country', 'Country', 'Country Code', 'storefront', 'territory'],
  downloads: ['downloads', 'Downloads', 'first_time_downloads', 'installs', 'units'],
  revenue: ['revenue', 'Revenue', 'sales', 'Sales'],
  currency: ['currency', 'Currency'],
}

/** A table, NDJSON or JSON list of own figures by day. */
export function readSales(bytes: Uint8Array, context: ReadingContext, from: number, around: object): Harvest {
  const { rows, rejected: unreadable } = rowsOf(bytes, context, from)
  const rejected: Rejection[] = []
  const constants = { ...context.fallbacks, ...around, ...context.constants }
  const days = new Map<string, SalesDay>()
  for (const { position, record } of rows) {
    const sale = unlessUnreadable(() => readDay(valuesOf(record, context, constants), context.country))
    const key = typeof sale === 'string' ? '' : `${sale.storeId} ${sale.country} ${sale.day}`
    const reason =
      typeof sale === 'string' ? sale : days.has(key) ? 'the day was told in a row before' : undefined
    if (reason) rejected.push({ position, reason, record })
    else if (typeof sale !== 'string') days.set(key, sale)
  }
  return harvestOf([...days.values()], rows, unreadable, rejected)
}

/** A daily sales report of App Store Connect. */
export function readAscSales(bytes: Uint8Array, context: ReadingContext, from: number): Harvest {
  const { rows, rejected } = rowsOf(bytes, context, from)
  const report = readSalesReport(
    rows.map((row) => row.record as Record<string, unknown>),
    isStorefront,
  )
  const refused = report.rejected.flatMap(({ index, reason }) => {
    const row = rows[index]
    return row ? [{ ...row, reason }] : []
  })
  return harvestOf(report.sales, rows, rejected, refused)
}

function harvestOf(
  sales: SalesDay[],
  rows: readonly Row[],
  unreadable: readonly Rejection[],
  refused: readonly Rejection[],
): Harvest {
  const newest = sales
    .map(({ day }) => day)
    .sort()
    .at(-1)
  return {
    source: 'own-sales',
    ...(newest ? { madeAt: new Date(newest) } : {}),
    sightings: [],
    charts: [],
    sales,
    rejected: [...unreadable, ...refused],
    records: rows.length + unreadable.length,
  }
}

function valuesOf(
  record: unknown,
  context: ReadingContext,
  constants: Record<string, string>,
): Map<string, unknown> {
  const values = mappedValues('sales', record, context.fields ?? {}, context, constants)
  for (const [field, names] of Object.entries(usualNames)) {
    if (values.has(field)) continue
    const found = names.map((name) => valueAt(record, name)).find((value) => value !== undefined)
    if (found !== undefined) values.set(field, dated(field, found, context, constants.year))
  }
  return values
}

function readDay(values: ReadonlyMap<string, unknown>, fallback: string | null): SalesDay | string {
  const told = (field: string) => shown(values.get(field) ?? '').trim()
  const storeId = storeIdIn(values.get('storeId'))
  if (!storeId) return told('storeId') ? `no app id in "${told('storeId')}"` : 'no app id'
  const day = statedTime(told('day'))?.day
  if (!day) return told('day') ? `impossible date "${told('day')}"${nameForm('day', told('day'))}` : 'no date'
  const country = (told('country') || (fallback ?? '')).toLowerCase()
  if (!country) return 'no country: name it with --country or in a mapping'
  if (!isStorefront(country)) return `"${country}" is not an App Store country${nearCountry(country)}`
  const downloads = told('downloads') === '' ? null : numberOf(told('downloads'))
  if (downloads === undefined || (downloads !== null && !(Number.isSafeInteger(downloads) && downloads >= 0)))
    return `impossible downloads "${told('downloads')}"`
  const revenue = told('revenue') === '' ? null : numberOf(told('revenue'))
  if (revenue === undefined || Math.abs(revenue ?? 0) > Number.MAX_SAFE_INTEGER)
    return `impossible revenue "${told('revenue')}"`
  if (downloads === null && revenue === null) return 'neither downloads nor revenue'
  const currency = told('currency').toUpperCase()
  if (revenue !== null && !/^[A-Z]{3}$/.test(currency))
    return currency ? `impossible currency "${currency}"` : 'revenue without a currency'
  if (revenue === null) return { storeId, country, day, downloads, revenue, currency: null }
  return { storeId, country, day, downloads, revenue: toCents(revenue), currency }
}
