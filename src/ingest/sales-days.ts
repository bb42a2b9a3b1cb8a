import type { SalesDay } from '../domain/estimates/own-sales.ts'
import type { ParsedPayload, Rejection } from './parsed-payload.ts'

/** Whether a table with this header line is a daily sales report of App Store Connect (Sales and Trends). */
export function isSalesReport(header: string): boolean {
  const columns = header.replace(/^\uFEFF/, '').split('\t')
  return ['Provider', 'SKU', 'Product Type Identifier', 'Apple Identifier'].every((name) =>
    columns.includes(name),
  )
}

/** The figures of one row for a day; missing ones are null. */
export interface SalesRow {
  /** Index of the row, from 0. */
  index: number
  sale: SalesDay
}

interface RefusedRow {
  index: number
  reason: string
}

/** The key of a row's app, storefront and day. */
export function dayKey({ storeId, country, day }: Pick<SalesDay, 'storeId' | 'country' | 'day'>): string {
  return `${storeId} ${country} ${day}`
}

/**
 * Adds the rows of each app, storefront and day up. A whole day is refused if one of its rows is unreadable, its rows have
 * several currencies, or `contradiction` names a reason: a part of a day would look like the whole.
 * @param unreadable keys of days with a row that was refused
 * @param contradiction why the rows of one day cannot be added up; undefined where they can
 * @returns one entry a day, in the order of their first rows, and the rows of refused days
 */
export function addUpDays(
  rows: readonly SalesRow[],
  unreadable: ReadonlySet<string>,
  contradiction: (rows: readonly SalesRow[]) => string | undefined,
): { sales: SalesDay[]; refused: RefusedRow[] } {
  const sales: SalesDay[] = []
  const refused: RefusedRow[] = []
  for (const [key, ofDay] of Map.groupBy(rows, ({ sale }) => dayKey(sale))) {
    const reason = unreadable.has(key)
      ? 'another row of its day cannot be read, and a part of a day is not the day'
      : (severalCurrencies(ofDay) ?? (ofDay.length > 1 ? contradiction(ofDay) : undefined))
    const sum = reason ?? sumOf(ofDay)
    if (typeof sum === 'string') refused.push(...ofDay.map(({ index }) => ({ index, reason: sum })))
    else sales.push(sum)
  }
  return { sales, refused }
}

function severalCurrencies(rows: readonly SalesRow[]): string | undefined {
  const currencies = new Set(rows.flatMap(({ sale }) => sale.currency ?? []))
  return currencies.size > 1 ? `${[...currencies].join(' and ')} of one day are not added up` : undefined
}

function sumOf(rows: readonly SalesRow[]): SalesDay | string {
  const [first] = rows
  if (!first) return 'no row'
  const downloads = sum(rows.map(({ sale }) => sale.downloads))
  const revenue = sum(rows.map(({ sale }) => sale.revenue))
  if (!Number.isSafeInteger(downloads ?? 0) || Math.abs(revenue ?? 0) > Number.MAX_SAFE_INTEGER)
    return 'more on one day than can be counted'
  const currency = rows.find(({ sale }) => sale.currency !== null)?.sale.currency ?? null
  return { ...first.sale, downloads, revenue: revenue === null ? null : toCents(revenue), currency }
}

/** @returns the sum of the known figures; null where none is */
function sum(figures: readonly (number | null)[]): number | null {
  const told = figures.filter((figure) => figure !== null)
  return told.length === 0 ? null : told.reduce((one, other) => one + other)
}

export function toCents(amount: number): number {
  return Math.round(amount * 100) / 100
}

/** A payload of own figures, made on the last of its days. */
export function salesPayload(sales: SalesDay[], rejected: Rejection[], records: number): ParsedPayload {
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
    rejected,
    records,
  }
}
