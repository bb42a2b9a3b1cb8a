import { sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import { foldPendingLists } from '../../storage/pending-lists.ts'
import { sampleWritten, writtenRows } from '../../storage/written-rows.ts'
import { fold } from '../../text/search-terms.ts'
import { allListingFields, type ListingField } from '../../vocabulary/listing-fields.ts'
import type { AppRecord } from './record.ts'
import { listingFieldColumns } from './record-queries.ts'
import { type SearchDocument, tiersForRatings } from './search-document.ts'

/** Columns of every record besides the listing fields. */
const ownColumns: [column: string, type: string][] = [
  ['first_observed_at', 'timestamptz'],
  ['last_observed_at', 'timestamptz'],
  ['since', 'jsonb'],
  ['evidence', 'jsonb'],
  ['undated', 'jsonb'],
  ['unreadable', 'text[]'],
]
const keyColumns: [column: string, type: string][] = [
  ['store_id', 'bigint'],
  ['country', 'text'],
]

/**
 * Records as rows to send: keys, what every record has, and some of its fields. JSON goes as text: PostgreSQL takes five times as
 * long to read a row with objects in it.
 */
function sentRecords(records: readonly AppRecord[], fields: readonly ListingField[]) {
  const sent: [column: string, type: string][] = [
    ...ownColumns,
    ...fields.map((field) => listingFieldColumns[field]),
  ]
  const named = fields.includes('name')
  if (named) sent.push(['sort_name', 'text'])
  const values = records.map((record) => {
    const row: Record<string, unknown> = {
      store_id: record.storeId,
      country: record.country,
      ...(named && { sort_name: sortName(record.facts.name) }),
      first_observed_at: record.firstObservedAt,
      last_observed_at: record.lastObservedAt,
      since: JSON.stringify(record.since),
      evidence: JSON.stringify(record.evidence),
      undated: record.undated && JSON.stringify(record.undated),
      unreadable: record.unreadable,
    }
    for (const field of fields) {
      const [column, type] = listingFieldColumns[field]
      const value = record.facts[field]
      row[column] = type === 'jsonb' && value ? JSON.stringify(value) : value
    }
    return row
  })
  const typed = [...keyColumns, ...sent]
    .map(([column, type]) => `${column} ${type === 'jsonb' ? 'text' : type}`)
    .join(', ')
  return {
    columns: sent.map(([column]) => column),
    values: sent.map(([column, type]) => `sent.${column}${type === 'jsonb' ? '::jsonb' : ''}`),
    from: sql`json_to_recordset(${JSON.stringify(values)}::json) as sent(${sql.raw(typed)})`,
  }
}

/** Names are sorted by their beginning: folding can lengthen one beyond what an index holds. */
function sortName(name: string): string {
  const folded = fold(name)
  return folded.length <= mostSorted ? folded : [...folded].slice(0, mostSorted).join('')
}

/** Updates the sort names of records to the current folding. @param records with their names */
export async function renewSortNames(db: Database, records: readonly AppRecord[]): Promise<void> {
  const sent = records.map(({ storeId, country, facts }) => ({
    storeId,
    country,
    sortName: sortName(facts.name),
  }))
  await sql`
    update app_records r set sort_name = sent."sortName"
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" bigint, country text, "sortName" text)
    where r.store_id = sent."storeId" and r.country = sent.country and r.sort_name <> sent."sortName"`.execute(
    db,
  )
}

/** Maximum letters of a sort name. */
const mostSorted = 300

export async function insertRecords(db: Database, records: readonly AppRecord[]): Promise<void> {
  if (records.length === 0) return
  const sent = sentRecords(records, allListingFields)
  const names = sql.raw(['store_id', 'country', ...sent.columns].join(', '))
  const values = sql.raw(['store_id', 'country', ...sent.values].join(', '))
  await sql`insert into app_records (${names}) select ${values} from ${sent.from}`.execute(db)
  writtenRows(db).add('app_records', records.length)
}

/** Updates stored records: always their evidence, and the named fields. */
export async function updateRecords(
  db: Database,
  records: readonly AppRecord[],
  fields: readonly ListingField[],
): Promise<void> {
  if (records.length === 0) return
  const sent = sentRecords(records, fields)
  await sql`
    update app_records r set ${sql.raw(sent.columns.map((column, at) => `${column} = ${sent.values[at]}`).join(', '))}
    from ${sent.from}
    where r.store_id = sent.store_id and r.country = sent.country`.execute(db)
  if (fields.length > 0) writtenRows(db).add('app_records', records.length)
}

/**
 * Writes of records whose facts and first sightings are unchanged when they were last observed, and by which readings. Many rest
 * on the same entry of evidence, which is sent and read once.
 */
export async function renewRecords(db: Database, records: readonly AppRecord[]): Promise<void> {
  if (records.length === 0) return
  const places = new Map<AppRecord['evidence'], number>()
  const sent = records.map(({ storeId, country, lastObservedAt, evidence, undated }) => {
    const place = places.get(evidence) ?? places.size + 1
    places.set(evidence, place)
    return { storeId, country, lastObservedAt, place, undated }
  })
  await sql`
    with texts as materialized (
      select place, value::jsonb as evidence
      from json_array_elements(${JSON.stringify([...places.keys()])}::json) with ordinality as one(value, place)
    )
    update app_records r set last_observed_at = sent."lastObservedAt", evidence = texts.evidence, undated = sent.undated
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent("storeId" bigint, country text, "lastObservedAt" timestamptz,
      place bigint, undated jsonb) join texts using (place)
    where r.store_id = sent."storeId" and r.country = sent.country`.execute(db)
}

/** Updates the counts of records by genre: 1 for each new genre of a record, -1 for each former one. */
export async function countGenres(
  db: Database,
  changes: readonly { record: AppRecord; apps: number }[],
): Promise<void> {
  if (changes.length === 0) return
  const sent = changes.map(({ record, apps }) => ({
    country: record.country,
    categoryIds: record.facts.categoryIds ?? [],
    apps,
  }))
  await sql`
    insert into genre_counts as counted (country, category_ids, apps)
    select country, "categoryIds", sum(apps)
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent(country text, "categoryIds" integer[], apps integer)
    group by country, "categoryIds" having sum(apps) <> 0
    on conflict (country, category_ids) do update set apps = counted.apps + excluded.apps`.execute(db)
  const left = new Set(changes.filter(({ apps }) => apps < 0).map(({ record }) => record.country))
  if (left.size > 0)
    await sql`delete from genre_counts where apps = 0 and country = any(${[...left]}::text[])`.execute(db)
}

/**
 * Puts apps where search finds them; one that was there and changed its tier leaves the old one. Terms contain no blank and
 * are sent as one text: parsing each of them as a JSON value takes PostgreSQL four times as long.
 */
export async function replaceSearchDocuments(
  db: Database,
  documents: readonly SearchDocument[],
  known: boolean,
): Promise<void> {
  if (documents.length === 0) return
  if (known) {
    const tiers = documents.map(({ storeId, tier }) => ({ storeId, tier }))
    await sql`
      delete from app_search s
      using json_to_recordset(${JSON.stringify(tiers)}::json) as sent("storeId" bigint, tier smallint)
      where s.store_id = sent."storeId" and s.tier <> sent.tier`.execute(db)
  }
  const sent = documents.map(({ storeId, tier, nameTerms, allTerms }) => ({
    storeId,
    tier,
    nameTerms: nameTerms.join(' '),
    allTerms: allTerms.join(' '),
  }))
  const terms = (column: string) => sql`array_to_tsvector(string_to_array(${sql.ref(column)}, ' '))`
  const { numAffectedRows } = await sql`
    insert into app_search as s (store_id, tier, name_terms, all_terms)
    select "storeId", tier, ${terms('nameTerms')}, ${terms('allTerms')}
    from json_to_recordset(${JSON.stringify(sent)}::json)
      as sent("storeId" bigint, tier smallint, "nameTerms" text, "allTerms" text)
    on conflict (store_id, tier) do update
      set name_terms = excluded.name_terms, all_terms = excluded.all_terms
      where (s.name_terms, s.all_terms) is distinct from (excluded.name_terms, excluded.all_terms)`.execute(db)
  writtenRows(db).add('app_search', Number(numAffectedRows ?? sent.length))
}

/** One writer of the catalogue at a time: records are read, merged and written back. Ends with the transaction. */
export async function lockCatalogue(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('rivalscope catalogue'))`.execute(db)
}

/** The columns used for search, filters and sorting; sampling the other, long ones takes five times as long. */
const askedColumns = [
  ...['store_id', 'country', 'sort_name', 'bundle_id', 'developer', 'developer_id', 'price', 'currency'],
  ...['primary_category_id', 'category_ids', 'rating', 'rating_count', 'released_at', 'updated_at'],
]

/**
 * Folds what was just written into the search indexes, and much of it into the planner's statistics, table by table. PostgreSQL would
 * do the latter later by itself, when it gets round to it.
 */
export async function mergeSearchIndexes(db: Database): Promise<void> {
  await foldPendingLists(db)
  await sampleWritten(db, [
    { name: 'app_records', columns: askedColumns },
    // Plans use the statistics of one tier's partition, so the parent table is not sampled.
    { name: 'app_search', columns: ['store_id', 'tier'] },
    ...tiersForRatings(0).map((tier) => ({ name: `app_search_${tier}`, countedAs: 'app_search' })),
    ...['search_words', 'described_words', 'rating_observations', 'apple_lists'].map((name) => ({ name })),
    ...['charts', 'chart_snapshots', 'chart_months'].map((name) => ({ name })),
  ])
}
