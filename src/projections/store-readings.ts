import { v7 as uuidv7 } from 'uuid'
import { fulfilRequests, type NewEvidence } from '../domain/demand/queries.ts'
import { appScope, type ChangedScopes, union } from '../domain/evidence/change-scopes.ts'
import { type AreaChange, countChange } from '../domain/evidence/changes.ts'
import { compressPayload, payloadHash } from '../domain/evidence/packed-payload.ts'
import { insertPayloads, keepPayloadChains } from '../domain/evidence/payload-queries.ts'
import { insertReadings, knownIdentities } from '../domain/evidence/queries.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import { withLanguages } from '../domain/organic/post-language.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { monthOfId } from '../storage/months.ts'
import { foldPendingLists } from '../storage/pending-lists.ts'
import { withPreparedStatements } from '../storage/prepared.ts'
import type { FormatName } from '../suppliers/formats.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'
import { keyOf, readingIdentity } from '../suppliers/reading-identity.ts'
import { askedPlatforms, type LibraryFormat, libraryFormat } from '../vocabulary/ad-platforms.ts'
import type { EvidenceArea } from '../vocabulary/evidence-areas.ts'
import { type PackedInput, packPayloads } from './pack-payloads.ts'
import { deriveRecords } from './projections.ts'

/**
 * Up to this size, planning the fifty statements takes longer than storing the document, so they are prepared. For larger
 * ones planning is a small part, and plans for the present tables are better.
 */
const preparedBytes = 512 * 1024

/**
 * Stores payloads and everything derived from them, atomically; joins the caller's transaction where there is one. Known
 * payloads are skipped.
 * @param turn the write before this one; payloads are prepared until it ends
 * @returns for each payload, in order, whether it was new
 */
export async function storeReadings(
  store: Database,
  payloads: readonly ParsedInput[],
  turn = Promise.resolve(),
): Promise<boolean[]> {
  const bytes = bytesOf(payloads)
  const db = bytes <= preparedBytes ? withPreparedStatements(store) : store
  const hashes = new Map(payloads.map((payload) => [payload, payloadHash(payload.bytes)]))
  const hashOf = (payload: ParsedInput) => hashes.get(payload) ?? payloadHash(payload.bytes)
  const identities = payloads.map((payload) => payload.identity ?? readingIdentity(payload, hashOf(payload)))
  const known = await knownIdentities(db, identities)
  const fresh = new Map<string, ParsedInput>()
  for (const [index, payload] of payloads.entries()) {
    const identity = identities[index] ?? ''
    if (!known.has(identity) && !fresh.has(identity)) fresh.set(identity, payload)
  }
  if (fresh.size === 0) return payloads.map(() => false)
  const kept = await packPayloads(db, [...fresh.values()], hashOf, monthOfId(uuidv7()))
  const packed = await Promise.all(
    [...fresh].map(async ([identity, payload], at) => ({
      identity,
      payload: { ...payload, parsed: await withLanguagesIn(payload.parsed) },
      ...(kept[at] as PackedInput),
    })),
  )
  await turn
  const stored = await inTransaction(db, (transaction) => storeFresh(transaction, packed))
  if (!db.isTransaction) await foldOnceMuch(db, payloads)
  return payloads.map((payload, index) => {
    const identity = identities[index] ?? ''
    return fresh.get(identity) === payload && stored.has(identity)
  })
}

/**
 * Bytes of payloads after which the pending lists of word indexes are merged, so that searches stay fast. Charts hold little
 * more than names, nearly all of them known.
 */
const foldedBytes = 64 * 1024
/** The share of a chart that consists of names. */
const wordsOfChart = 1 / 16
let unfoldedBytes = 0

async function foldOnceMuch(db: Database, payloads: readonly ParsedInput[]): Promise<void> {
  const charts = payloads.filter(({ parsed }) => parsed.charts.length > 0)
  unfoldedBytes += bytesOf(payloads) - bytesOf(charts) * (1 - wordsOfChart)
  if (unfoldedBytes < foldedBytes) return
  unfoldedBytes = 0
  // A failure loses nothing: the next merge includes these entries.
  await foldPendingLists(db).catch(() => {})
}

const bytesOf = (payloads: readonly ParsedInput[]) =>
  payloads.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)

/** Detects languages of posts beforehand: otherwise storing would, inside its transaction. */
export async function withLanguagesIn(parsed: ParsedPayload): Promise<ParsedPayload> {
  const { posts } = parsed
  return posts ? { ...parsed, posts: await withLanguages(posts) } : parsed
}

interface Fresh extends PackedInput {
  identity: string
  payload: ParsedInput
}

/**
 * Two imports may store the same payload at once: the second waits for the first and finds it stored. Rows are written in
 * one order everywhere, so that writers cannot deadlock.
 * @returns the identities that were new
 */
