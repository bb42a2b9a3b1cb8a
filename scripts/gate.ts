import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { changesSince } from './changes/changed-files.ts'
import { matchesAny } from './changes/reach.ts'
import { proofFile, proofIn, proofNote, proofPrerequisites } from './proof.ts'
import { type Stage, stages } from './stages.ts'

/**
 * Runs the stages of the gate, those that take long only for what has changed since everything has passed, and ends with a table of
 * what each took. A stage that fails does not keep the others from running; then it ends with 1.
 *
 *   node scripts/gate.ts              what `.ci/run` does, without installing anything
 *   node scripts/gate.ts --all        everything (`npm run test:all`); where all of it passes on a clean checkout, .ci/proven says so
 *   node scripts/gate.ts --all --raise     raises the floor of coverage to what was measured
 *   node scripts/gate.ts --weekly          only what is neither in the gate nor in --all, with what others have published
 *   node scripts/gate.ts --installed 'SECONDS USER SYSTEM'    of a new machine: installs what is missing, and tells what npm ci took
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    weekly: { type: 'boolean', default: false },
    raise: { type: 'boolean', default: false },
    installed: { type: 'string' },
  },
})
process.chdir(root)
const say = (words: string) =>
  process.stdout.write(`\n== ${new Date().toISOString().slice(11, 19)}: ${words}\n`)

interface Ran {
  name: string
  seconds: number
  /** Processor time of the whole machine meanwhile; of what ran beside it in the row of the first. */
  processorSeconds: number | undefined
  passed: boolean
}

const before = cleanCommit()
const proof = proofIn(root)
const warning = values.all || values.weekly ? undefined : proofNote(proof, new Date())
const all = values.all || proof.commit === undefined
const changed = all ? [] : changesSince(root, proof.commit ?? '').changed
if (warning !== undefined) say(warning)
if (proof.commit !== undefined && !all) {
  say(`everything passed at ${proof.commit.slice(0, 12)}, ${changed.length} files have changed since`)
}

const coverage = values.all ? mkdtempSync(join(tmpdir(), 'rivalscope-coverage-')) : undefined
const ran: Ran[] = []
if (values.installed !== undefined) {
  const [seconds = 0, user = 0, system = 0] = values.installed.split(' ').map(Number)
  ran.push({ name: 'npm ci', seconds, processorSeconds: user + system, passed: true })
}
for (const row of stages) await perform(row.filter(isRun))
if (coverage !== undefined) {
  await perform([
    {
      name: 'floor of coverage',
      command: [process.execPath, 'scripts/coverage-floor.ts', coverage, ...(values.raise ? ['--raise'] : [])],
      when: 'all',
    },
  ])
  rmSync(coverage, { recursive: true })
}

const failed = ran.filter(({ passed }) => !passed)
say('what it took, in seconds, and of the processors of this machine')
const columns = (name: string, ...rest: string[]) =>
  process.stdout.write(`${name.padEnd(24)}${rest.map((each) => each.padStart(12)).join('')}\n`)
columns('', 'seconds', 'processor', '')
for (const { name, seconds, processorSeconds, passed } of ran)
  columns(name, seconds.toFixed(0), processorSeconds?.toFixed(0) ?? 'with it', passed ? '' : 'FAILED')
columns(
  'all',
  ran
    .filter(({ processorSeconds }) => processorSeconds !== undefined)
    .reduce((sum, { seconds }) => sum + seconds, 0)
    .toFixed(0),
  ran.reduce((sum, { processorSeconds = 0 }) => sum + processorSeconds, 0).toFixed(0),
)
if (values.all && failed.length === 0) prove()
if (warning !== undefined) say(warning)
process.stdout.write(`\n${ran.length - failed.length} stages passed, ${failed.length} failed\n`)
process.exitCode = failed.length === 0 ? 0 : 1

function isRun({ name, when, within, changed: globs }: Stage): boolean {
  const isOfNewMachine = when === 'machine is new' && values.installed !== undefined
  if (values.weekly || when === 'weekly') return values.weekly && (when === 'weekly' || isOfNewMachine)
  if (within !== undefined && values.all) return false
  if (!all && globs !== undefined && !changed.some((file) => matchesAny(globs, file))) {
    say(`${name}: left out, since nothing has changed in ${globs.join(', ')}`)
    return false
  }
  if (when === 'machine is new') return isOfNewMachine
  return when !== 'all' || values.all
}

/** Runs stages side by side; what the first says is shown at once, what the others say when they have ended. */
async function perform(row: readonly Stage[]): Promise<void> {
  const before = processorSeconds()
  const begun = Date.now()
  for (const { name } of row) say(name)
  const results = await Promise.all(
    row.map(async (stage, at) => {
      const { passed, said } = await runStage(stage, at === 0)
      const seconds = (Date.now() - begun) / 1_000
      if (said !== '') process.stdout.write(`\n== ${stage.name} said:\n${said}`)
      return { name: stage.name, seconds, passed }
    }),
  )
  const taken = processorSeconds() - before
  const longest = Math.max(...results.map(({ seconds }) => seconds))
  for (const [at, result] of results.entries())
    ran.push({
      ...result,
      // The row as a whole counts once.
      seconds: at === 0 ? longest : result.seconds,
      processorSeconds: at === 0 ? taken : undefined,
    })
}

function runStage(stage: Stage, live: boolean): Promise<{ passed: boolean; said: string }> {
  const [program = '', ...args] = stage.command
  const more = [
    ...(stage.covers && coverage !== undefined ? ['--coverage', coverage] : []),
    ...(stage.allCases && all ? ['--all-cases'] : []),
    ...(stage.when === 'reached' && !all ? ['--changed', proof.commit ?? ''] : []),
  ]
  const { promise, resolve } = Promise.withResolvers<{ passed: boolean; said: string }>()
  const child = spawn(program, [...args, ...(program === 'npm' && more.length > 0 ? ['--'] : []), ...more], {
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  child.on('error', ({ message }) => resolve({ passed: false, said: `${message}\n` }))
  child.on('close', (code) => resolve({ passed: code === 0, said }))
  return promise
}

function processorSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000
}

/** The commit of this checkout, if it holds nothing else but for the proof. */
function cleanCommit(): string | undefined {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  try {
    return git('status', '--porcelain', '--', '.', `:!${proofFile}`) === ''
      ? git('rev-parse', 'HEAD')
      : undefined
  } catch {
    return undefined // No checkout of git.
  }
}

/** Everything has passed: says so in the file that the gate reads, unless something was not tried, or it was no commit that passed. */
function prove(): void {
  const commit = cleanCommit()
  const lacks = [
    ...(commit !== undefined && commit === before ? [] : ['a checkout that has nothing but what is committed']),
    ...proofPrerequisites.filter(({ path }) => !existsSync(path)).map(({ without }) => without),
  ]
  if (lacks.length > 0) {
    say(`all of it passed, which proves nothing to the gate without ${lacks.join(', ')}`)
    return
  }
  writeFileSync(proofFile, `${commit} ${new Date().toISOString()}\n`)
  say(`all of it passed, and ${proofFile} says so: commit it`)
}
