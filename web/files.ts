/**
 * Which file a module is built into. `start` holds what every page needs, what several areas share, and Home; each other area is
 * one file. So a page needs two scripts at most. What is loaded after its page, such as the drawing of charts, stays apart.
 */
const start = 'start'
const later = 'later'

/** The bundler's module graph. */
interface Graph {
  getModuleInfo: (id: string) => { importers: string[]; dynamicImporters: string[] } | null
}

/** The file's name; null leaves the module to the bundler. */
export function fileOf(id: string, graph: Graph): string | null {
  const users = usersOf(id, graph)
  if (users.size === 1 && users.has(later)) return null
  const [only = start] = users
  return users.size === 1 ? only : start
}

/** Evaluated before the areas, so that everything `start` imports is in its file as well. */
export const startOf = (id: string, graph: Graph): string | null => (fileOf(id, graph) === start ? start : null)

const known = new Map<string, Set<string>>()

/** The areas that load a module with their pages, `start` for what is loaded at once, `later` for what is loaded after a page. */
function usersOf(id: string, graph: Graph): Set<string> {
  const before = known.get(id)
  if (before) return before
  const users = new Set<string>()
  known.set(id, users)
  const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(id) ?? {}
  if (importers.length + dynamicImporters.length === 0) users.add(start)
  for (const importer of dynamicImporters) {
    const area = /\/areas\/([^/]+)\/routes\.ts$/.exec(importer)?.[1] ?? later
    users.add(area === 'home' ? start : area)
  }
  for (const importer of importers) for (const user of usersOf(importer, graph)) users.add(user)
  return users
}
