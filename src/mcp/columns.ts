/** A path into an item, and the short name its value is shown under. */
export interface Column {
  name: string
  path: string
  steps: readonly string[]
}

/** Names each path by its last word, or by more of its words where that name is ambiguous; in the order of the paths. */
export function columnsOf(paths: readonly string[]): Column[] {
  const names = new Map<string, string>()
  const shortestFirst = [...paths].sort((one, other) => one.split('.').length - other.split('.').length)
  for (const path of shortestFirst) {
    const words = path.split('.').filter((word) => word !== 'value')
    const candidates = words.map((_, index) => camelCase(words.slice(words.length - 1 - index)))
    names.set(path, candidates.find((name) => ![...names.values()].includes(name)) ?? path)
  }
  return paths.map((path) => ({ name: names.get(path) ?? path, path, steps: path.split('.') }))
}

function camelCase([first = '', ...others]: readonly string[]): string {
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
