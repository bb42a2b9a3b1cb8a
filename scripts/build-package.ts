/**
 * Builds what is published: the service as JavaScript in lib, beside the client, the web pages and the documentation in dist. Node strips no types under
 * `node_modules`. Types are checked by `npm run check`, not here.
 */
import { execFile } from 'node:child_process'
import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const lib = join(root, 'lib')

await run(join(root, 'scripts/install-tools'), ['site'])
await rm(lib, { recursive: true, force: true })
const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
await run(process.execPath, [compiler, '-p', 'tsconfig.package.json', '--noCheck'], { cwd: root })
// The compiler copies the manifest that is imported, which would make a package of lib.
await rm(join(lib, 'package.json'))
await copyAssets()
await import('./build-client.ts')
await import('./build-web.ts')
// Files of the build before stay for pages that are open, and are not published.
await rm(join(root, 'dist/docs'), { recursive: true, force: true })
await import('./build-docs.ts')

/** What the reference's pages load: our files, and those of its viewer with their licence. Its package tells its makers of each install. */
async function copyAssets(): Promise<void> {
  const ours = join(root, 'src/http/reference')
  const target = join(lib, 'src/http/reference')
  for (const name of await readdir(ours))
    if (/\.(?:css|js)$/.test(name)) await copyFile(join(ours, name), join(target, name))
  const viewer = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/swagger-ui.css')))
  for (const name of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-32x32.png',
  ])
    await copyFile(join(viewer, name), join(target, name))
  for (const name of ['LICENSE', 'NOTICE'])
    await copyFile(join(viewer, name), join(target, `swagger-ui.${name}.txt`))
}
