/**
 * Builds `rivalscope/client` into dist/client: one JavaScript module for programs and browsers, and its types where
 * TypeScript is installed, as it is where the package is built. With `--module-only` without the types, which take seconds.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const source = fileURLToPath(new URL('../src/client/', import.meta.url))
const target = fileURLToPath(new URL('../dist/client/', import.meta.url))

await mkdir(target, { recursive: true })
const { output } = await build({
  input: `${source}client.ts`,
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'] },
  transform: { target: 'es2024' },
  // Names stay: programs print those of classes.
  output: { minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } } },
  write: false,
  logLevel: 'silent',
})
await put('client.js', output[0].code)

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
