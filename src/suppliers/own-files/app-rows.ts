import { genreIdByName } from '../../domain/catalogue/genres.ts'
import type { AppSighting, Listing } from '../../domain/catalogue/listing.ts'
import { clean, genreId, identifier, instant, longestName } from '../../ingest/fields.ts'
import type { PayloadFormat } from '../../ingest/format.ts'
import { numberFields } from '../../ingest/mapping/mappable-fields.ts'
import {
  aroundOf,
  holdsSeveral,
  mappedValues,
  nameForm,
  nameNumberForm,
  nameSeparator,
  unlessUnreadable,
} from '../../ingest/mapping/mapped-values.ts'
import { shown } from '../../ingest/mapping/mapping.ts'
import { onlyTextOf } from '../../ingest/mapping/written-forms.ts'
import type { ParsedPayload, ReadingContext } from '../../ingest/parsed-payload.ts'
import { rowsOf } from '../../ingest/rows.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { isBlank } from '../../text/blank-text.ts'
import { isLanguageTag } from '../../text/language-tag.ts'
import { didYouMeanCountry } from '../../vocabulary/did-you-mean-country.ts'
import {
  type ListingFieldKind,
  listingFields,
  listingMappingName,
  mappedListingFields,
} from '../../vocabulary/listing-fields.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'

/** The app id in a value: digits, or an App Store address. */
export function storeIdIn(value: unknown): string | undefined {
  const text = shown(value ?? '').trim()
  const found = /^\d+$/.test(text) ? text : /\/(?:[^/?#]*\/)?id(\d+)(?:[/?#]|$)/.exec(text)?.[1]
  return identifier.safeParse(found).data
}

/** A mapped row as a sighting, or why it is none. Columns that are mapped but empty are absent. @throws UnfitPayload */
function readAppRow(values: ReadonlyMap<string, unknown>): AppSighting | string {
  const storeId = storeIdIn(values.get('storeId'))
  if (!storeId) return values.get('storeId') ? `no app id in "${shown(values.get('storeId'))}"` : 'no app id'
  const name = nameOf(values.get('name'))
  if (!name) return name === null ? 'no name' : `the name is no text of at most ${longestName} characters`
  const listing: Partial<Listing> & Pick<Listing, 'name'> = { name }
  for (const { field, mappedAs, read } of readFields) {
    if (!values.has(mappedAs)) continue
    const value = read(values.get(mappedAs), mappedAs)
    if (value === undefined)
      return `${mappedAs}: cannot be "${shown(values.get(mappedAs)).slice(0, 100)}"${nameNumberForm(mappedAs, numberFields.catalogue.includes(mappedAs) ? values.get(mappedAs) : '')}`
    Object.assign(listing, { [field]: value })
  }
  const category = values.has('primaryCategory') ? categoryOf(values.get('primaryCategory')) : undefined
  if (values.has('primaryCategory')) {
    if (category === undefined)
      return `primaryCategory: unknown genre "${shown(values.get('primaryCategory'))}"`
    listing.primaryCategoryId = category
  }
  if (values.has('categories')) {
    const ids = listOf(values.get('categories'), /[;|]/)?.map(categoryOf) ?? []
    if (ids.includes(undefined))
      return `categories: unknown genre in "${shown(values.get('categories'))}"; ${nameSeparator('categories')}`
    listing.categoryIds = ids.filter((id): id is number => typeof id === 'number')
  } else if (category) listing.categoryIds = [category]
  return { storeId, listing: ratingsMadeHonest(listing) }
}

/** Exports write an average of 0 where nobody rated; that is no rating, not a bad one. */
function ratingsMadeHonest(listing: AppSighting['listing']): AppSighting['listing'] {
  const honest = { ...listing }
  if (honest.ratingCount === 0 && honest.rating !== undefined) honest.rating = null
  if (honest.ratingCountCurrentVersion === 0 && honest.ratingCurrentVersion !== undefined)
    honest.ratingCurrentVersion = null
  return honest
}

/**
 * Parsers of values by the kind of field, except genres, which are parsed together. Each returns null for an empty value and
 * undefined for an unreadable one.
 * @throws UnfitPayload
 */
const readers: { [Kind in ListingFieldKind]?: (value: unknown, field: string) => unknown } = {
  line: nameOf,
  text: textOf,
  id: (value) => (isEmpty(value) ? null : storeIdIn(value)),
  address: addressOf,
  addresses: addressesOf,
  amount: (value) => numberOf(value, 0, 1e9),
  currency: currencyOf,
  stars: (value) => numberOf(value, 0, 5),
  count: countOf,
  time: timeOf,
  languages: languagesOf,
}

/** The name is read first: without one there is no app. */
const readFields = mappedListingFields.flatMap((field) => {
  const read = readers[listingFields[field].kind]
  return read && field !== 'name' ? [{ field, mappedAs: listingMappingName(field), read }] : []
})

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && isBlank(value))
}

