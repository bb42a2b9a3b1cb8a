/**
 * Writes anew what of this repository is recorded, and names the files that changed. What a part is made of is known, from the
 * imports of its program on: a part of which nothing changed since it was last recorded here is left out.
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
import { build } from 'esbuild'

interface Part {
  /** What it writes, and from what. */
  writes: string
  /** The module that writes it, or the test. */
  program: string
  /** How it is started, where that is more than the program with the names of its parts. */
  command?: string[]
  env?: Record<string, string>
  /** What it is made of beside what its program imports, its own files among it. */
  from: string[]
  /** Packages of Debian without which it cannot be recorded, each with a file of it. */
  needs?: Record<string, string>
  /** Takes so long that it is recorded only where it is named. */
  onlyNamed?: true
}

const sample = ['migrations/*.sql', 'sample/**/*.json', 'package-lock.json']
const pages = [...sample, '{src,sample,web}/**/*.{ts,tsx,css,json,svg,html}']
const looking = {
  'chromium-headless-shell': '/usr/bin/chromium-headless-shell',
  faketime: '/usr/lib/*/faketime/libfaketime.so.1',
}

const parts: Record<string, Part> = {
  notices: {
    writes: 'THIRD-PARTY.md, from the lockfile',
    program: 'scripts/write-notices.ts',
    from: ['package-lock.json', 'THIRD-PARTY.md'],
  },
  examples: {
    writes: 'src/contract/examples, from what the sample evidence answers',
    program: 'scripts/write-sample.ts',
    from: [...sample, 'src/contract/examples/*.json'],
  },
  tutorials: {
    writes: 'what commands print in docs/tutorials',
    program: 'scripts/write-sample.ts',
    from: [...sample, 'docs/tutorials/*.md'],
  },
  reference: {
    writes: 'docs/api, src/client/routes.json and the tables in docs, from the contract with its examples',
    program: 'scripts/write-reference.ts',
    from: ['docs/api/*', 'docs/{cli,jobs}.md', 'docs/models/README.md', 'docs/models/results/*'],
  },
  plans: {
    writes: 'tests/long/query-plans.json, in how many statements is read what is asked most',
    program: 'tests/long/query-plans.test.ts',
    command: [process.execPath, '--test', 'tests/long/query-plans.test.ts'],
    env: { RIVALSCOPE_TEST_WRITE_PLANS: '1' },
    from: [...sample, 'tests/long/query-plans.json'],
  },
  screenshots: {
    writes: 'docs/pictures, which the README shows',
    program: 'scripts/write-pictures.ts',
    from: [...pages, 'docs/pictures/*'],
    needs: { ...looking, 'fonts-ipafont-gothic': '/usr/share/fonts/**/ipag.ttf' },
  },
  looks: {
    writes: 'tests/web/accepted, how the pages look',
    program: 'scripts/write-pictures.ts',
    from: [...pages, 'tests/web/accepted/*'],
    needs: looking,
  },
  coverage: {
    writes: 'scripts/coverage-floor.json, where all tests cover more than it says; runs them',
    program: 'scripts/coverage-floor.ts',
    command: [process.execPath, 'scripts/gate.ts', '--all', '--raise'],
    from: [],
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

/** What each part was made of when it was last recorded here. */
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
    } else if (named.length === 0 && seen[name] === (await madeOf(part)))
      process.stdout.write(`${name}: as recorded\n`)
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
  for (const [name, part] of group) if (due.includes(name)) seen[name] = await madeOf(part)
  mkdirSync(dirname(seenFile), { recursive: true })
  writeFileSync(seenFile, JSON.stringify(seen))
}

/** A hash of every file that a part is made of, and of the part as recorded. */
async function madeOf({ program, from }: Part): Promise<string> {
  const { metafile } = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.html': 'text', '.css': 'text' },
    logLevel: 'error',
  })
  const read = from.flatMap((pattern) => {
    const files = globSync(pattern)
    if (files.length === 0) throw new Error(`${program} is made of ${pattern}, which is not there.`)
    return files
  })
  const hash = createHash('sha256')
  for (const file of [...new Set([...Object.keys(metafile.inputs), ...read])].sort())
    hash.update(`${file}\n`).update(readFileSync(file))
  return hash.digest('hex')
}
