import { storefrontNamed } from '../../../src/vocabulary/did-you-mean-country.ts'
import { type KeywordRow, keywordRows, signOf } from '../../../src/vocabulary/list-columns.ts'

/** Terms that `add_aso_keywords` takes in one call. */
export const termsPerCall = 200
/** Keywords that one app can hold. */
export const keywordsPerApp = 2_000
/** Letters of the longest term that is taken. */
const longestTerm = 200
/** Characters that are looked at: far above 5,000 terms, and read in a blink. What is beyond stays in the box. */
const mostCharacters = 1_000_000

/** A term with what its row of a table says beside, or what was written of it before. */
export interface PastedTerm {
  term: string
  tags?: string[]
  note?: string | null
}

/** The keywords in a pasted text. */
export interface PastedTerms {
  /** What would be added, in the order pasted, each once. */
  fresh: PastedTerm[]
  /** Terms that the app has already, and that would get tags or a note. */
  noted: PastedTerm[]
  /** Terms that the app has already, of which nothing would be sent. */
  known: number
  /** Terms that the text holds more than once, counted from the second time. */
  repeated: number
  /** Terms of a table that are of another storefront. */
  elsewhere: number
  tooLong: string[]
  /** Characters that were not looked at. */
  beyond: number
}

/**
 * Reads terms that stand one in a line, or separated by commas, semicolons or tabs; or the keywords of a table with their tags and
 * notes, as keyword tools export it.
 * @param country the storefront of the app
 */
export function pastedTerms(text: string, has: ReadonlySet<string>, country?: string): PastedTerms {
  const result: PastedTerms = {
    ...{ fresh: [], noted: [], known: 0, repeated: 0 },
    ...{ elsewhere: 0, tooLong: [], beyond: 0 },
  }
  result.beyond = Math.max(0, text.length - mostCharacters)
  const seen = new Set<string>()
  for (const { country: of, ...row } of rowsIn(text.slice(0, mostCharacters))) {
    const term = row.term.trim().replaceAll(/\s+/g, ' ')
    if (term === '') continue
    const same = foldedTerm(term)
    const one = { ...row, term }
    if (of !== undefined && country !== undefined && (storefrontNamed(of) ?? of) !== country)
      result.elsewhere += 1
    else if (seen.has(same)) result.repeated += 1
    else if (has.has(same) && Object.keys(row).length > 1) result.noted.push(one)
    else if (has.has(same)) result.known += 1
    else if ([...term].length > longestTerm) result.tooLong.push(term)
    else result.fresh.push(one)
    seen.add(same)
  }
  return result
}

/** The rows of a table of keywords, or the pieces of any other text. */
function rowsIn(text: string): KeywordRow[] {
  const [header = ''] = text.trimStart().split(/[\r\n]/, 1)
  const sign = signOf(header)
  const rows = sign && keywordRows(cellsIn(text.trimStart(), sign))
  return rows || text.split(/[\n\r,;\t，、；]+/).map((term) => ({ term }))
}

/** The cells of each line that holds something; a quoted cell may hold the sign, quotes written twice, and line breaks. */
function cellsIn(text: string, sign: string): string[][] {
  const rows: string[][] = [[]]
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${sign}\\n\\r]*))(${sign}|\\r?\\n|\\r|$)`, 'gy')
  for (let found = cell.exec(text); found && cell.lastIndex <= text.length; found = cell.exec(text)) {
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '') break
    if (found[3] !== sign) rows.push([])
  }
  return rows.filter((row) => row.some((text) => text.trim() !== ''))
}

/** What a call of `add_aso_keywords` sends. */
export function keywordsOf(together: readonly PastedTerm[]) {
  const { tags, note } = together[0] ?? {}
  return {
    terms: together.map(({ term }) => term),
    ...(tags === undefined ? {} : { tags }),
    ...(note === undefined ? {} : { note }),
  }
}

/** Terms as they stand in the box: a table where something is said beside one. */
export function writtenOut(terms: readonly PastedTerm[]): string[] {
  if (!terms.some(({ tags, note }) => tags || note)) return terms.map(({ term }) => term)
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = terms.map(({ term, tags = [], note }) =>
    [term, tags.join('; '), note ?? ''].map(cell).join('\t'),
  )
  return ['Keyword\tTags\tNote', ...rows]
}

/** Terms that one call can hold: those of which their rows say the same. */
export const callsFor = (terms: readonly PastedTerm[]): PastedTerm[][] =>
  [...Map.groupBy(terms, ({ tags, note }) => JSON.stringify([tags, note])).values()].flatMap((together) =>
    splitIntoBatches(together, termsPerCall),
  )

/** One form for what the service takes for the same term. Where it knows better, its reply says "already there". */
export const foldedTerm = (term: string): string =>
  term.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Pieces of at most `size`. */
export function splitIntoBatches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}
