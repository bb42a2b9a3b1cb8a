import type { z } from 'zod'
import type { AppLabel, AppSummary, ListingFacts } from '../contract/shapes/apps.ts'
import type {
  KeywordMove,
  ListingAudit,
  ListingChange,
  ListingFieldChange,
  ListingTextUse,
} from '../contract/shapes/listing-audit.ts'
import type { ListingAudit as Audit } from '../domain/aso/listing/audit.ts'
import type { AuditedText } from '../domain/aso/listing/audited-text.ts'
import type {
  ListingChange as Change,
  FieldChange,
  KeywordMove as Move,
} from '../domain/aso/listing/listing-timeline.ts'
import type { WhyNoPage } from '../domain/aso/pages/rank-days.ts'
import { specificityFormula } from '../domain/aso/scores/specificity.ts'
import type { LabelRow, StorefrontApp } from '../domain/catalogue/app.ts'
import { genreName } from '../domain/catalogue/genres.ts'
import type { Listing } from '../domain/catalogue/listing.ts'
import type { AppRecord } from '../domain/catalogue/record.ts'
import type { ListedApp } from '../domain/catalogue/record-queries.ts'
import { factOf, fieldFact, notMeasured } from '../domain/facts/fact.ts'
import type { Stated } from '../domain/facts/merge.ts'
import {
  type ListingFieldKind,
  listingFields,
  listingFieldsInLists,
  type RepliedListingField,
  repliedListingFields,
} from '../vocabulary/listing-fields.ts'
import type { StorefrontCode } from '../vocabulary/storefronts.ts'
import { score100, searchSurface, unsearched } from './aso-facts.ts'
import { type EvidenceShape, evidenceOf, evidenceShapes } from './evidence.ts'

/** The record of an app in its storefront, or why nothing is stored: never collected, or the look-up failed. */
type KnownRecord = AppRecord | WhyNoPage

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
function written(kind: ListingFieldKind, value: unknown, { currency }: Stated<Listing>): unknown {
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
function facts<Field extends RepliedListingField>(record: KnownRecord, fields: readonly Field[]) {
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
  const { name, namedIn, lookupFailed, matchedIn } = app
  const record = app.record ?? unsearched(lookupFailed)
  return {
    ...identity(app),
    name,
    namedIn: namedIn as StorefrontCode,
    ...(matchedIn.length > 0 ? { matchedIn: [...matchedIn] } : {}),
    ...facts(record, listingFieldsInLists),
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
    ...facts(record, repliedListingFields),
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
export function appReplyHeader({ storeId, country, state, alsoIn }: StorefrontApp) {
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

/** Characters of a value that are shown. */
const shownCharacters = 500

/** A change of the listing in the form of replies. */
export function changeShape(change: Change, country: string): z.output<typeof ListingChange> {
  const { lastSeenAt, firstSeenAt, fields, moves, keywordsCompared, impacts, first, last } = change
  return {
    lastSeenAt: lastSeenAt.toISOString(),
    firstSeenAt: firstSeenAt.toISOString(),
    fields: fields.map(fieldShape),
    keywords: moves.map(moveShape),
    keywordsCompared,
    impact: impacts,
    caution,
    evidence: [first, last].map(({ at, ...reading }) => evidenceOf(reading, at, country)),
  }
}

const caution =
  'Rank changes around a listing change do not prove that it caused them: seasonality, competitors, ads and other changes also move ranks. A move within the usual one means nothing.'

/** Evidence of a change: the new listing comes first. */
const [ofNew, ofOld] = [0, 1]

function fieldShape({
  field,
  from,
  to,
  comparison,
  termsAdded,
  termsRemoved,
}: FieldChange): z.output<typeof ListingFieldChange> {
  const side = (text: string | null, evidence: number) =>
    factOf(text === null ? null : [...text].slice(0, shownCharacters).join(''), evidence)
  return {
    field,
    from: side(from, ofOld),
    to: side(to, ofNew),
    cut: [from, to].some((text) => [...(text ?? '')].length > shownCharacters),
    comparison,
    termsAdded,
    termsRemoved,
  }
}

function moveShape({ term, before, beforeAt, after, afterAt }: Move): z.output<typeof KeywordMove> {
  return {
    term,
    before,
    beforeAt: beforeAt.toISOString(),
    after,
    afterAt: afterAt.toISOString(),
    surface: searchSurface,
    places: before.state === 'measured' && after.state === 'measured' ? before.value - after.value : null,
  }
}

/** An audit in the form of replies; its facts refer to the evidence of the record. */
export function auditShape(
  record: KnownRecord,
  { language, texts, advice }: Audit,
): z.output<typeof ListingAudit> {
  return { language: language ?? null, texts: texts.map((text) => textUse(record, text)), advice }
}

const stored = {
  name: 'name',
  subtitle: 'subtitle',
  description: 'description',
  'release-notes': 'releaseNotes',
} as const

function textUse(
  record: KnownRecord,
  { field, limits, searched, terms }: AuditedText,
): z.output<typeof ListingTextUse> {
  const fact = <V>(shape: (text: string) => V) => {
    if (field === 'keyword-field') return notMeasured('hidden-upstream')
    if (field === 'promotional-text') return notMeasured('not-carried')
    return fieldFact(record, stored[field], (text) => (text === '' ? null : shape(text)))
  }
  return {
    field,
    text: fact((text) => text),
    characters: fact((text) => [...text].length),
    limit: limits[0].most,
    limits: [...limits],
    searched,
    terms: terms.map(({ term, count, specificity }) => ({
      term,
      count,
      telling: score100(specificity, specificityFormula),
    })),
  }
}
