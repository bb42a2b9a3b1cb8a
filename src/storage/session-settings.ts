import { randomUUID } from 'node:crypto'
import type { Client, ClientBase } from 'pg'
import { StoreClient } from './client.ts'

/**
 * Settings of every session, whatever the server's own are. Dates in queries are UTC dates. No query here runs long enough
 * to be worth JIT compiling. A process that hangs inside a transaction, or a machine that vanishes, must not keep its locks.
 */
const sessionSettings = { TimeZone: 'UTC', jit: 'off', idle_in_transaction_session_timeout: '10s' }

/** The first statement on connections through a pooler: this one setting follows a client from session to session. */
const settingOfClient = `set TimeZone = 'UTC'`

/** The settings as startup options of a connection. */
export const sessionOptions = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** How connections begin: with options, or with a statement. */
export type SessionStart = ({ options: string } | { statement: string }) & {
  /** Whether prepared statements of a connection stay available to it. */
  prepares: boolean
}

/** The database is behind a pooler, and its sessions do not have the required settings. */
class PoolerError extends Error {
  override name = 'PoolerError'
}

/**
 * Finds out whether connections to a database can request settings. A pooler in transaction mode refuses that, since its
 * sessions are shared: there the settings are given to the role for this database, and older sessions are ended.
 * @returns the options that connections are opened with, or the statement each begins with
 * @throws PoolerError, and any error of connecting
 */
export async function probeSessionSettings(databaseUrl: string): Promise<SessionStart> {
  try {
    if (await within(databaseUrl, sessionOptions, isOwnSession))
      return { options: sessionOptions, prepares: true }
    // A pooler that is configured to ignore options accepts them without effect.
  } catch (error) {
    if (!refusesOptions(error)) throw error
  }
  // Each attempt reaches one session of the pooler, and there can be as many old ones as its pool has places.
  for (let attempt = 0; attempt < 200; attempt++)
    if (await within(databaseUrl, undefined, settled))
      return { statement: settingOfClient, prepares: await within(databaseUrl, undefined, keepsStatements) }
  throw new PoolerError(
    `The pooler before the database goes on using sessions from before. Let it connect anew (RECONNECT in its console), or give the role of this service these settings yourself: ${Object.entries(
      sessionSettings,
    )
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ')}.`,
  )
}

/** Whether this session has the settings. If not, it is ended, and later sessions have them. */
async function settled(client: Client): Promise<boolean> {
  await client.query(settingOfClient)
  const { rows } = await client.query<{ name: string }>(
    `select key as name from json_each_text($1) where current_setting(key) is distinct from value`,
    [JSON.stringify(sessionSettings)],
  )
  if (rows.length === 0) return true
  await client.query('begin')
  await client.query(`select pg_advisory_xact_lock(hashtext('rivalscope sessions'))`)
  const { rows: statements } = await client.query<{ statement: string }>(
    `select format('alter role current_user in database %I set %I = %L', current_database(), key, value) as statement
     from json_each_text($1)`,
    [JSON.stringify(sessionSettings)],
  )
  for (const { statement } of statements) await client.query(statement)
  await client.query('commit')
  await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {})
  return false
}

/** Whether a connection is one session of the database from beginning to end: a pooler reports a process id of its own. */
export async function isOwnSession(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend')
  // Undocumented in the driver, and present in all of its versions.
  const { processID } = client as ClientBase & { processID: number | null }
  return rows[0]?.backend === processID
}

/**
 * Whether a pooler keeps the prepared statements of its clients apart, and provides them on every session it lends.
 * pgbouncer does so from 1.21 on by default, under names of its own. Sources: its manual, `max_prepared_statements`, and its
 * `include/prepare.h`.
 */
async function keepsStatements(client: Client): Promise<boolean> {
  const name = `rivalscope ${randomUUID()}`
  const text = `select 1 as "${name}"`
  await client.query('begin')
  await client.query({ name, text })
  const { rows: prepared } = await client.query<{ name: string }>(
    'select name from pg_prepared_statements where statement = $1',
    [text],
  )
  const passedOn = prepared.some((one) => one.name === name)
  if (passedOn) await client.query(`deallocate ${client.escapeIdentifier(name)}`)
  await client.query('commit')
  return !passedOn && prepared.some((one) => one.name.startsWith('PGBOUNCER_'))
}

async function within<T>(
  connectionString: string,
  options: string | undefined,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new StoreClient({ connectionString, ...(options ? { options } : {}) })
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** pgbouncer's answer to a startup packet with `options`: a protocol violation that names them. */
function refusesOptions(error: unknown): boolean {
  return error instanceof Error && /startup parameter.*options/i.test(error.message)
}
