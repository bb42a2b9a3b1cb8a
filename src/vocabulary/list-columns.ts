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
