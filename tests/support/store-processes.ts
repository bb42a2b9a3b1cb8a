import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The processes of an embedded store, from /proc. */
export interface StoreProcesses {
  /** PostgreSQL's first process. */
  postmaster: number | undefined
  /** All processes of PostgreSQL, with the user each runs as. */
  postgres: { pid: number; uid: number }[]
  supervisor: number | undefined
}

export function storeProcesses(dataDir: string): StoreProcesses {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const postgres = pids.filter(
    (pid) => reported(() => readlinkSync(`/proc/${pid}/cwd`)) === join(dataDir, 'postgresql'),
  )
  const supervisor = pids.find((pid) => {
    const [, ...words] = reported(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    return words.some((word) => word.endsWith('supervisor-process.ts')) && words.includes(dataDir)
  })
  const postmaster = Number(
    reported(() => readFileSync(join(dataDir, 'postgresql/postmaster.pid'), 'utf8')).split('\n')[0],
  )
  return {
    postmaster: postmaster || undefined,
    postgres: postgres.flatMap((pid) => {
      const found = statSync(`/proc/${pid}`, { throwIfNoEntry: false })
      return found ? [{ pid: Number(pid), uid: found.uid }] : []
    }),
    supervisor: supervisor === undefined ? undefined : Number(supervisor),
  }
}

/** A process may end while it is inspected. */
function reported(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}
