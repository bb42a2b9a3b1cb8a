/** Limits on what is shown, and a callback for what was cut. */
export interface Cuts {
  /** Maximum characters of a text. */
  letters: number
  /** Maximum entries of a list; half as many for a list nested in a list. */
  entries: number
  /** Whether timestamps are shortened to the day. */
  days?: true
  /** Called for each cut with its path and figures, such as `visibilitySeries` and `newest 10 of 90`. */
  tell: (path: string, figures: string) => void
}

/**
 * The short form of a value: a measured fact becomes its bare value, a modelled number `{ estimated: 63 }`; an absent or
 * unmeasured one keeps its state. Evidence attached to a single item, such as one chart of many, keeps surface and time: a
 * rank without them has no date.
 * @param cuts limits; nothing is cut when left out
 */
export function shortFormOf(value: unknown, cuts?: Cuts, path = ''): unknown {
  if (typeof value === 'string') return briefText(value, cuts, path)
  if (Array.isArray(value)) {
    const within = cuts && { ...cuts, entries: Math.ceil(cuts.entries / 2) }
    const { empty, others } = unlessEmpty(value)
    return [...empty, ...briefList(others, cuts, path)].map((one) => shortFormOf(one, within, path))
  }
  if (typeof value !== 'object' || value === null) return value
  if ('state' in value && value.state === 'measured' && 'value' in value)
    return shortFormOf(value.value, cuts, path)
  if ('state' in value && value.state === 'estimated' && 'value' in value)
    return { estimated: shortFormOf(value.value, cuts, path) }
  return Object.fromEntries(
    Object.entries(value)
      .flatMap(([name, part]) => (name === 'evidence' ? seen(part, path) : [[name, part] as const]))
      .map(([name, part]) => [name, shortFormOf(part, cuts, path ? `${path}.${name}` : name)]),
  )
}

/** Evidence is one observation, a list of them, or an index into such a list. A part of a reply can rest on a list of one. */
function seen(evidence: unknown, path: string): (readonly [string, unknown])[] {
  if (Array.isArray(evidence)) return path !== '' && evidence.length === 1 ? seen(evidence[0], path) : []
  if (typeof evidence !== 'object' || evidence === null || !('observedAt' in evidence)) return []
  return Object.entries(evidence).filter(([name]) => name === 'surface' || name === 'observedAt')
}

/** A timestamp in the service's format. */
const time = /^(\d{4}-\d{2}-\d{2})T[\d:.]+Z$/

export function briefText(text: string, cuts: Cuts | undefined, path: string): string {
  if (cuts?.days && time.test(text)) return text.slice(0, 'YYYY-MM-DD'.length)
  if (!cuts || text.length <= cuts.letters) return text
  cuts.tell(path, `${cuts.letters} of ${text.length} letters`)
  return `${text.slice(0, cuts.letters).toWellFormed()}…`
}

/** The first entries of a list; the newest of one that is ordered by time, of each series where it holds several. */
export function briefList(list: readonly unknown[], cuts: Cuts | undefined, path: string): readonly unknown[] {
  if (!cuts || list.length <= cuts.entries) return list
  const { shown, isNewest } = rightEnd(list, cuts.entries)
  cuts.tell(path, `${isNewest ? 'newest ' : ''}${shown.length} of ${list.length}`)
  return shown
}

/** So many entries of a list, or one of each of its series. */
export function rightEnd(
  list: readonly unknown[],
  count: number,
): { shown: readonly unknown[]; isNewest: boolean } {
  if (isOrdered(list)) return { shown: count > 0 ? list.slice(-count) : [], isNewest: true }
  if (isOrdered(list.toReversed())) return { shown: list.slice(0, count), isNewest: true }
  const series = [...Map.groupBy(list, seriesOf).values()]
  if (series.length === 1 || series.length > count || !series.every((one) => one.length > 1 && isOrdered(one)))
    return { shown: list.slice(0, count), isNewest: false }
  const newest = new Set(series.flatMap((one) => one.slice(-Math.floor(count / series.length))))
  return { shown: list.filter((one) => newest.has(one)), isNewest: true }
}

