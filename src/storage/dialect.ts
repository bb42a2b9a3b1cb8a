import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
} from 'kysely'

/** Kysely's PostgreSQL dialect, which also knows whether the pool pipelines. */
export class Dialect extends PostgresDialect {
  readonly driver: Driver
  /** Whether a connection takes a statement before it has answered the one before. */
  readonly pipelines: boolean

  /** @param givesWay whether its transactions may wait for a core */
  constructor(pool: PostgresPool, pipelines: boolean, givesWay = false) {
    super({ pool })
    this.driver = givesWay ? new PatientDriver({ pool }) : new PostgresDriver({ pool })
    this.pipelines = pipelines
  }

  override createDriver(): Driver {
    return this.driver
  }

  override createAdapter(): PostgresAdapter {
    return new Adapter(this)
  }
}

/**
 * Begins transactions that may be idle for minutes, for commands at the lowest priority: on a busy machine they wait that long for a
 * core between two statements. In one message, since a process may also wait after BEGIN.
 */
class PatientDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw(`begin; set local idle_in_transaction_session_timeout = '5min'`),
    )
  }
}

/** Kysely's migration lock belongs to the session, and stays when a pooler lends it to others: `migrate` holds its own. */
class Adapter extends PostgresAdapter {
  readonly dialect: Dialect

  constructor(dialect: Dialect) {
    super()
    this.dialect = dialect
  }

  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** The dialect of a database whose connections pipeline statements; undefined for any other. */
export function pipeliningDialect(db: Kysely<unknown>): Dialect | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof Adapter && adapter.dialect.pipelines ? adapter.dialect : undefined
}
