import { stringify } from 'csv-stringify/sync'
import type { Database } from '../storage/database.ts'
import type { Column } from './columns.ts'
import { type Ad, adColumns, adRows, type Post, postColumns } from './creative-columns.ts'
import { ads, posts, type Wanted } from './creative-source.ts'

export type Item = Post | Ad

/** Items of one kind, and how they are written. */
export interface Table {
  name: 'posts' | 'ads'
  /** As the API shows them, one a line. @param onItem told of each that is written */
  lines(onItem: (item: Item) => void): AsyncGenerator<string>
  /** As a table with a head. */
  csv(onItem: (item: Item) => void): AsyncGenerator<string>
}

export function postTable(db: Database, wanted: Wanted): Table {
  return {
    name: 'posts',
    lines: (onItem) => lines(posts(db, wanted), onItem),
    csv: (onItem) => csv(posts(db, wanted), postColumns, (post) => [post], onItem),
  }
}

export function adTable(db: Database, wanted: Wanted): Table {
  return {
    name: 'ads',
    lines: (onItem) => lines(ads(db, wanted), onItem),
    csv: (onItem) => csv(ads(db, wanted), adColumns, adRows, onItem),
  }
}

async function* lines(items: AsyncIterable<Item>, onItem: (item: Item) => void): AsyncGenerator<string> {
  for await (const item of items) {
    yield `${JSON.stringify(item)}\n`
    onItem(item)
  }
}

async function* csv<One extends Item, Row>(
  items: AsyncIterable<One>,
  columns: readonly Column<Row>[],
  rowsOf: (item: One) => Row[],
  onItem: (item: Item) => void,
): AsyncGenerator<string> {
  yield stringify([columns.map(({ name }) => name)])
  for await (const item of items) {
    yield stringify(rowsOf(item).map((row) => columns.map((column) => column.of(row))))
    onItem(item)
  }
}
