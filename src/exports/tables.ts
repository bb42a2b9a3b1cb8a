import { stringify } from 'csv-stringify/sync'
import type { Database } from '../storage/database.ts'
import type { Column } from './columns.ts'
import { type Ad, adColumns, adRows, type Post, postColumns } from './creative-columns.ts'
import { ads, posts, type Wanted, wholeAds, wholePosts } from './creative-source.ts'

export type Item = Post | Ad

/** Items of one kind, and their output formats. */
export interface Table {
  name: 'posts' | 'ads'
  /** One JSON line for each item, in the form of the API. @param onItem called for each item written */
  lines(onItem: (item: Item) => void): AsyncGenerator<string>
  /** CSV with a header. */
  csv(onItem: (item: Item) => void): AsyncGenerator<string>
}

/** Saved items have the same form as in an export over HTTP, which only has replies. */
export const postTable = (db: Database, wanted: Wanted): Table =>
  tableOfPosts(
    () => posts(db, wanted),
    () => (wanted.savedOnly ? posts(db, wanted) : wholePosts(db, wanted)),
  )

/**
 * @param items read again for each output format
 * @param whole the same with all stored fields, for lines
 */
export function tableOfPosts(items: () => AsyncIterable<Post>, whole = items): Table {
  return {
    name: 'posts',
    lines: (onItem) => lines(whole(), onItem),
    csv: (onItem) => csv(items(), postColumns, (post) => [post], onItem),
  }
}

export const adTable = (db: Database, wanted: Wanted): Table =>
  tableOfAds(
    () => ads(db, wanted),
    () => (wanted.savedOnly ? ads(db, wanted) : wholeAds(db, wanted)),
  )

/**
 * @param items read again for each output format
 * @param whole the same with all stored fields, for lines
 */
export function tableOfAds(items: () => AsyncIterable<Ad>, whole = items): Table {
  return {
    name: 'ads',
    lines: (onItem) => lines(whole(), onItem),
    csv: (onItem) => csv(items(), adColumns, adRows, onItem),
  }
}

async function* lines(items: AsyncIterable<Item>, onItem: (item: Item) => void): AsyncGenerator<string> {
  for await (const item of items) {
    yield `${JSON.stringify(item)}\n`
    onItem(item)
  }
}

/** Programs that use another separator must not see the start of a cell inside one. */
const otherSeparators = /[;\t|]/

async function* csv<One extends Item, Row>(
  items: AsyncIterable<One>,
  columns: readonly Column<Row>[],
  rowsOf: (item: One) => Row[],
  onItem: (item: Item) => void,
): AsyncGenerator<string> {
  yield stringify([columns.map(({ name }) => name)])
  for await (const item of items) {
    yield stringify(
      rowsOf(item).map((row) => columns.map((column) => column.of(row))),
      { quoted_match: otherSeparators },
    )
    onItem(item)
  }
}
