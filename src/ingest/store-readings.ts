import { v7 as uuidv7 } from 'uuid'
import type { ResultPageReading } from '../domain/aso/pages/result-page.ts'
import { type HintAnswer, storeHints } from '../domain/aso/pages/store-hints.ts'
import { storePages } from '../domain/aso/pages/store-pages.ts'
import { storeAppleLists } from '../domain/catalogue/similar-lists.ts'
import { type CatalogueHarvest, storeSightings } from '../domain/catalogue/store-sightings.ts'
import { storeCharts } from '../domain/charts/store-charts.ts'
import { noteSearches } from '../domain/collecting/note-searches.ts'
import { fulfilRequests } from '../domain/demand/queries.ts'
import { storeSales } from '../domain/estimates/own-sales.ts'
import { type Payload, pack } from '../domain/evidence/payload.ts'
import { insertPayloads, insertReadings, knownIdentities, readingOf } from '../domain/evidence/queries.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import { storeListedHandles } from '../domain/organic/known-handles.ts'
import { withLanguages } from '../domain/organic/post-language.ts'
import { storePosts } from '../domain/organic/store-posts.ts'
import { noteAdvertisers } from '../domain/paid-ads/advertisers.ts'
import { storeAds } from '../domain/paid-ads/store-ads.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { normaliseTerm, refusalOf } from '../text/keyword-term.ts'
import { storefrontDay } from '../vocabulary/storefront-day.ts'
import { arrivalsIn } from './arrivals.ts'
import type { Harvest } from './harvest.ts'
import { isEmpty } from './parse-payload.ts'
import { readAgain } from './read-again.ts'
import type { ReadPayload } from './read-payload.ts'
import { keyOf, readingIdentity } from './reading-identity.ts'
import { countPages, countRecords, type RecordCounts } from './record-counts.ts'

/**
 * Stores payloads and everything that follows from them, all or nothing; joins the caller's transaction where there is
 * one. Payloads stored before are passed over.
 * @returns for each payload, in order, whether it was new
 */
export async function storeReadings(db: Database, payloads: readonly ReadPayload[]): Promise<boolean[]> {
  return (await storeAll(db, payloads, Promise.resolve(), false)).map((counts) => counts !== undefined)
}

/**
 * As `storeReadings`, and counts.
 * @param turn what is being written before; until then these are made ready
 * @returns for each payload, in order, what became of its records; undefined where it was stored before
 */
export function storeCounted(
  db: Database,
  payloads: readonly ReadPayload[],
  turn: Promise<void>,
): Promise<(RecordCounts | undefined)[]> {
  return storeAll(db, payloads, turn, true)
}

async function storeAll(
  db: Database,
  payloads: readonly ReadPayload[],
  turn: Promise<void>,
  counted: boolean,
): Promise<(RecordCounts | undefined)[]> {
  const identities = payloads.map((payload) => payload.identity ?? readingIdentity(payload))
  const known = await knownIdentities(db, identities)
  const fresh = new Map<string, ReadPayload>()
  for (const [index, payload] of payloads.entries()) {
    const identity = identities[index] ?? ''
    if (!known.has(identity) && !fresh.has(identity)) fresh.set(identity, payload)
  }
  if (fresh.size === 0) return payloads.map(() => undefined)
  const packed = await Promise.all(
    [...fresh].map(async ([identity, payload]) => ({
      identity,
      payload: await withLanguagesOf(payload),
      kept: await pack(payload.bytes),
    })),
  )
  await turn
  const stored = await inTransaction(db, (transaction) => storeFresh(transaction, packed, counted))
  return payloads.map((payload, index) => {
    const identity = identities[index] ?? ''
    return fresh.get(identity) === payload ? stored.get(identity) : undefined
  })
}

/** Storing would recognise the languages of posts too, with the store waiting. */
async function withLanguagesOf(payload: ReadPayload): Promise<ReadPayload> {
  const { posts } = payload.harvest
  return posts ? { ...payload, harvest: { ...payload.harvest, posts: await withLanguages(posts) } } : payload
}

interface Fresh {
  identity: string
  payload: ReadPayload
  kept: Payload
}

/**
 * Two imports may bring the same payload at once: the second waits for the first and finds it stored. Rows are written
 * in one order everywhere, so that they never wait for each other in a circle.
 * @param counted whether to tell the fates of records, which takes a few questions more
 * @returns what became of the records, by the identities that were new
 */
async function storeFresh(
  db: Database,
  fresh: readonly Fresh[],
  counted: boolean,
): Promise<Map<string, RecordCounts>> {
  const read = fresh.map((entry) => ({ ...entry, reading: toReading(entry) }))
  await insertPayloads(
    db,
    read.map(({ kept }) => kept),
  )
  const inserted = await insertReadings(
    db,
    read
      .toSorted((one, other) => (one.identity < other.identity ? -1 : 1))
      .map(({ identity, payload, kept, reading }) => ({
        ...reading,
        payloadHash: kept.hash,
        identity,
        records: payload.harvest.records,
        rejected: payload.harvest.rejected.length,
      })),
  )
  const arrived = read
    .filter(({ identity }) => inserted.has(identity))
    .map(({ identity, payload, reading }) => ({ identity, reading, harvest: payload.harvest }))
  const counts = counted ? await countRecords(db, arrived) : new Map<string, RecordCounts>()
  const { linkedApps } = await deriveFrom(db, arrived)
  const pages = counted ? await countPages(db, arrived) : counts
  const arrivals = arrivalsIn(arrived.map(({ harvest }) => harvest))
  if (linkedApps.length > 0) arrivals.push({ kind: 'organic', country: null, storeIds: linkedApps })
  await fulfilRequests(db, arrivals)
  return new Map(
    arrived.map(({ identity, reading: { readingId } }) => [
      identity,
      pages.get(readingId) ?? counts.get(readingId) ?? uncounted,
    ]),
  )
}

