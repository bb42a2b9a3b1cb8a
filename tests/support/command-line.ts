import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const thisVersion = fileURLToPath(new URL('../..', import.meta.url))

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** A running command, ended by its disposal. */
export interface Running extends AsyncDisposable {
  child: ChildProcess
  /** Its output so far. */
  said: { out: string; err: string }
  /** Waits until its standard output or standard error matches. @throws when it ends before it does */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until it has ended. */
  ended: Promise<Ended>
}

export interface CommandOptions {
  cwd?: string
  /** Additional variables; Rivalscope's own are removed from the inherited environment. */
  env?: Record<string, string>
  /** The user to run as, when started by root. */
  uid?: number
  gid?: number
  /** A program that starts the command, and its arguments. */
  through?: readonly string[]
  /** The directory of the version that is started; the one under test when left out. */
  version?: string
}

/** Starts a command, on no store but the one in its options. */
export function start(
  args: readonly string[],
  { cwd, env: more = {}, uid, gid, through = [], version = thisVersion }: CommandOptions = {},
): Running {
  const env = { ...withoutOurs(process.env), ...more }
  const program = join(version, 'bin/rivalscope')
  const [command = program, ...given] = [...through, program, ...args]
  const child = spawn(command, given, { cwd, env, stdio: 'pipe', uid, gid })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text
  })
  // A command may end without reading all its input.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...said }))
  return {
    child,
    said,
    ended,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(said.out) ?? pattern.exec(said.err)
        if (found) return found
        const closed = child.exitCode !== null || child.signalCode !== null
        if (closed) throw new Error(`ended without saying ${pattern}: ${said.out}${said.err}`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs a command in a process of its own, with a text on its standard input. */
export async function runProcess(
  args: readonly string[],
  options: CommandOptions & { input?: string | Buffer } = {},
) {
  const command = start(args, options)
  command.child.stdin?.end(options.input ?? '')
  return command.ended
}

/** The key that a first start wrote to its file. */
export function firstKeyOf({ said }: Pick<Running, 'said'>): string {
  const file = /a key that can do everything stands in (.+?), readable/.exec(said.err)?.[1]
  return file ? readFileSync(file, 'utf8').trim() : ''
}

/** Starts `serve` on a data directory and waits until it answers. */
export async function serve(
  dataDir: string,
  options: CommandOptions = {},
): Promise<Running & { address: string }> {
  const command = start(['serve', '--data-dir', dataDir, '--port', '0', '--log-level', 'warn'], options)
  const [, address = ''] = await command.says(/^ready (http\S+)$/m)
  return { ...command, address }
}

/** The environment without Rivalscope's variables. */
export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('RIVALSCOPE_')))
}
