/**
 * Which file a module is built into. `home` holds what every page needs, and Home; `shared` what several other areas need; each of these
 * is one file. So Home needs one script, and any other page three at most. What is loaded after its page, such as the drawing of charts,
 * stays apart.
 */
const atOnce = 'home'
const shared = 'shared'
const later = 'later'

/** The bundler's module graph. */
interface Graph {
  getModuleInfo: (id: string) => { importers: string[]; dynamicImporters: string[] } | null
}

/** The file's name; null leaves the module to the bundler. */
export function fileOf(id: string, graph: Graph): string | null {
  const users = usersOf(id, graph)
  if (users.has(atOnce)) return atOnce
  // What is also loaded after a page comes with the area that has it.
  const [area = null, ...others] = [...users].filter((user) => user !== later)
  return others.length > 0 ? shared : area
}

/** Evaluated before the areas, so that everything `home` imports is in its file as well. */
export const homeOf = (id: string, graph: Graph): string | null =>
  fileOf(id, graph) === atOnce ? atOnce : null

/** The same for what areas share, which imports nothing but `home`. */
export const sharedOf = (id: string, graph: Graph): string | null =>
  fileOf(id, graph) === shared ? shared : null

const known = new Map<string, Set<string>>()

/** The areas that load a module with their pages, `home` for what is loaded at once, `later` for what is loaded after a page. */
function usersOf(id: string, graph: Graph): Set<string> {
  const before = known.get(id)
  if (before) return before
  const users = new Set<string>()
  known.set(id, users)
  const { importers = [], dynamicImporters = [] } = graph.getModuleInfo(id) ?? {}
  if (importers.length + dynamicImporters.length === 0) users.add(atOnce)
  for (const importer of dynamicImporters)
    users.add(/\/areas\/([^/]+)\/routes\.ts$/.exec(importer)?.[1] ?? later)
  for (const importer of importers) for (const user of usersOf(importer, graph)) users.add(user)
  return users
}
