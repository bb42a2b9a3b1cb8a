import { z } from 'zod'
import type { AdSearch } from '../../domain/paid-ads/search-plan.ts'
import { isRecord } from '../../ingest/ads/ad-values.ts'
import { parseDocument } from '../../ingest/json.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { isDropped, namesShown } from '../../ingest/unreadable.ts'
import {
  jsonObjectInAnswer,
  nameInAnswer,
  type ReportedFailure,
  type UpstreamResponse,
} from '../../sources/polite/exchange.ts'
import { SourceFailure } from '../../sources/polite/failure.ts'
import { askedLibraryRow, librarySource } from '../../vocabulary/ad-platforms.ts'
import {
  type AdLibrary,
  discreet,
  type FoundAdvertiser,
  type FoundRestriction,
  type LibraryPage,
  type LibraryParts,
} from '../ad-library.ts'
import { appleRepositoryAd, criterionFields, type RowsOfAd } from './ad-repository-ad.ts'

const source = librarySource('apple')
const row = askedLibraryRow('apple')
const mostCountries = row.countriesTogether ?? Number.POSITIVE_INFINITY

/** It refuses a request that accepts everything. */
const headers = { accept: 'application/json' }

/**
 * Apple's repository of ads in the App Store, which answers everybody. Sources: Apple, Ad Repository API, 2025; more than five
 * countries are refused, as its clients note.
 */
export function openAppleLibrary({ read, source: open }: LibraryParts): AdLibrary {
  const upstream = open(discreet(() => [], appleFailure))
  const ask = <Value>(path: string, readAs: (bytes: Uint8Array) => Value, signal: AbortSignal) =>
    upstream.get({ path: `/api/v1/${path}`, country: null, headers, read: readAs, signal })
  return {
    // What it answers with when it is told no number.
    pageSizes: { usual: 50, least: 10 },
    page: async ({ search, cursor, size, onRequest }, signal) =>
      upstream.get({
        path: `/api/v1/${questionOf(search, cursor, size)}`,
        country: null,
        headers,
        onRequest,
        read,
        signal,
      }),
    async advertisers(text, signal) {
      const name = encodeURIComponent(text)
      const { value } = await ask(
        `ad-repository-entities?name=${name}&types=APP,DEVELOPER`,
        readEntities,
        signal,
      )
      return value
    },
    async restrictions(signal) {
      const actions = ['ACTION_ACCOUNT_SUSPENDED', 'ACTION_ADVERTISING_REMOVED']
      const found: FoundRestriction[] = []
      for (const action of actions) {
        const ql = encodeURIComponent(`actionTaken==${action};datePreset==LAST_YEAR`)
        const { value } = await ask(`restrictions?ql=${ql}&offset=0&limit=50`, readRestrictions, signal)
        found.push(...value)
      }
      return found
    },
  }
}

/** The path and query of a search. @throws SourceFailure for more countries than it answers for */
function questionOf(search: AdSearch, cursor: string | null, size: number): string {
  const { archiveId, storeId, advertiserIds, countries, lastDays } = search
  const preset = presets[lastDays ?? 90] ?? 'LAST_90_DAYS'
  if (archiveId !== undefined) return `ad-repository-ads/${archiveId}?datePreset=${preset}`
  if (countries.length > mostCountries)
    throw new SourceFailure(
      { kind: 'refused', upstream: source, country: null },
      `answers for ${mostCountries} countries at once, not for ${countries.length}; it was not asked`,
    )
  const id = storeId ?? advertiserIds[0]
  const ql = [
    ...(id === undefined ? [] : [`type==${storeId === undefined ? 'DEVELOPER' : 'APP'}`, `id==${id}`]),
    `countryOrRegion=in=(${countries.map((country) => country.toUpperCase()).join()})`,
    `datePreset==${preset}`,
  ].join(';')
  return `ad-repository-ads?ql=${encodeURIComponent(ql)}&offset=${cursor ?? 0}&limit=${size}`
}

