import type { z } from 'zod'
import type { AppLabel, AppSummary } from '../contract/shapes/apps.ts'
import type { Unsearched } from '../domain/aso/pages/rank-days.ts'
import type { StorefrontApp } from '../domain/catalogue/app.ts'
import type { LabelRow } from '../domain/catalogue/app-queries.ts'
import { genreName } from '../domain/catalogue/genres.ts'
import type { AppRecord } from '../domain/catalogue/record.ts'
import type { ListedApp } from '../domain/catalogue/record-queries.ts'
import { fieldFact } from '../domain/facts/fact.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'
import { unsearched } from './aso-facts.ts'
import { type EvidenceShape, evidenceShapes } from './evidence.ts'

/** The record of an app in its storefront, or why nothing is stored: never collected, or the look-up failed. */
export type KnownRecord = AppRecord | Unsearched

export const knownRecord = ({ state, failedChecks }: StorefrontApp): KnownRecord =>
  state?.record ?? unsearched(failedChecks.has('lookup'))

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
    developer: fieldFact(record, 'developer'),
    developerId: fieldFact(record, 'developerId'),
    bundleId: fieldFact(record, 'bundleId'),
    icon: fieldFact(record, 'iconUrl', address),
    price: fieldFact(record, 'price', (amount, { currency }) => (currency ? { amount, currency } : null)),
    primaryCategory: fieldFact(record, 'primaryCategoryId', category),
    rating: fieldFact(record, 'rating'),
    ratingCount: fieldFact(record, 'ratingCount'),
    releasedAt: fieldFact(record, 'releasedAt'),
    updatedAt: fieldFact(record, 'updatedAt'),
  }
}

/** The readings behind a record, newest first. */
export const evidenceOfRecord = (record: KnownRecord): EvidenceShape[] =>
  typeof record === 'string' ? [] : evidenceShapes(record.evidence, record.country)

/** An app in the form of lists. */
export function appSummary(app: ListedApp): z.output<typeof AppSummary> {
  const { name, namedIn, lookupFailed } = app
  const record = app.record ?? unsearched(lookupFailed)
  return {
    ...identity(app),
    name,
    namedIn: namedIn as StorefrontCode,
    ...headline(record),
    evidence: evidenceOfRecord(record),
  }
}

/** Everything the storefront shows of an app, and the other storefronts that have it. */
export function storeListing(app: StorefrontApp) {
  const record = knownRecord(app)
  return {
    ...identity(app),
    name: app.state?.record.facts.name ?? null,
    alsoIn: app.alsoIn as StorefrontCode[],
    subtitle: fieldFact(record, 'subtitle'),
    ...headline(record),
    seller: fieldFact(record, 'seller'),
    sellerUrl: fieldFact(record, 'sellerUrl', address),
    description: fieldFact(record, 'description'),
    releaseNotes: fieldFact(record, 'releaseNotes'),
    version: fieldFact(record, 'version'),
    categories: fieldFact(record, 'categoryIds', (ids) => ids.map(category)),
    ratingCurrentVersion: fieldFact(record, 'ratingCurrentVersion'),
    ratingCountCurrentVersion: fieldFact(record, 'ratingCountCurrentVersion'),
    sizeBytes: fieldFact(record, 'sizeBytes'),
    languages: fieldFact(record, 'languages'),
    minimumOsVersion: fieldFact(record, 'minimumOsVersion'),
    contentRating: fieldFact(record, 'contentRating'),
    inAppPurchases: fieldFact(record, 'inAppPurchases'),
    compatibility: fieldFact(record, 'compatibility'),
    languagesShown: fieldFact(record, 'languagesShown'),
    sizeShown: fieldFact(record, 'sizeShown'),
    copyright: fieldFact(record, 'copyright'),
    evidence: evidenceOfRecord(record),
  }
}

/** The label of an app named in another record; only its id when nothing is stored about it. */
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

/** The part about the app in every reply on one app: its label, the storefront, and the other storefronts that have it. */
export function aboutApp({ storeId, country, state, alsoIn }: StorefrontApp) {
  return {
    app: { ...appLabel(storeId, state && labelRow(state.record)), catalogued: true },
    country: country as StorefrontCode,
    alsoIn: alsoIn as StorefrontCode[],
  }
}

function labelRow({ storeId, country, facts }: AppRecord): LabelRow {
  const { name, developer = null, iconUrl = null } = facts
  return { storeId, name, developer, iconUrl, namedIn: country }
}
