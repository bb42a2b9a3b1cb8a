import { filesIn, jsonOf } from './plain.ts'

/** A chart as a file holds it. */
export interface Capture {
  country: string
  kind: string
  genre: string
  /** UTC. */
  at: string
  /** The day in the storefront. */
  date: string
  /** By rank, from 1. */
  places: Map<number, string>
  names: Map<string, string>
}

/** The captures of each chart in the order of their times. */
export function chartCaptures(): Map<string, Capture[]> {
  const all = [...usDaily(), ...jpFinance()]
  const charts = Map.groupBy(all, ({ country, kind, genre }) => `${country} ${kind} ${genre}`)
  for (const captures of charts.values()) captures.sort((one, other) => one.at.localeCompare(other.at))
  return charts
}

function usDaily(): Capture[] {
  return filesIn('apple/charts/us-daily-2026', /\.json$/).map((file) => {
    const { date, country, feedType, genre, items } = jsonOf(file)
    return {
      ...{ country, kind: feedType, genre, date, at: `${date}T00:00:00.000Z` },
      // biome-ignore lint/suspicious/noExplicitAny: entries of a file
      places: new Map(items.map((item: any) => [item.rank, String(item.id)])),
      // biome-ignore lint/suspicious/noExplicitAny: see above
      names: new Map(items.map((item: any) => [String(item.id), item.name])),
    }
  })
}

function jpFinance(): Capture[] {
  return filesIn('apple/charts/jp-finance-daily', /\.json$/).map((file) => {
    const [, day = '', hour = '', minute = ''] = /_(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z_/.exec(file) ?? []
    const at = `${day}T${hour}:${minute}:00.000Z`
    // Japan is nine hours ahead, in summer and winter.
    const date = new Date(Date.parse(at) + 9 * 3_600_000).toISOString().slice(0, 10)
    const content = jsonOf(file)
    const entries = (Array.isArray(content) ? content : Object.values(content).find(Array.isArray)) ?? []
    const idOf = (entry: { url: string }) => /\/id(\d+)/.exec(entry.url)?.[1] ?? ''
    return {
      ...{ country: 'jp', kind: 'top-free', genre: '6015', at, date },
      places: new Map(entries.map((entry: { rank: number; url: string }) => [Number(entry.rank), idOf(entry)])),
      names: new Map(entries.map((entry: { title: string; url: string }) => [idOf(entry), entry.title])),
    }
  })
}

/** How an entry stands to the capture before: its former rank, and what became of it. */
export function placementOf(captures: readonly Capture[], index: number, rank: number, storeId: string) {
  const before = captures[index - 1]
  if (!before) return { previous: undefined, change: null, entry: 'unknown' }
  const previous = rankIn(before, storeId)
  if (previous === null) {
    const earlier = captures.slice(0, index).some((capture) => rankIn(capture, storeId) !== null)
    return { previous: null, change: null, entry: earlier ? 'returning' : 'new' }
  }
  const change = previous - rank
  return { previous, change, entry: change > 0 ? 'up' : change < 0 ? 'down' : 'same' }
}

export function rankIn({ places }: Capture, storeId: string): number | null {
  for (const [rank, id] of places) if (id === storeId) return rank
  return null
}

/** Days from the first to the last, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000)
    days.push(new Date(day).toISOString().slice(0, 10))
  return days
}
