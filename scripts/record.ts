/**
 * Writes anew what of this repository is recorded, and names the files that changed. What a part is made of is known, from its
 * program on, as it is for tests: a part of which nothing changed since it was last recorded here is left out.
 *
 *   npm run record                       every part of which something changed
 *   npm run record -- examples plans     these parts, in any case
 *
 * Recordings are the same on every day: their clocks stand at the last day of the sample evidence.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { changesSince } from './changes/changed-files.ts'
import { dependencyGraphOf, neededFilesIn } from './changes/reach.ts'

interface Part {
  /** Its outputs and inputs, for the help. */
  writes: string
  /** The program. Parts with the same one are recorded together: it is given their names. */
  program: string
  /** How it is started, where that is more. */
  command?: string[]
  env?: Record<string, string>
  /** Its inputs: these files with everything they import. */
  of: string[]
  /** Packages of Debian without which it cannot be recorded, each with a file of it. */
  needs?: Record<string, string>
  /** Takes so long that it is recorded only where it is named. */
  onlyNamed?: true
}

const pages = ['scripts/write-pictures.ts', 'web/**/*.*', 'src/vocabulary/*', 'package-lock.json']
const looking = {
  'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
  faketime: '/usr/lib/*/faketime/libfaketime.so.1',
}
const lookingAtJapan = { ...looking, 'fonts-ipafont-gothic': '/usr/share/fonts/**/ipag.ttf' }

const parts: Record<string, Part> = {
  notices: {
    writes: 'THIRD-PARTY.md, from the lockfile',
    program: 'scripts/write-notices.ts',
    of: ['scripts/write-notices.ts'],
  },
  examples: {
    writes: 'src/contract/examples, from what the sample evidence answers',
    program: 'scripts/write-sample.ts',
    of: ['scripts/examples/recording.ts', 'src/contract/examples/*.json', 'package-lock.json'],
  },
  tutorials: {
    writes: 'what commands print in docs/tutorials',
    program: 'scripts/write-sample.ts',
    of: ['scripts/tutorials/performing.ts', 'package-lock.json'],
  },
  reference: {
    writes:
      'docs/api, src/client/routes.json and the tables in docs, from the contract with its examples; web/texts.md',
    program: 'scripts/write-reference.ts',
    of: ['scripts/write-reference.ts', 'web/**/*.{ts,tsx}', 'package-lock.json'],
  },
  results: {
    writes: 'bench/RESULTS.md, from bench/results.json, with what is stale by now',
    program: 'bench/results.ts',
    of: ['bench/results.ts', 'bench/results.json'],
  },
  plans: {
    writes: 'tests/long/query-plans.json, in how many statements is read what is asked most',
    program: 'tests/long/query-plans.test.ts',
    command: [process.execPath, '--test', 'tests/long/query-plans.test.ts'],
    env: { RIVALSCOPE_TEST_WRITE_PLANS: '1' },
    of: ['tests/long/query-plans.test.ts', 'package-lock.json'],
  },
  screenshots: {
    writes: 'docs/pictures, which the README shows',
    program: 'scripts/write-pictures.ts',
    of: [...pages, 'docs/pictures/{ad,home,keywords,ranks}.webp'],
    needs: lookingAtJapan,
  },
  guide: {
    writes: 'docs/pictures/guide-*, which the guide to the pages shows',
    program: 'scripts/write-pictures.ts',
    of: [...pages, 'docs/pictures/guide-*'],
    needs: lookingAtJapan,
  },
  looks: {
    writes: 'tests/web/accepted, how the pages look',
    program: 'scripts/write-pictures.ts',
    of: [...pages, 'tests/web/accepted/*'],
    needs: looking,
  },
  coverage: {
    writes: 'scripts/coverage-floor.json, where all tests cover more than it says; runs them',
    program: 'scripts/gate.ts',
    command: [process.execPath, 'scripts/gate.ts', '--all', '--raise'],
    of: ['scripts/coverage-floor.json'],
    onlyNamed: true,
  },
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' } },
})
const unknown = named.filter((name) => !Object.hasOwn(parts, name))
if (values.help || unknown.length > 0) {
  const all = Object.entries(parts).map(([name, { writes }]) => `  ${name.padEnd(12)} ${writes}\n`)
  const stream = values.help ? process.stdout : process.stderr
  stream.write(`${unknown.map((name) => `There is no part ${name}.\n`).join('')}The parts:\n${all.join('')}`)
  process.exit(values.help ? 0 : 1)
}

/** Hashes of the inputs of each part when it was last recorded here. */
const seenFile = 'node_modules/.cache/rivalscope/recorded.json'
const seen: Record<string, string> = existsSync(seenFile) ? JSON.parse(readFileSync(seenFile, 'utf8')) : {}

const wanted = (name: string, { onlyNamed }: Part) => (named.length === 0 ? !onlyNamed : named.includes(name))
const together = Map.groupBy(
  Object.entries(parts).filter(([name, part]) => wanted(name, part)),
  ([, { program }]) => program,
)
for (const [program, group] of together) {
  const due: string[] = []
  for (const [name, part] of group) {
    const missing = Object.entries(part.needs ?? {}).filter(([, file]) => globSync(file).length === 0)
    if (missing.length > 0) {
      const packages = missing.map(([name]) => name).join(' ')
      process.stderr.write(
        `${name}: not recorded, for it needs Debian's ${packages}: apt-get install ${packages}\n`,
      )
      process.exitCode = 1
    } else if (named.length === 0 && seen[name] === madeOf(part)) process.stdout.write(`${name}: as recorded\n`)
    else due.push(name)
  }
  const [first] = group
  if (due.length === 0 || !first) continue
  process.stdout.write(`${due.join(', ')}:\n`)
  const { command: [executable = '', ...words] = [process.execPath, program, ...due], env } = first[1]
  const { status } = spawnSync(executable, words, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) {
    process.stderr.write(`${due.join(', ')}: not recorded, ${program} failed\n`)
    process.exit(1)
  }
  for (const [name, part] of group) if (due.includes(name)) seen[name] = madeOf(part)
  mkdirSync(dirname(seenFile), { recursive: true })
  writeFileSync(seenFile, JSON.stringify(seen))
}

/** A hash of every file that a part is made of, and of the part as recorded. */
function madeOf({ program, of }: Part): string {
  const { all } = changesSince('.', 'HEAD')
  const files = new Set<string>()
  for (const pattern of of) {
    const found = globSync(pattern)
    if (found.length === 0) throw new Error(`${program} is made of ${pattern}, which is not there.`)
    for (const file of found) files.add(file)
  }
  const hash = createHash('sha256')
  for (const file of [...neededFilesIn(dependencyGraphOf('.', all))(files)].sort())
    if (existsSync(file)) hash.update(`${file}\n`).update(readFileSync(file))
  return hash.digest('hex')
}