/** Whether every entry is of a time, none of an older one than the entry before it. */
function isOrdered(list: readonly unknown[]): boolean {
  const times = list.map(timeOf)
  return times.every((at, index) => at !== '' && at >= (times[index - 1] ?? at)) && times[0] !== times.at(-1)
}

/** What tells the series of a list apart that holds several, one after the other. */
const seriesNames = ['metric', 'period']

const seriesOf = (entry: unknown): string =>
  seriesNames.map((name) => String(Object(entry)[name] ?? '')).join(' ')

/** The names of the time of an entry of a series, in replies. */
const timeNames = ['date', 'weekStartsOn', 'observedAt', 'changedAt', 'from']

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(value)

function timeOf(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null) return ''
  const name = timeNames.find((one) => isTime((entry as Entry)[one]))
  return name ? String((entry as Entry)[name]) : ''
}

type Entry = Readonly<Record<string, unknown>>

/** From so many on, entries that all say nothing are one statement. */
const manyEmpty = 5

/**
 * A list, with one statement first in place of all entries of a series that are the same and have no value: `{ entries: 50, from, to, rank:
 * { state: 'not-measured', reason: 'no-snapshot' } }`, with the first and last time of those that have one.
 */
export function unlessEmpty(list: readonly unknown[]): { empty: readonly Entry[]; others: readonly unknown[] } {
  if (list.length < manyEmpty) return { empty: [], others: list }
  const series = [...Map.groupBy(list, seriesOf).values()].map((entries) => ({
    entries,
    said: emptyOf(entries),
  }))
  const empty = series.flatMap(({ said }) => (said ? [said] : []))
  if (empty.length === 0) return { empty, others: list }
  const told = new Set(series.flatMap(({ entries, said }) => (said ? entries : [])))
  return { empty, others: list.filter((one) => !told.has(one)) }
}

function emptyOf(series: readonly unknown[]): Entry | undefined {
  if (series.length < manyEmpty) return undefined
  const first = withoutTime(series[0])
  const values = Object.entries(first ?? {}).filter(([name]) => !seriesNames.includes(name))
  if (!first || !saysNothing(Object.fromEntries(values))) return undefined
  const text = JSON.stringify(first)
  if (!series.every((one) => JSON.stringify(withoutTime(one)) === text)) return undefined
  const times = series.map(timeOf).sort()
  const [from, to] = [times[0], times.at(-1)]
  return { entries: series.length, ...(from && to ? { from, to } : {}), ...first }
}

/** The words of an entry besides its time; undefined where it is no object. */
function withoutTime(entry: unknown): Entry | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  const others = Object.entries(entry).filter(([name, value]) => !(timeNames.includes(name) && isTime(value)))
  return Object.fromEntries(others)
}

/** Whether a value holds only states without a value. */
function saysNothing(value: unknown): boolean {
  if (value === null) return true
  if (typeof value !== 'object' || Array.isArray(value)) return false
  if ('state' in value) return value.state === 'absent' || value.state === 'not-measured'
  const parts = Object.values(value)
  return parts.length > 0 && parts.every(saysNothing)
}

/** Records what was cut from a reply, by the field name that `fields` accepts. */
export class RecordedCuts {
  readonly #cuts: Map<string, string>
  readonly tell = (path: string, figures: string): void => {
    const before = this.#cuts.get(path)
    this.#cuts.set(path, before === undefined || before === figures ? figures : 'shortened')
  }

  constructor(names: readonly string[] = []) {
    this.#cuts = new Map(names.map((name) => [name, '']))
  }

  namedIn(shown: Entry): Entry {
    const leftOut = [...this.#cuts].map(([path, figures]) => (figures ? `${path}: ${figures}` : path))
    return leftOut.length > 0 ? { ...shown, leftOut } : shown
  }
}
