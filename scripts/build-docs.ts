/**
 * Builds the site of the documentation into dist/docs, which the service serves at `/docs/`. Silent unless it fails: a link to a
 * page that does not exist fails it. A service that runs meanwhile serves the old pages or the new ones.
 */
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compress, filesIn, replaceBuild } from './built-files.ts'

const site = fileURLToPath(new URL('../site', import.meta.url))
const target = fileURLToPath(new URL('../dist/docs/', import.meta.url))
const base = '/docs/'
/** Bytes of a file from which on it is compressed beforehand; small ones, and pages, are not worth two more files each. */
const smallestCompressed = 50_000

if (!existsSync(site)) process.exit()
if (!existsSync(join(site, 'node_modules'))) {
  process.stderr.write(
    "The documentation is not built: 'npm run docs' installs what builds it, once, and builds it.\n",
  )
  process.exit()
}
// By an address, which the compiler does not follow: the packages of the site are not installed with a checkout.
const vitepress: { build: (root: string, options: { outDir: string }) => Promise<void> } = await import(
  new URL('../site/vitepress.ts', import.meta.url).href
)
const begun = new Date()
await mkdir(target, { recursive: true })
await using parts = new AsyncDisposableStack()
const fresh = parts.adopt(await mkdtemp(join(dirname(target), 'docs-')), (folder) =>
  rm(folder, { recursive: true }),
)
await quietly(() => vitepress.build(site, { outDir: fresh })).catch((error: unknown) => {
  process.stderr.write(`The documentation cannot be built: ${error instanceof Error ? error.message : error}\n`)
  rmSync(fresh, { recursive: true })
  process.exit(1)
})
// The generator's own data about its pages.
await rm(join(fresh, 'hashmap.json'), { force: true })
for (const file of await filesIn(fresh)) if (file.endsWith('.html')) await withoutInline(join(fresh, file))
for (const file of await filesIn(fresh))
  if (!file.endsWith('.html') && (await stat(join(fresh, file))).size >= smallestCompressed)
    await compress(join(fresh, file))
await replaceBuild({ fresh, target, begun })

/** VitePress tells of its progress, whatever it is asked; what it said is told where it fails. */
async function quietly(act: () => Promise<void>): Promise<void> {
  const streams = [process.stdout, process.stderr]
  const writes = streams.map((stream) => stream.write)
  const said: string[] = []
  for (const stream of streams) stream.write = (text: string | Uint8Array) => said.push(String(text)) > 0
  try {
    await act()
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${said.join('')}`)
  } finally {
    for (const [at, stream] of streams.entries()) Object.assign(stream, { write: writes[at] })
  }
}

/**
 * Makes files of the inline scripts of a page, and takes its inline styles, which `site/.vitepress/theme/look.css` states: the
 * policy that the pages are served with allows neither.
 */
async function withoutInline(file: string): Promise<void> {
  const html = await readFile(file, 'utf8')
  const scripts: string[] = []
  const page = html
    .replace(/<script id="[\w-]+">(.*?)<\/script>/gs, (_, script: string) => {
      scripts.push(script)
      return `<script src="${base}${nameOf(script)}"></script>`
    })
    .replaceAll(/ style="(?:--vp-vh:0px;|position:relative;)"/g, '')
  const left = /<script(?![^>]*\bsrc=)[^>]*>|<style|<\w[^>]* (?:style|on[a-z]+)=/.exec(page)
  if (left) throw new Error(`${file} holds ${left[0]}, which its policy forbids`)
  for (const script of scripts) await writeFile(join(fresh, nameOf(script)), script)
  await writeFile(file, page)
}

function nameOf(script: string): string {
  return `site/first.${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`
}