const presets: Readonly<Record<number, string>> = {
  90: 'LAST_90_DAYS',
  180: 'LAST_180_DAYS',
  365: 'LAST_YEAR',
}

const Count = z.number().int().min(0)

const Page = z.object({
  data: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
  pagination: z.object({ totalResults: Count, startIndex: Count }).nullish().catch(null),
  dataEndDate: z.unknown().optional(),
})

/** Whether a document is an answer of the repository with ads. */
export const isAppleAnswer = (document: Record<string, unknown>): boolean =>
  'dataEndDate' in document && 'data' in document

/**
 * A page of `ad-repository-ads`, or the answer about a single ad. The rows of an ad in several countries are one record.
 * @throws UnfitPayload
 */
export function applePage(document: unknown): LibraryPage {
  const error = isRecord(document) ? messageIn(document) : undefined
  if (error !== undefined) throw new UnfitPayload(`the repository answered with an error: ${error}`)
  const bare = isRecord(document) && appleRepositoryAd.is(document) ? { data: document } : document
  const page = Page.safeParse(bare)
  if (!page.success) throw new UnfitPayload('answers JSON that is no page of ads')
  const { data, pagination } = page.data
  const rows = [data].flat()
  const dataEndDate = dayIn(page.data.dataEndDate)
  const next = pagination ? pagination.startIndex + rows.length : 0
  const differences = differencesIn(rows)
  if (dataEndDate === null && rows.length > 0) differences.push('dataEndDate is missing')
  if (Array.isArray(data) && !pagination)
    differences.push('pagination is missing: whether more ads follow is not known')
  return {
    records: recordsOf(rows, dataEndDate),
    nextPage: rows.length > 0 && pagination && next < pagination.totalResults ? String(next) : null,
    ...(differences.length > 0 ? { differences } : {}),
  }
}

/** The rows of each ad together, in the order in which the ads come. What is no row stays as it is. */
function recordsOf(rows: readonly unknown[], dataEndDate: string | null): unknown[] {
  const ads = new Map<unknown, RowsOfAd & { rows: Record<string, unknown>[] }>()
  return rows.flatMap((one): unknown[] => {
    if (!isRecord(one) || !('adId' in one)) return [one]
    const known = ads.get(one.adId)
    if (known) {
      known.rows.push(one)
      return []
    }
    const made = { adId: one.adId, rows: [one], dataEndDate }
    ads.set(one.adId, made)
    return [made]
  })
}

const dayMs = 86_400_000

/** A date; null for anything else, and for one that is not over yet: it would be the newest for ever. */
function dayIn(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) || at > Date.now() + dayMs ? null : value
}

const known = {
  '': [
    ...[
      'adId',
      'appId',
      'appName',
      'developerId',
      'developerName',
      'legalName',
      'placement',
      'format',
      'subFormat',
    ],
    ...[
      'countryOrRegion',
      'audienceRefinement',
      'firstImpressionDate',
      'lastImpressionDate',
      'defaultLanguageTag',
    ],
    ...['defaultLanguageDisplayName', 'defaultPreviewDevice', 'adBanner', 'adAssets', 'appIconVariations'],
    'adLocaleVariations',
  ],
  adBanner: [
    ...['joeColor', 'iconPictureUrl', 'subtitle', 'primaryCategory', 'inAppPurchases', 'promotionalText'],
    ...['editorialBadge', 'shortDescription'],
  ],
  adAssets: ['videoUrl', 'pictureUrl', 'order', 'height', 'width', 'orientation'],
  audienceRefinement: criterionFields,
}

/** Left out by the service now and then. */
const optional = new Set(['subFormat', 'joeColor', 'shortDescription', 'promotionalText', 'appIconVariations'])

