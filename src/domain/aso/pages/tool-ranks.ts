import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import type { Device } from '../../../vocabulary/devices.ts'
import { namedReading } from '../../evidence/queries.ts'
import type { NamedReading, Reading } from '../../evidence/reading.ts'
import { dayNumber, dayOfNumber } from './rank-days.ts'
import { termIdsArray } from './rank-queries.ts'
import { lockTerms } from './term-queries.ts'

/**
 * Ranks of keywords that other tools observed. They are apart from result pages: no page shows them, nobody else is absent for
 * them, and no score and no visibility reads them.
 */

/** The rank of an app for a keyword on one day, as another tool tells it. */
export interface ToolRank {
  storeId: string
  country: string
  /** Normalised. */
  term: string
  /** As the file writes it. */
  day: string
  /** As it is shown; empty where nothing names it. */
  tool: string
  device: Device | ''
  /** Null where the app is absent among the first `depth` places; `depth` is null where a rank is told. */
  rank: number | null
  depth: number | null
}

/** A month of one app, keyword, tool and device. */
interface Month extends Pick<ToolRank, 'storeId' | 'country' | 'term' | 'tool' | 'device'> {
  month: string
  /** By day of the month; 0 where nothing is told. */
  days: Int16Array
}

/** Stores the ranks of readings, in a month each, with one statement. The order of arrival does not matter. */
export async function storeToolRanks(
  db: Database,
  parts: readonly { reading: Reading; ranks: readonly ToolRank[] }[],
): Promise<void> {
  const months = parts.flatMap(({ reading, ranks }) => monthsOf(ranks).map((month) => ({ reading, ...month })))
  if (months.length === 0) return
  const names = new Map(months.map(({ country, term }) => [`${country} ${term}`, { country, term }]))
  const { terms } = await lockTerms(db, [...names.values()])
  const termIds = new Map(terms.map(({ country, term, termId }) => [`${country} ${term}`, termId]))
  const column = (of: (month: (typeof months)[number]) => unknown) => months.map(of)
  await sql`
    insert into tool_ranks (store_id, country, term_id, month, tool, told_device, ranks, observed_at, reading_key, reading_id)
    select store_id, country, term_id, month, tool, device, ranks::smallint[], observed_at, reading_key, reading_id
    from unnest(${column(({ storeId }) => storeId)}::bigint[], ${column(({ country }) => country)}::text[],
      ${column(({ country, term }) => termIds.get(`${country} ${term}`))}::int[],
      ${column(({ month }) => month)}::date[], ${column(({ tool }) => tool)}::text[],
      ${column(({ device }) => device)}::text[], ${column(({ days }) => arrayOf(days))}::text[],
      ${column(({ reading }) => reading.observedAt.toISOString())}::timestamptz[],
      ${column(({ reading }) => reading.key)}::text[], ${column(({ reading }) => reading.readingId)}::uuid[])
      as sent(store_id, country, term_id, month, tool, device, ranks, observed_at, reading_key, reading_id)
    order by store_id, country, term_id, month, tool, device
    on conflict do nothing`.execute(db)
}

function monthsOf(ranks: readonly ToolRank[]): Month[] {
  const months = new Map<string, Month>()
  for (const { storeId, country, term, day, tool, device, rank, depth } of ranks) {
    const month = `${day.slice(0, 7)}-01`
    const key = `${month} ${storeId} ${country} ${device} ${tool}\n${term}`
    let known = months.get(key)
    if (!known) {
      known = { storeId, country, term, tool, device, month, days: new Int16Array(31) }
      months.set(key, known)
    }
    known.days[Number(day.slice(8)) - 1] = rank ?? -(depth ?? 0)
  }
  return [...months.values()]
}

const arrayOf = (days: Int16Array) =>
  `{${Array.from(days, (value) => (value === 0 ? 'NULL' : value)).join(',')}}`

/** What one tool tells of an app for a keyword, by day. */
export interface ToolHistory {
  tool: string
  device: Device | ''
  /** The days it tells, oldest first: a rank, or below zero absent among that many places. */
  days: { day: number; value: number }[]
  /** The reading that tells the newest day. */
  reading: NamedReading & { observedAt: Date }
}

interface StoredMonth extends NamedReading {
  storeId: string
  termId: number
  tool: string
  device: Device | ''
  month: string
  days: string
  observedAt: Date
}

/** What tools tell of apps for terms: each tool and device once, in the order of their names. */
export type ToolHistories = (storeId: string, termId: number) => readonly ToolHistory[]

