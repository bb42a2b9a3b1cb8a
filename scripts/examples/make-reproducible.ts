const uuidPattern = /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g
const tokenPattern = /^pv1\.[\w.-]+$/
/** Milliseconds after which the first of what is made while recording expires. */
const shortestTerm = 15 * 60_000

/** In the place of every cursor, which holds a mark of its caller. */
const aCursor = 'WyJkVnFhMWI3Y0xaNHciLCIxODczMCIsIjkwMDAwMDAxNTAiXQ'

/**
 * Replaces values that differ between recordings: ids created while recording are numbered in the order of appearance,
 * times of the database's clock, which goes on, become the instant of the recording, and cursors and tokens, which contain secrets of an
 * installation, get fixed values.
 */
export function makeReproducible(recordedAt: Date): <T>(value: T) => T {
  const ids = new Map<string, string>()
  const since = (ms: number) => ms - recordedAt.getTime()

  const idOf = (id: string): string => {
    const madeAt = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
    if (since(madeAt) < 0) return id
    const number = ids.get(id) ?? String(ids.size + 1).padStart(12, '0')
    ids.set(id, number)
    const time = recordedAt.getTime().toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number}`
  }
  const textOf = (text: string): string => {
    if (tokenPattern.test(text)) return 'pv1.Zm9yLWRvY3VtZW50YXRpb24.3q2-7w'
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) {
      const after = since(Date.parse(text))
      if (after >= 0 && after < shortestTerm) return recordedAt.toISOString()
    }
    return text.replaceAll(uuidPattern, idOf)
  }
  const sameOf = (name: string, value: unknown): unknown =>
    name === 'nextCursor' && value !== null ? aCursor : same(value)
  const same = (value: unknown): unknown => {
    if (typeof value === 'string') return textOf(value)
    if (Array.isArray(value)) return value.map(same)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sameOf(name, one)]))
  }
  return same as <T>(value: T) => T
}

/** Entries of a list that an example shows. */
const mostShown = 2

/**
 * Leaves the first entries of every list of records, since an example is there to be read.
 * @param whole names of lists that stay as they are, as do those that other parts of a reply point into by number
 */
export function shortenLists<T>(value: T, whole: readonly string[] = [], name = ''): T {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, shortenLists(one, whole, key)]),
    ) as T
  const holdsRecords = value.some((one) => typeof one === 'object' && one !== null)
  const stays = !holdsRecords || ['evidence', 'sources', ...whole].includes(name)
  return (stays ? value : value.slice(0, mostShown)).map((one) => shortenLists(one, whole)) as T
}
