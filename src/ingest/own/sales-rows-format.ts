import type { SalesDay } from '../../domain/estimates/own-sales.ts'
import { nearCountry } from '../../vocabulary/near-country.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import { numberOf, toCents } from '../apple/sales-report.ts'
import type { PayloadFormat } from '../format.ts'
import { aroundOf, dated, mappedValues, nameForm, unlessUnreadable } from '../mapping/mapped-values.ts'
import { shown, valueAt } from '../mapping/mapping.ts'
import type { ReadingContext } from '../parsed-payload.ts'
import { rowsOf } from '../rows.ts'
import { salesPayload } from '../sales-payload.ts'
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
export const salesRowsFormat: PayloadFormat = {
  supplier: 'own',
  isMappable: true,
  parse(payload, context, from) {
    const { rows, rejected } = rowsOf(payload, context, from)
    const unreadable = rejected.length
    const constants = { ...context.fallbacks, ...aroundOf(payload, context), ...context.constants }
    const days = new Map<string, SalesDay>()
    for (const { position, record } of rows) {
      const sale = unlessUnreadable(() => readDay(valuesOf(record, context, constants), context.country))
      const key = typeof sale === 'string' ? '' : `${sale.storeId} ${sale.country} ${sale.day}`
      const reason =
        typeof sale === 'string' ? sale : days.has(key) ? 'the day was told in a row before' : undefined
      if (reason) rejected.push({ position, reason, record })
      else if (typeof sale !== 'string') days.set(key, sale)
    }
    return salesPayload([...days.values()], rejected, rows.length + unreadable)
  },
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
  const textOf = (field: string) => shown(values.get(field) ?? '').trim()
  const storeId = storeIdIn(values.get('storeId'))
  if (!storeId) return textOf('storeId') ? `no app id in "${textOf('storeId')}"` : 'no app id'
  const day = statedTime(textOf('day'))?.day
  if (!day)
    return textOf('day') ? `impossible date "${textOf('day')}"${nameForm('day', textOf('day'))}` : 'no date'
  const country = (textOf('country') || (fallback ?? '')).toLowerCase()
  if (!country) return 'no country: name it with --country or in a mapping'
  if (!isStorefront(country)) return `"${country}" is not an App Store country${nearCountry(country)}`
  const downloads = textOf('downloads') === '' ? null : numberOf(textOf('downloads'))
  if (downloads === undefined || (downloads !== null && !(Number.isSafeInteger(downloads) && downloads >= 0)))
    return `impossible downloads "${textOf('downloads')}"`
  const revenue = textOf('revenue') === '' ? null : numberOf(textOf('revenue'))
  if (revenue === undefined || Math.abs(revenue ?? 0) > Number.MAX_SAFE_INTEGER)
    return `impossible revenue "${textOf('revenue')}"`
  if (downloads === null && revenue === null) return 'neither downloads nor revenue'
  const currency = textOf('currency').toUpperCase()
  if (revenue !== null && !/^[A-Z]{3}$/.test(currency))
    return currency ? `impossible currency "${currency}"` : 'revenue without a currency'
  if (revenue === null) return { storeId, country, day, downloads, revenue, currency: null }
  return { storeId, country, day, downloads, revenue: toCents(revenue), currency }
}
