import type { Database } from '../../../storage/database.ts'
import type { CreativeKind } from '../kind.ts'
import type { CursorPosition, SearchCondition, SortKeyRange, SortOrder } from './condition.ts'
import {
  estimateBySample,
  fetchPage,
  type ListPart,
  type PageQuery,
  type SampleEstimate,
  sampleInterval,
  scanPage,
} from './search-queries.ts'

export interface MatchTotal {
  value: number
  relation: 'exact' | 'at-least'
}

export interface OrderedPage {
  places: CursorPosition[]
  total: MatchTotal
  next: CursorPosition | null
}

export interface OrderedQuery {
  condition: SearchCondition
  order: SortOrder
  /** The condition excludes keys outside as well. */
  span?: SortKeyRange
  after?: CursorPosition | undefined
  limit: number
}

/** Estimated rows that each plan would have to read, from the sample. */
interface Cost {
  fetch: number
  scan: number
}

/** A plan: fetch all matches and sort them, or scan the order until the page is full. Both give the same result. */
export type ChoosePlan = (effort: Cost) => 'fetch' | 'scan'

export const cheaperPlan: ChoosePlan = ({ fetch, scan }) => (fetch <= scan ? 'fetch' : 'scan')

/** Up to this number of matches, all are fetched and counted. */
const countedMatches = 1_500

/**
 * A page of the rows that match a condition, in an order; ties are broken by number, so pages are stable while items are
 * added.
 */
export async function orderedPage(
  db: Database,
  kind: CreativeKind,
  { condition, order, span = {}, after, limit }: OrderedQuery,
  choose: ChoosePlan = cheaperPlan,
): Promise<OrderedPage> {
  // One row more than the page holds shows whether another page follows.
  const query: PageQuery = { condition, order, span, after, limit: limit + 1 }
  const [sampled = []] = await estimateBySample(db, kind, [query])
  if (canFetchAll(foundIn(sampled), choose)) {
    const { places, matches } = await fetchPage(db, kind, query)
    return page(places, limit, { value: matches, relation: 'exact' })
  }
  const places = await pageOf(db, kind, query, sampled, choose)
  return page(places, limit, { value: Math.max(foundIn(sampled), places.length), relation: 'at-least' })
}

/** Number of rows of the sample that matched. */
const foundIn = (sampled: readonly SampleEstimate[]) => sampled.reduce((sum, { found }) => sum + found, 0)

/** Whether the matches in a sample are so few that all of them can be fetched and counted. */
export function canFetchAll(found: number, choose: ChoosePlan): boolean {
  const fetch = found * sampleInterval
  return fetch <= countedMatches && choose({ fetch, scan: Number.POSITIVE_INFINITY }) === 'fetch'
}

/** Rows with a key, in order, then rows without one. */
async function pageOf(
  db: Database,
  kind: CreativeKind,
  query: PageQuery,
  sampled: readonly SampleEstimate[],
  choose: ChoosePlan,
): Promise<CursorPosition[]> {
  const { after, limit, span } = query
  const places: CursorPosition[] = []
  if (after?.key !== notMeasured)
    places.push(...(await partOf(db, kind, query, 'measured', choose(costOf(sampled, 'measured', limit)))))
  const left = limit - places.length
  if (left > 0 && span.from === undefined && span.to === undefined) {
    const rest = { ...query, limit: left }
    places.push(...(await partOf(db, kind, rest, 'rest', choose(costOf(sampled, 'rest', left)))))
  }
  return places
}

const notMeasured = '-Infinity'

function page(places: CursorPosition[], limit: number, total: MatchTotal): OrderedPage {
  const shown = places.slice(0, limit)
  return { places: shown, total, next: places.length > limit ? (shown.at(-1) ?? null) : null }
}

async function partOf(
  db: Database,
  kind: CreativeKind,
  query: PageQuery,
  part: ListPart,
  choice: 'fetch' | 'scan',
): Promise<CursorPosition[]> {
  return choice === 'fetch' ? (await fetchPage(db, kind, query, part)).places : scanPage(db, kind, query, part)
}

/** A scan passes the rows before the first match and then, for each match, as many rows as lie between two in the sample. */
function costOf(sampled: readonly SampleEstimate[], part: ListPart, limit: number): Cost {
  const { fetched, ahead, places } = sampled.find((one) => one.part === part) ?? {
    fetched: 0,
    ahead: 0,
    places: [],
  }
  const [first, last] = [places[0], places.at(-1)]
  const all = Math.max(1, ahead) * sampleInterval
  if (first === undefined || last === undefined || places.length < 2)
    return { fetch: fetched * sampleInterval, scan: all }
  const gap = (last - first) / (places.length - 1)
  // By chance the first match can come a few gaps late; beyond that, the matches lie at the end of the order.
  const before = Math.max(0, first - 4 * gap) * sampleInterval
  return { fetch: fetched * sampleInterval, scan: Math.min(all, before + gap * limit) }
}
