import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import {
  type ListingField,
  listingFields,
  type TrackedField,
  trackedFields,
} from '../../vocabulary/listing-fields.ts'
import { type LocalizationCode, storefrontOf, supportedLocalizations } from '../../vocabulary/storefronts.ts'
import type { Reading } from '../evidence/reading.ts'
import { addStatement, type Known } from '../facts/merge.ts'
import { type AppSighting, historyText, isTrackedField, type Listing, pictureFields } from './listing.ts'
import { fieldVersionsOf } from './listing-history.ts'
import {
  addSightingsToVersions,
  type FieldSighting,
  type FieldVersion,
  pictureIdentity,
} from './listing-versions.ts'
import type { RecordState } from './record.ts'

/**
 * What storefronts show of an app in other languages than their own. It is kept apart from the record, which holds the default alone.
 * Apple answers with the texts of the default where an app lacks a localization: such an echo is no localization, and is kept as the
 * evidence of its absence. It is told where it is read, from what the default was at that time, so that the order of arrival does not
 * matter.
 */

/** An app as one answer in another language shows it. */
export interface LocalizedSighting {
  storeId: string
  country: string
  /** The one that was asked for, a code of App Store Connect. */
  language: string
  listing: AppSighting['listing']
}

export interface LocalizedReading {
  reading: Reading
  sighting: LocalizedSighting
}

/** The fields that a localization has of its own. */
const localizedFields = [
  'name',
  'subtitle',
  'description',
  'releaseNotes',
  'screenshotsIphone',
  'screenshotsIpad',
  'screenshotsTv',
  'previews',
] as const satisfies readonly ListingField[]
type LocalizedField = (typeof localizedFields)[number]

/** Those whose changes are kept, by their names in histories. */
export const localizedHistories: ReadonlySet<string> = new Set(
  trackedFields
    .filter((field) => localizedFields.some((one) => one === field))
    .map((field) => listingFields[field].history),
)

/** The fields by which an echo is told; a name alone, which is often the same in all languages, does not tell. */
const tellingFields = ['name', 'subtitle', 'description'] as const satisfies readonly (LocalizedField &
  TrackedField)[]
type TellingField = (typeof tellingFields)[number]

/** By field the hash of its text; null where it was carried and empty. */
type Hashes = Partial<Record<LocalizedField, string | null>>

const isPicture = (field: LocalizedField) => isTrackedField(field) && pictureFields.has(field)

/** Lists are one a line. */
function textOf(listing: AppSighting['listing'], field: LocalizedField): string | null {
  return field === 'releaseNotes' ? (listing.releaseNotes ?? null) : historyText(listing, field)
}

/** Equal for texts that differ in blanks alone, and for addresses of the same pictures. */
function hashOf(field: LocalizedField, text: string | null): string | null {
  if (text === null) return null
  const same = isPicture(field)
    ? text.split('\n').map(pictureIdentity).join('\n')
    : text.replaceAll(/\s+/g, ' ').trim()
  return hash('sha256', same, 'base64url').slice(0, 16)
}

/**
 * Stores what readings showed in other languages: each text once for an app, and of pictures the hash alone. They are nearly always those of
 * the default, which holds their addresses; others are read from the payload where they are shown. Any order of arrival leads to
 * the same end.
 */
