import type { Database } from '../../storage/database.ts'
import type { Condition } from './condition.ts'
import { type Choice, cheaper, effortOf, foundIn, isFew, stretchOf, type Total } from './ordered-search.ts'
import { fetchCandidates, type Sampled, type Stretch, sampleOf } from './search-queries.ts'
import type { Order, Place, Shelf } from './shelf.ts'

export interface RankedQuestion {
  condition: Condition
  /** The words of `condition` as the best matches hold them, as part of a `tsquery`. */
  leading: string
  /** Those first in each of these orders are ranked. */
  orders: readonly Order[]
  after?: Place | undefined
  limit: number
  /** Scores of candidates by number; the same each time, or pages would not hold still. */
  scored(numbers: readonly string[]): Promise<ReadonlyMap<string, number>>
}

/** Candidates taken of each order: so many, or fewer where a walk would have to go far for them. */
const candidatesEach = 75
const fewestEach = 20
const walkedRows = 4_000

/** The share of rows that match. */
const densityOf = (sampled: readonly Sampled[]) =>
  foundIn(sampled) /
  Math.max(
    1,
    sampled.reduce((sum, { ahead }) => sum + ahead, 0),
  )

/** A page of a bounded number of matches, best score first. */
export async function rankedPage(
  db: Database,
  shelf: Shelf,
  question: RankedQuestion,
  choose: Choice = cheaper,
): Promise<{ numbers: string[]; total: Total; next: Place | null }> {
  const { numbers, total } = await candidatesOf(db, shelf, question, choose)
  const scores = await question.scored(numbers)
  const ranked = [...scores].map(([number, score]) => ({ number, score })).sort(compared)
  const { after, limit } = question
  const place = after && { number: after.number, score: Number(after.key) }
  const rest = place ? ranked.filter((one) => compared(one, place) > 0) : ranked
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    numbers: page.map((one) => one.number),
    total,
    next: rest.length > limit && last ? { key: String(last.score), number: last.number } : null,
  }
}

interface Scored {
  number: string
  score: number
}

const compared = (one: Scored, other: Scored) =>
  other.score - one.score || Number(BigInt(other.number) - BigInt(one.number))

async function candidatesOf(
  db: Database,
  shelf: Shelf,
  { condition, leading, orders }: RankedQuestion,
  choose: Choice,
): Promise<{ numbers: string[]; total: Total }> {
  const stretch = { span: {}, after: undefined, limit: candidatesEach }
  const best: Condition = { ...condition, words: [leading] }
  const among = (asked: Condition): Stretch[] =>
    orders.map((order) => ({ ...stretch, condition: asked, order }))
  const stretches = [...among(best), ...among(condition)]
  const sampled = await sampleOf(db, shelf, stretches)
  const found = foundIn(sampled.at(-1) ?? [])
  if (isFew(sampled.at(-1) ?? [], choose)) {
    const { numbers, matches } = await fetchCandidates(db, shelf, condition, leading, orders, candidatesEach)
    return { numbers, total: { value: matches, relation: numbers.length < matches ? 'at-least' : 'exact' } }
  }
  // Where the best alone are enough, the others would rank below all of them.
  const enough = densityOf(sampled[0] ?? []) * walkedRows >= candidatesEach
  const firstOf = (asked: Condition, from: number): Promise<string[]> => {
    const told = sampled.slice(from, from + orders.length)
    const efforts = told.map((parts) => effortOf(parts, 'measured', fewestEach))
    // Fetched once for all orders.
    if (efforts.every((effort) => choose(effort) === 'fetch'))
      return fetchCandidates(db, shelf, asked, leading, orders, candidatesEach).then(({ numbers }) => numbers)
    const walks = among(asked).map((one, at) => {
      const parts = told[at] ?? []
      const met = Math.floor(densityOf(parts) * walkedRows)
      const limit = Math.min(candidatesEach, Math.max(fewestEach, met))
      return stretchOf(db, shelf, { ...one, limit }, parts, choose)
    })
    return Promise.all(walks).then((places) => places.flat().map(({ number }) => number))
  }
  const chosen = await Promise.all([firstOf(best, 0), ...(enough ? [] : [firstOf(condition, orders.length)])])
  const numbers = [...new Set(chosen.flat())]
  return { numbers, total: { value: Math.max(found, numbers.length), relation: 'at-least' } }
}
