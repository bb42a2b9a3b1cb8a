import type { SalesDay } from '../../domain/estimates/own-sales.ts'
import { identifier, isCalendarDate, isToldOf } from './fields.ts'

/** Whether a table with this header line is a daily sales report of App Store Connect (Sales and Trends). */
export function isSalesReport(header: string): boolean {
  const columns = header.replace(/^\uFEFF/, '').split('\t')
  return ['Provider', 'SKU', 'Product Type Identifier', 'Apple Identifier'].every((name) =>
    columns.includes(name),
  )
}

/** First-time downloads of apps and app bundles, by device; free and paid alike. */
const downloadTypes = new Set(['1', '1F', '1T', '1E', '1EP', '1EU', '1-B', 'F1', 'F1-B'])
/** Purchases inside apps and subscriptions. */
const purchaseType = /^(?:IA|FI)/
/** Downloads again, and updates. */
const repeatedType = /^F?[37][A-Z]*$/

/**
 * Own figures of a sales report, one for each app, storefront and day. Downloads are first-time downloads. Revenue is what
 * customers paid (units times customer price, refunds taken off), as the grossing charts count it, and not the proceeds.
 * A purchase inside an app names its app by SKU only, so the app needs a row of its own in the same report.
 * Source: Apple's description of the Summary Sales Report and of its product type identifiers.
 */
export function readSalesReport(
  records: readonly Record<string, unknown>[],
  isStorefront: (country: string) => boolean,
): { sales: SalesDay[]; rejected: { index: number; reason: string }[] } {
  const apps = appsBySku(records)
  const sales = new Map<string, SalesDay>()
  const rejected: { index: number; reason: string }[] = []
  for (const [index, record] of records.entries()) {
    const row = readRow(record, apps, isStorefront)
    const reason = typeof row === 'string' ? row : row && add(sales, row)
    if (reason) rejected.push({ index, reason })
  }
  return { sales: [...sales.values()].map(withoutDebt), rejected }
}

/** A day with more refunds than downloads has no downloads, whatever the order of the report. */
function withoutDebt(sale: SalesDay): SalesDay {
  return sale.downloads !== null && sale.downloads < 0 ? { ...sale, downloads: 0 } : sale
}

function appsBySku(records: readonly Record<string, unknown>[]): Map<string, string> {
  const apps = new Map<string, string>()
  for (const record of records) {
    const id = identifier.safeParse(text(record, 'Apple Identifier')).data
    if (id && !purchaseType.test(text(record, 'Product Type Identifier'))) apps.set(text(record, 'SKU'), id)
  }
  return apps
}

interface Row {
  storeId: string
  country: string
  day: string
  units: number
  isDownload: boolean
  price: number
  currency: string
}

/** A relevant row; undefined for updates and repeated downloads, and the reason where it is unreadable. */
function readRow(
  record: Record<string, unknown>,
  apps: ReadonlyMap<string, string>,
  isStorefront: (country: string) => boolean,
): Row | string | undefined {
  const type = text(record, 'Product Type Identifier')
  const isDownload = downloadTypes.has(type)
  if (repeatedType.test(type)) return undefined
  if (!isDownload && !purchaseType.test(type)) return `unknown product type "${type}"`
  const parent = text(record, 'Parent Identifier')
  const storeId = isDownload ? identifier.safeParse(text(record, 'Apple Identifier')).data : apps.get(parent)
  if (!storeId) return isDownload ? 'no app id' : `no row of this report tells the app with the SKU "${parent}"`
  const country = text(record, 'Country Code').toLowerCase()
  if (!isStorefront(country)) return `"${country}" is not an App Store country`
  const day = dayOf(text(record, 'Begin Date'))
  if (!day) return `impossible date "${text(record, 'Begin Date')}"`
  if (text(record, 'End Date') !== text(record, 'Begin Date'))
    return 'covers several days; only daily reports tell a day'
  const units = numberOf(text(record, 'Units'))
  if (units === undefined || !Number.isSafeInteger(units)) return `impossible units "${text(record, 'Units')}"`
  const price = numberOf(text(record, 'Customer Price'))
  if (price === undefined || Math.abs(units * price) > Number.MAX_SAFE_INTEGER)
    return `impossible price "${text(record, 'Customer Price')}"`
  const currency = text(record, 'Customer Currency').toUpperCase()
  if (price !== 0 && !/^[A-Z]{3}$/.test(currency)) return `impossible currency "${currency}"`
  return { storeId, country, day, units, isDownload, price: Math.abs(price), currency }
}

/** Adds a row to its day. @returns why it cannot be added, or undefined */
function add(sales: Map<string, SalesDay>, row: Row): string | undefined {
  const { storeId, country, day, units, price, currency } = row
  const key = `${storeId} ${country} ${day}`
  const known = sales.get(key) ?? { storeId, country, day, downloads: null, revenue: null, currency: null }
  if (price !== 0 && known.currency !== null && known.currency !== currency)
    return `${currency} is not added to the ${known.currency} of the same day`
  const downloads = row.isDownload ? (known.downloads ?? 0) + units : known.downloads
  const revenue = price === 0 ? known.revenue : toCents((known.revenue ?? 0) + units * price)
  if (!Number.isSafeInteger(downloads ?? 0) || Math.abs(revenue ?? 0) > Number.MAX_SAFE_INTEGER)
    return 'more on one day than can be counted'
  sales.set(key, { ...known, downloads, revenue, ...(price === 0 ? {} : { currency }) })
  return undefined
}

export function toCents(amount: number): number {
  return Math.round(amount * 100) / 100
}

function text(record: Record<string, unknown>, column: string): string {
  const value = record[column]
  return typeof value === 'string' ? value.trim() : ''
}

/** `02/28/2026` as `2026-02-28`. */
function dayOf(date: string): string | undefined {
  const [, month = '', day = '', year = ''] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(date) ?? []
  const iso = `${year}-${month}-${day}`
  return isCalendarDate(Number(year), Number(month), Number(day)) && isToldOf(new Date(iso)) ? iso : undefined
}

/** A decimal number as reports write it; other JavaScript numbers (`0x10`, `1e21`) are rejected. */
export function numberOf(value: string): number | undefined {
  return /^[+-]?\d+(?:\.\d+)?$/.test(value) && Number.isFinite(Number(value)) ? Number(value) : undefined
}