export async function storeLocalizations(db: Database, parts: readonly LocalizedReading[]): Promise<void> {
  const readings = new Map<string, ReturnType<typeof rowOf>>()
  const texts = new Map<string, { storeId: string; hash: string; content: string }>()
  for (const { reading, sighting } of parts) {
    const { storeId, listing } = sighting
    const fields: Hashes = {}
    for (const field of localizedFields) {
      if (!(field in listing)) continue
      const content = textOf(listing, field)
      const hash = hashOf(field, content)
      fields[field] = hash
      if (content === null || hash === null || isPicture(field)) continue
      const known = texts.get(`${storeId} ${hash}`)
      if (!known || content > known.content) texts.set(`${storeId} ${hash}`, { storeId, hash, content })
    }
    const row = rowOf(reading, sighting, fields)
    const key = `${storeId} ${row.country} ${row.language} ${row.observedAt.getTime()} ${row.key}`
    const known = readings.get(key)
    if (!known || JSON.stringify(fields) > JSON.stringify(known.fields)) readings.set(key, row)
  }
  if (readings.size === 0) return
  const inOrder = <Row>(some: ReadonlyMap<string, Row>) =>
    [...some].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  await sql`
    insert into localized_readings as l (store_id, country, language, observed_at, reading_key, reading_id, source, origin,
      time_basis, fields)
    select "storeId", country, language, "observedAt", key, "readingId", source, origin, "timeBasis", fields
    from json_to_recordset(${JSON.stringify(inOrder(readings))}::json) as sent("storeId" bigint, country text, language text,
      "observedAt" timestamptz, key text, "readingId" uuid, source text, origin text, "timeBasis" text, fields jsonb)
    on conflict (store_id, country, language, observed_at, reading_key) do update set reading_id = excluded.reading_id
      where l.reading_id < excluded.reading_id`.execute(db)
  await sql`
    insert into localized_texts as t (store_id, text_hash, content)
    select "storeId", hash, content
    from json_to_recordset(${JSON.stringify(inOrder(texts))}::json) as sent("storeId" bigint, hash text, content text)
    on conflict (store_id, text_hash) do update set content = excluded.content
      where t.content collate "C" < excluded.content collate "C"`.execute(db)
}

function rowOf(
  { readingId, key, source, origin, timeBasis, observedAt }: Reading,
  { storeId, country, language }: LocalizedSighting,
  fields: Hashes,
) {
  return { storeId, country, language, observedAt, key, readingId, source, origin, timeBasis, fields }
}

/** A stored reading in another language. */
type StoredReading = ReturnType<typeof rowOf>

/** The newest of each language and source of an app in a storefront, as JSON; null where nothing is stored. */
export const newestLocalizedJson = (storeId: string, country: string) => sql`(
  select json_agg(json_build_object('language', n.language, 'source', n.source, 'fields', n.fields,
    'at', (extract(epoch from n.observed_at) * 1000)::double precision))
  from (
    select distinct on (l.language, l.source) l.language, l.source, l.fields, l.observed_at
    from localized_readings l where l.store_id = ${bigintId(storeId)} and l.country = ${country}
    order by l.language, l.source, l.observed_at desc, l.reading_key desc
  ) n)`

/** An entry of `newestLocalizedJson`; `at` in milliseconds. */
export interface NewestLocalized extends Pick<StoredReading, 'source' | 'fields'> {
  language: LocalizationCode
  at: number
}

/** What an answer in another language is, beside the default of its time; `undecided` where the two share too little. */
type Verdict = 'localized' | 'echo' | 'undecided'

/** @param default_ the record of the storefront with its history; undefined where there is none */
function verdictOf(
  default_: RecordState | undefined,
  { fields, at }: Pick<NewestLocalized, 'fields' | 'at'>,
): Verdict {
  if (!default_) return 'undecided'
  const compared: TellingField[] = []
  for (const field of tellingFields) {
    const mine = fields[field]
    const theirs = defaultsAround(fieldVersionsOf(default_, field), at)
    if (mine === undefined || theirs.length === 0) continue
    if (!theirs.some((value) => hashOf(field, value) === mine)) return 'localized'
    if (mine !== null) compared.push(field)
  }
  return compared.some((field) => field !== 'name') ? 'echo' : 'undecided'
}

/** The value that a field of the default had at a time, and the next one where it changed around then; the first one before all. */
function defaultsAround(versions: readonly FieldVersion[], at: number): (string | null)[] {
  const index = versions.findLastIndex(({ firstSeenAt }) => firstSeenAt <= at)
  const held = versions[Math.max(index, 0)]
  const next = held && index >= 0 && held.lastSeenAt < at ? versions[index + 1] : undefined
  return [held, next].flatMap((version) => (version ? [version.value] : []))
}

/** What is known of the localizations of an app in a storefront. Those that the storefront supports come first, in its order. */
export interface LocalizationStates {
  default: LocalizationCode
  known: LocalizationCode[]
  /** Asked for, and answered with the texts of the default. */
  absent: LocalizationCode[]
  /** Supported and never asked for, or asked for and not comparable with the default. */
  notMeasured: LocalizationCode[]
}

