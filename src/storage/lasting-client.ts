import { Client, type ClientConfig } from 'pg'

/** SQLSTATE `disk_full`. */
export const diskFull = '53100'

/** How long to wait for a connection: a busy machine takes seconds to open one, and a long import should not fail for that. */
export const connectionTimeoutMs = 30_000

/**
 * A connection of a process that may wait for a core, or be stopped: only time in which the process runs counts towards its
 * timeouts. Statements after its end are rejected with the reason; the driver reports it only once, and to nobody where no
 * statement runs.
 */
export class LastingClient extends Client {
  #endedBy: Error | undefined
  /** Called when a statement is refused because the disk of the database is full. */
  onFullDisk: (() => void) | undefined

  constructor(config?: string | ClientConfig) {
    super(config)
    this.on('error', (error) => {
      this.#endedBy ??= error
    })
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === diskFull) this.onFullDisk?.()
    })
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const stopWaiting = afterRunning(connectionTimeoutMs, () =>
      this.connection.stream.destroy(new Error('timeout expired')),
    )
    if (!callback)
      return super
        .connect()
        .then(() => this)
        .finally(stopWaiting)
    super.connect((error: Error) => {
      stopWaiting()
      callback(error)
    })
    return undefined
  }

  // biome-ignore lint/suspicious/noExplicitAny: a method of many overloads, which are handed on as they are
  override query(asked: any, ...rest: any[]): any {
    const answersItself = typeof asked?.submit === 'function' || typeof rest.at(-1) === 'function'
    if (this.#endedBy && !answersItself) return Promise.reject(this.#endedBy)
    return Reflect.apply(super.query, this, [asked, ...rest])
  }
}

/**
 * Calls `act` once this process has run for that long. At most one tick falls due while it is stopped.
 * @returns a function that cancels the wait
 */
function afterRunning(milliseconds: number, act: () => void): () => void {
  let ticks = 30
  const timer = setInterval(() => {
    if (--ticks > 0) return
    clearInterval(timer)
    act()
  }, milliseconds / ticks)
  timer.unref()
  return () => clearInterval(timer)
}
