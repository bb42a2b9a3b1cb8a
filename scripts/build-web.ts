/**
 * Builds the web pages into dist/web, with a Brotli and a gzip beside each file that gets smaller by them; without those with
 * `--plain`, for one's own machine. Silent unless it fails; with `--report` it prints the size of each file. A service that runs meanwhile serves the old pages or the new ones:
 * files come first, under names that hold their hash, and index.html last. Files of the build before stay, since pages that are
 * open may still load them.
 */
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compress, filesIn, replaceBuild } from './built-files.ts'

const configFile = fileURLToPath(new URL('../web/vite.config.ts', import.meta.url))
const target = fileURLToPath(new URL('../dist/web/', import.meta.url))

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
if (!process.argv.includes('--plain'))
  await Promise.all(built.filter((file) => file !== 'index.html').map((file) => compress(join(fresh, file))))
if (process.argv.includes('--report')) await report()
await replaceBuild({ fresh, target, begun })

/** What Vite says is enough: its stack names nothing of ours. */
function fail(reason: string): never {
  process.stderr.write(`The web pages cannot be built: ${reason}\n`)
  rmSync(fresh, { recursive: true })
  process.exit(1)
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
