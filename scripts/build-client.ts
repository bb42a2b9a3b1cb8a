/**
 * Builds `rivalscope/client` into dist/client: one JavaScript module for programs and browsers, and its types where
 * TypeScript is installed, as it is where the package is built. With `--module-only` without the types, which take seconds.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const source = fileURLToPath(new URL('../src/client/', import.meta.url))
const target = fileURLToPath(new URL('../dist/client/', import.meta.url))

await mkdir(target, { recursive: true })
const { outputFiles } = await build({
  entryPoints: [`${source}client.ts`],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2024',
  tsconfigRaw: {},
  minifySyntax: true,
  minifyWhitespace: true,
  write: false,
})
for (const { text } of outputFiles) await put('client.js', text)

const typescript = process.argv.includes('--module-only')
  ? undefined
  : await import('typescript').catch(() => undefined)
if (typescript) {
  const { declarationsOf } = await import('./client-declarations.ts')
  for (const [name, text] of await declarationsOf(typescript.default, source)) await put(name, text)
}

/** Replaces a file atomically: concurrent readers get the old or the new one. */
async function put(name: string, text: string): Promise<void> {
  const unfinished = `${target}${name}.${process.pid}`
  await writeFile(unfinished, text)
  await rename(unfinished, `${target}${name}`)
}
