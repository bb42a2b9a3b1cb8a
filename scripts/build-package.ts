/**
 * Builds what is published into dist/package: the service as JavaScript with the libraries that it uses in lib, the client, the web pages and the
 * documentation. npm installs with it only programs, each made for one machine, in the versions of the lockfile.
 * Types are checked by `npm run check`, not here.
 */
import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import { buildService } from './build-service.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'dist/package')
const lib = join(target, 'lib')

await run(join(root, 'scripts/install-tools'), ['site'])
await import('./build-client.ts')
await import('./build-web.ts')
// Files of the build before stay for pages that are open, and are not published.
await rm(join(root, 'dist/docs'), { recursive: true, force: true })
await import('./build-docs.ts')

await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
await writeLicences(await buildService(lib, false))
await copyViewer()
for (const path of ['bin/rivalscope', 'LICENSE', 'README.md', ...manifest.files])
  if (path !== 'lib' && !path.startsWith('!'))
    await cp(join(root, path), join(target, path), { recursive: true, preserveTimestamps: true })
await writeManifest()

/** The licences of the libraries in the service. @param modules paths of what it was built of */
async function writeLicences(modules: readonly string[]): Promise<void> {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  const licences = await Promise.all([...new Set(folders)].sort().map(licenceOf))
  await writeFile(
    join(lib, 'licenses.md'),
    `# Licences\n\nParts of these packages stand here.\n\n${licences.join('\n')}`,
  )
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)\b/i.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const said = texts.length > 0 ? texts.join('\n') : `No file of its own. Author: ${author?.name ?? author}`
  return `## ${name} ${version} (${license})\n\n${said.trim().replace(/^/gm, '> ')}\n`
}

/** The files of the reference's viewer beside ours, with their licence. Its package tells its makers of each install. */
async function copyViewer(): Promise<void> {
  const assets = join(lib, 'reference')
  const viewer = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/swagger-ui.css')))
  for (const name of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-32x32.png',
  ])
    await copyFile(join(viewer, name), join(assets, name))
  for (const name of ['LICENSE', 'NOTICE'])
    await copyFile(join(viewer, name), join(assets, `swagger-ui.${name}.txt`))
}

/**
 * The manifest, with programs as the only dependencies: PostgreSQL, and what opens pictures. Each has an exact version, and so has what it depends
 * on, so that nothing floats. A shrinkwrap would say the same, and npm heeds none in a file.
 */
async function writeManifest(): Promise<void> {
  const {
    private: _,
    scripts,
    dependencies,
    devDependencies,
    overrides,
    packageManager,
    devEngines,
    ...published
  } = manifest
  const sharp = JSON.parse(await readFile(join(root, 'node_modules/sharp/package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const pictures = Object.entries(sharp.optionalDependencies).filter(([name]) =>
    /^@img\/sharp-(?:darwin|linux)/.test(name),
  )
  const optionalDependencies = { ...manifest.optionalDependencies, ...Object.fromEntries(pictures) }
  await writeFile(
    join(target, 'package.json'),
    `${JSON.stringify({ ...published, optionalDependencies }, undefined, 2)}\n`,
  )
}