export function localizationStates(
  country: string,
  default_: RecordState | undefined,
  newest: readonly NewestLocalized[] | null,
): LocalizationStates {
  const [own, ...others] = supportedLocalizations(country)
  const states: LocalizationStates = {
    default: own ?? storefrontOf(country).language,
    known: [],
    absent: [],
    notMeasured: [],
  }
  const asked = Map.groupBy(newest ?? [], ({ language }) => language)
  for (const language of new Set([...others, ...[...asked.keys()].sort()])) {
    const verdict = verdictOfAll(default_, asked.get(language) ?? [])
    states[verdict === 'localized' ? 'known' : verdict === 'echo' ? 'absent' : 'notMeasured'].push(language)
  }
  return states
}

/** A page names its language, so its verdict counts first; of other answers the newest. A text of its own that is newer than an echo counts. */
function verdictOfAll(
  default_: RecordState | undefined,
  readings: readonly Pick<NewestLocalized, 'source' | 'fields' | 'at'>[],
): Verdict {
  const decided = readings
    .map(({ source, ...reading }) => ({ source, at: reading.at, verdict: verdictOf(default_, reading) }))
    .filter(({ verdict }) => verdict !== 'undecided')
    .sort((one, other) => other.at - one.at)
  const page = decided.find(({ source }) => source === 'app-store-page') ?? decided[0]
  const isNewer = page?.verdict === 'echo' && decided[0]?.verdict === 'localized'
  return isNewer ? 'localized' : (page?.verdict ?? 'undecided')
}

/** A listing in one language. */
export interface LocalizedListing {
  state: 'measured' | 'absent' | 'not-measured'
  /** Facts of `localizedFields` where it is measured; otherwise no facts, and the readings that say so. */
  record: Known<Listing>
  /** The values that its tracked fields had, oldest first. */
  versions: ReadonlyMap<TrackedField, FieldVersion[]>
}

/** Reads a stored answer once more; undefined where it is gone, or holds nothing of the app. */
export type Reread = (readingId: string, storeId: string) => Promise<AppSighting['listing'] | undefined>

/** Most answers of an app that are read once more for pictures that changed. */
const mostReread = 20

/**
 * The listings of these apps in a language, by their ids; apps that nobody asked for in it are left out. In the language of the
 * storefront it is what the record says.
 * @param defaults the records of one storefront with their histories, for all fields of `localizedFields`
 * @param reread for pictures that changed and are not the default's; without it they are left out
 */
export async function localizedListings(
  db: Database,
  defaults: readonly RecordState[],
  country: string,
  language: LocalizationCode,
  reread?: Reread,
): Promise<ReadonlyMap<string, LocalizedListing>> {
  if (defaults.length === 0) return new Map()
  const storeIds = JSON.stringify(defaults.map(({ record }) => record.storeId))
  const isAsked = sql`store_id in (select value::bigint from json_array_elements_text(${storeIds}::json))`
  const stored = await rows(
    db,
    sql<StoredReading>`
      select store_id::text as "storeId", country, language, observed_at as "observedAt", reading_key as key,
        reading_id as "readingId", source, origin, time_basis as "timeBasis", fields
      from localized_readings where ${isAsked} and country = ${country} and language = ${language}
      order by store_id, observed_at, reading_key`,
  )
  if (stored.length === 0) return new Map()
  const hashes = [
    ...new Set(stored.flatMap(({ fields }) => Object.values(fields).filter((one) => one !== null))),
  ]
  const texts = await rows(
    db,
    sql<{ storeId: string; hash: string; content: string }>`
      select store_id::text as "storeId", text_hash as hash, content from localized_texts
      where ${isAsked} and text_hash = any(${hashes}::text[])`,
  )
  const contents = new Map(texts.map(({ storeId, hash, content }) => [`${storeId} ${hash}`, content]))
  const byApp = Map.groupBy(stored, ({ storeId }) => storeId)
  const listings = new Map<string, LocalizedListing>()
  for (const state of defaults) {
    const { storeId } = state.record
    const readings = byApp.get(storeId)
    if (!readings) continue
    const pictures = await changedPictures(state, readings, reread)
    const textOfHash = (hash: string) => contents.get(`${storeId} ${hash}`) ?? pictures.get(hash)
    listings.set(storeId, listingOf(state, readings, textOfHash))
  }
  return listings
}

