import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database } from '../../../storage/database.ts'
import { isNoText } from '../../../text/control-characters.ts'
import { normaliseTerm, refusalOf, type TermRefusal } from '../../../text/keyword-term.ts'
import { withinLimits } from '../../accounts/limits.ts'
import { countChange } from '../../evidence/changes.ts'
import { recomputeAutocomplete } from '../pages/store-hints.ts'
import { lockTerms } from '../pages/term-queries.ts'
import { lockTrackedApp, wasTracked } from './tracked-app-queries.ts'
import {
  deleteKeyword,
  hadKeyword,
  insertKeywords,
  keywordsAmong,
  keywordTerms,
  type TrackedKeyword,
} from './tracked-keyword-queries.ts'

/** The outcome of a submitted term, in its submitted form. */
export type TermOutcome =
  | { given: string; outcome: 'added' | 'already-there'; keyword: TrackedKeyword }
  | { given: string; outcome: TermRefusal | 'not-text' | 'keywords-full' }

/**
 * Adds terms to a tracked app, in the given order, as long as it has room. Concurrent calls for one app are serialised, so
 * that together they cannot exceed the limit.
 * @param room keywords an app can hold
 * @returns one outcome for each term in order, and the app's number of keywords; undefined when the account does not track
 * the app
 * @throws LimitReached
 */
export function addKeywords(
  db: Database,
  accountId: string,
  appId: string,
  given: readonly string[],
  room: number,
): Promise<{ outcomes: TermOutcome[]; keywordCount: number } | undefined> {
  return withinLimits(db, accountId, async (transaction) => {
    const app = await lockTrackedApp(transaction, accountId, appId)
    if (!app) return undefined
    const held = await keywordTerms(transaction, appId)
    const sorted = sortTerms(given, app.country, held, room)
    const added = sorted.flatMap(({ term, outcome }) => (outcome === 'added' ? [term] : []))
    const ids = new Map([...held, ...(await trackTerms(transaction, appId, app.country, added))])
    const named = new Set(sorted.flatMap(({ term }) => ids.get(term) ?? []))
    const keywords = new Map(
      (await keywordsAmong(transaction, appId, app, [...named])).map((keyword) => [keyword.term, keyword]),
    )
    const outcomes = sorted.map(({ given, term, outcome }): TermOutcome => {
      if (outcome !== 'added' && outcome !== 'already-there') return { given, outcome }
      const keyword = keywords.get(term)
      if (!keyword) throw new Error(`The keyword "${term}" has no row.`)
      return { given, outcome, keyword }
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
    if (isNoText(text)) return { given: text, term: '', outcome: 'not-text' }
    const term = normaliseTerm(text, country)
    const refusal = refusalOf(term)
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
