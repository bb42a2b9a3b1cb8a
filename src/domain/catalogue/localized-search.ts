import { type RawBuilder, sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { joinedNeighbours, storedTerms } from '../../text/search-terms.ts'
import type { LocalizationCode } from '../../vocabulary/storefronts.ts'
import { localizationStates, type NewestLocalized } from './localizations.ts'
import { recordStatesIn } from './record-queries.ts'
import { lockCatalogue } from './record-writes.ts'
import { type TextScope, unplannedQuery } from './tier-matches.ts'

/** The texts of an app in another language of a storefront, by the newest answers in it. */
interface LocalizedTexts {
  storeId: string
  country: string
  language: LocalizationCode
  name: string | null
  subtitle: string | null
  description: string | null
}

/** A list of ids as a condition on a column. */
const among = (storeIds: readonly string[]) =>
  sql`l.store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(storeIds)}::json))`

/** What is narrowed to one storefront, or one language of it. */
interface Scope {
  country?: string
  language?: LocalizationCode
}

const inScope = ({ country, language }: Scope) => sql`
  ${country === undefined ? sql`true` : sql`l.country = ${country}`}
  and ${language === undefined ? sql`true` : sql`l.language = ${language}`}`

/** The newest answers of each source in other languages, by app; apps without any are left out. */
async function newestAnswers(
  db: Database,
  storeIds: readonly string[],
  scope: Scope,
): Promise<(NewestLocalized & { storeId: string; country: string })[]> {
  if (storeIds.length === 0) return []
  return rows(
    db,
    sql<NewestLocalized & { storeId: string; country: string }>`
      select distinct on (l.store_id, l.country, l.language, l.source)
        l.store_id::text as "storeId", l.country, l.language, l.source, l.fields,
        (extract(epoch from l.observed_at) * 1000)::double precision as at
      from localized_readings l where ${among(storeIds)} and ${inScope(scope)}
      order by l.store_id, l.country, l.language, l.source, l.observed_at desc, l.reading_key desc`,
  )
}

const textFields = ['name', 'subtitle', 'description'] as const

/**
 * The texts of apps in other languages than the storefront's, those of a field from the newest answer that has it. An echo
 * of the default is among them: whether it is one, `localizationStates` tells.
 */
export async function localizedTexts(
  db: Database,
  storeIds: readonly string[],
  scope: Scope = {},
): Promise<LocalizedTexts[]> {
  const answers = (await newestAnswers(db, storeIds, scope)).sort((one, other) => one.at - other.at)
  if (answers.length === 0) return []
  const merged = Map.groupBy(answers, ({ storeId, country, language }) => `${storeId} ${country} ${language}`)
  const shown = [...merged.values()].map((some) => ({
    ...(some[0] as (typeof some)[number]),
    fields: Object.assign({}, ...some.map(({ fields }) => fields)) as NewestLocalized['fields'],
  }))
  const hashes = new Set(shown.flatMap(({ fields }) => textFields.flatMap((field) => fields[field] ?? [])))
  const texts = await rows(
    db,
    sql<{ storeId: string; hash: string; content: string }>`
      select l.store_id::text as "storeId", l.text_hash as hash, l.content from localized_texts l
      where ${among([...new Set(shown.map(({ storeId }) => storeId))])} and l.text_hash = any(${[...hashes]}::text[])`,
  )
  const contents = new Map(texts.map(({ storeId, hash, content }) => [`${storeId} ${hash}`, content]))
  return shown.map(({ storeId, country, language, fields }) => {
    const text = (field: (typeof textFields)[number]) => contents.get(`${storeId} ${fields[field]}`) ?? null
    return {
      ...{ storeId, country, language },
      ...{ name: text('name'), subtitle: text('subtitle'), description: text('description') },
    }
  })
}

/** Holds a sign, so that it is no word. */
export const storefrontTerm = (country: string) => `#${country}`

/**
 * Stores the words by which these apps are found in other languages, from what is stored of them, so that any order of arrival
 * leads to the same words. One writer of the catalogue at a time.
 */
export async function indexLocalizations(db: Database, storeIds: readonly string[]): Promise<void> {
  if (storeIds.length === 0) return
  await lockCatalogue(db)
  const sent = (await localizedTexts(db, storeIds)).map(({ storeId, country, language, ...texts }) => {
    const names = storedTerms(`${texts.name ?? ''}\n${texts.subtitle ?? ''}`)
    const nameTerms = [...names, ...joinedNeighbours(texts.name ?? ''), storefrontTerm(country)]
    const described = [...storedTerms(texts.description ?? '')].slice(0, mostTerms)
    const allTerms = [...new Set([...nameTerms, ...described])]
    return { storeId, country, language, nameTerms: nameTerms.join(' '), allTerms: allTerms.join(' ') }
  })
  if (sent.length === 0) return
  const terms = (column: string) => sql`array_to_tsvector(string_to_array(${sql.ref(column)}, ' '))`
  await sql`
    insert into localized_search as s (store_id, country, language, name_terms, all_terms)
    select "storeId", country, language, ${terms('nameTerms')}, ${terms('allTerms')}
    from json_to_recordset(${JSON.stringify(sent)}::json)
      as sent("storeId" bigint, country text, language text, "nameTerms" text, "allTerms" text)
    on conflict (store_id, country, language) do update
      set name_terms = excluded.name_terms, all_terms = excluded.all_terms
      where (s.name_terms, s.all_terms) is distinct from (excluded.name_terms, excluded.all_terms)`.execute(db)
}

/** Terms of a description that are stored at most. */
const mostTerms = 1_500

/** Apps of a storefront with a text in another language that matches, as a query to be joined to those of tiers. */
export const localizedMatches = (
  country: string,
  { terms, reach, most }: { terms: string; reach: TextScope; most: number },
): RawBuilder<unknown> => sql`
  (select store_id from localized_search
    where ${sql.ref(reach)} @@ ${unplannedQuery(`(${terms}) & '${storefrontTerm(country)}'`)}
    order by store_id limit ${sql.lit(most)})`

/** The languages of a storefront, other than its own, in which the app of `r` matches, as JSON; null where it does in none. */
export const matchingLanguagesJson = (country: string, terms: string): RawBuilder<unknown> => sql`(
  select json_agg(l.language order by l.language) from localized_search l
  where l.store_id = r.store_id and l.country = ${country} and l.all_terms @@ ${terms}::tsquery)`

/**
 * Of languages whose words match, those that are localizations, and not answers that repeat the default. Nothing is asked
 * where there are none.
 */
export async function withoutEchoes(
  db: Database,
  country: string,
  matched: ReadonlyMap<string, readonly LocalizationCode[]>,
): Promise<ReadonlyMap<string, LocalizationCode[]>> {
  if (matched.size === 0) return new Map()
  const storeIds = [...matched.keys()]
  const [states, answers] = await Promise.all([
    recordStatesIn(
      db,
      storeIds.map((storeId) => ({ storeId, country })),
      textFields,
    ),
    newestAnswers(db, storeIds, { country }),
  ])
  const byApp = Map.groupBy(answers, ({ storeId }) => storeId)
  return new Map(
    states.map((state) => {
      const { storeId } = state.record
      const { known } = localizationStates(country, state, byApp.get(storeId) ?? [])
      return [storeId, (matched.get(storeId) ?? []).filter((language) => known.includes(language))]
    }),
  )
}
