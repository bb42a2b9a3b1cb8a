/** Terms that `add_aso_keywords` takes in one call. */
export const termsPerCall = 200
/** Keywords that one app can hold. */
export const keywordsPerApp = 2_000
/** Letters of the longest term that is taken. */
const longestTerm = 200
/** Characters that are looked at: far above 5,000 terms, and read in a blink. What is beyond stays in the box. */
const mostCharacters = 1_000_000

/** What a pasted text holds. */
export interface PastedTerms {
  /** What would be sent, in the order pasted, each once. */
  fresh: string[]
  /** Terms that the app has already. */
  known: number
  /** Terms that the text holds more than once, counted from the second time. */
  repeated: number
  tooLong: string[]
  /** Characters that were not looked at. */
  beyond: number
}

/** Reads terms that stand one in a line, or separated by commas, semicolons or tabs. */
export function pastedTerms(text: string, has: ReadonlySet<string>): PastedTerms {
  const result: PastedTerms = { fresh: [], known: 0, repeated: 0, tooLong: [], beyond: 0 }
  result.beyond = Math.max(0, text.length - mostCharacters)
  const seen = new Set<string>()
  for (const piece of text.slice(0, mostCharacters).split(/[\n\r,;\t，、；]+/)) {
    const term = piece.trim().replaceAll(/\s+/g, ' ')
    if (term === '') continue
    const same = folded(term)
    if (seen.has(same)) result.repeated += 1
    else if (has.has(same)) result.known += 1
    else if ([...term].length > longestTerm) result.tooLong.push(term)
    else result.fresh.push(term)
    seen.add(same)
  }
  return result
}

/** One form for what the service takes for the same term. Where it knows better, its reply says "already there". */
export const folded = (term: string): string =>
  term.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Pieces of at most `size`. */
export function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
