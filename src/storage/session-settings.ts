import { Client } from 'pg'

/**
 * What every session has, whatever the server says by itself. Dates in queries are UTC dates. No query here runs long enough to
 * be worth compiling. A process that hangs in the middle of a transaction, or a machine that vanishes, must not keep its locks.
 */
const sessionSettings = { TimeZone: 'UTC', jit: 'off', idle_in_transaction_session_timeout: '10s' }

/** How connections through a pooler begin: this one setting follows a client from session to session. */
const settingOfClient = `set TimeZone = 'UTC'`

/** The settings as a connection asks for them when it begins. */
export const sessionOptions = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** How connections begin: with options, or with a statement. */
export type SessionStart = { options: string } | { statement: string }

/** A pooler stands before the database, and its sessions are not set as they have to be. */
class PoolerError extends Error {
  override name = 'PoolerError'
}

/**
 * Finds out whether connections to a database can ask for settings. A pooler in transaction mode refuses that, since its
 * sessions are shared: there the role gets them for this database, and sessions that began before are ended.
 * @returns the options that connections are opened with, or the statement each begins with
 * @throws PoolerError, and what connecting throws
 */
export async function settleSessions(databaseUrl: string): Promise<SessionStart> {
  try {
    await within(databaseUrl, sessionOptions, (client) => client.query('select'))
    return { options: sessionOptions }
  } catch (error) {
    if (!refusesOptions(error)) throw error
  }
  // Each try sees one session of the pooler at most, and there can be as many from before as its pool has places.
  for (let attempt = 0; attempt < 200; attempt++)
    if (await within(databaseUrl, undefined, settled)) return { statement: settingOfClient }
  throw new PoolerError(
    `The pooler before the database goes on using sessions from before. Let it connect anew (RECONNECT in its console), or give the role of this service these settings yourself: ${Object.entries(
      sessionSettings,
    )
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ')}.`,
  )
}

/** @returns whether this session is as it has to be; where it is not, the next ones are, and this one ends */
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

async function within<T>(
  connectionString: string,
  options: string | undefined,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 5_000,
    ...(options ? { options } : {}),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** pgbouncer's answer to a start with `options`: a violation of the protocol that names them. */
function refusesOptions(error: unknown): boolean {
  return error instanceof Error && /startup parameter.*options/i.test(error.message)
}
