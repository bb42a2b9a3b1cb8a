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
export function brief(value: unknown, cuts?: Cuts, path = ''): unknown {
  if (typeof value === 'string') return briefText(value, cuts, path)
  if (Array.isArray(value)) {
    const within = cuts && { ...cuts, entries: Math.ceil(cuts.entries / 2) }
    return briefList(value, cuts, path).map((one) => brief(one, within, path))
  }
  if (typeof value !== 'object' || value === null) return value
  if ('state' in value && value.state === 'measured' && 'value' in value) return brief(value.value, cuts, path)
  if ('state' in value && value.state === 'estimated' && 'value' in value)
    return { estimated: brief(value.value, cuts, path) }
  return Object.fromEntries(
    Object.entries(value)
      .flatMap(([name, part]) => (name === 'evidence' ? seen(part) : [[name, part] as const]))
      .map(([name, part]) => [name, brief(part, cuts, path ? `${path}.${name}` : name)]),
  )
}

/** Evidence is one observation, a list of them, or an index into such a list. */
function seen(evidence: unknown): (readonly [string, unknown])[] {
  if (typeof evidence !== 'object' || evidence === null || !('observedAt' in evidence)) return []
  return Object.entries(evidence).filter(([name]) => name === 'surface' || name === 'observedAt')
}

/** A timestamp in the service's format. */
const time = /^(\d{4}-\d{2}-\d{2})T[\d:.]+Z$/

function briefText(text: string, cuts: Cuts | undefined, path: string): string {
  if (cuts?.days && time.test(text)) return text.slice(0, 'YYYY-MM-DD'.length)
  if (!cuts || text.length <= cuts.letters) return text
  cuts.tell(path, `${cuts.letters} of ${text.length} letters`)
  return `${text.slice(0, cuts.letters).toWellFormed()}…`
}

/** The first entries of a list; the newest of a series that begins with its oldest day. */
export function briefList(list: readonly unknown[], cuts: Cuts | undefined, path: string): readonly unknown[] {
  if (!cuts || list.length <= cuts.entries) return list
  const series = dateOf(list[0]) < dateOf(list.at(-1))
  cuts.tell(path, `${series ? 'newest ' : ''}${cuts.entries} of ${list.length}`)
  return series ? list.slice(-cuts.entries) : list.slice(0, cuts.entries)
}

function dateOf(entry: unknown): string {
  return typeof entry === 'object' && entry !== null && 'date' in entry ? String(entry.date) : ''
}
