import type { z } from 'zod'
import type { AppLabel, AppSummary } from '../contract/shapes/apps.ts'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { Unsearched } from '../domain/aso/pages/rank-days.ts'
import type { StorefrontApp } from '../domain/catalogue/app.ts'
import type { LabelRow } from '../domain/catalogue/app-queries.ts'
import { genreName } from '../domain/catalogue/genres.ts'
import type { Listing, ListingField } from '../domain/catalogue/listing.ts'
import type { AppRecord } from '../domain/catalogue/record.ts'
import type { ListedApp } from '../domain/catalogue/record-queries.ts'
import type { BroughtBy, NamedReading } from '../domain/evidence/reading.ts'
import type { Fact } from '../vocabulary/facts.ts'
import { surfaces } from '../vocabulary/provenance.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'
import { unsearched } from './aso-facts.ts'

type EvidenceShape = z.output<typeof Evidence>

/** A reading as replies show it. */
export function evidenceOf(
  reading: NamedReading & { observedAt: string },
  country: string | null,
  accountId?: string,
): EvidenceShape {
  const { readingId, source, origin, timeBasis, observedAt, broughtBy } = reading
  return {
    source,
    origin,
    surface: surfaces[source],
    country: country as StorefrontCode | null,
    observedAt,
    timeBasis,
    readingId,
    ...(broughtBy ? { broughtBy: broughtByShape(broughtBy, accountId) } : {}),
  }
}

/** Who brought evidence, as an account is told: no account hears the name of another. */
export const broughtByShape = (broughtBy: BroughtBy, accountId: string | undefined) => ({
  account: broughtBy.accountId === accountId ? ('own' as const) : ('other' as const),
  door: broughtBy.door,
})

/** What an app's storefront shows of it, or why nothing is stored: nobody looked, or the look-up failed. */
export type KnownRecord = AppRecord | Unsearched

export const knownRecord = ({ state, failedChecks }: StorefrontApp): KnownRecord =>
  state?.record ?? unsearched(failedChecks.has('lookup'))

/** The three states of a field: which reading gave it, or that none of those looked at carries it. */
export function fieldFact<F extends ListingField, V>(
  record: KnownRecord,
  field: F,
  shape: (value: NonNullable<Listing[F]>, listing: Partial<Listing>) => V | null,
): Fact<V, 'not-carried' | Unsearched> {
  if (typeof record === 'string') return { state: 'not-measured', reason: record }
  const evidence = record.evidence.findIndex((entry) => entry.fields.includes(field))
  if (evidence === -1) return { state: 'not-measured', reason: 'not-carried' }
  const value = record.listing[field] as Listing[F] | null | undefined
  const shaped =
    value === null || value === undefined ? null : shape(value as NonNullable<Listing[F]>, record.listing)
  return shaped === null || (Array.isArray(shaped) && shaped.length === 0)
    ? { state: 'absent', evidence }
    : { state: 'measured', value: shaped, evidence }
}

export const asItIs = <V>(value: V): V => value

const address = (value: string): string | null => (URL.canParse(value) ? value : null)

function category(id: number): { categoryId: string; name: string } {
  return { categoryId: String(id), name: genreName(id) ?? `Genre ${id}` }
}

function storeUrl(storeId: string, country: string): string {
  return `https://apps.apple.com/${country}/app/id${storeId}`
}

function identity({ storeId, country }: { storeId: string; country: string }) {
  return {
    platform: 'ios' as const,
    storeId,
    country: country as StorefrontCode,
    storeUrl: storeUrl(storeId, country),
  }
}

function headline(record: KnownRecord) {
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

/** The readings behind a record, newest first. */
export function evidenceList(record: KnownRecord): EvidenceShape[] {
  return typeof record === 'string' ? [] : record.evidence.map((entry) => evidenceOf(entry, record.country))
}

/** An app as lists show it. */
export function appSummary(app: ListedApp): z.output<typeof AppSummary> {
  const { name, namedIn, lookupFailed } = app
  const record = app.record ?? unsearched(lookupFailed)
  return {
    ...identity(app),
    name,
    namedIn: namedIn as StorefrontCode,
    ...headline(record),
    evidence: evidenceList(record),
  }
}

/** Everything the storefront shows of an app, and where else it is known. */
export function storeListing(app: StorefrontApp) {
  const record = knownRecord(app)
  return {
    ...identity(app),
    name: app.state?.record.listing.name ?? null,
    alsoIn: app.alsoIn as StorefrontCode[],
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
    namedIn: (row?.namedIn as StorefrontCode | undefined) ?? null,
    catalogued: row !== undefined,
  }
}

/** What every reply about one app says of it: its label there, the storefront, and where else it is known. */
export function aboutApp({ storeId, country, state, alsoIn }: StorefrontApp) {
  return {
    app: { ...appLabel(storeId, state && labelRow(state.record)), catalogued: true },
    country: country as StorefrontCode,
    alsoIn: alsoIn as StorefrontCode[],
  }
}

function labelRow({ storeId, country, listing }: AppRecord): LabelRow {
  const { name, developer = null, iconUrl = null } = listing
  return { storeId, name, developer, iconUrl, namedIn: country }
}
