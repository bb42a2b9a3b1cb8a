import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cuttableWayTo } from './cuttable-way.ts'
import { databaseAnswers } from './database-answers.ts'
import { openFolder } from './files.ts'
import { freePort } from './free-port.ts'

/** Why tests with a pooler are skipped; false where there is one. */
export const lacksPooler =
  spawnSync('pgbouncer', ['--version']).status === 0 ? false : 'pgbouncer is not installed here'

/** A pgbouncer in transaction mode before a database. */
export interface Pooler extends AsyncDisposable {
  url: string
  /** Ends it, and every connection through it, without a word. */
  kill(): Promise<void>
  /** Starts it at the same address, and waits until it answers. */
  start(): Promise<void>
}

/**
 * Starts a pooler with so few sessions that its clients must share them.
 * @param more lines of its configuration
 */
export async function poolerTo(databaseUrl: string, sessions: number, ...more: string[]): Promise<Pooler> {
  await using parts = new AsyncDisposableStack()
  // Only the owner can use the socket of a store, and pgbouncer does not run as root.
  const bySocket = new URL(databaseUrl).searchParams.has('host')
  const target = new URL(bySocket ? parts.use(await cuttableWayTo(databaseUrl)).url : databaseUrl)
  const name = target.pathname.slice(1)
  const { path: folder } = parts.use(openFolder())
  const as = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  chmodSync(folder, 0o755)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const password = target.password ? ` password=${target.password}` : ''
  const lines = [
    '[databases]',
    `${name} = host=${target.hostname} port=${target.port} dbname=${name} user=${target.username}${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${sessions}`,
    ...more,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const url = `postgres://${target.username}@127.0.0.1:${port}/${name}`
  let kill = async () => {}
  const start = async () => {
    const child = spawn('pgbouncer', [file], { ...as, stdio: 'ignore' })
    const closed = once(child, 'close')
    kill = async () => {
      child.kill('SIGKILL')
      await closed
    }
    await Promise.race([
      databaseAnswers(url),
      closed.then(([code]) => Promise.reject(new Error(`pgbouncer ended with ${code} on port ${port}.`))),
    ])
  }
  parts.defer(() => kill())
  await start()
  const opened = parts.move()
  return { url, kill: () => kill(), start, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}
