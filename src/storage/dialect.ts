import { type Driver, type Kysely, PostgresAdapter, PostgresDialect, PostgresDriver } from 'kysely'
import type { Pool } from 'pg'

/** Kysely's PostgreSQL dialect, which also knows whether the pool pipelines. */
export class Dialect extends PostgresDialect {
  readonly driver: Driver
  /** Whether a connection takes a statement before it has answered the one before. */
  readonly pipelines: boolean

  constructor(pool: Pool, pipelines: boolean) {
    super({ pool })
    this.driver = new PostgresDriver({ pool })
    this.pipelines = pipelines
  }

  override createDriver(): Driver {
    return this.driver
  }

  override createAdapter(): PostgresAdapter {
    return new Adapter(this)
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
