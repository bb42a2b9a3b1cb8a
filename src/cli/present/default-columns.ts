import type { Cell } from './blocks.ts'
import { isObject, type Json } from './cells.ts'
import { nameStorefrontCell, textCell } from './views/parts.ts'
import type { ColumnView } from './views/view.ts'

/** Columns that are shown the same way in every list, by the last name of their path. */
const usual: Record<string, ColumnView<Json>> = {
  rank: { title: '#', stays: 1 },
  position: { title: '#', stays: 1 },
  name: { stays: 1 },
  term: { title: 'keyword', stays: 1 },
  text: { stays: 1 },
  storeId: { stays: 2 },
  archiveId: { stays: 2 },
  postId: { stays: 3 },
  handle: { title: 'author', stays: 2 },
  ratingCount: { title: 'ratings', stays: 4 },
  views: { stays: 4 },
  outlierScore: { stays: 4 },
  daysRunning: { stays: 4 },
  note: { stays: 4 },
  message: { wraps: true, stays: 2 },
  detail: { wraps: true, stays: 2 },
  demand: { title: 'asked' },
  reasons: {
    title: 'because',
    wraps: true,
    stays: 2,
    cell: (item) => textCell(detailsOf(isObject(item) ? item.reasons : []).join('; ')),
  },
  namedIn: { title: 'in', stays: 3, cell: storefrontOfName },
}

/**
 * Ids that only a further command needs are dropped after all other columns; of those, the last summary column goes first.
 */
const others = 5
const onlyForCommands = 50

/** The default presentation of a list's column. `place` is its index among the summary columns. */
export function defaultColumn(path: string, place: number): ColumnView<Json> {
  const last = path.split('.').at(-1) ?? path
  return { stays: (/.Id$/.test(last) ? onlyForCommands : others) + place, ...usual[last] }
}

function detailsOf(reasons: Json): string[] {
  return (Array.isArray(reasons) ? reasons : [])
    .filter(isObject)
    .map(({ detail, text }) => String(detail ?? text))
}

/** The storefront that a name was read from is highlighted where it differs from that of the item. */
function storefrontOfName(item: Json): Cell {
  const outer = isObject(item) ? item : {}
  const app = isObject(outer.app) ? outer.app : outer
  const named = typeof app.namedIn === 'string' ? app.namedIn : null
  return nameStorefrontCell(named, String(outer.country ?? app.country ?? named))
}
