/** How much of a value is shown, and who hears of what was cut. */
export interface Cuts {
  /** Letters of a text at most. */
  letters: number
  /** Entries of a list at most; of a list inside an entry of another at most half as many. */
  entries: number
  /** Whether of points in time only the day is shown. */
  days?: true
  /** Told where something was cut, and how, such as `visibilitySeries` and `newest 10 of 90`. */
  tell: (path: string, figures: string) => void
}

/**
 * A value at a glance: a measured fact is its bare value, what is absent or not measured still says so. Of evidence that
 * stands with something of its own, such as one chart of many, the surface and the time stay: without them a place is of no day.
 * @param cuts nothing is cut without
 */
export function brief(value: unknown, cuts?: Cuts, path = ''): unknown {
  if (typeof value === 'string') return briefText(value, cuts, path)
  if (Array.isArray(value)) {
    const within = cuts && { ...cuts, entries: Math.ceil(cuts.entries / 2) }
    return briefList(value, cuts, path).map((one) => brief(one, within, path))
  }
  if (typeof value !== 'object' || value === null) return value
  if ('state' in value && value.state === 'measured' && 'value' in value) return brief(value.value, cuts, path)
  return Object.fromEntries(
    Object.entries(value)
      .flatMap(([name, part]) => (name === 'evidence' ? seen(part) : [[name, part] as const]))
      .map(([name, part]) => [name, brief(part, cuts, path ? `${path}.${name}` : name)]),
  )
}

/** Evidence is one observation, a list of them, or the place of one in such a list. */
function seen(evidence: unknown): (readonly [string, unknown])[] {
  if (typeof evidence !== 'object' || evidence === null || !('observedAt' in evidence)) return []
  return Object.entries(evidence).filter(([name]) => name === 'surface' || name === 'observedAt')
}

/** A point in time as the service writes it. */
const time = /^(\d{4}-\d{2}-\d{2})T[\d:.]+Z$/

function briefText(text: string, cuts: Cuts | undefined, path: string): string {
  if (cuts?.days && time.test(text)) return text.slice(0, 'YYYY-MM-DD'.length)
  if (!cuts || text.length <= cuts.letters) return text
  cuts.tell(path, `${cuts.letters} of ${text.length} letters`)
  return `${text.slice(0, cuts.letters).toWellFormed()}…`
}

/** The first of a list; of a series, which has its oldest day first, the newest. */
export function briefList(list: readonly unknown[], cuts: Cuts | undefined, path: string): readonly unknown[] {
  if (!cuts || list.length <= cuts.entries) return list
  const series = dateOf(list[0]) < dateOf(list.at(-1))
  cuts.tell(path, `${series ? 'newest ' : ''}${cuts.entries} of ${list.length}`)
  return series ? list.slice(-cuts.entries) : list.slice(0, cuts.entries)
}

function dateOf(entry: unknown): string {
  return typeof entry === 'object' && entry !== null && 'date' in entry ? String(entry.date) : ''
}
