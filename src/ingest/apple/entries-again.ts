/** What is remembered at most, by the letters of its JSON: some 20,000 results, or 2,000 entries with descriptions. */
const mostLetters = 6_000_000

/**
 * Reads a record that equals the last one of its name as that one: a chart of one day holds most entries of the day before. What was
 * read is the same object then, and costs and takes nothing again.
 * @param nameOf undefined where the record tells none
 * @param isKept whether what was read may be answered again
 */
export function remembering<Entry>(
  read: (record: unknown) => Entry,
  nameOf: (record: unknown) => unknown,
  isKept: (entry: Entry) => boolean,
): (record: unknown) => Entry {
  const known = new Map<string, { record: unknown; entry: Entry }>()
  let letters = 0
  return (record) => {
    const name = nameOf(record)
    if (typeof name !== 'string') return read(record)
    const before = known.get(name)
    if (before && isSameJson(before.record, record)) return before.entry
    const entry = read(record)
    if (!isKept(entry)) return entry
    letters += JSON.stringify(record).length
    if (letters > mostLetters) {
      known.clear()
      letters = 0
    }
    known.set(name, { record, entry })
    return entry
  }
}

/** Whether two parsed documents are equal, in whatever order they name their fields. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [mine, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>]
  let fields = 0
  for (const field in mine) {
    if (!(field in theirs && isSameJson(mine[field], theirs[field]))) return false
    fields++
  }
  for (const _ in theirs) fields--
  return fields === 0
}