async function storeFresh(db: Database, fresh: readonly Fresh[]): Promise<ReadonlySet<string>> {
  const read = await Promise.all(fresh.map((entry) => withReading(entry)))
  await insertPayloads(
    db,
    read.map(({ kept, reading }) => ({ ...kept, readingId: reading.readingId })),
  )
  await keepPayloadChains(
    db,
    read.flatMap(({ chain, reading }) => (chain ? [{ ...chain, month: monthOfId(reading.readingId) }] : [])),
  )
  const inserted = await insertReadings(
    db,
    read
      .toSorted((one, other) => (one.identity < other.identity ? -1 : 1))
      .map(({ identity, payload, kept, reading }) => ({
        ...reading,
        payloadHash: kept.hash,
        identity,
        records: payload.parsed.records,
        rejected: payload.parsed.rejected.length,
      })),
  )
  const arrived = read
    .filter(({ identity }) => inserted.has(identity))
    .map(({ payload, reading }) => ({ reading, parsed: payload.parsed }))
  const { arrivals, changes } = await deriveRecords(db, arrived)
  await fulfilRequests(db, arrivals)
  // An account's import without any usable record is not shown to others, not even that it was attempted.
  const shown = arrived.filter(({ reading, parsed }) => parsed.records > 0 || reading.broughtBy === undefined)
  const areasOfShown = evidenceAreasOfFormats(shown.map(({ reading }) => reading.format))
  await countChange(db, areaChanges(areasOfShown, arrived, arrivals, changes))
  return inserted
}

/** Posts and ads have no storefront. */
const withoutStorefronts: readonly EvidenceArea[] = ['posts', 'ads']

/** What a transaction changes: its areas, and in `other` what readings change in no area of theirs, such as the names in a chart. */
function areaChanges(
  areas: readonly EvidenceArea[],
  arrived: readonly { reading: Reading }[],
  arrivals: readonly NewEvidence[],
  changes: ReadonlyMap<string, ChangedScopes>,
): AreaChange[] {
  const scopes = union([
    ...[...changes]
      .filter(([name]) => !withoutStorefronts.some((area) => area === name && areas.includes(area)))
      .map(([, changed]) => changed),
    ...arrivals.map(({ country, storeIds }) =>
      country === null ? storeIds.map((storeId) => appScope(storeId, null)) : [],
    ),
  ])
  // What says nothing of any app may have been asked for and be shown as such.
  const told =
    scopes.length > 0 ? scopes : union(arrived.map(({ reading: { country } }) => (country ? [country] : 'all')))
  return [
    ...areas.map((area) => (withoutStorefronts.includes(area) ? area : { area, scopes: told })),
    { area: 'other', scopes: areas.every((area) => withoutStorefronts.includes(area)) ? scopes : told },
  ]
}

/** With its reading; packed alone where the month ended since it was packed with a payload of that month. */
async function withReading(entry: Fresh): Promise<Fresh & { reading: Reading }> {
  const reading = toReading(entry)
  const { hash, dictionary } = entry.kept
  if (!dictionary || dictionary.month === monthOfId(reading.readingId)) return { ...entry, reading }
  return { ...entry, reading, kept: await compressPayload(entry.payload.bytes, hash), chain: undefined }
}

function toReading({ identity, payload }: Fresh): Reading {
  const { format, context, origin, country, observedAt, timeBasis, parsed, broughtBy } = payload
  return {
    ...(broughtBy ? { broughtBy } : {}),
    readingId: uuidv7(),
    key: keyOf(payload, identity),
    format,
    source: parsed.source,
    origin,
    country,
    observedAt,
    timeBasis,
    context: { ...context },
  }
}

/**
 * The areas that a payload of each format is evidence for. A chart does not count as evidence of its apps: with every chart
 * on a schedule, all open pages of apps would keep reloading.
 */
const areas: Record<FormatName, readonly EvidenceArea[]> = {
  'itunes-search': ['apps', 'keywords'],
  'itunes-lookup': ['apps'],
  'search-hints': ['keywords'],
  'app-page': ['apps'],
  'app-store-search': ['apps', 'keywords'],
  'chart-feed': ['charts'],
  'asc-sales': [],
  'app-rows': ['apps'],
  'chart-rows': ['charts'],
  'sales-rows': [],
  'keyword-rank-rows': ['keywords'],
  'paid-ads': ['ads'],
  ...(Object.fromEntries(askedPlatforms.map((platform) => [libraryFormat(platform), ['ads']])) as Record<
    LibraryFormat,
    ['ads']
  >),
  'organic-posts': ['posts'],
}

export function evidenceAreasOfFormats(formats: Iterable<string>): EvidenceArea[] {
  return [...new Set([...formats].flatMap((format) => areas[format as FormatName]))]
}