function textOf(value: unknown): string | null | undefined {
  if (isEmpty(value)) return null
  const text = unlessUnreadable(() => ({ read: onlyTextOf('', value) }))
  return typeof text === 'string' ? undefined : clean(text.read ?? '') || null
}

/** Text that is indexed, which bounds it: undefined when it is too long. */
export function nameOf(value: unknown): string | null | undefined {
  const text = textOf(value)
  return text && text.length > longestName ? undefined : text
}

function numberOf(value: unknown, least: number, most: number): number | null | undefined {
  if (isEmpty(value)) return null
  const number = typeof value === 'number' ? value : Number(shown(value).trim())
  return Number.isFinite(number) && number >= least && number <= most ? number : undefined
}

function currencyOf(value: unknown): string | null | undefined {
  if (isEmpty(value)) return null
  const code = shown(value).trim()
  return /^[A-Za-z]{3}$/.test(code) ? code.toUpperCase() : undefined
}

function countOf(value: unknown): number | null | undefined {
  const number = numberOf(value, 0, Number.MAX_SAFE_INTEGER)
  return number === null || Number.isInteger(number) ? number : undefined
}

function timeOf(value: unknown, field: string): string | null {
  if (isEmpty(value)) return null
  const at = instant(shown(value))
  if (at === undefined)
    throw new UnfitPayload(`${field}: cannot be "${shown(value).slice(0, 100)}"${nameForm(field, value)}`)
  return at
}

function languagesOf(value: unknown, field: string): string[] | null {
  const codes = listOf(value, /[;|]/)?.map((code) => code.replaceAll('_', '-'))
  const other = codes?.find((code) => !isLanguageTag(code))
  if (other !== undefined)
    throw new UnfitPayload(
      `${field}: "${other.slice(0, 100)}" is no language code such as en or pt-BR; ${nameSeparator(field)}`,
    )
  return codes?.map((code) => code.toLowerCase()) ?? null
}

function addressesOf(value: unknown, field: string): string[] | null {
  const addresses = listOf(value, /\s+/)
  const other = addresses?.find((address) => !addressOf(address) || holdsSeveral(address))
  if (other !== undefined)
    throw new UnfitPayload(
      `${field}: "${other.slice(0, 100)}" ${holdsSeveral(other) ? 'holds several addresses' : 'is no address'}; ${nameSeparator(field)}`,
    )
  return addresses
}

export function addressOf(value: unknown): string | null | undefined {
  if (isEmpty(value)) return null
  return /^https?:\/\/\S+$/.test(shown(value).trim()) ? shown(value).trim() : undefined
}

function listOf(value: unknown, separator: RegExp): string[] | null {
  if (isEmpty(value)) return null
  const parts = Array.isArray(value) ? value.map(shown) : shown(value).split(separator)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** A genre id from an id or an English name; null when empty, undefined when unknown. */
export function categoryOf(value: unknown): number | null | undefined {
  if (isEmpty(value)) return null
  const text = shown(value).trim()
  return /^\d+$/.test(text) ? genreId.safeParse(text).data : genreIdByName(text)
}

/** Apps of a table or list, one a row, whose columns a mapping names. */
export const appRowsFormat: PayloadFormat = {
  isMappable: true,
  // Its columns have the names that a mapping gives them.
  recognise: null,
  parse(payload, context, from) {
    const held = { ...context.fallbacks, ...aroundOf(payload, context), ...context.constants }
    const { rows, rejected } = rowsOf(payload, context, from)
    const records = rows.length + rejected.length
    const sightings: ParsedPayload['sightings'] = []
    for (const { position, record } of rows) {
      const seen = unlessUnreadable(() => appIn(record, context, held))
      if (typeof seen === 'string') rejected.push({ position, reason: seen, record })
      else sightings.push(seen)
    }
    return { source: 'catalogue-file', sightings, charts: [], rejected, records }
  },
}

/** The app of a row, or why there is none. @throws UnfitPayload */
function appIn(
  record: unknown,
  context: ReadingContext,
  held: Record<string, string>,
): ParsedPayload['sightings'][number] | string {
  const values = mappedValues('catalogue', record, context.fields ?? {}, context, held)
  const country = shown(values.get('country') ?? context.country ?? 'us').toLowerCase()
  if (!isStorefront(country)) return `"${country}" is not an App Store country${didYouMeanCountry(country)}`
  const sighting = readAppRow(values)
  return typeof sighting === 'string' ? sighting : { country, sighting }
}
