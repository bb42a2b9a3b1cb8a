import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { commandOf, type KindName, type TestKind, testKinds } from '../test-kinds.ts'
import type { Changes } from './changed-files.ts'
import { type FileNeeds, fileNeedsOf, filesOfPath, foldersOf } from './needs.ts'
import { alsoNeeded, reachingEverything, reachingNothing } from './rules.ts'

/** What a change reaches: the files that need a changed one, directly or through others, and the changed ones themselves. */
export interface Reach {
  files: ReadonlySet<string>
  /** The changed files that reach everything, each with the reason. Where there is one, `files` is all of them. */
  everything: { file: string; reason: string }[]
}

/** The dependencies between the files of a repository. */
export interface DependencyGraph {
  all: ReadonlySet<string>
  /** For each file that is needed those that need it, without any in between. */
  neededBy: ReadonlyMap<string, ReadonlySet<string>>
}

/** Follows a graph from what has changed to what needs it. */
export function changeReachOf({ all, neededBy }: DependencyGraph, changed: readonly string[]): Reach {
  const everything = changed.flatMap((file) => {
    if (matchesAny(reachingEverything, file)) return [{ file, reason: 'every test depends on it' }]
    const traced = isCode(file) || neededBy.has(file) || matchesAny(reachingNothing, file)
    return traced ? [] : [{ file, reason: 'nothing says who reads it' }]
  })
  if (everything.length > 0) return { files: all, everything }
  const files = new Set<string>()
  const follow = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const dependent of neededBy.get(file) ?? []) follow(dependent)
  }
  for (const file of changed) follow(file)
  return { files, everything }
}

/** @returns what answers files with all that they need, directly or through others */
export function neededFilesIn({ neededBy }: DependencyGraph): (files: Iterable<string>) => Set<string> {
  const needs = new Map<string, string[]>()
  for (const [file, dependents] of neededBy)
    for (const dependent of dependents) needs.set(dependent, [...(needs.get(dependent) ?? []), file])
  return (files) => {
    const found = new Set(files)
    // What is added while a set is gone through is gone through as well.
    for (const file of found) for (const needed of needs.get(file) ?? []) found.add(needed)
    return found
  }
}

/** The reach of a change as text: the tests that run, and those that are left out. */
export function reachSummary(
  { since, changed, all }: Changes,
  { files, everything }: Reach,
  run: ReadonlySet<string>,
): string {
  const lines = [`${changed.length} files have changed since ${since.slice(0, 12)}.`]
  for (const { file, reason } of everything.slice(0, 5))
    lines.push(`All tests are reached by ${file}: ${reason}.`)
  const left = new Set([...all].filter((file) => file.endsWith('.test.ts')))
  for (const kind of Object.keys(testKinds) as KindName[]) {
    const { files: globs, about }: TestKind = testKinds[kind]
    const these = [...left].filter((test) => matchesAny(globs, test))
    if (these.length === 0) continue
    for (const test of these) left.delete(test)
    const ran = these.filter((test) => run.has(test)).length
    const reached = these.filter((test) => files.has(test)).length
    const rest =
      reached > ran ? `, ${reached - ran} are left out though reached: ${commandOf(kind)} -- --changed` : ''
    lines.push(
      `Tests ${about}: ${ran} of ${these.length} run, ${these.length - reached} are not reached${rest}.`,
    )
  }
  return `${lines.join('\n')}\n\n`
}

export const matchesAny = (patterns: readonly string[], file: string) =>
  patterns.some((pattern) => matchesGlob(file, pattern))

const isCode = (file: string) => file.endsWith('.ts')

/**
 * Reads imports and paths in the text of a repository. Pages, `.tsx`, are not read: their tests need all of them.
 * @param all its files from its root, those that were deleted as well
 */
export function dependencyGraphOf(root: string, all: ReadonlySet<string>): DependencyGraph {
  const folders = foldersOf(all)
  const neededBy = new Map<string, Set<string>>()
  const add = (needed: string, by: string) => {
    if (needed === by) return
    const known = neededBy.get(needed)
    if (known) known.add(by)
    else neededBy.set(needed, new Set([by]))
  }
  const read = reader(root)
  for (const file of all) {
    if (isCode(file)) {
      const { imports, paths } = read.needs(file)
      for (const path of [...imports, ...paths])
        for (const needed of filesOfPath(path, file, all, folders)) add(needed, file)
    }
    for (const { by, files } of alsoNeeded)
      if (matchesGlob(file, by)) for (const needed of all) if (matchesAny(files, needed)) add(needed, file)
  }
  read.keep()
  return { all, neededBy }
}

/** Reads each file once, and again when it has changed. */
function reader(root: string) {
  const cache = join(root, 'node_modules/.cache/rivalscope-needs.json')
  const version = statSync(join(import.meta.dirname, 'needs.ts')).mtimeMs
  const before = readCache(cache, version)
  const files: Cache['files'] = {}
  return {
    needs(file: string): FileNeeds {
      const there = statSync(join(root, file), { throwIfNoEntry: false })
      if (!there) return { imports: [], paths: [] }
      const stamp = `${there.mtimeMs} ${there.size}`
      const known = before.files[file]
      const needs = known?.stamp === stamp ? known.needs : fileNeedsOf(join(root, file))
      files[file] = { stamp, needs }
      return needs
    },
    keep() {
      mkdirSync(dirname(cache), { recursive: true })
      const partial = `${cache}.${process.pid}`
      writeFileSync(partial, JSON.stringify({ version, files } satisfies Cache))
      renameSync(partial, cache)
    },
  }
}

interface Cache {
  version: number
  files: Record<string, { stamp: string; needs: FileNeeds }>
}

function readCache(path: string, version: number): Cache {
  try {
    const cache = JSON.parse(readFileSync(path, 'utf8')) as Cache
    if (cache.version === version) return cache
  } catch {
    // There is none yet, or a torn one.
  }
  return { version, files: {} }
}
