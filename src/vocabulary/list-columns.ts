/** Columns of lists that people keep of keywords and of apps, by the names that tools give them in their exports. */
const names = {
  term: /^(?:keywords?|key ?phrases?|(?:search )?(?:terms?|quer(?:y|ies)|phrases?))$/,
  app: /^(?:apps?|app ?ids?|apple ?ids?|app ?store ?ids?|store ?ids?|track ?ids?|adam ?ids?|bundle ?ids?|ids?|(?:app ?store |store |app )?(?:urls?|links?|address(?:es)?))$/,
  country: /^(?:countr(?:y|ies)(?: ?codes?)?|storefronts?|regions?|territor(?:y|ies)|markets?|cc)$/,
  tags: /^(?:tags?|labels?|groups?|lists?|folders?)$/,
  note: /^(?:notes?|comments?|remarks?)$/,
  role: /^(?:roles?|relations?)$/,
  name: /^(?:names?|app ?names?|titles?|app ?titles?)$/,
} as const

export type ListColumn = keyof typeof names

const plain = (name: string) =>
  name
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase()

/** The place of each column that a header has, from 0; of two for the same thing the first. */
export function listColumns(header: readonly string[]): { [Column in ListColumn]?: number } {
  const found: { [Column in ListColumn]?: number } = {}
  for (const [index, name] of header.entries())
    for (const column of Object.keys(names) as ListColumn[])
      if (names[column].test(plain(name))) found[column] ??= index
  return found
}

/** Whether a column holds the words of a search, by its name. */
export const isKeywordColumn = (name: string): boolean => names.term.test(plain(name))

/** Whether a column holds a rank, by its name. */
export const isRankColumn = (name: string): boolean =>
  /^(?:(?:current )?(?:ranks?|rankings?|positions?)|pos)$/.test(plain(name))

const days = /^(?:dates?|days?|captured ?at|observed ?at|timestamps?|time|week|month)$/

/** Whether a column holds a day, by its name. */
export const isDayColumn = (name: string): boolean => days.test(plain(name))

/** The tags in a cell, each once: separated by commas, semicolons or bars. */
export const tagsIn = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[,;|]/)
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** A keyword of a table, with what its row says beside. Empty cells say nothing. */
export interface KeywordRow {
  term: string
  tags?: string[]
  note?: string
  country?: string
}

const figure = /^(?:[-–—]|[<>]?\d[\d.,]*[%+]?)?$/

/**
 * The keywords of a table: in the column that its header names, or, without a header, in the first column where all others hold
 * figures. Undefined where it is no such table.
 * @param rows the cells of its rows, the header among them
 */
export function keywordRows(rows: readonly (readonly string[])[]): KeywordRow[] | undefined {
  const [header = [], ...others] = rows
  const columns = listColumns(header)
  if (header.length > 1 && columns.term !== undefined)
    return others.flatMap((cells) => keywordOf(cells, columns))
  const isPlain =
    header.length > 1 &&
    rows.every(
      (cells) => cells.length === header.length && cells.slice(1).every((cell) => figure.test(cell.trim())),
    )
  return isPlain ? rows.flatMap((cells) => keywordOf(cells, { term: 0 })) : undefined
}

function keywordOf(cells: readonly string[], columns: ReturnType<typeof listColumns>): KeywordRow[] {
  const cell = (column: ListColumn) => cells[columns[column] ?? -1]?.trim() ?? ''
  if (cell('term') === '') return []
  const [tags, note, country] = [tagsIn(cell('tags')), cell('note'), cell('country')]
  return [
    {
      term: cell('term'),
      ...(tags.length > 0 ? { tags } : {}),
      ...(note === '' ? {} : { note }),
      ...(country === '' ? {} : { country }),
    },
  ]
}

/** The sign that parts the cells of a table, from its first line: the most frequent one there. Undefined where none stands there. */
export function signOf(header: string): ',' | ';' | '\t' | undefined {
  const counted = ([',', ';', '\t'] as const).map((sign) => ({ sign, count: header.split(sign).length - 1 }))
  const [most] = counted.sort((one, other) => other.count - one.count)
  return most && most.count > 0 ? most.sign : undefined
}
