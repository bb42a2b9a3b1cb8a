import { sql } from 'kysely'
import { type Database, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import type { Device } from '../../../vocabulary/devices.ts'
import { namedReadingColumns } from '../../evidence/queries.ts'
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

/** What one tool tells of an app for a keyword, over all time. */
export interface ToolHistory {
  tool: string
  device: Device | ''
  /** Day numbers of the first and the last day it tells, and how many it tells. */
  from: number
  to: number
  days: number
  /** What it tells of a day: a rank, below zero absent among so many places, 0 nothing. */
  at: (day: number) => number
  /** The reading that tells the last day. */
  reading: NamedReading & { observedAt: Date }
}

interface StoredMonth {
  storeId: string
  termId: number
  tool: string
  device: Device | ''
  month: string
  /** A number for each day, separated by commas; empty where nothing is told. */
  days: string
  readingId: string
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
      select store_id::text as "storeId", term_id as "termId", tool, told_device as device, month::text as month,
        array_to_string(ranks, ',', '') as days, reading_id as "readingId"
      from tool_ranks
      where store_id = any(${storeIds}::bigint[]) and country = ${country} and term_id = any(${termIdsArray(termIds)})
      order by store_id, term_id, tool, told_device, observed_at, reading_key, tool_ranks.month`,
  )
  const readings = await readingsOf(db, new Set(found.map(({ readingId }) => readingId)))
  const histories = new Map<string, ToolHistory[]>()
  for (let at = 0; at < found.length; ) {
    const months = [found[at] as StoredMonth]
    for (at++; isOfSeries(found[at], months[0]); at++) months.push(found[at] as StoredMonth)
    const history = historyOf(months, readings)
    if (!history) continue
    const key = `${months[0]?.storeId} ${months[0]?.termId}`
    const known = histories.get(key)
    if (known) known.push(history)
    else histories.set(key, [history])
  }
  return (storeId, termId) => histories.get(`${storeId} ${termId}`) ?? []
}

type ToldIn = ToolHistory['reading']

async function readingsOf(db: Database, ids: ReadonlySet<string>): Promise<Map<string, ToldIn>> {
  const found =
    ids.size === 0
      ? []
      : await rows(
          db,
          sql<ToldIn>`
            select ${namedReadingColumns(sql`r`)}, r.observed_at as "observedAt" from readings r
            where r.reading_id = any(${[...ids]}::uuid[])`,
        )
  return new Map(found.map((reading) => [reading.readingId, reading]))
}

const isOfSeries = (one: StoredMonth | undefined, other: StoredMonth | undefined) =>
  one !== undefined &&
  one.termId === other?.termId &&
  one.storeId === other.storeId &&
  one.tool === other.tool &&
  one.device === other.device

const daysOfMonth = 31

/** @param months of one series, those that count last */
function historyOf(
  months: readonly StoredMonth[],
  readings: ReadonlyMap<string, ToldIn>,
): ToolHistory | undefined {
  const starts = months.map(({ month }) => dayNumber(month))
  const first = Math.min(...starts)
  const values = new Int16Array(Math.max(...starts) - first + daysOfMonth)
  for (const [index, { days }] of months.entries()) setDays(values, (starts[index] ?? first) - first, days)
  const from = values.findIndex((value) => value !== 0)
  const to = values.findLastIndex((value) => value !== 0)
  // The last that tells the day is the one that counts.
  const newest = months.findLast(({ days }, index) => {
    const day = to + first - (starts[index] ?? 0)
    return day >= 0 && Boolean(days.split(',')[day])
  })
  const reading = newest && readings.get(newest.readingId)
  if (!reading) return undefined
  const { tool, device } = newest
  return {
    ...{ tool, device, from: from + first, to: to + first },
    days: values.reduce((count, value) => (value === 0 ? count : count + 1), 0),
    at: (day) => values[day - first] ?? 0,
    reading,
  }
}

const [comma, minus, zero] = [44, 45, 48]

/** Sets the days of a month, which are parsed character by character: there can be hundreds of thousands. */
function setDays(values: Int16Array, start: number, days: string): void {
  let [at, value, sign] = [start, 0, 1]
  for (let index = 0; index <= days.length; index++) {
    const code = index === days.length ? comma : days.charCodeAt(index)
    if (code === comma) {
      if (value !== 0) values[at] = sign * value
      ;[at, value, sign] = [at + 1, 0, 1]
    } else if (code === minus) sign = -1
    else value = value * 10 + code - zero
  }
}

/** The newest day of any of these; undefined where there is none. */
export function newestToldDay(histories: readonly ToolHistory[]): string | undefined {
  const newest = histories.reduce((one, { to }) => Math.max(one, to), 0)
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
