import type { Operations, Tool } from '../../../client/operation-types.ts'
import type { Block, Cell } from '../blocks.ts'

/** How a column differs from what its path alone says. */
export interface ColumnView<Item> {
  title?: string
  stays?: number
  cell?: (item: Item, index: number, items: readonly Item[]) => Cell
  /** Said by another column here. It is shown when asked for by name. */
  hidden?: true
  /** The path of the column it stands behind; before all others when empty. */
  after?: string
  /** Sentences, which go on in further lines rather than being cut. */
  wraps?: true
  /** Only where things are drawn. */
  drawing?: true
}

/**
 * How a reply is laid out for people. A reply about a list has its table between head and foot, with the columns that the
 * contract finds worth a glance and those that only stand here.
 */
export interface View<Reply, Item> {
  head?: (reply: Reply) => Block[]
  /** By dotted path; paths the contract does not name come last. */
  columns?: Record<string, ColumnView<Item>>
  /** Where things are drawn, only so many of the last items: the drawing shows the others. */
  lastOnScreen?: number
  /** What the items are called, where the table is one section of several. */
  items?: string
  /** What one of the items found is called. */
  one?: string
  foot?: (reply: Reply) => Block[]
  /** What it means that the list is empty. */
  empty?: (reply: Reply) => string
}

export type ReplyOf<T extends Tool> = Operations[T]['reply']
export type ViewOf<T extends Tool> = View<ReplyOf<T>, Operations[T]['item']>
