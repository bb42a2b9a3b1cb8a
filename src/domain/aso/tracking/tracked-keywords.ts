import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database, firstRow, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import { holdsUnprintable } from '../../../text/control-characters.ts'
import { longestTerm, normaliseTerm, type TermRefusal, termRefusalOf } from '../../../text/keyword-term.ts'
import { withinLimits } from '../../accounts/limits.ts'
import { countChange } from '../../evidence/changes.ts'
import { newestRanksOf, termIdsArray } from '../pages/rank-queries.ts'
import { recomputeAutocomplete } from '../pages/store-hints.ts'
import { lockTerms } from '../pages/term-queries.ts'
import { lockTrackedApp, wasTracked } from './tracked-apps.ts'

/** A term to add, with what the account writes about it: parts left out stay as they are, null clears the note. */
export interface GivenKeyword {
  term: string
  tags?: readonly string[] | undefined
  note?: string | null | undefined
}

/** The outcome of a submitted term, in its submitted form. `isNoted`: its tags or note are others than before. */
export type TermOutcome =
  | { given: string; outcome: 'added' | 'already-there'; keyword: TrackedKeyword; isNoted: boolean }
  | { given: string; outcome: TermRefused }

export type TermRefused = TermRefusal | 'not-text' | 'keywords-full'

/** What to do about a term that was refused, in a plain sentence. @param room keywords an app can hold */
export const termAdvice = (room: number): Readonly<Record<TermRefused, string>> => ({
  empty: 'Empty: enter the words people search for.',
  'no-letters': 'A keyword needs at least one letter or digit.',
  'too-long': `A keyword can have up to ${longestTerm} characters.`,
  'not-text': 'It contains characters that cannot be typed. Remove them.',
  'keywords-full': `The app has reached the limit of ${room.toLocaleString('en')} keywords. Remove some first.`,
})

/**
 * Adds terms to a tracked app, in the given order, as long as it has room, and writes tags and notes of these and of those that are
 * there. Concurrent calls for one app are serialised, so that together they cannot exceed the limit.
 * @param room keywords an app can hold
 * @returns one outcome for each term in order, and the app's number of keywords; undefined when the account does not track
 * the app
 * @throws LimitReached
 */
export function addKeywords(
  db: Database,
  accountId: string,
  appId: string,
  given: readonly GivenKeyword[],
  room: number,
): Promise<{ outcomes: TermOutcome[]; keywordCount: number } | undefined> {
  return withinLimits(db, accountId, async (transaction) => {
    const app = await lockTrackedApp(transaction, accountId, appId)
    if (!app) return undefined
    const held = await keywordTerms(transaction, appId)
    const sorted = sortTerms(
      given.map(({ term }) => term),
      app.country,
      held,
      room,
    )
    const added = sorted.flatMap(({ term, outcome }) => (outcome === 'added' ? [term] : []))
    const ids = new Map([...held, ...(await trackTerms(transaction, appId, app.country, added))])
    const named = new Set(sorted.flatMap(({ term }) => ids.get(term) ?? []))
    const noted = await writeNotes(
      transaction,
      appId,
      given.flatMap(({ tags, note }, index) => {
        const termId = ids.get(sorted[index]?.term ?? '')
        return termId === undefined || (tags === undefined && note === undefined)
          ? []
          : [{ termId, tags: tags === undefined ? null : [...new Set(tags)], note, place: index }]
      }),
    )
    const keywords = new Map(
      (await keywordsAmong(transaction, appId, app, [...named])).map((keyword) => [keyword.term, keyword]),
    )
    const outcomes = sorted.map(({ given, term, outcome }): TermOutcome => {
      if (outcome !== 'added' && outcome !== 'already-there') return { given, outcome }
      const keyword = keywords.get(term)
      if (!keyword) throw new Error(`The keyword "${term}" has no row.`)
      return { given, outcome, keyword, isNoted: noted.has(keyword.termId) }
    })
    return { outcomes, keywordCount: ids.size }
  })
}

/** Classifies each term; a repeated one already exists the second time. */
function sortTerms(
  given: readonly string[],
  country: string,
  held: ReadonlyMap<string, number>,
  room: number,
): { given: string; term: string; outcome: TermOutcome['outcome'] }[] {
  const known = new Set(held.keys())
  return given.map((text) => {
    if (holdsUnprintable(text)) return { given: text, term: '', outcome: 'not-text' }
    const term = normaliseTerm(text, country)
    const refusal = termRefusalOf(term)
    if (refusal) return { given: text, term, outcome: refusal }
    if (known.has(term)) return { given: text, term, outcome: 'already-there' }
    if (known.size >= room) return { given: text, term, outcome: 'keywords-full' }
    known.add(term)
    return { given: text, term, outcome: 'added' }
  })
}

/**
 * Adds keywords to an app that has none of them; terms that are new in the store are scored from stored suggestions. Runs
 * inside the caller's transaction.
 * @param added normalised, each once
 * @returns the id of each term
 */
export async function trackTerms(
  db: Database,
  appId: string,
  country: string,
  added: readonly string[],
): Promise<Map<string, number>> {
  if (added.length === 0) return new Map()
  const { terms, fresh } = await lockTerms(
    db,
    added.map((term) => ({ country, term })),
  )
  await recomputeAutocomplete(db, fresh)
  const ids = new Map(terms.map(({ term, termId }) => [term, termId]))
  // In the given order, so that ids, which contain the time, have the same order.
  const keywords = added.flatMap((term) => {
    const termId = ids.get(term)
    return termId === undefined ? [] : [{ keywordId: uuidv7(), termId }]
  })
  await insertKeywords(db, appId, keywords)
  await countChange(db, ['accounts'])
  return ids
}

