import type { ReadingContext } from '../../ingest/parsed-payload.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { namesShown } from '../../ingest/unreadable.ts'
import { isRankTool, type RankToolName, rankTools } from '../../vocabulary/keyword-rank-tools.ts'
import { dayColumns } from './day-columns.ts'
import { type RankField, rankFields } from './keyword-rank-values.ts'

/** Names under which tables hold our fields, the surest first, in small letters without blanks and marks. */
export const rankNames: Readonly<Record<RankField, readonly string[]>> = {
  term: ['term', 'keyword', 'keywords', 'kw', 'query', 'searchterm', 'searchquery', 'phrase'],
  day: ['day', 'date', 'checkedat', 'checkdate', 'capturedat', 'searchedat', 'observedat', 'timestamp'],
  storeId: ['storeid', 'appid', 'appstoreid', 'trackid', 'appleid', 'adamid', 'extid', 'appurl', 'url', 'app'],
  country: ['country', 'countrycode', 'storefront', 'store', 'market', 'region', 'cc'],
  rank: ['rank', 'ranking', 'position', 'pos', 'currentrank', 'currentranking', 'currentposition'],
  device: ['device', 'devicetype'],
  platform: ['platform', 'os', 'storetype'],
  tool: ['tool'],
  requested: ['requested', 'depth', 'checkeddepth', 'searcheddepth'],
  unranked: ['unranked'],
}

/** `App ID` and `app_id` are one name. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

export type Columns = Partial<Record<RankField, string>>

/** The columns of our fields among some names, without those that a mapping names. */
export function columnsIn(names: readonly string[], mapped: ReadingContext['fields'] = {}): Columns {
  const byName = new Map(names.map((name) => [plain(name), name]))
  return Object.fromEntries(
    rankFields.flatMap((field) => {
      const usual = field in mapped ? undefined : rankNames[field].find((name) => byName.has(name))
      return usual === undefined ? [] : [[field, byName.get(usual)]]
    }),
  )
}

/** `15/01/2026`, `15.1.`, `Jan 15, 2026` and `15 January`: which day it is depends on the form. */
const likeADay =
  /^(?:\d{1,2}[./-]\d{1,2}[./-]?(?:\d{2}|\d{4})?|\p{L}{3,9}\.? \d{1,2}(?:,? \d{4})?|\d{1,2}\.? \p{L}{3,9}(?: \d{4})?)$/u

/** @throws UnfitPayload for a table without keywords or ranks, or with one of our fields or days twice */
export function refuseHeader(header: readonly string[], context: ReadingContext): void {
  const mapped = context.fields ?? {}
  const found = columnsIn(header, mapped)
  const days = dayColumns(header, context, 'day')
  const has = (field: RankField) =>
    field in mapped || field in found || context.constants?.[field] !== undefined
  const lacks = !has('term') ? 'keyword' : !has('rank') && days.length === 0 ? 'rank' : undefined
  const written = lacks === 'rank' ? header.find((name) => likeADay.test(name.trim())) : undefined
  if (written !== undefined)
    throw new UnfitPayload(
      `the table has no column with the rank, and "${written}" may be a day: a mapping names its form, such as "dates": {"day": "d/m/yyyy"}; pass --map FILE`,
    )
  if (lacks)
    throw new UnfitPayload(
      `the table has no column with the ${lacks}; it has ${namesShown([...header], 40)}. A mapping names it: pass --map FILE`,
    )
  const read = new Set([...Object.values(found), ...Object.values(mapped), ...days.map(([name]) => name)])
  const twice = header.find((name, index) => read.has(name) && header.indexOf(name) !== index)
  if (twice !== undefined) throw new UnfitPayload(`the table has two columns "${twice}"`)
}

/** Whether cells are the names of columns: then another table begins. */
export function isHeader(cells: readonly unknown[]): boolean {
  const { term, rank } = columnsIn(cells.filter((cell) => typeof cell === 'string'))
  return term !== undefined && rank !== undefined
}

/** The tool whose table has these columns, where they tell. */
export function toolOfTable(header: readonly string[]): RankToolName | undefined {
  const names = new Set(header.map(plain))
  return (Object.keys(rankTools) as RankToolName[]).find((tool) =>
    rankTools[tool].columns?.every((name) => names.has(plain(name))),
  )
}

/**
 * The tool of a file: as its form shows, or as it was named.
 * @param shownBy what each part of the file shows
 * @throws UnfitPayload where these differ
 */
export function theTool(
  shownBy: Iterable<RankToolName | undefined>,
  named: string | undefined,
): RankToolName | undefined {
  const [tool, other] = new Set([...shownBy].filter((one) => one !== undefined))
  const titleOf = (name: RankToolName) => rankTools[name].title
  if (tool && other)
    throw new UnfitPayload(
      `the file holds forms of two tools, ${titleOf(tool)} and ${titleOf(other)}: save each in a file of its own`,
    )
  if (!isRankTool(named)) return tool
  if (tool && tool !== named)
    throw new UnfitPayload(`the file has the form of ${titleOf(tool)}, not of ${titleOf(named)}`)
  return named
}
