import type { Database } from '../../../storage/database.ts'
import type { CreativeKind } from '../kind.ts'
import type { Condition } from './condition.ts'
import type { Order, Place, Span } from './order.ts'
import {
  fetchStretch,
  type Part,
  type Sampled,
  type Stretch,
  sampledEvery,
  sampleOf,
  walkStretch,
} from './search-queries.ts'

export interface Total {
  value: number
  relation: 'exact' | 'at-least'
}

export interface OrderedPage {
  places: Place[]
  total: Total
  next: Place | null
}

export interface OrderedQuestion {
  condition: Condition
  order: Order
  /** Keys outside are left out by the condition as well. */
  span?: Span
  after?: Place | undefined
  limit: number
}

/** Rows that either way of answering would have to look at, as the sample tells. */
interface Effort {
  fetch: number
  walk: number
}

/** A way to answer: fetch all matches and sort them, or walk the order until the page is full. Both give the same. */
export type Choice = (effort: Effort) => 'fetch' | 'walk'

export const cheaper: Choice = ({ fetch, walk }) => (fetch <= walk ? 'fetch' : 'walk')

/** With so many matches or fewer, all are fetched and counted. */
const countedMatches = 1_500

/** A page of what meets a condition, in an order; ties go by number, so pages hold still while items are added. */
export async function orderedPage(
  db: Database,
  kind: CreativeKind,
  { condition, order, span = {}, after, limit }: OrderedQuestion,
  choose: Choice = cheaper,
): Promise<OrderedPage> {
  // One more than the page holds tells whether another follows.
  const stretch: Stretch = { condition, order, span, after, limit: limit + 1 }
  const [sampled = []] = await sampleOf(db, kind, [stretch])
  if (isFew(foundIn(sampled), choose)) {
    const { places, matches } = await fetchStretch(db, kind, stretch)
    return page(places, limit, { value: matches, relation: 'exact' })
  }
  const places = await stretchOf(db, kind, stretch, sampled, choose)
  return page(places, limit, { value: Math.max(foundIn(sampled), places.length), relation: 'at-least' })
}

/** How many rows of the sample were found. */
const foundIn = (sampled: readonly Sampled[]) => sampled.reduce((sum, { found }) => sum + found, 0)

/** Whether what was found in a sample says that so little matches that all of it can be fetched and counted. */
export function isFew(found: number, choose: Choice): boolean {
  const fetch = found * sampledEvery
  return fetch <= countedMatches && choose({ fetch, walk: Number.POSITIVE_INFINITY }) === 'fetch'
}

/** What has a key, in its order, then what has none. */
async function stretchOf(
  db: Database,
  kind: CreativeKind,
  stretch: Stretch,
  sampled: readonly Sampled[],
  choose: Choice,
): Promise<Place[]> {
  const { after, limit, span } = stretch
  const places: Place[] = []
  if (after?.key !== notMeasured)
    places.push(...(await partOf(db, kind, stretch, 'measured', choose(effortOf(sampled, 'measured', limit)))))
  const left = limit - places.length
  if (left > 0 && span.from === undefined && span.to === undefined) {
    const rest = { ...stretch, limit: left }
    places.push(...(await partOf(db, kind, rest, 'rest', choose(effortOf(sampled, 'rest', left)))))
  }
  return places
}

const notMeasured = '-Infinity'

function page(places: Place[], limit: number, total: Total): OrderedPage {
  const shown = places.slice(0, limit)
  return { places: shown, total, next: places.length > limit ? (shown.at(-1) ?? null) : null }
}

async function partOf(
  db: Database,
  kind: CreativeKind,
  stretch: Stretch,
  part: Part,
  choice: 'fetch' | 'walk',
): Promise<Place[]> {
  if (choice === 'fetch') return (await fetchStretch(db, kind, stretch, part)).places
  const places: Place[] = []
  let from: Place | null | undefined = stretch.after
  do {
    const walked = await walkStretch(
      db,
      kind,
      { ...stretch, after: from ?? undefined, limit: stretch.limit - places.length },
      part,
    )
    places.push(...walked.places)
    from = walked.next
  } while (from !== null)
  return places
}

/** A walk passes what lies before the first match, then, for each, as many rows as lie between those of the sample. */
function effortOf(sampled: readonly Sampled[], part: Part, limit: number): Effort {
  const { found, ahead, places } = sampled.find((one) => one.part === part) ?? {
    found: 0,
    ahead: 0,
    places: [],
  }
  const [first, last] = [places[0], places.at(-1)]
  const all = Math.max(1, ahead) * sampledEvery
  if (first === undefined || last === undefined || places.length < 2)
    return { fetch: found * sampledEvery, walk: all }
  const gap = (last - first) / (places.length - 1)
  // The first of them can come a few gaps late by chance; later than that, what matches stands at the end of the order.
  const before = Math.max(0, first - 4 * gap) * sampledEvery
  return { fetch: found * sampledEvery, walk: Math.min(all, before + gap * limit) }
}
