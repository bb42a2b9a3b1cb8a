import { stringify } from 'csv-stringify/sync'
import type { Database } from '../storage/database.ts'
import type { Column } from './columns.ts'
import { type Ad, adColumns, adRows, type Post, postColumns } from './creative-columns.ts'
import { ads, posts, type Wanted, wholeAds, wholePosts } from './creative-source.ts'

export type Item = Post | Ad

/** Items of one kind, and how they are written. */
export interface Table {
  name: 'posts' | 'ads'
  /** As the API shows them, one a line. @param onItem called for each that is written */
  lines(onItem: (item: Item) => void): AsyncGenerator<string>
  /** As a table with a head. */
  csv(onItem: (item: Item) => void): AsyncGenerator<string>
}

/** What an account saved is written as it is at a distance, where only replies are at hand. */
export const postTable = (db: Database, wanted: Wanted): Table =>
  tableOfPosts(
    () => posts(db, wanted),
    () => (wanted.savedOnly ? posts(db, wanted) : wholePosts(db, wanted)),
  )

/**
 * @param items read anew for each way they are written
 * @param whole the same with more of each, where lines have more than a table
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
 * @param items read anew for each way they are written
 * @param whole the same with more of each, where lines have more than a table
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

/** What opens a table with other separators must not find the beginning of a cell inside one. */
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
