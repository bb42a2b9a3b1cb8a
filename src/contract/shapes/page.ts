import { z } from 'zod'

const nextCursor = z.string().nullable().describe('Pass as `cursor` for the next page; null on the last one.')

export const Total = z
  .object({
    value: z.int().min(0),
    relation: z
      .enum(['exact', 'at-least'])
      .describe('Counting stops early on broad searches: then the value is a lower bound.'),
  })
  .meta({ id: 'Total', description: 'How many items match.' })

/** One page of a list. Order and emptiness are said by the operation. */
export function page<Item extends z.ZodType>(id: string, item: Item) {
  return z.object({ items: z.array(item), nextCursor }).meta({ id, description: 'A page of a list.' })
}

/** One page of a search: a page with a bounded count of all matches. */
export function searchPage<Item extends z.ZodType>(id: string, item: Item) {
  return z
    .object({ items: z.array(item), total: Total, nextCursor })
    .meta({ id, description: 'A page of search results.' })
}
