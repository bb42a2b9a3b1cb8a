import { appendFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Dice } from '../../sample/dice.ts'
import { databaseAnswers } from '../../tests/support/database-answers.ts'
import type { Database } from './database.ts'
import type { Kept } from './processes.ts'

interface Installation {
  database: Database
  /** Processes that are killed and stopped; others of the same kind stay all the time. */
  service: Kept
  worker: Kept
  /** Disk of kept media. */
  mediaDisk: string
  /** File of the clock that those two processes see. */
  clock: string
  dice: Dice
}

export interface Fault {
  name: string
  /** Causes the fault and repairs it. @returns a text about what went wrong, or something else */
  happen(installation: Installation): Promise<unknown>
}

/** A stop that is asked for has to end well within this time, under load. */
const stopMilliseconds = 40_000

/** Everything that happens to an installation in years. */
export const faults: readonly Fault[] = [
  { name: 'service killed', happen: ({ service }) => killed(service) },
  { name: 'worker killed', happen: ({ worker }) => killed(worker) },
  { name: 'service stopped', happen: ({ service }) => stopped(service) },
  { name: 'worker stopped', happen: ({ worker }) => stopped(worker) },
  {
    name: 'database restarted',
    async happen({ database }) {
      database.stop('fast')
      await database.start()
    },
  },
  {
    name: 'database killed',
    async happen({ database }) {
      const [first] = database.processes()
      if (first) process.kill(first, 'SIGKILL')
      await setTimeout(500)
      await database.start()
      await databaseAnswers(database.direct)
    },
  },
  {
    name: 'database paused for 20 s',
    async happen({ database }) {
      const paused = database.processes()
      for (const pid of paused) signal(pid, 'SIGSTOP')
      await setTimeout(20_000)
      for (const pid of paused.toReversed()) signal(pid, 'SIGCONT')
    },
  },
  {
    name: 'no connection left for 10 s',
    async happen({ database }) {
      const taken: pg.Client[] = []
      const until = Date.now() + 10_000
      for (; Date.now() < until; ) {
        const client = new pg.Client(database.direct)
        client.on('error', () => {})
        try {
          await client.connect()
          taken.push(client)
        } catch {
          await setTimeout(100)
        }
      }
      for (const client of taken) await client.end().catch(() => {})
    },
  },
  {
    name: 'disk of the store full for 10 s',
    async happen({ database }) {
      await full(database.disk, 10_000)
      // PostgreSQL ends itself where it cannot write its log, and is started again by whoever watches it.
      try {
        await databaseAnswers(database.direct)
      } catch {
        await database.start()
      }
    },
  },
  { name: 'disk of media full for 10 s', happen: ({ mediaDisk }) => full(mediaDisk, 10_000) },
  {
    name: 'pooler killed',
    async happen({ database }) {
      database.killPooler()
      await setTimeout(1_000)
      await database.startPooler()
    },
  },
  {
    name: 'clock jumped',
    async happen({ clock, dice }) {
      const minutes = dice.pick([-120, -10, -1, 1, 10, 120])
      writeFileSync(clock, `${minutes < 0 ? '' : '+'}${minutes}m`)
      await setTimeout(8_000)
      writeFileSync(clock, '+0')
    },
  },
]

async function killed(victim: Kept): Promise<void> {
  await victim.end('SIGKILL')
  await victim.start()
}

async function stopped(victim: Kept): Promise<string | undefined> {
  const { code, milliseconds } = await victim.end('SIGTERM')
  await victim.start()
  if (code !== 0) return `${victim.name} ended with ${code} after SIGTERM`
  return milliseconds > stopMilliseconds
    ? `${victim.name} took ${Math.round(milliseconds)} ms to stop`
    : undefined
}

async function full(disk: string, milliseconds: number): Promise<void> {
  const ballast = join(disk, 'ballast')
  const until = Date.now() + milliseconds
  try {
    // What is written meanwhile takes the last of it, or more is needed.
    for (; Date.now() < until; await setTimeout(500)) {
      const { bavail, bsize } = statfsSync(disk)
      appendFileSync(
        ballast,
        Buffer.alloc(Math.max(0, Math.min(bavail * bsize - 16 * 1024, 256 * 1024 * 1024))),
      )
    }
  } catch {
    await setTimeout(Math.max(0, until - Date.now()))
  } finally {
    rmSync(ballast, { force: true })
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}