const uncounted: RecordCounts = { stored: 0, repeated: 0, merged: 0, superseded: 0 }

function toReading({ identity, payload }: Fresh): Reading {
  const { format, context, origin, country, observedAt, timeBasis, harvest, broughtBy } = payload
  return {
    ...(broughtBy ? { broughtBy } : {}),
    readingId: uuidv7(),
    key: keyOf(payload, identity),
    format,
    source: harvest.source,
    origin,
    country,
    observedAt,
    timeBasis,
    context: { ...context },
  }
}

/**
 * Records, histories, search, charts, own figures, ads and posts that follow from readings.
 * @returns the apps that the posts among them belong to
 */
export async function deriveFrom(
  db: Database,
  read: readonly { reading: Reading; harvest: Harvest }[],
): Promise<{ linkedApps: string[] }> {
  const catalogue: CatalogueHarvest[] = []
  const captures = []
  for (const { reading, harvest } of read) {
    for (const [country, seen] of Map.groupBy(harvest.sightings, (entry) => entry.country)) {
      catalogue.push({ reading, country, sightings: seen.map((entry) => entry.sighting) })
    }
    for (const harvested of harvest.charts) {
      const chart = { ...harvested, capturedAt: harvested.capturedAt ?? reading.observedAt }
      captures.push({ reading, chart })
      catalogue.push({
        reading: { ...reading, observedAt: chart.capturedAt },
        country: chart.country,
        sightings: chart.sightings,
        charted: true,
      })
    }
  }
  await storeSightings(db, catalogue)
  await storeAppleLists(
    db,
    read.flatMap(({ reading, harvest }) => (harvest.lists ?? []).map((list) => ({ reading, ...list }))),
  )
  await storeCharts(db, captures)
  await storeSales(
    db,
    read.map(({ reading, harvest }) => ({ readingId: reading.readingId, sales: harvest.sales ?? [] })),
  )
  const ads = read.map(({ reading, harvest }) => ({ reading, ads: harvest.ads ?? [] }))
  await storeAds(db, ads)
  await noteAdvertisers(db, ads)
  await storePages(db, read.flatMap(pageIn), async (readingId) => {
    const stored = await readingOf(db, readingId)
    const again = stored ? await readAgain(stored) : undefined
    return again ? pageIn(again)[0] : undefined
  })
  await storeHints(db, read.flatMap(hintsIn))
  const listed = await storeListedHandles(db, catalogue)
  const posted = await storePosts(
    db,
    read.map(({ reading, harvest }) => ({ reading, posts: harvest.posts ?? [] })),
  )
  await noteSearches(
    db,
    read.flatMap(({ reading, harvest }) => {
      const term = termOf(reading)
      return term === undefined || harvest.isUnfit ? [] : [{ reading, term, empty: isEmpty(harvest) }]
    }),
  )
  return { linkedApps: [...new Set([...listed, ...posted])] }
}

/** The result page of a reading, if it is one, with what it showed of each app. */
function pageIn({ reading, harvest }: { reading: Reading; harvest: Harvest }): ResultPageReading[] {
  const { resultPage, sightings } = harvest
  const { readingId, country, observedAt, origin, context } = reading
  if (!resultPage || country === null) return []
  const shown = new Map(sightings.map(({ sighting }) => [sighting.storeId, sighting.listing]))
  const places = resultPage.storeIds.map((storeId) => {
    const listing = storeId === null ? undefined : shown.get(storeId)
    if (storeId === null || !listing) return null
    const { name, rating, ratingCount, updatedAt } = listing
    return { storeId, name, rating, ratingCount, updatedAt }
  })
  const term = normaliseTerm(resultPage.term, country)
  if (refusalOf(term)) return []
  const requested = typeof context.requested === 'number' ? context.requested : null
  const day = pageDay(reading, country)
  const { stated = null } = resultPage
  return [{ term, country, places, requested, stated, capturedAt: observedAt, day, origin, readingId }]
}

/** The storefront's own date. A file that names a date and no time belongs to that date; it is kept as 00:00 UTC. */
function pageDay({ observedAt, origin }: Reading, country: string): string {
  const time = observedAt.toISOString()
  return origin !== 'collected' && time.endsWith('T00:00:00.000Z')
    ? time.slice(0, 10)
    : storefrontDay(country, observedAt)
}

function hintsIn({ reading, harvest }: { reading: Reading; harvest: Harvest }): HintAnswer[] {
  const { readingId, key: readingKey, country, observedAt } = reading
  if (!harvest.hints || country === null) return []
  const typed = normaliseTerm(harvest.hints.typed, country)
  const terms = harvest.hints.terms.map((term) => normaliseTerm(term, country))
  return [{ country, typed, terms: [...new Set(terms)], observedAt, readingId, readingKey }]
}

/** The term that was searched, for readings that are about one. */
function termOf({ context }: Reading): string | undefined {
  return typeof context.term === 'string' ? context.term : undefined
}
