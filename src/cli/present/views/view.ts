import type { Operations, Tool } from '../../../client/operation-types.ts'
import type { Block, Cell } from '../blocks.ts'

/** How a column deviates from its default presentation. */
export interface ColumnView<Item> {
  title?: string
  stays?: number
  cell?: (item: Item, index: number, items: readonly Item[]) => Cell
  /** Already covered by another column; it is shown only when asked for by name. */
  hidden?: true
  /** The path of the column it follows; first of all when empty. */
  after?: string
  /** Sentences, which are wrapped rather than cut. */
  wraps?: true
  /** Only in drawings. */
  drawing?: true
}

/**
 * How a reply is laid out for people. A reply about a list has its table between head and foot, with the contract's summary
 * columns and the additional ones named here.
 */
export interface View<Reply, Item> {
  head?: (reply: Reply) => Block[]
  /** Columns by dotted path; those that are no summary columns come last. */
  columns?: Record<string, ColumnView<Item>>
  /** With a drawing, the number of last items in the table: the drawing shows all. */
  lastOnScreen?: number
  /** The heading of the table, where it is one section of several. */
  items?: string
  /** The noun for one item. */
  one?: string
  foot?: (reply: Reply) => Block[]
  /** The message for an empty list. */
  empty?: (reply: Reply) => string
}

export type ReplyOf<T extends Tool> = Operations[T]['reply']
export type ViewOf<T extends Tool> = View<ReplyOf<T>, Operations[T]['item']>
