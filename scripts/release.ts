/**
 * Makes a release of what stands here: the entries of `changes` move into CHANGELOG.md, which is committed; then package, bill
 * of materials (CycloneDX, by npm), checksums, and a tag that is not pushed.
 *
 * `npm run release` makes it in dist; `npm run release -- --check` only says whether it could be made.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import { changesIn, hasUnreleasedChanges, withRelease } from './changelog.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = manifest
const tag = `v${version}`
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values

const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
const npm = (...words: string[]) =>
  execFileSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const { files: changeFiles, changes, unfit } = changesIn(root)
const isTold = headingOf(version)
const isNew = changeFiles.length > 0 || hasUnreleasedChanges(changelog)

const obstacles = [
  unfit,
  git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed'],
  git('tag', '--list', tag) === '' ? [] : [`the tag ${tag} is there already: choose the next version`],
  isTold || isNew ? [] : ['nothing is told of it: changes is empty, and so is [Unreleased] of CHANGELOG.md'],
  isTold && isNew
    ? [`CHANGELOG.md tells of ${version} already, and more changed since: choose the next version`]
    : [],
].flat()
if (obstacles.length > 0) {
  process.stderr.write(`${version} cannot be released:\n${obstacles.map((one) => `  ${one}\n`).join('')}`)
  process.exit(1)
}
if (check) process.exit(0)

if (isNew) {
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(join(root, 'CHANGELOG.md'), withRelease(changelog, version, today, changes))
  if (changeFiles.length > 0) git('rm', '--quiet', ...changeFiles)
  git('commit', '--quiet', '--all', '--message', `Rivalscope ${version}`)
}
npm('run', '--silent', 'package')
const files = [`rivalscope-${version}.tgz`, `rivalscope-${version}.cdx.json`] as const
writeFileSync(
  join(root, 'dist', files[1]),
  npm('sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application'),
)
const sums = files.map((name) => {
  const bytes = readFileSync(join(root, 'dist', name))
  return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
})
writeFileSync(join(root, 'dist', 'SHA256SUMS'), sums.join(''))
git('tag', '--annotate', tag, '--message', `Rivalscope ${version}`)
process.stdout.write(
  `${[...files, 'SHA256SUMS'].map((name) => `dist/${name}`).join('\n')}\ntagged ${tag}; next: git push origin ${tag}, npm publish dist/${files[0]}\n`,
)

/** Whether the changelog tells of a version, with the day. */
function headingOf(told: string): boolean {
  return changelog
    .split('\n')
    .some((line) => line.startsWith(`## [${told}] - `) && /\d{4}-\d{2}-\d{2}$/.test(line))
}
