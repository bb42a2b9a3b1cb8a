import { PassThrough, Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { CommandContext } from '../../src/cli/command-context.ts'
import { runCommandLine } from '../../src/command-line.ts'
import { withoutOurs } from './command-line.ts'

export interface Performed {
  code: number
  out: string
  err: string
}

export interface PerformOptions {
  /** Variables beside those of the surroundings, of which none of ours is handed on. */
  env?: Record<string, string>
  /** Where relative paths begin. */
  cwd?: string
  input?: string | Buffer
}

/** A command that goes on in this process. Whoever begins it ends it. */
export interface Going extends AsyncDisposable {
  stdin: PassThrough
  stdout: PassThrough
  /** What it has said so far. */
  said: { out: string; err: string }
  /** Waits until its standard output or standard error matches. @throws when it ends before it does */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Asks it to stop, as a signal does. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): void
  /** Waits until it has ended. */
  ended: Promise<Performed>
}

/** One command at a time, since more than the option parser may read the variables of the process. */
let performing: Promise<unknown> = Promise.resolve()

/** Performs a command of the command line to its end, in this process: as a process of its own would, in a tenth of the time. */
export function run(words: readonly string[], options: PerformOptions = {}): Promise<Performed> {
  return withVariables(options, () => {
    const command = begin(words, options)
    command.stdin.end(options.input ?? '')
    return command.ended
  })
}

/** Does something with the variables of a command as those of the process. */
function withVariables<T>(options: PerformOptions, perform: () => Promise<T>): Promise<T> {
  const performed = performing.then(async () => {
    const around = process.env
    process.env = variablesOf(options)
    try {
      return await perform()
    } finally {
      process.env = around
    }
  })
  performing = performed.catch(() => {})
  return performed
}

/** Begins a command in this process, which goes on until it ends by itself or is stopped. Its options are words, not variables. */
export function begin(words: readonly string[], options: Omit<PerformOptions, 'input'> = {}): Going {
  const said = { out: '', err: '' }
  const collecting = (stream: keyof typeof said) =>
    new PassThrough({ encoding: 'utf8' }).on('data', (text: string) => {
      said[stream] += text
    })
  const stopping = new AbortController()
  const context = {
    ...testContext(),
    env: variablesOf(options),
    ...(options.cwd === undefined ? {} : { directory: options.cwd }),
    stdin: new PassThrough(),
    stdout: collecting('out'),
    stderr: collecting('err'),
    signal: stopping.signal,
  }
  let over = false
  const ended = runCommandLine(words, context)
    .finally(() => {
      over = true
    })
    .then((code) => ({ code, ...said }))
  ended.catch(() => {})
  return {
    stdin: context.stdin,
    stdout: context.stdout,
    said,
    ended,
    stop: (signal = 'SIGTERM') => stopping.abort(new Error(signal)),
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(said.out) ?? pattern.exec(said.err)
        if (found) return found
        if (over) throw new Error(`ended without saying ${pattern}: ${said.out}${said.err}`)
        await setTimeout(5)
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('SIGTERM'))
      await ended
    },
  }
}

/** Performs `serve` in this process until it is disposed, on a store where `location` is; what it logs is nowhere to be seen. */
export function serveHere(
  location: readonly string[],
  options: Omit<PerformOptions, 'input'> = {},
): Promise<Going & { address: string }> {
  return withVariables(options, async () => {
    const command = begin(['serve', ...location, '--port', '0', '--log-level', 'silent'], options)
    const [, address = ''] = await command.says(/^ready (http\S+)$/m)
    return { ...command, address }
  })
}

const variablesOf = ({ env = {} }: PerformOptions) => ({ ...withoutOurs(process.env), ...env })

/** Surroundings of a command that nobody watches or interrupts. */
export function testContext(): CommandContext {
  return {
    env: {},
    directory: process.cwd(),
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    signal: new AbortController().signal,
    lowerPriority: () => {},
  }
}
