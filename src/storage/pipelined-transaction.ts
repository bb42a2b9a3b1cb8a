import { type Kysely, type KyselyPlugin, type KyselyProps, type RawBuilder, Transaction } from 'kysely'
import type { Dialect } from './dialect.ts'

/**
 * A transaction that sends each statement when it is asked for, behind those before it, and not only when they were answered. The
 * statement that begins it goes with the first one, the last ones with the one that ends it.
 */
export class PipelinedTransaction extends Transaction<unknown> {
  readonly #props: KyselyProps
  readonly last: RawBuilder<unknown>[]

  /** @param last statements that nothing in the transaction waits for */
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

/** Runs work in a pipelined transaction. It is rolled back where the work fails, or one of its last statements. */
export function inPipelinedTransaction<T>(
  db: Kysely<unknown>,
  dialect: Dialect,
  work: (transaction: PipelinedTransaction) => Promise<T>,
): Promise<T> {
  const { driver } = dialect
  const ofPool = db.getExecutor()
  return ofPool.provideConnection(async (connection) => {
    let isOver = false
    const executor = ofPool.withConnectionProvider({
      provideConnection: async (use) => {
        // Of work that failed some may still be under way; what it asks for now would be outside of the transaction.
        if (isOver) throw new Error('The transaction has ended.')
        return use(connection)
      },
    })
    const transaction = new PipelinedTransaction({ config: { dialect }, dialect, driver, executor }, [])
    try {
      const begun = driver.beginTransaction(connection, {})
      const [done] = await Promise.all([work(transaction), begun])
      const last = transaction.last.map((statement) => statement.execute(transaction))
      isOver = true
      await Promise.all([...last, driver.commitTransaction(connection)])
      return done
    } catch (error) {
      isOver = true
      await driver.rollbackTransaction(connection)
      throw error
    }
  })
}
