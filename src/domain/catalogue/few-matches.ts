import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { asPrepared } from '../../storage/prepared.ts'
import { letterPairs, type Token } from '../../text/search-terms.ts'
import {
  candidateColumns,
  conditionOf,
  elsewhereColumns,
  lastLetter,
  namesElsewhere,
  ownRecords,
  type SearchCandidate,
  type Wanting,
} from './candidate-queries.ts'
import { storefrontTerm } from './localized-search.ts'
import { filterTerms, type TypoCorrections } from './search-plan.ts'
import { isLarge, unplannedQuery } from './tier-matches.ts'

/** Apps that are looked up without regard to their tiers, where no more match: all of them are there then. */
const few = 299
/** Beginnings that so many words of the catalogue have are common. */
const mostWords = 200

/** What the counted words say of a search. */
export interface Expectation {
  large: boolean
  /** Whether few apps may match: a guess, from a sample of the catalogue. */
  few: boolean
}

/** What is to be expected of a text, all of whose tokens an app has to hold, with words that may stand in place of one. */
export async function expectationOf(
  db: Database,
  asked: readonly Token[],
  corrections: TypoCorrections = new Map(),
): Promise<Expectation> {
  const last = asked.at(-1)
  const begun = last?.kind === 'word' || [...(last?.text ?? '')].length === 1 ? last?.text : undefined
  const held = asked.map((token) =>
    token.kind === 'run' ? letterPairs(token.text) : [token.text, ...(corrections.get(token.text) ?? [])],
  )
  const found = await rows(
    db,
    asPrepared(sql<{ word: string | null; held: number; catalogued: number | null }>`
      select null as word, listings as held, catalogued::float8 as catalogued from word_weight_runs
      union all
      select word, listings, null from word_weights where word = any(${[...new Set(held.flat())]}::text[])
      union all
      select '', coalesce(sum(listings), 0)::int, null from (
        select listings from word_weights
        where word >= (select ${begun ?? lastLetter}::text) and word < (select ${`${begun ?? ''}${lastLetter}`}::text)
        order by word limit ${sql.lit(mostWords)}
      ) begun`),
  )
  const counts = new Map(found.map((row) => [row.word, row]))
  const { held: listings = 0, catalogued = 0 } = counts.get(null) ?? {}
  if (listings === 0) return { large: false, few: false }
  const of = (word: string) => Math.max(1, counts.get(word)?.held ?? 0)
  const shares = asked.map((token, index) => {
    const [own = '', ...others] = held[index] ?? []
    if (token.kind === 'run') return Math.min(of(own), ...others.map(of))
    return others.reduce((sum, word) => sum + of(word), of(token === last ? '' : own))
  })
  const expected = shares.reduce((product, share) => product * Math.min(1, share / listings), catalogued ?? 0)
  return { large: isLarge(catalogued ?? 0), few: expected < few / 2 }
}

/**
 * All apps that match a text, by name or by description, here or, where nothing is asked of values of the storefront, only elsewhere.
 * Undefined where there are more than few.
 * @param elsewhere whether apps without a record of the storefront are wanted
 */
export async function fewCandidates(
  db: Database,
  terms: string,
  { country, filters, sort }: Wanting,
  elsewhere: boolean,
): Promise<SearchCandidate[] | undefined> {
  const asked = unplannedQuery([`(${terms})`, ...filterTerms(filters)].join(' & '))
  const localized = unplannedQuery(`(${terms}) & '${storefrontTerm(country)}'`)
  const most = sql.lit(few + 1)
  const isAmong = (which: 'named' | 'namedHere') =>
    sql`r.store_id = any(array(select store_id from found where ${sql.ref(which)}))`
  const statement = sql<SearchCandidate & { looked: number }>`
    with matching as materialized (
      (select store_id, name_terms @@ ${asked} as named, false as localized from app_search
        where name_terms @@ ${asked} or all_terms @@ ${asked} limit ${most})
      union all
      (select store_id, name_terms @@ ${localized}, true from localized_search
        where name_terms @@ ${localized} or all_terms @@ ${localized} limit ${most})
    ),
    found as materialized (
      select store_id, bool_or(named) as "namedHere", bool_or(named and not localized) as named, bool_and(localized) as localized
      from matching group by store_id
    ),
    own as (
      select ${candidateColumns(sort)}, ${isAmong('namedHere')} as "inName"
      from ${ownRecords(country)} r where ${conditionOf(filters, country)}
    ),
    others as (
      select ${elsewhereColumns}, ${isAmong('named')} as "inName"
      from ${namesElsewhere(country)} r
      where ${elsewhere}::boolean and r.store_id = any(array(select store_id from found where not localized))
    )
    select met.*, seen.looked
    from (select count(*)::int as looked from matching) seen
    left join (select * from own union all select * from others) met on true`
  const met = await rows(db, filters.charting === undefined ? asPrepared(statement) : statement)
  if ((met[0]?.looked ?? 0) > few) return undefined
  return met.filter(({ storeId }) => storeId !== null)
}
