import type { z } from 'zod'
import type { AppLabel, AppSummary, ListingFacts } from '../contract/shapes/apps.ts'
import type { Unsearched } from '../domain/aso/pages/rank-days.ts'
import type { LabelRow, StorefrontApp } from '../domain/catalogue/app.ts'
import { genreName } from '../domain/catalogue/genres.ts'
import type { Listing } from '../domain/catalogue/listing.ts'
import type { AppRecord } from '../domain/catalogue/record.ts'
import type { ListedApp } from '../domain/catalogue/record-queries.ts'
import { fieldFact } from '../domain/facts/fact.ts'
import type { Stated } from '../domain/facts/merge.ts'
import {
  type ListingKind,
  listedFields,
  listingFields,
  type RepliedField,
  repliedFields,
} from '../vocabulary/listing-fields.ts'
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

/** A value of a field as replies write it; null where there is nothing to show. */
function written(kind: ListingKind, value: unknown, { currency }: Stated<Listing>): unknown {
  switch (kind) {
    case 'address':
      return address(value as string)
    case 'amount':
      return currency ? { amount: value, currency } : null
    case 'genre':
      return category(value as number)
    case 'genres':
      return (value as number[]).map(category)
    default:
      return value
  }
}

/** Fields as facts, by their names in replies. */
function facts<Field extends RepliedField>(record: KnownRecord, fields: readonly Field[]) {
  const named = fields.map((field) => {
    const { reply, kind } = listingFields[field]
    return [reply, fieldFact(record, field, (value, listing) => written(kind, value, listing))]
  })
  return Object.fromEntries(named) as ListingFacts<Field>
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
    ...facts(record, listedFields),
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
    ...facts(record, repliedFields),
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
