import table from '../../data/sales-reports.json' with { type: 'json' }
import type { SalesDay } from '../../domain/estimates/own-sales.ts'
import { identifier, isCalendarDate, isSupportedYear } from '../../ingest/fields.ts'
import { addUpDays, dayKey, type SalesRow } from '../../ingest/sales-days.ts'

/**
 * Other reports of App Store Connect, each by columns that no other has. None has first-time downloads by day, storefront
 * and app: Analytics leaves out rows of few people, financial reports cover a month, the others count something else.
 */
const { otherReports } = table

/** The name of the App Store Connect report with these columns, if it has no usable days; undefined for other tables. */
export function otherReportOf(columns: readonly string[]): string | undefined {
  return otherReports.find(({ columns: needed }) => needed.every((name) => columns.includes(name)))?.name
}

/** What units of a product type are. */
type ProductKind = keyof typeof table.productTypes

const productKinds: ReadonlyMap<string, ProductKind> = new Map(
  (Object.keys(table.productTypes) as ProductKind[]).flatMap((kind) =>
    table.productTypes[kind].map((type) => [type, kind] as const),
  ),
)

/**
 * Own figures of a sales report, one for each app, storefront and day. Downloads are first-time downloads on iPhone, iPad
 * and what runs their apps; units of Mac products are left out, and counted in `macRows`. Revenue is what customers paid
 * (units times customer price, refunds taken off), as the grossing charts count it, and not the proceeds; restored purchases
 * cost nothing. A purchase inside an app names its app by SKU only, so the app needs a row of its own in the same report. A
 * day with a row that cannot be read or added is refused whole: part of a day would look like the day. Source: Apple's
 * description of the Summary Sales Report and of its product type identifiers.
 */
export function readSalesReport(
  records: readonly Record<string, unknown>[],
  isStorefront: (country: string) => boolean,
): { sales: SalesDay[]; rejected: { index: number; reason: string }[]; macRows: number } {
  const apps = appsBySku(records)
  const rows: SalesRow[] = []
  const rejected: { index: number; reason: string }[] = []
  const unreadable = new Set<string>()
  let macRows = 0
  for (const [index, record] of records.entries()) {
    const kind = productKinds.get(text(record, 'Product Type Identifier'))
    if (kind === 'mac') macRows++
    if (kind === 'mac' || kind === 'repeated' || kind === 'restored') continue
    const row = readRow(record, kind, apps, isStorefront)
    if ('sale' in row) rows.push({ index, ...row })
    else rejected.push({ index, reason: row.reason })
    if ('day' in row && row.day) unreadable.add(row.day)
  }
  const { sales, refused } = addUpDays(rows, unreadable, () => undefined)
  return { sales: sales.map(withoutDebt), rejected: [...rejected, ...refused], macRows }
}

/** A day with more refunds than downloads has zero downloads. */
function withoutDebt(sale: SalesDay): SalesDay {
  return sale.downloads !== null && sale.downloads < 0 ? { ...sale, downloads: 0 } : sale
}

function appsBySku(records: readonly Record<string, unknown>[]): Map<string, string> {
  const apps = new Map<string, string>()
  for (const record of records) {
    const id = identifier.safeParse(text(record, 'Apple Identifier')).data
    if (id && !/^(?:IA|FI)/.test(text(record, 'Product Type Identifier'))) apps.set(text(record, 'SKU'), id)
  }
  return apps
}

/**
 * The figures of a row of downloads or purchases.
 * @returns the reason where it is refused, with the key of its day where the row has one
 */
function readRow(
  record: Record<string, unknown>,
  kind: 'download' | 'purchase' | undefined,
  apps: ReadonlyMap<string, string>,
  isStorefront: (country: string) => boolean,
): { sale: SalesDay } | { reason: string; day?: string } {
  if (!kind) return { reason: `unknown product type "${text(record, 'Product Type Identifier')}"` }
  const parent = text(record, 'Parent Identifier')
  const storeId =
    kind === 'download' ? identifier.safeParse(text(record, 'Apple Identifier')).data : apps.get(parent)
  if (!storeId)
    return {
      reason:
        kind === 'download' ? 'no app id' : `no row of this report tells the app with the SKU "${parent}"`,
    }
  const country = text(record, 'Country Code').toLowerCase()
  if (!isStorefront(country)) return { reason: `"${country}" is not an App Store country` }
  const day = dayOf(text(record, 'Begin Date'))
  if (!day) return { reason: `impossible date "${text(record, 'Begin Date')}"` }
  if (text(record, 'End Date') !== text(record, 'Begin Date'))
    return { reason: 'covers several days; only daily reports tell a day' }
  const ofDay = { storeId, country, day }
  const refused = (reason: string) => ({ reason, day: dayKey(ofDay) })
  const units = numberOf(text(record, 'Units'))
  if (units === undefined || !Number.isSafeInteger(units))
    return refused(`impossible units "${text(record, 'Units')}"`)
  const price = numberOf(text(record, 'Customer Price'))
  if (price === undefined || Math.abs(units * price) > Number.MAX_SAFE_INTEGER)
    return refused(`impossible price "${text(record, 'Customer Price')}"`)
  const currency = text(record, 'Customer Currency').toUpperCase()
  if (price !== 0 && !/^[A-Z]{3}$/.test(currency)) return refused(`impossible currency "${currency}"`)
  const downloads = kind === 'download' ? units : null
  return {
    sale:
      price === 0
        ? { ...ofDay, downloads, revenue: null, currency: null }
        : { ...ofDay, downloads, revenue: units * Math.abs(price), currency },
  }
}

function text(record: Record<string, unknown>, column: string): string {
  const value = record[column]
  return typeof value === 'string' ? value.trim() : ''
}

/** `02/28/2026` as `2026-02-28`. */
function dayOf(date: string): string | undefined {
  const [, month = '', day = '', year = ''] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(date) ?? []
  const iso = `${year}-${month}-${day}`
  return isCalendarDate(Number(year), Number(month), Number(day)) && isSupportedYear(new Date(iso))
    ? iso
    : undefined
}

/** A decimal number as reports write it; other JavaScript numbers (`0x10`, `1e21`) are rejected. */
export function numberOf(value: string): number | undefined {
  return /^[+-]?\d+(?:\.\d+)?$/.test(value) && Number.isFinite(Number(value)) ? Number(value) : undefined
}
