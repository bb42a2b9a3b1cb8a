import { type Kysely, type KyselyPlugin, type KyselyProps, type RawBuilder, Transaction } from 'kysely'
import type { Dialect } from './dialect.ts'

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