/** How the rows of an answer differ from the known form: fields that are new, and fields that none has. */
function differencesIn(rows: readonly unknown[]): string[] {
  const records = rows.filter(isRecord)
  return Object.entries(known).flatMap(([place, names]) => {
    const parts = place === '' ? records : records.flatMap((record) => [record[place]].flat()).filter(isRecord)
    if (parts.length === 0) return []
    const there = new Set(parts.flatMap((part) => Object.keys(part)))
    const path = (name: string) => (place === '' ? name : `${place}.${name}`)
    const added = [...there].filter((name) => !names.includes(name) && !isDropped(name))
    const missing = names.filter((name) => !there.has(name) && !optional.has(name))
    return [
      ...(added.length > 0 ? [`new: ${namesShown(added.map(path), 8)}`] : []),
      ...(missing.length > 0 ? [`missing: ${missing.map(path).join(', ')}`] : []),
    ]
  })
}

const Entities = z.object({ data: z.array(z.unknown()) })
const Entity = z.object({
  id: z
    .union([z.string(), z.number().int()])
    .transform(String)
    .pipe(z.string().regex(/^[0-9]{1,32}$/)),
  name: z.string().trim().min(1),
  type: z.enum(['APP', 'DEVELOPER']),
})

/** Unreadable entries are skipped: these answers are not stored. */
function readEntities(bytes: Uint8Array): FoundAdvertiser[] {
  const parsed = Entities.safeParse(parseDocument(bytes))
  if (!parsed.success) throw new UnfitPayload('answers JSON that is no list of apps and developers')
  return parsed.data.data.flatMap((entry) => {
    const { success, data } = Entity.safeParse(entry)
    if (!success) return []
    return [{ advertiserId: data.id, name: data.name, country: null, isApp: data.type === 'APP' }]
  })
}

const Restriction = z.object({
  actionDate: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}/)
    .transform((text) => text.slice(0, 10)),
  actionTaken: z.string().min(1).max(100),
  reason: z.string().max(200).nullish(),
  basis: z.string().max(2_000).nullish(),
  details: z.string().max(2_000).nullish(),
  developerId: z.union([z.string(), z.number().int()]).transform(String).nullish(),
  affectedPlacements: z
    .array(z.object({ placement: z.string().max(60), countriesOrRegions: z.array(z.string()).nullish() }))
    .nullish(),
})

function readRestrictions(bytes: Uint8Array): FoundRestriction[] {
  const parsed = Entities.safeParse(parseDocument(bytes))
  if (!parsed.success) throw new UnfitPayload('answers JSON that is no list of restrictions')
  return parsed.data.data.flatMap((entry) => {
    const { success, data } = Restriction.safeParse(entry)
    if (!success) return []
    const text = (value: string | null | undefined) => (value && value !== 'null' ? value : null)
    return [
      {
        action: data.actionTaken,
        on: data.actionDate,
        reason: text(data.reason),
        basis: text(data.basis),
        details: text(data.details),
        advertiserId: data.developerId && /^[0-9]{1,32}$/.test(data.developerId) ? data.developerId : null,
      },
    ]
  })
}

/** The message of an error in the repository's form. */
function messageIn({ errors }: Record<string, unknown>): string | undefined {
  const [first] = Array.isArray(errors) ? errors : []
  if (first === undefined) return undefined
  const message = isRecord(first) ? first.message : first
  return nameOrText(message)
}

const nameOrText = (value: unknown) =>
  typeof value === 'string' ? value.slice(0, 300) : (nameInAnswer(value) ?? 'without a word')

/** An error that is reported in the body. Throttling and outages are told by the status, with `Retry-After`. */
function appleFailure({ bytes, status }: UpstreamResponse): ReportedFailure | undefined {
  if (status === 429 || status >= 500) return undefined
  const document = jsonObjectInAnswer(bytes)
  const message = document && messageIn(document)
  if (message === undefined) return undefined
  return status === 404
    ? { kind: 'not-found', message: `does not know it: ${message}` }
    : { kind: 'refused', message: `refuses the call: ${message}` }
}
