/**
 * Builds the service: what is published (`build-package.ts`), and, run by itself, what a checkout starts from while its sources are those that
 * were built (`bin/start.js`).
 */
import { copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { builtService, isCurrent, stateOf } from '../bin/start.js'
import { filesIn } from './built-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const assets = 'src/http/reference'

/**
 * Our modules and those of the libraries, in files side by side: what is found beside a module in a checkout is found there, and what is loaded late
 * stays in files of its own. Nothing is shortened, since people read traces.
 * @param maps whether to write source maps beside them, without the sources
 * @returns the paths of all modules
 */
export async function buildService(folder: string, maps: boolean): Promise<string[]> {
  const { output } = await build({
    cwd: root,
    // The last two are started by their path, as a process and as a thread.
    input: ['src/main.ts', 'src/storage/embedded/supervisor-process.ts', 'sample/demo/older-evidence.ts'],
    platform: 'node',
    // Libraries do without the other two.
    external: [/^rivalscope\//, 'pg-native', 'supports-color'],
    resolve: { symlinks: false },
    output: {
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      // Programs print the names of classes.
      keepNames: true,
      sourcemap: maps,
      sourcemapExcludeSources: true,
    },
    onLog: (_level, { message }) => {
      throw new Error(message)
    },
  })
  await mkdir(join(folder, 'reference'))
  for (const name of await ownAssets())
    await copyFile(join(root, assets, name), join(folder, 'reference', name))
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

/** What the pages of the reference load of ours. */
const ownAssets = async () => (await readdir(join(root, assets))).filter((name) => /\.(?:css|js)$/.test(name))

const dayMs = 86_400_000
/** Some file systems keep times in steps of two seconds. */
const coarseMs = 2_100

/** Builds for this checkout, in a new folder, since processes run from the others. Sources that change meanwhile leave it unused. */
async function buildForCheckout(): Promise<void> {
  if (isCurrent(builtService())) return
  const home = join(root, 'dist/service')
  // A change in the same step as the last one before it could not be told from it.
  await setTimeout(coarseMs)
  const began = Date.now()
  const name = `${began.toString(36)}-${process.pid}`
  const modules = await buildService(join(home, name), true)
  const paths = [
    ...new Set(modules.filter((path) => path.startsWith(root) && !path.includes('/node_modules/'))),
    ...(await ownAssets()).map((file) => join(root, assets, file)),
    // What npm installed, and what builds.
    ...['package.json', 'node_modules/.package-lock.json', 'scripts/build-service.ts'].map((file) =>
      join(root, file),
    ),
  ].sort()
  const sources = paths.map((path) => [path, stateOf(path)] as const)
  const isChanged = ([, state]: readonly [string, string | undefined]) =>
    Number(state?.split(' ')[0]) / 1e6 >= began - coarseMs
  const changed = sources.some(isChanged)
  if (!changed) {
    // A cut of the power must not leave the name of a build without what is in it.
    for (const file of await filesIn(join(home, name))) await flush(join(home, name, file))
    await writeFile(join(home, name, 'built.json'), JSON.stringify({ root, name, sources }))
    await rename(join(home, name, 'built.json'), join(home, 'built.json'))
  }
  // Processes that run say so every few minutes.
  for (const other of await readdir(home))
    if (other !== name && other !== 'built.json')
      if ((await stat(join(home, other))).mtimeMs < began - 2 * dayMs)
        await rm(join(home, other), { recursive: true })
  if (changed) await rm(join(home, name), { recursive: true })
}

async function flush(path: string): Promise<void> {
  await using file = await open(path)
  await file.sync()
}

if (import.meta.main) await buildForCheckout()
