import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { appliedMigrations, knownMigrations, moveSchema } from '../../storage/migrate.ts'
import { error, type Finding, findingsOrOk, ok, warning } from './finding.ts'

interface Server {
  version: string
  versionNumber: number
  encoding: string
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  autovacuum: string
  connections: number
  inRecovery: boolean
  unfinishedMove: boolean
  /** Transactions since the oldest row that was not frozen. */
  age: number
}

const oldestPostgres = 150_000
/** Each process of the service opens up to 18, and a server without a worker has two of them. */
const fewConnections = 40
/** PostgreSQL takes no more writes at about 2.1 billion. */
const oldAge = 1_500_000_000

/** Checks the database and its settings. */
export async function examineDatabase(db: Database): Promise<readonly Finding[]> {
  const server = await firstRow(
    db,
    sql<Server>`
      select current_setting('server_version') as version,
        current_setting('server_version_num')::int as "versionNumber",
        current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
        current_setting('full_page_writes') as "fullPageWrites",
        current_setting('synchronous_commit') as "synchronousCommit", current_setting('autovacuum') as autovacuum,
        current_setting('max_connections')::int as connections, pg_is_in_recovery() as "inRecovery",
        to_regnamespace(${moveSchema}) is not null as "unfinishedMove",
        (select age(datfrozenxid) from pg_database where datname = current_database()) as age`,
  )
  return server ? findingsOrOk(findingsOf(server), 'database', `PostgreSQL ${server.version}`) : []
}

function findingsOf(server: Server): Finding[] {
  const findings: Finding[] = []
  const addIf = (is: boolean, finding: () => Finding) => is && findings.push(finding())
  addIf(server.versionNumber < oldestPostgres, () =>
    error(
      'database',
      `PostgreSQL is ${server.version}`,
      'Rivalscope needs PostgreSQL 15 or newer: upgrade it.',
    ),
  )
  addIf(server.encoding !== 'UTF8', () =>
    error(
      'database',
      `its encoding is ${server.encoding}`,
      'Make a database with encoding UTF8, and move the store there.',
    ),
  )
  addIf(server.fsync === 'off', () =>
    error('database', 'fsync is off: a power cut can destroy the whole store', 'Set fsync = on.'),
  )
  addIf(server.fullPageWrites === 'off', () =>
    error('database', 'full_page_writes is off: a power cut can destroy pages', 'Set full_page_writes = on.'),
  )
  addIf(server.synchronousCommit === 'off', () =>
    warning(
      'database',
      'synchronous_commit is off: a crash loses what was acknowledged last',
      'Set synchronous_commit = on.',
    ),
  )
  addIf(server.autovacuum === 'off', () =>
    warning('database', 'autovacuum is off: tables grow and queries slow down', 'Set autovacuum = on.'),
  )
  addIf(server.connections < fewConnections, () =>
    warning(
      'database',
      `max_connections is ${server.connections}: a server and a worker can need more`,
      'Set max_connections = 100, or put a pooler before it.',
    ),
  )
  addIf(server.age > oldAge, () =>
    error(
      'database',
      `its oldest rows are ${server.age} transactions old, and PostgreSQL stops writing at 2.1 billion`,
      'Let autovacuum run, or run vacuum freeze; look for transactions that never end.',
    ),
  )
  addIf(server.inRecovery, () =>
    error('database', 'it is a replica, and cannot be written to', 'Name the primary with --database-url.'),
  )
  addIf(server.unfinishedMove, () =>
    error(
      'database',
      'a move into this store has not ended',
      'Run rivalscope move again, from the store it came from.',
    ),
  )
  return findings
}

/** Compares the store's migrations with those of this version. */
export async function examineSchema(db: Database): Promise<Finding[]> {
  const [applied, known] = [await appliedMigrations(db), await knownMigrations()]
  if (applied.length === 0)
    return [
      error(
        'schema',
        'there is no store in the database',
        'Make one with rivalscope migrate, or mend --database-url.',
      ),
    ]
  const unknown = applied.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    return [
      error(
        'schema',
        `the store has migrations that this version does not know: ${unknown.join(', ')}`,
        'Run the version that wrote it.',
      ),
    ]
  const missing = known.filter((name) => !applied.includes(name))
  if (missing.length > 0)
    return [
      warning(
        'schema',
        `${missing.length} migrations of this version are missing, the first is ${missing[0]}`,
        'Run rivalscope migrate; every start of serve and work does it as well.',
      ),
    ]
  return [ok('schema', `all ${known.length} migrations, the last is ${known.at(-1)}`)]
}

/** Clock differences in seconds: harmless ones, and those that make jobs get lost and sign-ins fail. */
const smallSkew = 2
const greatSkew = 30

/** Compares the clock of this machine with that of the database. */
export async function examineClock(db: Database): Promise<Finding[]> {
  const before = Date.now()
  const [answer] = await rows(db, sql<{ now: Date }>`select clock_timestamp() as now`)
  const after = Date.now()
  const skew = ((answer?.now.getTime() ?? before) - (before + after) / 2) / 1_000
  // The whole round trip may have been spent in one direction.
  const seconds = Math.max(0, Math.abs(skew) - (after - before) / 2_000)
  const found = `this machine's clock and the database's are ${seconds.toFixed(1)} s apart`
  const todo = 'Have both machines set their clocks by NTP (timedatectl set-ntp true).'
  if (seconds > greatSkew) return [error('clock', found, todo)]
  return [seconds > smallSkew ? warning('clock', found, todo) : ok('clock', found)]
}
