import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Runs tests on a busy machine, or with the clock ahead: no test rests on either. Ends as the command does.
 *
 *   npm run test:under -- --busy 12 -- npm run test:all          twelve processes beside it that are never idle
 *   npm run test:under -- --days-ahead 183 -- npm test           half a year from now, also for PostgreSQL (needs Debian's faketime)
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { busy: { type: 'string', default: '0' }, 'days-ahead': { type: 'string', default: '0' } },
})
const [busy, daysAhead] = [count('busy', values.busy), count('days-ahead', values['days-ahead'])]
const [command, ...given] = positionals
if (command === undefined) refuse('Name the command after --, such as: --busy 12 -- npm test')

function count(option: string, text: string): number {
  return /^\d{1,4}$/.test(text)
    ? Number(text)
    : refuse(`--${option} takes a number from 0 to 9999, not "${text}"`)
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

/** Never idle, and gone within a tenth of a second once whoever started it is, however that ended. */
const neverIdle = `
  const { ppid } = process
  while (process.ppid === ppid) for (const until = Date.now() + 100; Date.now() < until; );`

/** A clock that is ahead for the command and all that it starts; its store of tests is one of its own. */
function clockAhead(days: number): Record<string, string> {
  const [preloaded] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
  if (preloaded === undefined) refuse('There is no faketime: install the package faketime of Debian.')
  const folder = join(tmpdir(), `rivalscope-ahead-${days}`)
  mkdirSync(folder, { recursive: true })
  // PostgreSQL belongs to another user where root runs the tests.
  chmodSync(folder, 0o755)
  const handOn = fileURLToPath(new URL('../tests/support/hand-clock-on.ts', import.meta.url))
  return {
    TMPDIR: folder,
    LD_PRELOAD: preloaded,
    // npm, which an older Node may run, does not read TypeScript.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    FAKETIME: `+${days}d`,
    // What measures how long something takes goes on as ever.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NODE_OPTIONS: `--import=${handOn}`,
  }
}

const beside = Array.from({ length: busy }, () =>
  spawn(process.execPath, ['-e', neverIdle], { stdio: 'ignore' }),
)
const child = spawn(command, given, {
  stdio: 'inherit',
  env: { ...process.env, ...(daysAhead > 0 ? clockAhead(daysAhead) : {}) },
})
// The command gets signals of the terminal itself, and ends in its own way.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const [code] = (await once(child, 'close').catch((error: unknown) => refuse(String(error)))) as [number | null]
for (const one of beside) one.kill('SIGKILL')
process.exitCode = code ?? 1
