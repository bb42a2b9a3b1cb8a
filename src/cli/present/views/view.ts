import type { z } from 'zod'
import type { contract } from '../../../contract/contract.ts'
import type { Block, Cell } from '../blocks.ts'

export type ToolName = keyof typeof contract

type ShapeOf<T extends ToolName> = (typeof contract)[T] extends { reply: infer R extends z.ZodType }
  ? z.output<R>
  : undefined

type ItemOf<R> = R extends { items: readonly (infer I)[] }
  ? I
  : R extends { points: readonly (infer I)[] }
    ? I
    : R extends { charts: readonly (infer I)[] }
      ? I
      : R extends { keywords: readonly (infer I)[] }
        ? I
        : R extends { sample: readonly (infer I)[] }
          ? I
          : never

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
export interface View<Reply, Item = ItemOf<Reply>> {
  head?: (reply: Reply) => Block[]
  /** By dotted path; paths the contract does not name come last. */
  columns?: Record<string, ColumnView<Item>>
  /** Where things are drawn, only so many of the last items: the drawing shows the others. */
  lastOnScreen?: number
  /** What the items are called. */
  items?: string
  foot?: (reply: Reply) => Block[]
  /** What it means that the list is empty. */
  empty?: (reply: Reply) => string
}

export type ViewOf<T extends ToolName> = View<ShapeOf<T>>
export type ReplyOf<T extends ToolName> = ShapeOf<T>
