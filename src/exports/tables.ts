import { stringify } from 'csv-stringify/sync'
import { adShapes, adsForExport as wholeAdsOf } from '../api/ad-shapes.ts'
import { postShapes, postsForExport as wholePostsOf } from '../api/post-shapes.ts'
import { operatorId } from '../domain/accounts/keys.ts'
import type { CreativeKind } from '../domain/creatives/kind.ts'
import { creativeNumbersAfter } from '../domain/creatives/kind.ts'
import { postKind } from '../domain/organic/post.ts'
import { adKind } from '../domain/paid-ads/ad.ts'
import type { Database } from '../storage/database.ts'
import {
  adColumns,
  adRows,
  type ExportColumn,
  type ExportedAd,
  type ExportedPost,
  postColumns,
} from './columns.ts'

export type ExportedItem = ExportedPost | ExportedAd

/** Items of one kind, and their output formats. */
export interface ExportTable {
  name: 'posts' | 'ads'
  /** One JSON line for each item, in the form of the API. @param onItem called for each item written */
  lines(onItem: (item: ExportedItem) => void): AsyncGenerator<string>
  /** CSV with a header. */
  csv(onItem: (item: ExportedItem) => void): AsyncGenerator<string>
}

/** Saved items have the same form as in an export over HTTP, which only has replies. */
export const postTable = (db: Database, wanted: Wanted): ExportTable =>
  tableOfPosts(
    () => posts(db, wanted),
    () => (wanted.savedOnly ? posts(db, wanted) : wholePosts(db, wanted)),
  )

/**
 * @param items read again for each output format
 * @param whole the same with all stored fields, for lines
 */
export function tableOfPosts(items: () => AsyncIterable<ExportedPost>, whole = items): ExportTable {
  return {
    name: 'posts',
    lines: (onItem) => lines(whole(), onItem),
    csv: (onItem) => csv(items(), postColumns, (post) => [post], onItem),
  }
}

export const adTable = (db: Database, wanted: Wanted): ExportTable =>
  tableOfAds(
    () => ads(db, wanted),
    () => (wanted.savedOnly ? ads(db, wanted) : wholeAds(db, wanted)),
  )

/**
 * @param items read again for each output format
 * @param whole the same with all stored fields, for lines
 */
export function tableOfAds(items: () => AsyncIterable<ExportedAd>, whole = items): ExportTable {
  return {
    name: 'ads',
    lines: (onItem) => lines(whole(), onItem),
    csv: (onItem) => csv(items(), adColumns, adRows, onItem),
  }
}

async function* lines(
  items: AsyncIterable<ExportedItem>,
  onItem: (item: ExportedItem) => void,
): AsyncGenerator<string> {
  for await (const item of items) {
    yield `${JSON.stringify(item)}\n`
    onItem(item)
  }
}

/** Programs that use another separator must not see the start of a cell inside one. */
const otherSeparators = /[;\t|]/

async function* csv<One extends ExportedItem, Row>(
  items: AsyncIterable<One>,
  columns: readonly ExportColumn<Row>[],
  rowsOf: (item: One) => Row[],
  onItem: (item: ExportedItem) => void,
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

/** Posts and ads loaded at a time: enough to be fast, few enough for memory. */
const together = 100

/** Selects the posts or ads to export. */
interface Wanted {
  /** The account whose saved marks and copies are included; without it, no marks and all copies. */
  accountId?: string
  /** Only items that account saved. */
  savedOnly: boolean
  /** Only items linked to this app; digits. */
  storeId?: string
  /** Only these of them, where they are wanted by something that is looked at one by one. */
  isWanted?: (item: ExportedItem) => boolean
}

/** Posts in the form of the API. */
const posts = (db: Database, wanted: Wanted): AsyncGenerator<ExportedPost> =>
  inTurn(db, postKind, wanted, postShapes)

/** Posts with all stored fields, for a later import. */
const wholePosts = (db: Database, wanted: Wanted): AsyncGenerator<ExportedPost> =>
  inTurn(db, postKind, wanted, wholePostsOf)

/** Ads in the form of the API. */
const ads = (db: Database, wanted: Wanted): AsyncGenerator<ExportedAd> => inTurn(db, adKind, wanted, adShapes)

/** Ads with all stored fields, for a later import. */
const wholeAds = (db: Database, wanted: Wanted): AsyncGenerator<ExportedAd> =>
  inTurn(db, adKind, wanted, wholeAdsOf)

/** Creatives ordered by their numbers, independent of the order of arrival. */
async function* inTurn<Shape extends object>(
  db: Database,
  kind: CreativeKind,
  { accountId = operatorId, savedOnly, storeId, isWanted }: Wanted,
  shapesOf: (db: Database, accountId: string, numbers: readonly string[]) => Promise<Shape[]>,
): AsyncGenerator<Shape> {
  const walk = { ...(savedOnly ? { savedBy: accountId } : {}), ...(storeId ? { storeId } : {}) }
  const after = (last: string) => creativeNumbersAfter(db, kind, walk, last, together)
  for (let numbers = await after('0'); numbers.length > 0; numbers = await after(numbers.at(-1) ?? '0')) {
    const shapes = await shapesOf(db, accountId, numbers)
    yield* isWanted ? shapes.filter((shape) => isWanted(shape as unknown as ExportedItem)) : shapes
  }
}
