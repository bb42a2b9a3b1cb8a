/** Words of a table in src/data: lines of words with blanks between them, by language or without. */
type WordList = readonly string[] | Readonly<Record<string, readonly string[]>>

/** The words of a list, in its order. */
export const wordsOfList = (list: WordList): string[] => Object.values(list).flat().join(' ').split(' ')
