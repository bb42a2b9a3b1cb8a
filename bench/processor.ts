import { readdirSync, readFileSync } from 'node:fs'

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
