import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { knownMigrations } from '../../src/storage/migrate.ts'
import { type Folder, openFolder } from './files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const git = (...words: string[]) => spawnSync('git', ['-C', root, ...words], { maxBuffer: 1 << 28 }).stdout
const linesOf = (...words: string[]) => `${git(...words) ?? ''}`.split('\n').filter(Boolean)
const known = await knownMigrations()

/** The newest commit that this version goes on from: its migrations are the first of those that are known, and not all. */
const before = linesOf('rev-list', 'HEAD', '--', 'migrations').find((commit) => {
  const names = linesOf('ls-tree', '--name-only', commit, 'migrations/').map((path) => basename(path, '.sql'))
  return names.length > 0 && names.length < known.length && names.every((name, at) => name === known[at])
})

/** Why there is no earlier version to start; false where there is one. */
export const noVersionBefore =
  before === undefined && 'the history of this checkout has no version with fewer migrations'

/** The last migration of this version, which the one before does not know. */
export const newestMigration = `${known.at(-1)}`

/** The version before, without pages and documentation, in a folder. It has packages of its own, and runs on the Node of this one. */
export function openVersionBefore(): Folder {
  const folder = openFolder()
  const packages = ['package.json', 'package-lock.json', '.npmrc']
  const archive = git('archive', `${before}`, 'bin', 'src', 'migrations', 'sample', ...packages)
  const { status } = spawnSync('tar', ['-x', '-C', folder.path], { input: archive })
  if (status !== 0) throw new Error(`the version of ${before} is not unpacked`)
  const install = [
    'ci',
    '--omit=dev',
    '--workspaces=false',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]
  const installed = spawnSync('npm', install, { cwd: folder.path, encoding: 'utf8' })
  if (installed.status !== 0)
    throw new Error(`the packages of ${before} are not installed: ${installed.stderr}`)
  // What only a built package brings: the viewer of the reference.
  const viewer = 'node_modules/swagger-ui-dist'
  symlinkSync(join(root, viewer), join(folder.path, viewer))
  // Each version finds Node in its own way among its packages.
  writeFileSync(join(folder.path, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`)
  return folder
}
