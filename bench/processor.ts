import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { sql } from 'kysely'
import { type Database, firstRow } from '../src/storage/database.ts'
import { median } from './figures.ts'

/** Ticks of Linux' clock a second, as all its machines have it. */
const ticksASecond = 100

/**
 * Seconds of the processor that a PostgreSQL on this machine has taken, in all its processes, ended ones as well. NaN where
 * they cannot be told: on another machine or system.
 * @param postmaster the id of its first process
 */
export function secondsOfPostgres(postmaster: number): number {
  const first = readTimes(postmaster)
  if (!first) return Number.NaN
  let ticks = first.own + first.ended
  for (const name of readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? readTimes(Number(name)) : undefined
    if (times?.parent === postmaster) ticks += times.own
  }
  return ticks / ticksASecond
}

/** Seconds of the processor that processes of this machine and their ended children have taken; none for those that are gone. */
export function secondsOf(processes: readonly number[]): number {
  const ticks = processes.map(readTimes).reduce((sum, times) => sum + (times ? times.own + times.ended : 0), 0)
  return ticks / ticksASecond
}

/** The same of what this process has started and waited for. */
export const secondsOfEndedChildren = (): number => (readTimes(process.pid)?.ended ?? 0) / ticksASecond

/** A process with those of the embedded store in a folder: its supervisor and PostgreSQL. */
export function processesOf(pid: number, dataDir: string): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((one) => one === pid || isOfStore(one, dataDir))
}

function isOfStore(pid: number, dataDir: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const isSupervisor = words.includes(dataDir) && words.some((word) => word.includes('supervisor'))
    return isSupervisor || readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir)
  } catch {
    return false
  }
}

interface Times {
  parent: number
  /** Ticks of the process itself, and of its children that have ended. */
  own: number
  ended: number
}

/** Undefined where there is no such process: it may end while it is looked at. */
function readTimes(id: number): Times | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${id}/stat`, 'utf8')
  } catch {
    return undefined
  }
  const fields = stat.split(') ').at(-1)?.split(' ').map(Number) ?? []
  const [, parent = 0] = fields
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  return { parent, own: user + system, ended: endedUser + endedSystem }
}

/** The id of the first process of the PostgreSQL that a store is on, as long as that is on this machine. */
export async function postmasterOf(db: Database): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ pid: string }>`select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid`,
  )
  return Number(found?.pid)
}

/** Seconds of the processor that this process has taken. */
export function secondsOfThisProcess(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** A way to do some work, and the processor time that all processes which take part in it have taken so far, in seconds. */
export interface Way {
  perform(): Promise<void>
  seconds(): number
}

/**
 * Processor seconds of the same work done in several ways, in turns, so that what else runs on the machine meets all of them: the
 * median of the better half of the turns. Each is done once before, to warm up.
 */
export async function inTurns<Ways extends { [name: string]: Way }>(
  turns: number,
  ways: Ways,
): Promise<{ [Name in keyof Ways]: number }> {
  const taken: [name: string, way: Way, times: number[]][] = Object.entries(ways).map(([name, way]) => [
    name,
    way,
    [],
  ])
  for (const [, way] of taken) await way.perform()
  for (let turn = 0; turn < turns; turn++)
    for (const [, way, times] of taken) {
      const before = way.seconds()
      await way.perform()
      times.push(way.seconds() - before)
    }
  const better = (times: number[]) => times.sort((one, other) => one - other).slice(0, Math.ceil(turns / 2))
  return Object.fromEntries(taken.map(([name, , times]) => [name, median(better(times))])) as {
    [Name in keyof Ways]: number
  }
}
