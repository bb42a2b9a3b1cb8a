import { z } from 'zod'

const nextCursor = z.string().nullable().describe('Pass as `cursor` for the next page; null on the last one.')

const ExactTotal = z
  .object({ value: z.int().min(0), relation: z.literal('exact') })
  .meta({ id: 'ExactTotal', description: 'All were counted.' })

const AtLeastTotal = z
  .object({ value: z.int().min(1), relation: z.literal('at-least') })
  .meta({ id: 'AtLeastTotal', description: 'Counting stopped early: a lower bound, never 0.' })

export const Total = z.discriminatedUnion('relation', [ExactTotal, AtLeastTotal]).meta({
  id: 'Total',
  description: 'How many items match. Counting stops early on broad searches: then the value is a lower bound.',
})

/** One page of a list. The operation states its order and when it is empty. */
export function page<Item extends z.ZodType>(id: string, item: Item) {
  return z.object({ items: z.array(item), nextCursor }).meta({ id, description: 'A page of a list.' })
}

/** One page of a list with something said of all its items, before them. */
export function pageWithHead<Item extends z.ZodType, Head extends z.ZodRawShape>(
  id: string,
  head: Head,
  item: Item,
) {
  return z.object({ ...head, items: z.array(item), nextCursor }).meta({ id, description: 'A page of a list.' })
}

/** One page of a search: a page with a bounded count of all matches. */
export function searchPage<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .object({ items: z.array(item), total: Total, nextCursor })
    .meta({ id, description: 'A page of search results.' })
}
