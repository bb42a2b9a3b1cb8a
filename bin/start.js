/**
 * Starts Rivalscope in a checkout: from what was built of its sources, in half the time, where every one of them is as it was then, and else from
 * the sources. A service that was started from sources builds them for the next start.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { enableCompileCache, registerHooks, SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const home = join(root, 'dist/service')

/**
 * @typedef {object} Built
 * @property {string} root the checkout it was built in
 * @property {string} name its folder in dist/service
 * @property {[path: string, state: string | undefined][]} sources
 */

/**
 * What changes with any change of a file, also one that keeps its time of modification: nobody can set the time of a change of its state.
 * @param {string} path
 * @returns {string | undefined} undefined where it is missing
 */
export function stateOf(path) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.ctimeNs} ${found.mtimeNs} ${found.size} ${found.ino}`
}

/** The last build; undefined where there is none. @returns {Built | undefined} */
export function builtService() {
  try {
    return JSON.parse(readFileSync(join(home, 'built.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether a build is there, and every source of it as it was, in the same place. @param {Built | undefined} built */
export const isCurrent = (built) =>
  built?.root === root &&
  existsSync(join(home, built.name, 'main.js')) &&
  built.sources.every(([path, state]) => stateOf(path) === state)

if (import.meta.main) await start()

async function start() {
  // Tests are about the sources.
  const built = process.env.NODE_TEST_CONTEXT === undefined ? builtService() : undefined
  if (built && isCurrent(built)) {
    const folder = join(home, built.name)
    cacheIn(join(folder, 'cache'))
    nameSources(folder)
    keep(folder)
    findWithin(folder)
    await import(pathToFileURL(join(folder, 'main.js')).href)
  } else {
    cacheIn(join(root, 'node_modules/.cache/node'))
    if (process.argv[2] === 'serve' && process.env.NODE_TEST_CONTEXT === undefined) buildLater()
    await import(new URL('../src/main.ts', import.meta.url).href)
  }
}

/** What was compiled once is not compiled again, here and in processes that this one starts; where nothing can be written there, Node does without. @param {string} folder */
function cacheIn(folder) {
  if (process.env.NODE_COMPILE_CACHE) return
  enableCompileCache(folder)
  process.env.NODE_COMPILE_CACHE = folder
}

/** Files of a build name each other as what stands beside them: Node would look for each, and for its package. @param {string} folder */
function findWithin(folder) {
  const base = pathToFileURL(`${folder}/`).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('./') && context.parentURL?.startsWith(base)
        ? { url: base + specifier.slice(2), format: 'module', shortCircuit: true }
        : next(specifier, context),
  })
}

/** A build that a process runs from is not removed: it says every few minutes that it does. @param {string} folder */
function keep(folder) {
  const touch = () => {
    try {
      utimesSync(folder, new Date(), new Date())
    } catch {}
  }
  touch()
  setInterval(touch, 300_000).unref()
}

/** In a process of its own that lets others go first, once the start is over. */
function buildLater() {
  const build = () =>
    spawn('nice', ['-n', '19', process.execPath, join(root, 'scripts/build-service.ts')], {
      stdio: 'ignore',
      detached: true,
    })
      .on('error', () => {})
      .unref()
  setTimeout(build, 10_000).unref()
}

/** Traces name lines of the sources. Maps are read with the first trace: Node's own option reads all of them at the start. @param {string} folder */
function nameSources(folder) {
  /** @type {Map<string, SourceMap>} */
  const maps = new Map()
  /** @param {string} file */
  const mapOf = (file) => {
    const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
    maps.set(file, map)
    return map
  }
  /** @param {NodeJS.CallSite} frame */
  const inSources = (frame) => {
    const text = String(frame)
    const url = frame.getFileName()
    if (!url?.startsWith('file:')) return text
    const file = fileURLToPath(url)
    if (!file.startsWith(folder)) return text
    const [line, column] = [frame.getLineNumber() ?? 1, frame.getColumnNumber() ?? 1]
    const entry = mapOf(file).findEntry(line - 1, column - 1)
    if (!('originalSource' in entry)) return text
    const source = new URL(entry.originalSource, url).href
    return text.replace(
      `${url}:${line}:${column}`,
      () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
    )
  }
  Error.prepareStackTrace = (error, frames) => {
    try {
      return [String(error), ...frames.map((frame) => `    at ${inSources(frame)}`)].join('\n')
    } catch {
      return [error, ...frames.map((frame) => `    at ${frame}`)].join('\n')
    }
  }
}
