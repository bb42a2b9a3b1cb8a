import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

/** Shared by builds of pages: compression of their files, and replacement of the previous build. */

const compressible = new Set(['.js', '.css', '.svg', '.json'])
const smallestCompressed = 1_024

/** All files of a folder and those below, by their path in it, sorted. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    .sort()
}

/** Writes a Brotli and a gzip beside a file that gets smaller by them. */
export async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (!compressible.has(extname(path)) || content.length < smallestCompressed) return
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

interface Replacement {
  /** The new build, on the file system of the target. */
  fresh: string
  target: string
  begun: Date
}

/**
 * Moves a build into its place while it is served: pages last, since they name the other files. Files of the build before stay,
 * for pages that are open; older ones go.
 */
export async function replaceBuild({ fresh, target, begun }: Replacement): Promise<void> {
  const listFile = join(target, 'files.json')
  const before = existsSync(listFile) ? (JSON.parse(await readFile(listFile, 'utf8')) as string[]) : []
  const files = await filesIn(fresh)
  const isPage = (file: string) => Number(file.includes('.html'))
  // Of the pages the first comes last: how old it is tells how old the build is.
  const isFirst = (file: string) => Number(file === 'index.html')
  for (const file of files.toSorted((a, b) => isPage(a) - isPage(b) || isFirst(a) - isFirst(b))) {
    await mkdir(dirname(join(target, file)), { recursive: true })
    // As old as the sources that were read: what changed since then makes the next start build again.
    await utimes(join(fresh, file), begun, begun)
    await rename(join(fresh, file), join(target, file))
  }
  await writeFile(listFile, JSON.stringify(files))
  const kept = new Set([...files, ...before, 'files.json'])
  for (const file of await filesIn(target)) if (!kept.has(file)) await rm(join(target, file), { force: true })
}
