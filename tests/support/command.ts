import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../bin/rivalscope', import.meta.url))

/** A command that hangs fails its test instead of holding up the rest. */
const longestMs = 60_000

export interface Ended {
  /** Exit code; null when a signal ended the process. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** A command under way, in a process of its own. */
export interface Command {
  process: ChildProcess
  /** What it has said so far. */
  said(): Pick<Ended, 'stdout' | 'stderr'>
  ended: Promise<Ended>
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Ended>
}

export interface CommandOptions {
  /** Directory it runs in; rejected records land there. */
  cwd?: string
  /** Standard input, which ends after it; `open` leaves it open and silent. Nothing comes in when left out. */
  input?: string | Uint8Array | 'open'
}

const underWay = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of underWay) child.kill('SIGKILL')
})

/** Starts bin/rivalscope, untouched by the settings this process runs with. */
export function start(args: readonly string[], { cwd, input }: CommandOptions = {}): Command {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^RIVALSCOPE_/.test(name)))
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  underWay.add(child)
  const heard = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (heard.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (heard.stderr += text))
  // A command may end before it has read everything.
  child.stdin?.on('error', () => {})
  if (input !== 'open') child.stdin?.end(input)
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, longestMs)
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    clearTimeout(timer)
    underWay.delete(child)
    assert.ok(!late, `rivalscope ${args.join(' ')} did not end:\n${heard.stdout}\n${heard.stderr}`)
    return { code, signal, ...heard }
  })
  return {
    process: child,
    said: () => heard,
    ended,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs bin/rivalscope to its end. */
export function run(args: readonly string[], options?: CommandOptions): Promise<Ended> {
  return start(args, options).ended
}

/** A service that is ready. */
export interface Serving extends Command {
  address: string
}

/** Starts `serve` on a data directory and waits for its `ready` line. */
export async function startServe(dataDir: string, options?: CommandOptions): Promise<Serving> {
  const args = ['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'warn']
  const serve = start(args, options)
  const address = () => /^ready (\S+)$/m.exec(serve.said().stdout)?.[1]
  await until(() => address() !== undefined || serve.process.exitCode !== null, 'serve is ready')
  const ready = address()
  assert.ok(ready, `serve ended: ${serve.said().stderr}`)
  return { ...serve, address: ready }
}

/** Waits until something holds. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + longestMs
  while (!(await holds())) {
    assert.ok(Date.now() < end, `waited too long until ${what}`)
    await delay(10)
  }
}
