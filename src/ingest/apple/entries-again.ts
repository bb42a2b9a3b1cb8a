/** What is remembered at most, by the letters of its JSON: some 20,000 results, or 2,000 entries with descriptions. */
const mostLetters = 6_000_000

/**
 * Reads a record that equals the last one of its name as that one: a chart of one day holds most entries of the day before, and pages
 * of one day show many apps again. What was read is the same object then, and costs and takes nothing again. Records are compared
 * as texts, which costs a fifth of comparing their fields; one that names its fields in another order is read anew.
 * @param nameOf undefined where the record tells none
 * @param isKept whether what was read may be answered again
 */
export function remembering<Entry>(
  read: (record: unknown) => Entry,
  nameOf: (record: unknown) => unknown,
  isKept: (entry: Entry) => boolean,
): (record: unknown) => Entry {
  const known = new Map<string, { text: string; entry: Entry }>()
  let letters = 0
  return (record) => {
    const name = nameOf(record)
    if (typeof name !== 'string') return read(record)
    const text = JSON.stringify(record)
    const before = known.get(name)
    if (before?.text === text) return before.entry
    const entry = read(record)
    if (!isKept(entry)) return entry
    letters += text.length
    if (letters > mostLetters) {
      known.clear()
      letters = 0
    }
    known.set(name, { text, entry })
    return entry
  }
}
