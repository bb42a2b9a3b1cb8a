import { readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, normalize } from 'node:path/posix'
import { parseSync } from 'vite'

/** Other files that a file needs at run time, according to its text. */
export interface FileNeeds {
  /** Modules, as they are imported: relative to the file, with their ending. */
  imports: string[]
  /** Whatever else may be a path: literals, with `*` for what is put in. */
  paths: string[]
}

const pathLike = /^[\w@.*{},-]*(?:\/[\w@.*{},-]+)*\/?$/

/** @param file its path; its ending says how it is read */
export function fileNeedsOf(file: string): FileNeeds {
  const source = readFileSync(file, 'utf8')
  const { module, comments, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file} cannot be read: ${errors[0].message}`)
  const { staticImports, staticExports, dynamicImports } = module
  // Node removes what is only a type. An import of which every name is one is still loaded.
  const loaded = [...staticImports, ...staticExports].filter(
    ({ start, end }) => !/^(?:import|export)\s+type\b/.test(source.slice(start, end)),
  )
  const imports = new Set<string>()
  for (const { start, end } of loaded) {
    const [, from] = /(?:from|^import)\s*['"]([^'"]+)['"]/.exec(source.slice(start, end)) ?? []
    if (from?.startsWith('.')) imports.add(from)
  }
  for (const { moduleRequest } of dynamicImports) {
    const [, literal] = /^['"](.*)['"]$/.exec(source.slice(moduleRequest.start, moduleRequest.end)) ?? []
    if (literal?.startsWith('.')) imports.add(literal)
  }
  let code = source
  for (const { start, end } of [...comments, ...staticImports])
    code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end)
  const paths = new Set<string>()
  for (const [, , text = ''] of code.matchAll(/(['"`])((?:(?!\1)[^\\\n])*)\1/g)) {
    // A leading slash is a path on a server, and not one of a file.
    const path = text.replace(/^\$\{[^}]*\}\/?/, '').replaceAll(/\$\{[^}]*\}/g, '*')
    if (!path.startsWith('/') && /[/.]/.test(path) && /\w/.test(path) && pathLike.test(path)) paths.add(path)
  }
  return { imports: [...imports], paths: [...paths] }
}

/** The files of `all` that a path may mean, seen from a file or from the root. A folder means everything in it. */
export function filesOfPath(path: string, from: string, all: ReadonlySet<string>, folders: Folders): string[] {
  const meant: string[] = []
  for (const base of [dirname(from), '.']) {
    const target = normalize(join(base, path)).replace(/\/$/, '')
    if (target === '.' || target.startsWith('..')) continue
    if (all.has(target)) meant.push(target)
    else if (folders.has(target) && path.includes('/')) meant.push(...(folders.get(target) ?? []))
    else if (target.includes('*')) {
      const folder = target.slice(0, target.lastIndexOf('/', target.indexOf('*')))
      meant.push(...(folders.get(folder) ?? []).filter((file) => matchesGlob(file, target)))
    }
  }
  return meant
}

/** The files of each folder and those below. */
export type Folders = ReadonlyMap<string, string[]>

export function foldersOf(files: Iterable<string>): Folders {
  const folders = new Map<string, string[]>()
  for (const file of files)
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
      const known = folders.get(folder)
      if (known) known.push(file)
      else folders.set(folder, [file])
    }
  return folders
}