/** The addresses of pictures of an app by their hash: those of the default, and of sets that changed also others. */
async function changedPictures(
  default_: RecordState,
  stored: readonly StoredReading[],
  reread: Reread | undefined,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>()
  const asked = new Map<string, LocalizedField[]>()
  for (const field of localizedFields.filter(isPicture)) {
    if (isTrackedField(field))
      for (const { value } of fieldVersionsOf(default_, field))
        if (value !== null) known.set(hashOf(field, value) ?? '', value)
    const newest = new Map(
      stored.flatMap(({ fields, readingId }) => (fields[field] ? [[fields[field], readingId]] : [])),
    )
    if (new Set(stored.map(({ fields }) => fields[field])).size > 1)
      for (const [hash, readingId] of newest)
        if (!known.has(hash)) asked.set(readingId, [...(asked.get(readingId) ?? []), field])
  }
  for (const [readingId, fields] of [...asked].slice(-mostReread)) {
    const listing = await reread?.(readingId, default_.record.storeId)
    for (const field of fields) {
      const text = listing ? textOf(listing, field) : null
      if (text !== null) known.set(hashOf(field, text) ?? '', text)
    }
  }
  return known
}

/** @param stored oldest first */
function listingOf(
  default_: RecordState,
  stored: readonly StoredReading[],
  textOfHash: (hash: string) => string | undefined,
): LocalizedListing {
  const judged = stored
    .map((row) => ({ ...row, at: row.observedAt.getTime() }))
    .map((row) => ({ row, verdict: verdictOf(default_, row) }))
  const newest = [...new Map(judged.map((one) => [one.row.source, one.row])).values()]
  const verdict = verdictOfAll(default_, newest)
  const isShown = verdict === 'localized'
  let record: Known<Listing> = { facts: {}, evidence: [] }
  const seen = new Map<TrackedField, FieldSighting[]>()
  for (const { row, verdict: own } of judged) {
    const reading: Reading = { ...row, format: '', context: {} }
    if (!isShown) {
      if (own === verdict)
        record = { facts: {}, evidence: addStatement<Listing>(undefined, { name: null }, reading).evidence }
      continue
    }
    if (own !== 'localized') continue
    const texts = localizedFields.flatMap((field) => {
      const hash = row.fields[field]
      const text = typeof hash === 'string' ? textOfHash(hash) : hash
      return text === undefined ? [] : [[field, text] as const]
    })
    const listing = Object.fromEntries(
      texts.map(([field, text]) => [field, isPicture(field) ? linesOf(text) : text]),
    )
    record = addStatement<Listing>(record, listing, reading)
    for (const [field, value] of texts)
      if (isTrackedField(field)) seen.set(field, [...(seen.get(field) ?? []), { value, at: row.at }])
  }
  const versions = [...seen].map(
    ([field, some]) => [field, addSightingsToVersions([], some, () => [])] as const,
  )
  const state = isShown ? 'measured' : verdict === 'echo' ? 'absent' : 'not-measured'
  return { state, record, versions: new Map(versions) }
}

const linesOf = (text: string | null) => text?.split('\n') ?? []

/**
 * A record as a localization shows it: the texts and media of the localization with their history, and everything else (categories,
 * ratings, price) of the storefront. Fields that nobody read in that language are not measured.
 */
export function inLanguage({ record, versions }: RecordState, localized: LocalizedListing): RecordState {
  const own = new Set<string>(localizedFields)
  const kept = record.evidence
    .map((entry) => ({ ...entry, fields: entry.fields.filter((field) => !own.has(field)) }))
    .filter(({ fields }) => fields.length > 0)
  const facts = Object.fromEntries(Object.entries(record.facts).filter(([field]) => !own.has(field)))
  return {
    record: {
      ...record,
      facts: { ...facts, ...localized.record.facts } as typeof record.facts,
      evidence: localized.state === 'measured' ? [...localized.record.evidence, ...kept] : kept,
    },
    versions: new Map([...[...versions].filter(([field]) => !own.has(field)), ...localized.versions]),
  }
}
