import { sql } from 'kysely'
import { type Database, firstRow } from '../../../storage/database.ts'
import { fold, type ParsedSearchText, parseSearchText } from '../../../text/search-terms.ts'
import { ageTiers, type CursorPosition, leadingWordsQuery, stepTiers } from './condition.ts'
import { type ChoosePlan, type MatchTotal, orderedPage } from './ordered-search.ts'
import { rankedPage } from './ranked-search.ts'
import { conditionOfFilters, type SearchableKind, type SharedFilters, sortKeyRangeOf } from './searched-kind.ts'

interface CreativePage {
  /** In the requested order. */
  numbers: string[]
  total: MatchTotal
  /** Where the next page begins; null on the last one. */
  next: CursorPosition | null
  /** The instant used for ranking; undefined when the order needs none. */
  asOf: Date | undefined
}

/**
 * Stored creatives that match the filters. `relevance` ranks a limited number of matches of `q` at the instant `asOf`; all
 * others follow, newest first. Later pages reuse the instant of the first, so that all are ranked the same. Without `q` it
 * is `recent`.
 */
export async function findCreatives<Filters extends SharedFilters, Sort extends string>(
  db: Database,
  kind: SearchableKind<Filters, Sort>,
  filters: Filters,
  sort: Sort | 'recent' | 'relevance',
  {
    after,
    limit,
    asOf: before,
  }: { after?: CursorPosition | undefined; limit: number; asOf?: Date | undefined },
  choose?: ChoosePlan,
): Promise<CreativePage> {
  const condition = conditionOfFilters(kind, filters)
  if (!condition) return { numbers: [], total: { value: 0, relation: 'exact' }, next: null, asOf: undefined }
  const { q } = filters
  const leading = q === undefined ? undefined : leadingWordsQuery(q)
  if (q !== undefined && leading !== undefined && sort === 'relevance') {
    const asOf = before ?? (await endOfNewestDay(db, kind))
    const newest = kind.orders.recent
    const orders = [
      { order: kind.orders[kind.reach.order], tiers: stepTiers(kind.reach.term, kind.reach.steps) },
      { order: newest, tiers: ageTiers(asOf) },
    ]
    const scored = (numbers: readonly string[]) => scoresOf(db, kind, q, numbers, asOf)
    const ranked = await rankedPage(
      db,
      kind,
      { condition, leading, orders, newest, after, limit, scored },
      choose,
    )
    return { ...ranked, asOf }
  }
  const by = sort === 'relevance' ? 'recent' : sort
  const wide = sortKeyRangeOf(kind, filters, by)
  const span = kind.narrowed?.(wide, filters, by, await newestDay(db, kind)) ?? wide
  const question = { condition, order: kind.orders[by], span, after, limit }
  const { places, total, next } = await orderedPage(db, kind, question, choose)
  return { numbers: places.map(({ number }) => number), total, next, asOf: undefined }
}

const dayMs = 86_400_000

/**
 * The reference time for ranking and age: the end of the UTC day of the newest evidence. It does not depend on the clock,
 * so the same evidence always gives the same list. 1970 while nothing is stored.
 */
async function endOfNewestDay<Filters extends SharedFilters, Sort extends string>(
  db: Database,
  kind: SearchableKind<Filters, Sort>,
): Promise<Date> {
  return new Date(Math.ceil(((await newestSeconds(db, kind)) * 1_000) / dayMs) * dayMs)
}

/** The UTC day of the newest evidence, by its first instant. */
async function newestDay<Filters extends SharedFilters, Sort extends string>(
  db: Database,
  kind: SearchableKind<Filters, Sort>,
): Promise<Date> {
  return new Date(Math.floor(((await newestSeconds(db, kind)) * 1_000) / dayMs) * dayMs)
}

async function newestSeconds<Filters extends SharedFilters, Sort extends string>(
  db: Database,
  { newest: { table, column } }: SearchableKind<Filters, Sort>,
): Promise<number> {
  const newest = await firstRow(
    db,
    sql<{ seconds: number }>`
      select ${sql.ref(column)} as seconds from ${sql.table(table)} where ${sql.ref(column)} > '-infinity'
      order by ${sql.ref(column)} desc limit 1`,
  )
  return newest?.seconds ?? 0
}

async function scoresOf<Filters extends SharedFilters, Sort extends string>(
  db: Database,
  kind: SearchableKind<Filters, Sort>,
  q: string,
  numbers: readonly string[],
  asOf: Date,
): Promise<Map<string, number>> {
  const asked = parseSearchText(q)
  const found = await kind.rankable(db, numbers)
  return new Map(
    found.map(({ number, leading, text, reached, date }) => {
      const match = {
        leading: leading.filter((piece) => piece !== null),
        text: text ?? '',
        popularity: reached === null ? 0 : Math.min(1, kind.reach.popularity(reached)),
        ageDays: date === null ? null : (asOf.getTime() / 1000 - date) / 86_400,
      }
      return [number, relevance(asked, match)]
    }),
  )
}

/** The inputs of a match's score. */
interface Match {
  /** Titles, hashtags, author or advertiser. */
  leading: readonly string[]
  /** Other texts; only used when the query has several words. */
  text: string
  /** Popularity, 0 to 1. */
  popularity: number
  /** Null when not measured. */
  ageDays: number | null
}

const shares = { text: 0.55, popularity: 0.25, recency: 0.2 }
/** Half-life of recency, in days. */
const halfLifeDays = 180

/** Relevance of a match, 0 to 1: more than half is the fit of the text, then popularity and recency. */
function relevance(asked: ParsedSearchText, { leading, text, popularity, ageDays }: Match): number {
  const recency = ageDays === null ? 0 : 2 ** (-Math.max(0, ageDays) / halfLifeDays)
  const score =
    shares.text * textFit(asked, leading, text) + shares.popularity * popularity + shares.recency * recency
  return Math.round(score * 1e6) / 1e6
}

/**
 * Best is a title or hashtag equal to the query, then one that contains it as a phrase, then one with its words, then the
 * other texts.
 */
function textFit(asked: ParsedSearchText, leading: readonly string[], text: string): number {
  const pieces = leading.map((piece) => fold(piece).trim())
  if (pieces.includes(asked.folded)) return 1
  if (pieces.some((piece) => piece.includes(asked.folded))) return 0.9
  if (asked.tokens.every((token) => pieces.some((piece) => piece.includes(token.text)))) return 0.7
  return asked.tokens.length > 1 && fold(text).includes(asked.folded) ? 0.5 : 0.3
}
