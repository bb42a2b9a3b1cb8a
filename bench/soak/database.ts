import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { databaseAnswers } from '../../tests/support/database-answers.ts'

/** A PostgreSQL on a small disk of its own, with a pgbouncer in transaction mode before it. Both run as `postgres`. */
export interface Database {
  /** The address without the pooler, and the one through it. */
  direct: string
  pooled: string
  /** The disk its cluster lies on. */
  disk: string
  start(): Promise<void>
  stop(mode: 'fast' | 'immediate'): void
  /** Its processes, the first one first. */
  processes(): number[]
  startPooler(): Promise<void>
  killPooler(): void
}

/** @param programs folder of `initdb`, `pg_ctl` and `postgres` */
export function prepareDatabase(
  folder: string,
  programs: string,
  ports: { own: number; pooler: number },
): Database {
  const disk = join(folder, 'store')
  const cluster = join(disk, 'cluster')
  asOwner(join(programs, 'initdb'), '-D', cluster, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync')
  const settings = {
    port: ports.own,
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    max_connections: 80,
    shared_buffers: "'128MB'",
    max_wal_size: "'256MB'",
    wal_keep_size: 0,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  appendFileSync(join(cluster, 'postgresql.conf'), lines.join(''))
  const pooler = join(folder, 'pooler')
  mkdirSync(pooler)
  const pidFile = join(pooler, 'pid')
  const configuration = [
    '[databases]',
    `soak = host=127.0.0.1 port=${ports.own} dbname=soak user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ports.pooler}`,
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 25',
    'max_client_conn = 300',
    `pidfile = ${pidFile}`,
    `logfile = ${join(pooler, 'log')}`,
    'unix_socket_dir =',
  ]
  writeFileSync(join(pooler, 'pgbouncer.ini'), `${configuration.join('\n')}\n`)
  execFileSync('chown', ['-R', 'postgres', pooler])
  const direct = `postgres://postgres@127.0.0.1:${ports.own}/soak`
  const pooled = `postgres://postgres@127.0.0.1:${ports.pooler}/soak`
  const ctl = (...words: string[]) => asOwner(join(programs, 'pg_ctl'), '-D', cluster, '-w', ...words)
  return {
    direct,
    pooled,
    disk,
    async start() {
      for (let attempt = 1; ; attempt++) {
        try {
          ctl('-l', join(folder, 'pooler', 'postgres.log'), 'start')
          return
        } catch (error) {
          // The processes of one that was killed take a moment to notice and to let go of its memory.
          if (attempt === 20) throw error
          await setTimeout(500)
        }
      }
    },
    stop: (mode) => ctl('-m', mode, 'stop'),
    processes() {
      const first = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
      const inside = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && placeOf(name) === cluster)
      return [first, ...inside.map(Number).filter((pid) => pid !== first)]
    },
    async startPooler() {
      const words = ['-s', '/bin/sh', 'postgres', '-c', `exec pgbouncer ${join(pooler, 'pgbouncer.ini')}`]
      spawn('su', words, { stdio: 'ignore' }).unref()
      await databaseAnswers(pooled)
    },
    killPooler: () => process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL'),
  }
}

function asOwner(program: string, ...words: string[]): void {
  const id = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
  execFileSync(program, words, { uid: id('-u'), gid: id('-g'), cwd: '/', stdio: 'ignore' })
}

function placeOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
