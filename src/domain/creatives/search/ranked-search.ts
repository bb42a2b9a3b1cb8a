import { sql } from 'kysely'
import type { Database } from '../../../storage/database.ts'
import type { CreativeKind } from '../kind.ts'
import type { CursorPosition, SearchCondition, SortOrder, SortTier } from './condition.ts'
import { type ChoosePlan, canFetchAll, cheaperPlan, type MatchTotal, orderedPage } from './ordered-search.ts'
import {
  countInSample,
  fetchAnyMatches,
  fetchCandidates,
  type SampleCounts,
  sampleInterval,
  scanPage,
} from './search-queries.ts'

/** A sort order with tiers: terms that approximate its keys. */
interface TieredSortOrder {
  order: SortOrder
  /** Highest first. */
  tiers: readonly SortTier[]
}

export interface RankedQuery {
  condition: SearchCondition
  /** The words of `condition` in leading texts, where the best matches have them, as part of a `tsquery`. */
  leading: string
  /** The first candidates of each of these orders are ranked. */
  orders: readonly TieredSortOrder[]
  /** The order of the matches that are not ranked. */
  newest: SortOrder
  after?: CursorPosition | undefined
  limit: number
  /** Scores of candidates by number; deterministic, so that pages are stable. */
  scored(numbers: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/** Candidates taken from each order. */
const candidatesEach = 60
/** Up to this number of matches, all are ranked. */
const whole = 200
/** With fewer candidates a page is not full. */
const fewest = 25

/** A page of the matches: a bounded number of candidates, best score first, and then all others, newest first. */
export async function rankedPage(
  db: Database,
  kind: CreativeKind,
  question: RankedQuery,
  choose: ChoosePlan = cheaperPlan,
): Promise<{ numbers: string[]; total: MatchTotal; next: CursorPosition | null }> {
  const { numbers, total, areAll } = await candidatesOf(db, kind, question, choose)
  const { condition, after, limit } = question
  const ranked = after?.isUnranked ? [] : await rankedAfter(after, await question.scored(numbers))
  const page = ranked.slice(0, limit)
  const last = page.at(-1)
  const head = { numbers: page.map(({ number }) => number), total }
  const here = last ? { key: String(last.score), number: last.number } : null
  if (ranked.length > limit) return { ...head, next: here }
  if (areAll) return { ...head, next: null }
  const left = limit - page.length
  const others = await orderedPage(db, kind, {
    condition: { ...condition, others: [...condition.others, otherThan(kind, numbers)] },
    order: question.newest,
    after: after?.isUnranked ? after : undefined,
    limit: Math.max(1, left),
  })
  if (left === 0) return { ...head, next: others.places.length > 0 ? here : null }
  return {
    numbers: [...head.numbers, ...others.places.map(({ number }) => number)],
    total,
    next: others.next && { ...others.next, isUnranked: true },
  }
}

/** Candidates by their scores, best first, below a place. */
function rankedAfter(after: CursorPosition | undefined, scores: ReadonlyMap<string, number>): Scored[] {
  const ranked = [...scores].map(([number, score]) => ({ number, score })).sort(compared)
  const place = after && { number: after.number, score: Number(after.key) }
  return place ? ranked.filter((one) => compared(one, place) > 0) : ranked
}

const otherThan = (kind: CreativeKind, numbers: readonly string[]) =>
  sql`s.${sql.ref(kind.number)} <> all(${numbers}::bigint[])`

interface Scored {
  number: string
  score: number
}

const compared = (one: Scored, other: Scored) =>
  other.score - one.score || Number(BigInt(other.number) - BigInt(one.number))

/**
 * The candidates, and whether they are all matches. Few matches are all fetched. With many matches the orders are scanned.
 * Otherwise the upper tiers of each order are fetched: the sample shows which tier holds enough, and which of the two plans
 * reads fewer rows.
 */
async function candidatesOf(
  db: Database,
  kind: CreativeKind,
  { condition, leading, orders }: RankedQuery,
  choose: ChoosePlan,
): Promise<{ numbers: string[]; total: MatchTotal; areAll: boolean }> {
  const best: SearchCondition = { ...condition, words: [leading] }
  const tally = await countInSample(
    db,
    kind,
    [best, condition],
    orders.map(({ order, tiers }) => ({ order, floors: tiers.map(({ floor }) => floor) })),
  )
  const [foundBest = 0, found = 0] = tally.found
  const keys = orders.map(({ order }) => order)
  const fetched = (asked: SearchCondition) =>
    fetchCandidates(db, kind, asked, leading, keys, { each: candidatesEach, whole })
  if (canFetchAll(found, choose)) {
    const { numbers, matches } = await fetched(condition)
    return { numbers, total: { value: matches, relation: 'exact' }, areAll: numbers.length === matches }
  }
  const scanned = async (
    asked: SearchCondition,
    order: SortOrder,
    floor: number | undefined,
  ): Promise<string[]> => {
    const query = { condition: asked, order, span: { from: floor }, after: undefined, limit: candidatesEach }
    return (await scanPage(db, kind, query, 'measured')).map(({ number }) => number)
  }
  const highest = async (asked: SearchCondition, matches: number): Promise<string[]> => {
    if (canFetchAll(matches, choose)) return (await fetched(asked)).numbers
    const ways = orders.map((order, at) => ({
      order,
      floor: tally.scanFloors[at] ?? undefined,
      tier: tierFor(order, matches, tally, at),
    }))
    const high = ways.flatMap(({ tier }) => tier?.term ?? [])
    const narrowed = { ...asked, terms: [...asked.terms, `(${high.join(' | ')})`] }
    const found = await Promise.all([
      ...(high.length > 0 ? [fetched(narrowed).then(({ numbers }) => numbers)] : []),
      ...ways
        .filter(({ tier }) => tier === undefined)
        .map(({ order, floor }) => scanned(asked, order.order, floor)),
    ])
    return found.flat()
  }
  const numbers = new Set(await highest(best, foundBest))
  // Where leading matches alone are enough, all others would rank below them.
  if (numbers.size < candidatesEach) for (const number of await highest(condition, found)) numbers.add(number)
  // The sample does not capture the correlation of words and orders.
  if (numbers.size < fewest)
    for (const number of await fetchAnyMatches(db, kind, condition, candidatesEach)) numbers.add(number)
  return {
    numbers: [...numbers],
    total: { value: Math.max(found, numbers.size), relation: 'at-least' },
    areAll: false,
  }
}

/** The tier of an order to fetch: the first that should hold enough; undefined where scanning the order reads fewer rows. */
function tierFor(
  { tiers }: TieredSortOrder,
  matches: number,
  { rows, above }: SampleCounts,
  order: number,
): SortTier | undefined {
  const held = (at: number) => (matches * sampleInterval * (above[order]?.[at] ?? 0)) / Math.max(1, rows)
  const at = tiers.findIndex((_, at) => held(at) >= candidatesEach)
  const scanned = (candidatesEach * rows) / Math.max(1, matches)
  return at === -1 || scanned <= held(at) ? undefined : tiers[at]
}
