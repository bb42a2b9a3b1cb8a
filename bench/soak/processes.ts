import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { print } from '../figures.ts'

/** A process of the installation, with one log. As under a service manager, it is restarted when it ends by itself. */
export interface Kept {
  name: string
  /** How often it has ended by itself. */
  readonly ends: number
  readonly runs: boolean
  start(): Promise<void>
  /** @returns how it ended, and after how many milliseconds */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; milliseconds: number }>
  /** Kilobytes in memory, open handles, and seconds of processor time since it began. */
  measure(): { kilobytes: number; handles: number; seconds: number }
  /** Bytes of all it has logged. */
  logged(): number
}

export interface KeptOptions {
  name: string
  /** Program and arguments. */
  command: readonly string[]
  env?: Record<string, string>
  /** Waits until it is there. */
  ready(): Promise<unknown>
  folder: string
}

export function keep({ name, command, env = {}, ready, folder }: KeptOptions): Kept {
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const log = join(folder, 'logs', `${name}.log`)
  const [program = '', ...words] = command
  let child: ChildProcess | undefined
  let wanted = false
  let ends = 0
  const begin = () => {
    const to = openSync(log, 'a')
    const begun = spawn(program, words, { env: { ...process.env, ...env }, stdio: ['ignore', to, to] })
    closeSync(to)
    begun.on('close', async () => {
      if (!wanted || child !== begun) return
      ends++
      print(`${name} ended by itself: ${begun.signalCode ?? begun.exitCode}`)
      await setTimeout(1_000)
      if (wanted && child === begun) begin()
    })
    child = begun
  }
  return {
    name,
    get ends() {
      return ends
    },
    get runs() {
      return child?.pid !== undefined && child.exitCode === null && child.signalCode === null
    },
    async start() {
      wanted = true
      begin()
      await ready()
    },
    async end(signal) {
      wanted = false
      const began = performance.now()
      if (!child || child.exitCode !== null || child.signalCode !== null) return { code: 0, milliseconds: 0 }
      const closed = once(child, 'close')
      child.kill(signal)
      const [code] = (await closed) as [number | null]
      return { code, milliseconds: performance.now() - began }
    },
    measure: () => measured(child?.pid ?? 0),
    logged: () => (existsSync(log) ? statSync(log).size : 0),
  }
}

export const program = fileURLToPath(new URL('../../bin/rivalscope', import.meta.url))

/** Variables that let a process see the time of a file, and no other process. */
export const clockOf = (file: string): Record<string, string> => ({
  LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  DONT_FAKE_MONOTONIC: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
})

/** Waits until a service says that it is ready, for a minute at most. */
export async function readyAt(address: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; await setTimeout(100)) {
    const status = await fetch(`${address}/readyz`).then(
      ({ status }) => status,
      () => 0,
    )
    if (status === 200) return
    if (Date.now() > deadline) throw new Error(`${address} is not ready: ${status}`)
  }
}

const ticksPerSecond = 100

function measured(pid: number): ReturnType<Kept['measure']> {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = after.split(' ').slice(11, 13).map(Number)
  return {
    kilobytes,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    seconds: (user + system) / ticksPerSecond,
  }
}
