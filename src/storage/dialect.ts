import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type KyselyPlugin,
  type KyselyProps,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type RawBuilder,
  Transaction,
} from 'kysely'

/** Kysely's PostgreSQL dialect, which also knows whether the pool pipelines. */
export class Dialect extends PostgresDialect {
  readonly driver: Driver
  /** Whether a connection takes a statement before it has answered the one before. */
  readonly pipelines: boolean

  /** @param lowPriority whether its transactions may wait for a core */
  constructor(pool: PostgresPool, pipelines: boolean, lowPriority = false) {
    super({ pool })
    this.driver = lowPriority ? new PatientDriver({ pool }) : new PostgresDriver({ pool })
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

/**
 * A transaction that sends each statement at once, without waiting for the responses to those before it. BEGIN is sent with
 * the first statement, and the last statements with COMMIT.
 */
export class PipelinedTransaction extends Transaction<unknown> {
  readonly #props: KyselyProps
  readonly last: RawBuilder<unknown>[]

  /** @param last statements whose results nothing in the transaction waits for */
  constructor(props: KyselyProps, last: RawBuilder<unknown>[]) {
    super(props)
    this.#props = props
    this.last = last
  }

  override withPlugin(plugin: KyselyPlugin): PipelinedTransaction {
    const executor = this.#props.executor.withPlugin(plugin)
    return new PipelinedTransaction({ ...this.#props, executor }, this.last)
  }
}

/** Runs work in a pipelined transaction. It is rolled back when the work, or one of its last statements, fails. */
export function inPipelinedTransaction<T>(
  db: Kysely<unknown>,
  dialect: Dialect,
  work: (transaction: PipelinedTransaction) => Promise<T>,
): Promise<T> {
  const { driver } = dialect
  const ofPool = db.getExecutor()
  return ofPool.provideConnection(async (connection) => {
    let isOver = false
    let cause: unknown
    const executor = ofPool.withConnectionProvider({
      provideConnection: async (use) => {
        // Parts of a failed work may still run; a statement they send now would be outside of the transaction.
        if (isOver) throw new Error('The transaction has ended.')
        try {
          return await use(connection)
        } catch (error) {
          if (!isOfFailed(error)) cause = error
          throw error
        }
      },
    })
    const transaction = new PipelinedTransaction({ config: { dialect }, dialect, driver, executor }, [])
    try {
      const begun = driver.beginTransaction(connection, {})
      const [done] = await Promise.all([work(transaction), begun])
      const last = transaction.last.map((statement) => statement.execute(transaction))
      isOver = true
      const answers = await Promise.allSettled([...last, driver.commitTransaction(connection)])
      // When one of the last statements has failed, COMMIT fails too, without saying why.
      const failed = answers.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      return done
    } catch (error) {
      isOver = true
      await driver.rollbackTransaction(connection)
      throw isOfFailed(error) ? cause : error
    }
  })
}

/** Whether a statement was refused only because an earlier one had failed, whose own error may arrive later. */
const isOfFailed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02'
