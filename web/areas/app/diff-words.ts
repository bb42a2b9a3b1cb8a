import diffSequences from '@jest/diff-sequences'

/** A run of a text: in both, only in the new one, or only in the old one. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Texts of more words together count as replaced: two of 4,000 characters have fewer, whatever the script. */
const mostWords = 8_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * The difference of two texts word by word, in any script, what was removed before what was added. Runs that are the same but
 * for white space between two changes belong to the changes: single blanks between them would only be in the way.
 */
export function diffWords(from: string, to: string): DiffPart[] {
  const [before, after] = [wordsOf(from), wordsOf(to)]
  /** Runs of words in both: how many, and where they begin. */
  const runs: [count: number, old: number, young: number][] = []
  if (before.length + after.length <= mostWords)
    diffSequences(
      before.length,
      after.length,
      (old, young) => before[old] === after[young],
      (...run) => runs.push(run),
    )
  const parts: DiffPart[] = []
  let change = { removed: '', added: '' }
  let [old, young] = [0, 0]
  for (const [count, oldAt, youngAt] of [...runs, [0, before.length, after.length] as const]) {
    change.removed += before.slice(old, oldAt).join('')
    change.added += after.slice(young, youngAt).join('')
    const text = before.slice(oldAt, oldAt + count).join('')
    ;[old, young] = [oldAt + count, youngAt + count]
    const isEnd = old === before.length && young === after.length
    if (change.removed + change.added !== '' && text.trim() === '' && !isEnd) {
      change = { removed: change.removed + text, added: change.added + text }
    } else {
      parts.push(...partsOf({ ...change, same: text }))
      change = { removed: '', added: '' }
    }
  }
  return parts
}

const wordsOf = (text: string): string[] => Array.from(words.segment(text), ({ segment }) => segment)

const partsOf = (texts: Record<DiffPart['kind'], string>): DiffPart[] =>
  (['removed', 'added', 'same'] as const).flatMap((kind) => (texts[kind] ? { kind, text: texts[kind] } : []))
