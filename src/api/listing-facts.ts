import type { z } from 'zod'
import type { AppLabel, AppSummary } from '../contract/shapes/apps.ts'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { Country } from '../contract/shapes/primitives.ts'
import type { LabelRow } from '../domain/catalogue/app-queries.ts'
import { genreName } from '../domain/catalogue/genres.ts'
import type { Listing, ListingField } from '../domain/catalogue/listing.ts'
import type { AppRecord } from '../domain/catalogue/record.ts'
import { type NamedReading, surfaces } from '../domain/evidence/reading.ts'

type EvidenceShape = z.output<typeof Evidence>
export type CountryCode = z.output<typeof Country>

/** A reading as replies show it. */
export function evidenceOf(
  reading: NamedReading & { observedAt: string },
  country: string | null,
): EvidenceShape {
  const { readingId, source, origin, timeBasis, observedAt } = reading
  return {
    source,
    origin,
    surface: surfaces[source],
    country: country as CountryCode | null,
    observedAt,
    timeBasis,
    readingId,
  }
}

type State<V> =
  | { state: 'measured'; value: V; evidence: number }
  | { state: 'absent'; evidence: number }
  | { state: 'not-measured'; reason: 'not-carried' }

/** The three states of a field: which reading gave it, or that none of those looked at carries it. */
export function fieldFact<F extends ListingField, V>(
  record: AppRecord,
  field: F,
  shape: (value: NonNullable<Listing[F]>, listing: Partial<Listing>) => V | null,
): State<V> {
  const evidence = record.evidence.findIndex((entry) => entry.fields.includes(field))
  if (evidence === -1) return { state: 'not-measured', reason: 'not-carried' }
  const value = record.listing[field] as Listing[F] | null | undefined
  const shaped =
    value === null || value === undefined ? null : shape(value as NonNullable<Listing[F]>, record.listing)
  return shaped === null ? { state: 'absent', evidence } : { state: 'measured', value: shaped, evidence }
}

export const asItIs = <V>(value: V): V => value

const address = (value: string): string | null => (URL.canParse(value) ? value : null)

export function category(id: number): { categoryId: string; name: string } {
  return { categoryId: String(id), name: genreName(id) ?? `Genre ${id}` }
}

export function storeUrl(storeId: string, country: string): string {
  return `https://apps.apple.com/${country}/app/id${storeId}`
}

function identity(record: AppRecord) {
  return {
    platform: 'ios' as const,
    storeId: record.storeId,
    country: record.country as CountryCode,
    name: record.listing.name,
    storeUrl: storeUrl(record.storeId, record.country),
  }
}

function headline(record: AppRecord) {
  return {
    developer: fieldFact(record, 'developer', asItIs),
    developerId: fieldFact(record, 'developerId', asItIs),
    bundleId: fieldFact(record, 'bundleId', asItIs),
    icon: fieldFact(record, 'iconUrl', address),
    price: fieldFact(record, 'price', (amount, { currency }) => (currency ? { amount, currency } : null)),
    primaryCategory: fieldFact(record, 'primaryCategoryId', category),
    rating: fieldFact(record, 'rating', asItIs),
    ratingCount: fieldFact(record, 'ratingCount', asItIs),
    releasedAt: fieldFact(record, 'releasedAt', asItIs),
    updatedAt: fieldFact(record, 'updatedAt', asItIs),
  }
}

function evidenceList(record: AppRecord): EvidenceShape[] {
  return record.evidence.map((entry) => evidenceOf(entry, record.country))
}

/** An app as lists show it. */
export function appSummary(record: AppRecord): z.output<typeof AppSummary> {
  return { ...identity(record), ...headline(record), evidence: evidenceList(record) }
}

/** Everything the store shows of an app. */
export function storeListing(record: AppRecord) {
  return {
    ...identity(record),
    subtitle: fieldFact(record, 'subtitle', asItIs),
    ...headline(record),
    seller: fieldFact(record, 'seller', asItIs),
    sellerUrl: fieldFact(record, 'sellerUrl', address),
    description: fieldFact(record, 'description', asItIs),
    releaseNotes: fieldFact(record, 'releaseNotes', asItIs),
    version: fieldFact(record, 'version', asItIs),
    categories: fieldFact(record, 'categoryIds', (ids) => ids.map(category)),
    ratingCurrentVersion: fieldFact(record, 'ratingCurrentVersion', asItIs),
    ratingCountCurrentVersion: fieldFact(record, 'ratingCountCurrentVersion', asItIs),
    sizeBytes: fieldFact(record, 'sizeBytes', asItIs),
    languages: fieldFact(record, 'languages', asItIs),
    minimumOsVersion: fieldFact(record, 'minimumOsVersion', asItIs),
    contentRating: fieldFact(record, 'contentRating', asItIs),
    inAppPurchases: fieldFact(record, 'inAppPurchases', asItIs),
    compatibility: fieldFact(record, 'compatibility', asItIs),
    languagesShown: fieldFact(record, 'languagesShown', asItIs),
    sizeShown: fieldFact(record, 'sizeShown', asItIs),
    copyright: fieldFact(record, 'copyright', asItIs),
    evidence: evidenceList(record),
  }
}

/** An app named in a row of something else; only its id when nothing is stored of it. */
export function appLabel(storeId: string, row: LabelRow | undefined): z.output<typeof AppLabel> {
  return {
    platform: 'ios',
    storeId,
    name: row?.name ?? null,
    developer: row?.developer ?? null,
    iconUrl: row?.iconUrl ? address(row.iconUrl) : null,
    catalogued: row !== undefined,
  }
}

/** The label of an app whose record is at hand. */
export function labelOfRecord(record: AppRecord): z.output<typeof AppLabel> {
  const { name, developer = null, iconUrl = null } = record.listing
  return appLabel(record.storeId, { storeId: record.storeId, name, developer, iconUrl })
}
