/** Most characters of an unknown name that are compared: no name is longer, and a caller may send a megabyte. */
const mostLetters = 200

/** Up to three names that share words with an unknown one, by the number of shared words, then in the given order. */
export function nearNames(unknown: string, names: readonly string[]): string[] {
  const words = wordsOf(unknown.slice(0, mostLetters))
  return names
    .map((name) => ({ name, shared: wordsOf(name).filter((word) => words.includes(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((one, other) => other.shared - one.shared)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Words in the singular. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => word.replace(/(?:ies|y|s)$/, ''))
    .filter((word) => word !== '')
