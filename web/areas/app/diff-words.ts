/** A run of a text: in both, only in the new one, or only in the old one. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Above so many comparisons a text counts as replaced: 4,000 characters of prose need about 2 million. */
const mostComparisons = 6_000_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * The difference of two texts word by word, in any script, what was removed before what was added. Runs that are the same but
 * for white space between two changes belong to the changes: single blanks between them would only be in the way.
 */
export function diffWords(from: string, to: string): DiffPart[] {
  const [before, after] = [wordsOf(from), wordsOf(to)]
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  const middle = compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return joined([
    ...before.slice(0, start).map(same),
    ...middle,
    ...before.slice(before.length - end).map(same),
  ])
}

const wordsOf = (text: string): string[] => Array.from(words.segment(text), ({ segment }) => segment)
const same = (text: string): DiffPart => ({ kind: 'same', text })
const removed = (text: string): DiffPart => ({ kind: 'removed', text })
const added = (text: string): DiffPart => ({ kind: 'added', text })

/** By the longest common subsequence of words. */
function compareMiddle(before: readonly string[], after: readonly string[]): DiffPart[] {
  const [rows, columns] = [before.length, after.length]
  if (rows === 0 || columns === 0 || rows * columns > mostComparisons)
    return [...before.map(removed), ...after.map(added)]
  // At each place how many words the rests of both texts have in common; one row and one column more, for the empty rest.
  const width = columns + 1
  const common = new Uint16Array((rows + 1) * width)
  const at = (row: number, column: number): number => common[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const parts: DiffPart[] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    const [old, young] = [before[row] ?? '', after[column] ?? '']
    if (old === young) {
      parts.push(same(old))
      row++
      column++
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      parts.push(removed(old))
      row++
    } else {
      parts.push(added(young))
      column++
    }
  }
  return [...parts, ...before.slice(row).map(removed), ...after.slice(column).map(added)]
}

/** Runs of one kind as one part; within a change everything removed comes first. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = []
  let change = { removed: '', added: '' }
  let blank = ''
  const endChange = () => {
    if (change.removed !== '') result.push(removed(change.removed))
    if (change.added !== '') result.push(added(change.added))
    change = { removed: '', added: '' }
  }
  const isOpen = () => change.removed !== '' || change.added !== ''
  const keep = (text: string) => {
    const last = result.at(-1)
    if (last?.kind === 'same') last.text += text
    else if (text !== '') result.push(same(text))
  }
  for (const { kind, text } of parts) {
    if (kind === 'same' && isOpen() && /^\s+$/u.test(text)) {
      blank += text
      continue
    }
    if (kind === 'same') {
      endChange()
      keep(blank + text)
    } else {
      change = { removed: change.removed + blank, added: change.added + blank }
      change[kind] += text
    }
    blank = ''
  }
  endChange()
  keep(blank)
  return result
}