/**
 * What tools tell of some apps for some terms of a storefront, over all time. Of two readings of one tool that tell a day, the later
 * one counts.
 */
export async function toolHistories(
  db: Database,
  storeIds: readonly string[],
  country: string,
  termIds: readonly number[],
): Promise<ToolHistories> {
  if (termIds.length === 0 || storeIds.length === 0) return () => []
  const found = await rows(
    db,
    sql<StoredMonth>`
      with t as materialized (
        select store_id, term_id, tool, told_device, month, ranks, observed_at, reading_key, reading_id from tool_ranks
        where store_id = any(${storeIds}::bigint[]) and country = ${country} and term_id = any(${termIdsArray(termIds)})
      )
      select t.store_id::text as "storeId", t.term_id as "termId", t.tool, t.told_device as device, t.month::text as month,
        array_to_string(t.ranks, ',', '') as days, t.observed_at as "observedAt", ${namedReading(sql`r`)}
      from t join readings r using (reading_id)
      order by t.store_id, t.term_id, t.tool, t.told_device, t.observed_at, t.reading_key, t.month`,
  )
  const histories = new Map<string, ToolHistory[]>()
  const bySeries = Map.groupBy(
    found,
    ({ storeId, termId, tool, device }) => `${storeId} ${termId} ${device} ${tool}`,
  )
  for (const months of bySeries.values()) {
    const [first] = months
    const history = historyOf(months)
    if (!first || !history) continue
    const key = `${first.storeId} ${first.termId}`
    histories.set(key, [...(histories.get(key) ?? []), history])
  }
  return (storeId, termId) => histories.get(`${storeId} ${termId}`) ?? []
}

/** @param months of one tool, those that count last */
function historyOf(months: readonly StoredMonth[]): ToolHistory | undefined {
  const told = new Map<number, { value: number; from: StoredMonth }>()
  for (const from of months) {
    const start = dayNumber(from.month)
    for (const [index, text] of from.days.split(',').entries())
      if (text !== '') told.set(start + index, { value: Number(text), from })
  }
  const days = [...told].sort(([one], [other]) => one - other)
  const newest = days.at(-1)?.[1].from
  if (!newest) return undefined
  const { tool, device, readingId, source, origin, timeBasis, observedAt } = newest
  return {
    tool,
    device,
    days: days.map(([day, { value }]) => ({ day, value })),
    reading: { readingId, source, origin, timeBasis, observedAt },
  }
}

/** The newest day of any of these; undefined where there is none. */
export function newestToldDay(histories: readonly ToolHistory[]): string | undefined {
  const newest = histories.reduce((one, { days }) => Math.max(one, days.at(-1)?.day ?? 0), 0)
  return newest === 0 ? undefined : dayOfNumber(newest)
}

/** A rank as a tool told it, without the places around it, or absent among some. */
export const toldRank = (value: number) =>
  value > 0 ? { state: 'measured' as const, value, depth: null } : { state: 'absent' as const, depth: -value }

/** A month of what a tool tells of an app for a keyword, as exported. */
export interface ScannedToolRanks extends Pick<ToolRank, 'storeId' | 'country' | 'term' | 'tool' | 'device'> {
  termId: number
  month: string
  /** The numbers of each reading by day, separated by commas, and the readings by semicolons, those that count last. */
  days: string
}

/** What is exported, by app, storefront, term, month, tool and device, after the given one. */
export function toolRanksAfter(
  db: Database,
  after: ScannedToolRanks | undefined,
  limit: number,
): Promise<ScannedToolRanks[]> {
  const order = sql`t.store_id, t.country, t.term_id, t.month, t.tool, t.told_device`
  const isBeyond = after
    ? sql`(${order}) > (${bigintId(after.storeId)}, ${after.country}, ${after.termId}::int, ${after.month}::date, ${after.tool}, ${after.device})`
    : sql`true`
  return rows(
    db,
    sql<ScannedToolRanks>`
      select t.store_id::text as "storeId", t.country, t.term_id as "termId", n.term, t.month::text as month, t.tool,
        t.told_device as device, t.days
      from (
        select ${order}, string_agg(array_to_string(t.ranks, ',', ''), ';' order by t.observed_at, t.reading_key) as days
        from tool_ranks t where ${isBeyond}
        group by ${order} order by ${order} limit ${limit}
      ) t join term_names n using (term_id)
      order by ${order}`,
  )
}
