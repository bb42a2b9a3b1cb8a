/**
 * Builds the web pages into dist/web, with a Brotli and a gzip beside each file that gets smaller by them. Silent unless it
 * fails; with `--report` it prints the size of each file. A service that runs meanwhile serves the old pages or the new ones:
 * files come first, under names that hold their hash, and index.html last. Files of the build before stay, since pages that are
 * open may still load them.
 */
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

const configFile = fileURLToPath(new URL('../web/vite.config.ts', import.meta.url))
const target = fileURLToPath(new URL('../dist/web/', import.meta.url))
const listFile = join(target, 'files.json')
const compressible = new Set(['.js', '.css', '.svg', '.json'])
const smallestCompressed = 1_024

if (!existsSync(configFile)) process.exit()
const vite = await import('vite').catch(() => undefined)
if (!vite) {
  process.stderr.write(
    'The web pages are not built: Vite is missing, which npm ci installs without --omit=dev.\n',
  )
  process.exit()
}
const begun = new Date()
await mkdir(target, { recursive: true })
await using parts = new AsyncDisposableStack()
// Beside the target, so that a file is moved by its name alone.
const fresh = parts.adopt(await mkdtemp(join(dirname(target), 'web-')), (folder) =>
  rm(folder, { recursive: true }),
)
await vite
  .build({ configFile, logLevel: 'silent', build: { outDir: fresh, emptyOutDir: true } })
  .catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
const built = await filesIn(fresh)
await Promise.all(built.filter((file) => file !== 'index.html').map(compress))
if (process.argv.includes('--report')) await report()
await replace()

/** What Vite says is enough: its stack names nothing of ours. */
function fail(reason: string): never {
  process.stderr.write(`The web pages cannot be built: ${reason}\n`)
  rmSync(fresh, { recursive: true })
  process.exit(1)
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
    .sort()
}

async function compress(file: string): Promise<void> {
  const path = join(fresh, file)
  const content = await readFile(path)
  if (!compressible.has(extname(file)) || content.length < smallestCompressed) return
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
}

async function replace(): Promise<void> {
  const before = existsSync(listFile) ? (JSON.parse(await readFile(listFile, 'utf8')) as string[]) : []
  const files = await filesIn(fresh)
  for (const file of files.toSorted(
    (one, other) => Number(one === 'index.html') - Number(other === 'index.html'),
  )) {
    await mkdir(dirname(join(target, file)), { recursive: true })
    // As old as the sources that were read: what changed since then makes the next start build again.
    await utimes(join(fresh, file), begun, begun)
    await rename(join(fresh, file), join(target, file))
  }
  await writeFile(listFile, JSON.stringify(files))
  const kept = new Set([...files, ...before, 'files.json'])
  for (const file of await filesIn(target)) if (!kept.has(file)) await rm(join(target, file), { force: true })
}

async function report(): Promise<void> {
  const sizes = await Promise.all(
    built.map(async (file) => {
      const [plain = 0, brotli = plain] = await Promise.all([sizeOf(file), sizeOf(`${file}.br`)])
      return { file, plain, brotli }
    }),
  )
  for (const { file, plain, brotli } of sizes.sort((one, other) => other.brotli - one.brotli))
    process.stdout.write(`${inKilobytes(brotli)}  ${inKilobytes(plain)}  ${file}\n`)
  const sum = (which: 'plain' | 'brotli') => inKilobytes(sizes.reduce((total, one) => total + one[which], 0))
  process.stdout.write(`${sum('brotli')}  ${sum('plain')}  all, compressed and not\n`)
}

function sizeOf(file: string): Promise<number | undefined> {
  return readFile(join(fresh, file)).then(
    (content) => content.length,
    () => undefined,
  )
}

function inKilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`.padStart(10)
}