/** Writes tags and notes of keywords of an app; of several for one the last counts. @returns the terms of those that changed */
async function writeNotes(
  db: Database,
  appId: string,
  notes: readonly {
    termId: number
    tags: readonly string[] | null
    note: string | null | undefined
    place: number
  }[],
): Promise<Set<number>> {
  if (notes.length === 0) return new Set()
  const sent = notes.map(({ note, ...one }) => ({
    ...one,
    note: note || null,
    isNoted: note !== undefined,
  }))
  const changed = await rows(
    db,
    sql<{ termId: number }>`
      with sent as (
        select distinct on ("termId") "termId", "isNoted", note,
          case when tags is null then null else array(select json_array_elements_text(tags)) end as tags
        from json_to_recordset(${JSON.stringify(sent)}::json)
          as s("termId" integer, tags json, note text, "isNoted" boolean, place integer)
        order by "termId", place desc
      )
      update tracked_keywords k
      set tags = coalesce(sent.tags, k.tags), note = case when sent."isNoted" then sent.note else k.note end
      from sent
      where k.app_id = ${appId} and k.term_id = sent."termId"
        and (coalesce(sent.tags, k.tags) is distinct from k.tags or sent."isNoted" and sent.note is distinct from k.note)
      returning k.term_id as "termId"`,
  )
  if (changed.length > 0) await countChange(db, ['accounts'])
  return new Set(changed.map(({ termId }) => termId))
}

/**
 * Removes a keyword from an app. Idempotent, also when it was removed with its app.
 * @returns what is unknown: the app to the account, or the keyword to the app
 */
export async function removeKeyword(
  db: Database,
  accountId: string,
  appId: string,
  keywordId: string,
): Promise<'removed' | 'no-app' | 'no-keyword'> {
  return atomically(db, async (transaction) => {
    const tracked = await lockTrackedApp(transaction, accountId, appId)
    if (!tracked && !(await wasTracked(transaction, accountId, appId))) return 'no-app'
    if (await deleteKeyword(transaction, appId, keywordId)) {
      await countChange(transaction, ['accounts'])
      return 'removed'
    }
    return (await hadKeyword(transaction, appId, keywordId)) ? 'removed' : 'no-keyword'
  })
}

/** A keyword of a tracked app, with the app's rank on the newest page of the term. */
export interface TrackedKeyword {
  keywordId: string
  termId: number
  term: string
  addedAt: Date
  /** In the order given, each once; empty when there are none. */
  tags: string[]
  note: string | null
  /** When the newest page that counts was captured; null without one. */
  pageAt: Date | null
  pageDepth: number | null
  /** Null when the app is not on that page, or there is none. */
  rank: number | null
}

/** The keywords of an app among some terms, unordered. */
function keywordsAmong(
  db: Database,
  appId: string,
  { storeId, country }: { storeId: string; country: string },
  termIds: readonly number[],
): Promise<TrackedKeyword[]> {
  return rows(
    db,
    sql<TrackedKeyword>`
      with k as materialized (
        select * from tracked_keywords where app_id = ${appId} and term_id = any(${termIdsArray(termIds)})
      ),
      t as materialized (select * from terms where term_id in (select term_id from k)),
      ${newestRanksOf(storeId, country, sql`t`)}
      select k.keyword_id as "keywordId", t.term_id as "termId", t.term, k.added_at as "addedAt", k.tags, k.note,
        t.page_at as "pageAt", t.page_depth as "pageDepth", m.rank
      from k join t using (term_id) left join newest_ranks m using (term_id)`,
  )
}

/** The terms an app has as keywords. */
async function keywordTerms(db: Database, appId: string): Promise<Map<string, number>> {
  const found = await rows(
    db,
    sql<{ term: string; termId: number }>`
      select t.term, t.term_id as "termId" from term_names t
      where term_id in (select term_id from tracked_keywords where app_id = ${appId})`,
  )
  return new Map(found.map(({ term, termId }) => [term, termId]))
}

/** The terms that an account tracks for an app in a storefront, in the order in which they were added. */
export async function trackedTerms(
  db: Database,
  accountId: string,
  storeId: string,
  country: string,
): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ term: string }>`
      with k as materialized (
        select k.keyword_id, k.term_id from tracked_apps a join tracked_keywords k using (app_id)
        where a.account_id = ${accountId} and a.store_id = ${bigintId(storeId)} and a.country = ${country}
      )
      select t.term from k join term_names t using (term_id) order by k.keyword_id`,
  )
  return found.map(({ term }) => term)
}

export async function insertKeywords(
  db: Database,
  appId: string,
  keywords: readonly { keywordId: string; termId: number }[],
): Promise<void> {
  await sql`
    insert into tracked_keywords (keyword_id, app_id, term_id)
    select "keywordId", ${appId}, "termId"
    from json_to_recordset(${JSON.stringify(keywords)}::json) as sent("keywordId" uuid, "termId" integer)`.execute(
    db,
  )
}

/** Deletes a keyword and remembers its id. @returns whether the app had it */
async function deleteKeyword(db: Database, appId: string, keywordId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      with gone as (
        delete from tracked_keywords where keyword_id = ${keywordId} and app_id = ${appId} returning keyword_id, app_id
      )
      insert into removed_keywords (keyword_id, app_id) select keyword_id, app_id from gone returning keyword_id`,
  )
  return found !== undefined
}

/** Whether an app once had a keyword that was removed, alone or with the app. */
async function hadKeyword(db: Database, appId: string, keywordId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from removed_keywords where keyword_id = ${keywordId} and app_id = ${appId}`,
  )
  return found !== undefined
}
